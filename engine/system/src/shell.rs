//! Command lines as a POSIX shell takes them.

use shlex::Quoter;

/// Words as a shell takes them for these words and nothing else.
pub fn join<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    // The one thing that cannot be quoted is a nul byte, which no command line can hold.
    Quoter::new().allow_nul(true).join(words).expect("nul bytes are let through")
}

/// The command line of this process under the name that people call it by: what repeats it.
pub fn invocation(program: &str) -> String {
    let arguments: Vec<String> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    join(std::iter::once(program).chain(arguments.iter().map(String::as_str)))
}

// It asks the shell, which Windows may not have.
#[cfg(all(test, unix))]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn a_shell_reads_the_words_back() {
        let words = ["plain-word/a.b", "", "two words", "it's", "$HOME", "a=b", "`ls`", "\"", "*"];
        let line = join(words);
        assert_eq!(shlex::split(&line).expect("well-formed"), words);
        let script = format!("printf '%s\\n' {line}");
        let output = Command::new("sh").arg("-c").arg(script).output().expect("a shell");
        let read = String::from_utf8(output.stdout).expect("UTF-8");
        assert_eq!(read.lines().collect::<Vec<_>>(), words);
        assert_eq!(join(["/a/b-c.d"]), "/a/b-c.d");
    }
}
