//! A job: sources with their weights, limits and filters, as a TOML file and on the command line.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use clap::Args;
use serde::{Deserialize, Serialize};
use system::files;
use toml::Spanned;

use super::filter::Filter;
use super::source::{Form, Source, View};

/// Greatest weight of a source: beyond it, copies of samples would fill the memory.
const WEIGHT_MAX: f64 = 100.0;

/// Where positions are read from, besides the files named.
#[derive(Args, Clone, PartialEq, Debug, Default)]
pub struct SourceArguments {
    /// TOML file that names sources with their weights, limits and filters; --print-job shows one.
    /// What it says of a filter goes before the options here.
    #[arg(long, value_name = "FILE")]
    pub job: Option<PathBuf>,
    /// Print the job file that stands for this command line, and do nothing else
    #[arg(long)]
    pub print_job: bool,
    /// What the files named on the command line hold [default: as their first bytes or names say].
    #[arg(long, value_enum, value_name = "FORM")]
    pub input_form: Option<Form>,
}

impl SourceArguments {
    /// The sources: the files named, then those of the job. Fields of the job's filter count for
    /// all of them, and the rest is as `filter` says.
    ///
    /// # Errors
    /// If the job cannot be read or says what is impossible.
    pub fn sources(&self, files: &[PathBuf], filter: &Filter) -> anyhow::Result<Vec<Source>> {
        let job = self.job.as_deref().map(|path| PositionsJob::load(path, filter)).transpose()?;
        let PositionsJob { filter, sources } =
            job.unwrap_or_else(|| PositionsJob { filter: filter.clone(), sources: Vec::new() });
        let named = files.iter().map(|path| Source::new(path, self.input_form, &filter));
        Ok(named.chain(sources).collect())
    }

    /// As [`SourceArguments::sources`]; none if the job was to be printed, and has been.
    ///
    /// # Errors
    /// As [`SourceArguments::sources`], and if standard output cannot be written.
    pub fn sources_or_print(
        &self,
        files: &[PathBuf],
        filter: &Filter,
    ) -> anyhow::Result<Option<Vec<Source>>> {
        let sources = self.sources(files, filter)?;
        if self.print_job {
            let text = to_toml(&sources)?;
            io::stdout().write_all(text.as_bytes()).context("cannot write standard output")?;
            return Ok(None);
        }
        Ok(Some(sources))
    }
}

struct PositionsJob {
    filter: Filter,
    sources: Vec<Source>,
}

/// The file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JobFile {
    #[serde(default)]
    filter: Changes,
    source: Vec<Spanned<SourceEntry>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SourceEntry {
    path: Spanned<PathBuf>,
    form: Option<Form>,
    view: Option<Spanned<View>>,
    weight: Option<Spanned<f64>>,
    positions: Option<Spanned<usize>>,
    #[serde(default)]
    filter: Changes,
}

/// Fields of a filter that are other than before.
type Changes = BTreeMap<String, Spanned<toml::Value>>;

/// A mistake in a job file: the byte it is at, and what is wrong.
type Mistake = (usize, String);

impl PositionsJob {
    fn load(path: &Path, filter: &Filter) -> anyhow::Result<PositionsJob> {
        let text = files::read_toml(path)?;
        PositionsJob::parse(&text, path.parent().unwrap_or(Path::new("")), filter).map_err(
            |(at, reason)| {
                let line = 1 + text.bytes().take(at).filter(|&byte| byte == b'\n').count();
                anyhow!("{}:{line}: {reason}", path.display())
            },
        )
    }

    /// Reads a job; its paths are those beside `folder`.
    fn parse(text: &str, folder: &Path, filter: &Filter) -> Result<PositionsJob, Mistake> {
        let file: JobFile = toml::from_str(text).map_err(|error| {
            (error.span().map_or(0, |span| span.start), error.message().trim().to_owned())
        })?;
        let filter = changed(filter, file.filter, folder)?;
        let sources = file.source.into_iter().map(|entry| read_source(entry, &filter, folder));
        let sources = sources.collect::<Result<Vec<_>, Mistake>>()?;
        if sources.is_empty() {
            return Err((0, "it names no source".to_owned()));
        }
        Ok(PositionsJob { filter, sources })
    }
}

