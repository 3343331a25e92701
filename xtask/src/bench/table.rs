//! Tables on the terminal: cases down, variants across.
//!
//! [`Table`] is any grid of text with right-aligned figures; [`ratios`] makes the
//! usual one, each figure divided by a baseline's, with the geometric mean below.

use super::measure::geometric_mean;

/// A grid of text: the first column flush left, the others flush right.
#[derive(Clone, Debug, Default)]
pub struct Table {
    pub title: String,
    pub header: Vec<String>,
    pub rows: Vec<Vec<String>>,
    /// Rows from this one on stand below a rule (means, sums).
    pub footer_from: Option<usize>,
}

impl Table {
    pub fn new(title: impl Into<String>, header: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Table { title: title.into(), header: header.into_iter().map(Into::into).collect(), ..Table::default() }
    }

    pub fn row(&mut self, cells: impl IntoIterator<Item = impl Into<String>>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// Starts the footer: rows added from now on stand below a rule.
    pub fn rule(&mut self) {
        self.footer_from = Some(self.rows.len());
    }
}

impl std::fmt::Display for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let lines = || std::iter::once(&self.header).chain(&self.rows);
        let columns = lines().map(Vec::len).max().unwrap_or(0);
        let width = |c: usize| lines().filter_map(|l| l.get(c)).map(|s| s.chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let rule = "-".repeat(widths.iter().sum::<usize>() + 2 * columns.saturating_sub(1));
        writeln!(f, "{}", self.title)?;
        for (at, line) in lines().enumerate() {
            if at == 1 || self.footer_from.is_some_and(|from| at == from + 1) {
                writeln!(f, "{rule}")?;
            }
            let cells = line.iter().enumerate().map(|(c, cell)| match c {
                0 => format!("{cell:<w$}", w = widths[c]),
                _ => format!("{cell:>w$}", w = widths[c]),
            });
            writeln!(f, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
        }
        Ok(())
    }
}

/// One row of figures: a case and a figure for each variant, `None` where the
/// variant failed.
#[derive(Clone, Debug)]
pub struct Row {
    pub case: String,
    pub figures: Vec<Option<f64>>,
}

/// Ratios of every variant to variant number `baseline`, row by row, `None` where
/// either is missing.
pub fn ratio_rows(rows: &[Row], baseline: usize) -> Vec<Row> {
    let ratio = |row: &Row| {
        let base = row.figures[baseline].filter(|b| *b > 0.0);
        let figures = row.figures.iter().map(|f| f.zip(base).map(|(f, b)| f / b));
        Row { case: row.case.clone(), figures: figures.collect() }
    };
    rows.iter().map(ratio).collect()
}

/// Geometric mean of each column over the rows where it has a figure, and whether
/// any is missing.
pub fn column_means(rows: &[Row]) -> Vec<(Option<f64>, bool)> {
    let columns = rows.first().map_or(0, |r| r.figures.len());
    let mean = |c: usize| {
        let present: Vec<f64> = rows.iter().filter_map(|r| r.figures[c]).collect();
        (geometric_mean(&present), present.len() < rows.len())
    };
    (0..columns).map(mean).collect()
}

/// Table of ratios to `variants[baseline]`: the baseline's column shows the figure
/// itself (formatted by `absolute`, for instance seconds), the others the ratio; the
/// geometric mean at the foot. A failed run shows as `FAIL`; a mean over fewer rows
/// than there are is marked with `*`.
pub fn ratios(
    title: &str,
    variants: &[String],
    rows: &[Row],
    baseline: usize,
    absolute: &dyn Fn(f64) -> String,
) -> Table {
    let mut table = Table::new(title, std::iter::once("").chain(variants.iter().map(String::as_str)));
    let divided = ratio_rows(rows, baseline);
    let shown = |f: Option<f64>| f.map_or("FAIL".to_string(), |f| format!("{f:.2}"));
    for (row, ratio) in rows.iter().zip(&divided) {
        let mut cells: Vec<String> = ratio.figures.iter().map(|f| shown(*f)).collect();
        cells[baseline] = row.figures[baseline].map_or("FAIL".to_string(), absolute);
        table.row(std::iter::once(row.case.clone()).chain(cells));
    }
    table.rule();
    let means = column_means(&divided).into_iter().map(|(mean, partial)| {
        let mark = if partial { "*" } else { "" };
        format!("{}{mark}", mean.map_or("-".to_string(), |m| format!("{m:.3}")))
    });
    table.row(std::iter::once("geometric mean".to_string()).chain(means));
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_with_a_failure() {
        let rows = [
            Row { case: "one".into(), figures: vec![Some(2.0), Some(1.0), Some(4.0)] },
            Row { case: "second".into(), figures: vec![Some(1.0), Some(2.0), None] },
        ];
        let names: Vec<String> = ["base", "x", "longer"].map(String::from).to_vec();
        let table = ratios("time", &names, &rows, 0, &|s| format!("{s:.1}s"));
        let expected = "\
time
                 base      x  longer
------------------------------------
one              2.0s   0.50    2.00
second           1.0s   2.00    FAIL
------------------------------------
geometric mean  1.000  1.000  2.000*
";
        assert_eq!(table.to_string(), expected);
    }

    #[test]
    fn a_failed_baseline_fails_the_row() {
        let rows = [Row { case: "one".into(), figures: vec![None, Some(1.0)] }];
        assert_eq!(ratio_rows(&rows, 0)[0].figures, [None, None]);
        assert_eq!(column_means(&ratio_rows(&rows, 0))[1], (None, true));
    }
}
