//! Text that is not ours (names, lines of files, what other programs say) as it may be repeated: in
//! bounded length, and without characters that steer a terminal.

/// Characters of a name or a quoted line, where the place has no room of its own.
pub const WIDTH: usize = 160;

/// Characters of a line of what a program said.
const OUTPUT: usize = 400;

/// Characters of a line that is made of several texts: more than any of ours has.
pub const LINE: usize = 4096;

/// The text on one line of at most `width` characters; "…" stands for the rest.
pub fn shown(text: &str, width: usize) -> String {
    let mut letters = text.chars();
    let mut shown: String = letters.by_ref().take(width).map(visible).collect();
    if letters.next().is_some() {
        shown.push('…');
    }
    shown
}

/// The last lines of what a program said, at most `count`, each [`shown`].
pub fn last_lines(text: &str, count: usize) -> Vec<String> {
    let lines = text.trim_end().lines().rev().take(count);
    let mut last: Vec<String> = lines.map(|line| shown(line, OUTPUT)).collect();
    last.reverse();
    last
}

/// Whether a character steers a terminal, or the order in which others are shown, instead of being
/// shown itself.
pub fn is_sign(letter: char) -> bool {
    letter.is_control() || matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn visible(letter: char) -> char {
    match letter {
        '\t' | '\n' | '\r' => ' ',
        letter if is_sign(letter) => '?',
        letter => letter,
    }
}

/// A text of several lines as a terminal may get it: of all that steers one, only line breaks, tabs
/// and the colors that our own painting has are left.
pub fn harmless(text: &str) -> String {
    let mut harmless = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(|letter: char| is_sign(letter) && !matches!(letter, '\n' | '\t'))
    {
        harmless.push_str(&rest[..at]);
        rest = &rest[at..];
        let color = color_length(rest);
        match color {
            0 => harmless.push_str(if rest.starts_with("\r\n") { "" } else { "?" }),
            length => harmless.push_str(&rest[..length]),
        }
        let sign = rest.chars().next().map_or(0, char::len_utf8);
        rest = &rest[color.max(sign)..];
    }
    harmless + rest
}

/// Bytes of the color that the text begins with: bold, one of the eight, or none again; else 0.
fn color_length(text: &str) -> usize {
    match text.as_bytes() {
        [0x1b, b'[', b'0' | b'1', b'm', ..] => 4,
        [0x1b, b'[', b'3', b'0'..=b'7', b'm', ..] => 5,
        _ => 0,
    }
}

/// [`harmless`], and every line cut where no line of ours is as long.
pub fn told(text: &str) -> String {
    let lines = harmless(text);
    let cut = |line: &str| match line.char_indices().nth(LINE) {
        Some((end, _)) => line[..end].to_owned() + "…",
        None => line.to_owned(),
    };
    lines.split('\n').map(cut).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_not_repeated() {
        let text = "a\u{1b}]0;title\u{7}b\u{9b}31mc\u{7f}d\u{202e}e\u{2066}f\tg\nh\u{0}é♘";
        assert_eq!(shown(text, WIDTH), "a?]0;title?b?31mc?d?e?f g h?é♘");
        assert_eq!(harmless(text), "a?]0;title?b?31mc?d?e?f\tg\nh?é♘");
        assert_eq!(harmless("a\r\nb\rc"), "a\nb?c");
    }

    #[test]
    fn our_own_colors_are_left() {
        let painted = "\u{1b}[1m\u{1b}[31merror:\u{1b}[0m a\n";
        assert_eq!(harmless(painted), painted);
        // Concealed, beyond the edge, and cut off.
        assert_eq!(harmless("\u{1b}[8ma\u{1b}[99Cb\u{1b}[3"), "?[8ma?[99Cb?[3");
    }

    #[test]
    fn long_text_is_cut() {
        assert_eq!(shown("♘♘♘", 3), "♘♘♘");
        assert_eq!(shown("♘♘♘♘", 3), "♘♘♘…");
        let long = format!("first\n{}\nlast\n", "x".repeat(1_000_000));
        assert_eq!(last_lines(&long, 2), ["x".repeat(OUTPUT) + "…", "last".to_owned()]);
        assert_eq!(told(&long).len(), "first\n\nlast\n".len() + LINE + "…".len());
    }
}
