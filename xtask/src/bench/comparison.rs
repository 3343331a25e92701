//! What benchmarks of programs against their twins share: options, verdicts, and the files of their results.

use anyhow::Result;
use clap::Args;

use super::measure::write_whole;
use super::svg::{BarChart, Bars, bar_chart};
use super::{root, table::Table};

#[derive(Args)]
pub struct Common {
    /// Only programs whose name contains this.
    pub filter: Option<String>,
    /// Measured runs of every program; the median counts.
    #[arg(long, default_value_t = 7)]
    pub runs: usize,
    /// Leave bench/results alone.
    #[arg(long)]
    pub dry: bool,
}

impl Common {
    pub fn chooses(&self, program: &str) -> bool {
        self.filter.as_ref().is_none_or(|filter| program.contains(filter.as_str()))
    }

    /// Do the results go to `bench/results`? Those of a part of the programs do not.
    pub fn keeps(&self) -> bool {
        !self.dry && self.filter.is_none()
    }
}

pub fn verdict(what: &str, got: f64, goal: f64) -> String {
    format!("{what}: {got:.3}, goal {goal:.2}: {}", if got <= goal { "reached" } else { "MISSED" })
}

/// Ratios of time and peak memory, by program.
pub struct Comparison<'a> {
    /// Of the files in `bench/results`.
    pub name: &'a str,
    pub title: &'a str,
    pub y_label: &'a str,
    pub programs: Vec<String>,
    pub times: &'a [f64],
    pub memories: &'a [f64],
}

impl Comparison<'_> {
    /// Writes the plot, the table and the report as `bench/results/NAME.{svg,txt,json}`.
    pub fn keep(self, table: &Table, report: &serde_json::Value) -> Result<()> {
        let bars = |label: &str, ratios: &[f64]| Bars {
            label: label.into(),
            values: ratios.iter().copied().map(Some).collect(),
        };
        let chart = BarChart {
            title: self.title.into(),
            y_label: self.y_label.into(),
            categories: self.programs,
            series: vec![bars("time", self.times), bars("peak memory", self.memories)],
            reference: Some(1.0),
            cut: 2.0,
        };
        let results = root()?.join("bench/results");
        let file = |ending: &str| results.join(format!("{}.{ending}", self.name));
        write_whole(&file("svg"), &bar_chart(&chart)?)?;
        write_whole(&file("txt"), &table.to_string())?;
        write_whole(&file("json"), &serde_json::to_string_pretty(report)?)
    }
}
