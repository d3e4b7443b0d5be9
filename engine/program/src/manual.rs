//! Pages for `man` and completions for shells, made of the command line itself; all programs share it.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, Command};
use clap_complete::Shell;
use clap_mangen::Man;
use system::files::{FileError, write_atomically};

/// Arguments of `manual`.
#[derive(Args, Debug)]
#[command(after_help = "\
FOLDER is laid out as the system's: share/man/man1 and, for bash, zsh and fish, where each looks for
completions. With ~/.local as FOLDER, `man` and bash find what is theirs by themselves.

Example:
  PROGRAM manual ~/.local")]
pub struct ManualArguments {
    /// Folder that the files go into, below its share
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

impl ManualArguments {
    /// Writes all files for a program's command line; returns where they are.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn write(&self, mut program: Command) -> Result<Vec<PathBuf>, FileError> {
        let name = program.get_name().to_owned();
        let mut files = Vec::new();
        for (shell, place) in [
            (Shell::Bash, format!("bash-completion/completions/{name}")),
            (Shell::Zsh, format!("zsh/site-functions/_{name}")),
            (Shell::Fish, format!("fish/vendor_completions.d/{name}.fish")),
        ] {
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut program, &name, &mut text);
            files.push((PathBuf::from(place), text));
        }
        program.build();
        collect_pages(&program, &mut files);
        let share = self.folder.join("share");
        files.iter().map(|(place, text)| write(&share.join(place), text)).collect()
    }
}

/// The page of a command, and those of the commands below it.
fn collect_pages(command: &Command, files: &mut Vec<(PathBuf, Vec<u8>)>) {
    let man = Man::new(command.clone());
    let place = Path::new("man/man1").join(man.get_filename());
    let mut text = Vec::new();
    man.render(&mut text).expect("memory can be written to");
    files.push((place, text));
    let is_shown = |it: &&Command| !it.is_hide_set() && it.get_name() != "help";
    command.get_subcommands().filter(is_shown).for_each(|it| collect_pages(it, files));
}

fn write(path: &Path, text: &[u8]) -> Result<PathBuf, FileError> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(FileError::at("create", folder))?;
    }
    write_atomically(path, |file| file.write_all(text))?;
    Ok(path.to_path_buf())
}