fn read_source(
    entry: Spanned<SourceEntry>,
    filter: &Filter,
    folder: &Path,
) -> Result<Source, Mistake> {
    let entry = entry.into_inner();
    let path = folder.join(entry.path.get_ref());
    if path.is_dir() || !path.exists() {
        return Err((entry.path.span().start, format!("there is no file {}", path.display())));
    }
    let form = entry.form.or_else(|| Form::of_name(&path));
    let mut source = Source { form: entry.form, ..Source::new(&path, None, filter) };
    if let Some(view) = entry.view {
        if form.is_some_and(Form::has_own_view) {
            let reason = "its form says itself whose results these are: view is for text and csv";
            return Err((view.span().start, reason.to_owned()));
        }
        source.view = view.into_inner();
    }
    if let Some(weight) = entry.weight {
        source.weight = *weight.get_ref();
        // Not a number is in no range.
        if !(source.weight > 0.0 && source.weight <= WEIGHT_MAX) {
            let reason = format!("a weight is above 0 and at most {WEIGHT_MAX}");
            return Err((weight.span().start, reason));
        }
    }
    if let Some(positions) = entry.positions {
        source.positions = Some(*positions.get_ref());
        if source.positions == Some(0) {
            return Err((positions.span().start, "no positions at all: leave it out".to_owned()));
        }
    }
    source.filter = changed(filter, entry.filter, folder)?;
    Ok(source)
}

/// The filter with these fields changed.
fn changed(filter: &Filter, changes: Changes, folder: &Path) -> Result<Filter, Mistake> {
    let mut filter = filter.clone();
    for (name, value) in changes {
        let at = value.span().start;
        let mut table = toml::Table::try_from(&filter).map_err(|error| (at, error.to_string()))?;
        let known = table.keys().cloned().collect::<Vec<_>>().join(", ");
        let Some(field) = table.get_mut(&name) else {
            return Err((at, format!("a filter has no '{name}', but {known}")));
        };
        *field = value.into_inner();
        filter = table.try_into().map_err(|error: toml::de::Error| {
            (at, format!("{name}: {}", error.message().trim()))
        })?;
        filter.check().map_err(|reason| (at, format!("{name}: {reason}")))?;
        if name == "syzygy" {
            filter.syzygy = filter.syzygy.iter().map(|path| folder.join(path)).collect();
        }
    }
    Ok(filter)
}

/// A job file with these sources, all of its fields written out.
fn to_toml(sources: &[Source]) -> anyhow::Result<String> {
    #[derive(Serialize)]
    struct Printed<'a> {
        filter: &'a Filter,
        source: Vec<PrintedSource<'a>>,
    }
    #[derive(Serialize)]
    struct PrintedSource<'a> {
        path: &'a Path,
        #[serde(skip_serializing_if = "Option::is_none")]
        form: Option<Form>,
        #[serde(skip_serializing_if = "Option::is_none")]
        view: Option<View>,
        weight: f64,
        #[serde(skip_serializing_if = "Option::is_none")]
        positions: Option<usize>,
        #[serde(skip_serializing_if = "Option::is_none")]
        filter: Option<&'a Filter>,
    }
    // The job may be written to another folder.
    let absolute = |source: &Source| -> io::Result<Source> {
        let mut source = source.clone();
        source.path = std::path::absolute(&source.path)?;
        for folder in &mut source.filter.syzygy {
            *folder = std::path::absolute(&*folder)?;
        }
        Ok(source)
    };
    let sources = sources.iter().map(absolute).collect::<io::Result<Vec<_>>>()?;
    let Some(first) = sources.first() else { bail!("there is no source to print") };
    let filter = &first.filter;
    let mut source = Vec::new();
    for one in &sources {
        let form = one.form.or_else(|| Form::of_name(&one.path));
        source.push(PrintedSource {
            path: &one.path,
            form: one.form,
            view: Some(one.view).filter(|_| !form.is_some_and(Form::has_own_view)),
            weight: one.weight,
            positions: one.positions,
            filter: Some(&one.filter).filter(|own| *own != filter),
        });
    }
    toml::to_string(&Printed { filter, source }).context("the job cannot be written as TOML")
}
