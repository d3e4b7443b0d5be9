//! Pages for `man` and completions for shells.

use std::fs;
use std::process::Command;

use crate::child::ended;
use crate::helpers::sprt_line;

#[test]
fn pages_and_completions_tell_of_every_command_but_hidden_ones() {
    let home = tempfile::tempdir().expect("temporary folder");
    let (stdout, _) = ended(0, sprt_line("manual").arg(home.path()));
    let share = home.path().join("share");
    for file in ["man/man1/sprt.1", "man/man1/sprt-regress.1", "zsh/site-functions/_sprt"] {
        assert!(share.join(file).is_file(), "{stdout}");
        assert!(stdout.contains(file), "{stdout}");
    }
    assert!(!stdout.contains("supervise"), "{stdout}");
    let page = fs::read_to_string(share.join("man/man1/sprt-regress.1")).expect("written");
    assert!(page.contains(".TH sprt-regress 1") && page.contains("no\\-probe"), "{page}");
    let bash = share.join("bash-completion/completions/sprt");
    let text = fs::read_to_string(&bash).expect("written");
    assert!(text.contains("sprt__subcmd__tournament") || text.contains("sprt__tournament"));
    ended(0, Command::new("bash").arg("-n").arg(&bash));
    // A file in the way is named.
    let (_, stderr) = ended(3, sprt_line("manual").arg(&bash));
    assert!(stderr.contains("error: cannot create"), "{stderr}");
}
