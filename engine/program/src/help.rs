//! How the help of a subcommand is laid out, for all programs: usage and three examples first, and of
//! many options the common ones with `-h`, all with `--help`.

use clap::builder::{Resettable, StyledStr};
use clap::{Command, Parser};

/// The common options of commands, by the names that lead to them: `("library build", "games output")`.
pub type Common = [(&'static str, &'static str)];

/// Examples that come first.
const FIRST: usize = 3;
const HEADING: &str = "Examples:\n";
const TEMPLATE: &str =
    "{usage-heading} {usage}\n\n{before-help}{about-with-newline}\n{all-args}{after-help}";

/// Reads the command line of this process.
///
/// # Errors
/// It makes no sense, or asks for help.
pub fn try_parse<P: Parser>(common: &Common) -> Result<P, clap::Error> {
    let mut command = laid_out(P::command(), common);
    let mut matches = command.try_get_matches_from_mut(std::env::args_os())?;
    P::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))
}

/// A program whose subcommands have their help laid out.
pub fn laid_out(program: Command, common: &Common) -> Command {
    below(program, common, "")
}

fn below(command: Command, common: &Common, path: &str) -> Command {
    command.mut_subcommands(|it| {
        let path = format!("{path} {}", it.get_name());
        let is_leaf = !it.has_subcommands();
        let it = below(it, common, &path);
        if is_leaf { one(it, common, path.trim_start()) } else { it }
    })
}

fn one(mut command: Command, common: &Common, path: &str) -> Command {
    let mut has_two = command.get_after_long_help().is_some();
    if let Some((_, shown)) = common.iter().find(|(name, _)| *name == path) {
        let names = command.get_arguments().filter_map(|option| option.get_long());
        let names: Vec<String> = names.map(str::to_owned).collect();
        debug_assert!(shown.split(' ').all(|it| names.iter().any(|name| name == it)), "{path}");
        has_two = true;
        command = command.mut_args(|option| {
            let is_common =
                option.get_long().is_none_or(|it| shown.split(' ').any(|name| name == it));
            let is_hidden = !is_common && !option.is_required_set();
            option.hide_short_help(is_hidden)
        });
    }
    let after = command.get_after_long_help().or(command.get_after_help()).map(ToString::to_string);
    let (first, rest) = after.as_deref().map_or_else(Default::default, split);
    let text = |text: String| match text.is_empty() {
        true => Resettable::Reset,
        false => Resettable::Value(StyledStr::from(text)),
    };
    let command = command.help_template(TEMPLATE).before_help(text(first));
    // With few options `-h` and `--help` are the same.
    match has_two {
        true => command.after_help(Resettable::Reset).after_long_help(text(rest)),
        false => command.after_help(text(rest)),
    }
}

/// The first examples of a text, and the text without them.
fn split(text: &str) -> (String, String) {
    let Some((before, examples)) = text.split_once(HEADING) else {
        return (String::new(), text.to_owned());
    };
    // An example begins with two blanks; what is farther in belongs to it.
    let is_begin = |line: &str| line.starts_with("  ") && !line.starts_with("   ");
    let lines: Vec<&str> = examples.lines().collect();
    let end = lines.iter().position(|line| !line.is_empty() && !line.starts_with("  "));
    let (examples, after) = lines.split_at(end.unwrap_or(lines.len()));
    let begins = examples.iter().enumerate().filter(|(_, line)| is_begin(line));
    let cut = begins.map(|(at, _)| at).nth(FIRST).unwrap_or(examples.len());
    let (first, more) = examples.split_at(cut);
    let mut rest = before.trim_end().to_owned();
    let mut add = |heading: &str, lines: &[&str]| {
        let text = lines.join("\n");
        let text = text.trim_matches('\n');
        if !text.is_empty() {
            if !rest.is_empty() {
                rest += "\n\n";
            }
            rest += heading;
            rest += text;
        }
    };
    add("More examples:\n", more);
    add("", after);
    (HEADING.to_owned() + first.join("\n").trim_end(), rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_examples_come_first() {
        let text = "Of the options.\n\nExamples:\n  one\n  two:\n    prog two \\\n      --more\n\n  \
                    three\n  four:\n    prog four\n  five\nAnd so on.";
        let (first, rest) = split(text);
        assert_eq!(first, "Examples:\n  one\n  two:\n    prog two \\\n      --more\n\n  three");
        let expected =
            "Of the options.\n\nMore examples:\n  four:\n    prog four\n  five\n\nAnd so on.";
        assert_eq!(rest, expected);
        assert_eq!(split("Examples:\n  one"), ("Examples:\n  one".to_owned(), String::new()));
        assert_eq!(split("None."), (String::new(), "None.".to_owned()));
    }

    #[test]
    fn help_begins_with_usage_and_hides_what_is_rare_from_the_short_one() {
        let option = |name: &'static str| clap::Arg::new(name).long(name);
        let command = Command::new("do")
            .about("Does it.")
            .args([option("often"), option("rarely"), option("needed").required(true)])
            .after_help("Of files.\n\nExamples:\n  prog do");
        let program = Command::new("prog").subcommand(command);
        let mut program = laid_out(program, &[("do", "often")]);
        program.build();
        let command = program.find_subcommand_mut("do").expect("it is there");
        let (short, long) =
            (command.render_help().to_string(), command.render_long_help().to_string());
        for help in [&short, &long] {
            assert!(
                help.starts_with("Usage: prog do [OPTIONS] --needed <needed>\n\nExamples:\n"),
                "{help}"
            );
            assert!(help.contains("Does it.") && help.contains("--often"), "{help}");
        }
        assert!(!short.contains("--rarely") && !short.contains("Of files."), "{short}");
        assert!(long.contains("--rarely") && long.trim_end().ends_with("Of files."), "{long}");
        assert!(short.contains("--needed <needed>"), "{short}");
    }
}
