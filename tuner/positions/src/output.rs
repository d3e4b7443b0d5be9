//! Writing positions in the forms that others read.

use std::io::{self, Write};
use std::path::Path;

use anyhow::{bail, ensure};

use super::compression::write_packed;
use super::records::bulletformat;
use super::sample::Sample;
use super::source::Form;
use super::text::{write_lines, write_rows};

/// Writes samples to a file, whole or not at all.
///
/// # Errors
/// If samples have no score and the form wants one, if the form is of whole games, and if the file
/// cannot be written; it is then as before.
pub(super) fn write_samples(path: &Path, form: Form, samples: &[Sample]) -> anyhow::Result<()> {
    check(form, samples)?;
    write_packed(path, |file| write(file, form, samples))?;
    Ok(())
}

/// As [`write_samples`], to anything.
///
/// # Errors
/// As [`write_samples`].
pub(super) fn write_samples_to(
    output: &mut dyn Write,
    form: Form,
    samples: &[Sample],
) -> anyhow::Result<()> {
    check(form, samples)?;
    write(output, form, samples)?;
    Ok(())
}

fn check(form: Form, samples: &[Sample]) -> anyhow::Result<()> {
    match form {
        Form::Csv => Ok(()),
        Form::Text | Form::Bulletformat => {
            let missing = samples.iter().filter(|sample| sample.score().is_none()).count();
            ensure!(
                missing == 0,
                "{missing} of {} positions have no score, without which {form} is not written: \
                 --scored leaves them out",
                samples.len()
            );
            Ok(())
        }
        Form::Store | Form::Viriformat => bail!("{form} holds whole games, not single positions"),
    }
}

fn write(output: &mut dyn Write, form: Form, samples: &[Sample]) -> io::Result<()> {
    match form {
        Form::Text => write_lines(output, samples),
        Form::Bulletformat => bulletformat::write(output, samples),
        Form::Csv | Form::Store | Form::Viriformat => write_rows(output, samples),
    }
}
