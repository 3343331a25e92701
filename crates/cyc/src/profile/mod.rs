//! Pictures of memory: `--memory-profile`, and `cyc profile` for what a program wrote by itself.
//!
//! A program that is built for it writes JSON when it ends (`runtime/src/profile`, docs/memory-profile.md); here that becomes a
//! chart ([`chart`]) and a page around it ([`page`]).

mod chart;
mod data;
mod page;
mod units;

use crate::render::Terminal;
use crate::status;
use cyc_driver::compile::publish;
use cyc_driver::{Problem, Report, Verdict};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Html,
    Svg,
    Json,
}

impl Format {
    fn of(path: &Path) -> Result<Format, Problem> {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("html") => Ok(Format::Html),
            Some("svg") => Ok(Format::Svg),
            Some("json") => Ok(Format::Json),
            _ => Err(Problem::unknown_picture(path)),
        }
    }
}

/// A picture of the memory of a program that is going to run.
pub struct Picture {
    out: PathBuf,
    format: Format,
    /// The program writes here.
    folder: tempfile::TempDir,
}

impl Picture {
    /// # Errors
    /// It could not be written: known before the program runs, perhaps for hours.
    pub fn new(out: &Path) -> Result<Picture, Problem> {
        let format = Format::of(out)?;
        let failed = |e: std::io::Error| Problem::cannot_write(out, &e);
        if out.is_dir() {
            return Err(failed(std::io::Error::from(std::io::ErrorKind::IsADirectory)));
        }
        let out = std::path::absolute(out).map_err(failed)?;
        tempfile::NamedTempFile::new_in(out.parent().unwrap_or(Path::new("/"))).map_err(failed)?;
        let folder = tempfile::Builder::new().prefix("cyc-profile-").tempdir();
        let folder = folder.map_err(|e| Problem::cannot_write(&std::env::temp_dir(), &e))?;
        Ok(Picture { out, format, folder })
    }

    fn figures(&self) -> PathBuf {
        self.folder.path().join("profile.json")
    }

    /// Tells the program where to leave its figures.
    pub fn tell(&self, program: &mut Command) {
        program.env("CYC_MEMORY_PROFILE", self.figures());
    }

    /// Draws what the program left.
    pub fn draw(self) -> Result<(), Problem> {
        if !self.figures().exists() {
            return Err(Problem::no_profile(&self.out));
        }
        draw(&self.figures(), &self.out, self.format)
    }
}

fn draw(figures: &Path, out: &Path, format: Format) -> Result<(), Problem> {
    let bytes = std::fs::read(figures).map_err(|e| Problem::cannot_read(figures, &e))?;
    // Names of files may be no UTF-8.
    let text = String::from_utf8_lossy(&bytes);
    let profile = data::Profile::parse(&text).map_err(|why| Problem::not_a_profile(figures, &why))?;
    let picture = match format {
        Format::Html => page::page(&profile, &text),
        Format::Svg => chart::document(&profile),
        Format::Json => text.into_owned(),
    };
    publish(out, |place| std::fs::write(place, &picture).map_err(|e| Problem::cannot_write(out, &e)))
}

/// `cyc profile FILE -o OUT`.
pub fn draw_file(file: &Path, out: &Path) -> ExitCode {
    let drawn = Format::of(out).and_then(|format| draw(file, out, format));
    status(drawn.err().map_or(Verdict::Done, |problem| {
        Terminal::plain().problem(&problem);
        Verdict::Environment
    }))
}
