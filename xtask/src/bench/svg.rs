//! Plots as SVG text: line charts (the papers' figures) and grouped bars (ratios).
//!
//! The drawing needs no font of this machine: text stays text in the SVG. Functions
//! return the whole document; `measure::write_whole` puts it into a file.

use anyhow::{Result, anyhow};
use plotters::chart::ChartContext;
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::element::DashedPathElement;
use plotters::prelude::*;

/// Size of every plot, pixels.
const SIZE: (u32, u32) = (960, 540);

/// Told apart also by readers who do not see red and green (Okabe and Ito's set).
const PALETTE: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(90, 90, 90),
    RGBColor(160, 130, 60),
];

/// One curve. Curves of the same `group` share a colour; `dashed` tells them apart.
#[derive(Clone, Debug)]
pub struct Curve {
    pub label: String,
    pub points: Vec<(f64, f64)>,
    pub group: usize,
    pub dashed: bool,
}

/// Axes from zero, as the papers draw them.
#[derive(Clone, Debug)]
pub struct LineChart {
    pub title: String,
    pub x_label: String,
    pub y_label: String,
    pub curves: Vec<Curve>,
}

/// Bars in groups: one group for each category, one bar in it for each series.
#[derive(Clone, Debug)]
pub struct BarChart {
    pub title: String,
    pub y_label: String,
    pub categories: Vec<String>,
    pub series: Vec<Bars>,
    /// A horizontal line, 1.0 for ratios.
    pub reference: Option<f64>,
    /// Taller bars are cut here and carry their value as text.
    pub cut: f64,
}

/// The bars of one series, by category; `None` leaves a gap.
#[derive(Clone, Debug)]
pub struct Bars {
    pub label: String,
    pub values: Vec<Option<f64>>,
}

type Plane<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;
type Area<'b> = DrawingArea<SVGBackend<'b>, Shift>;

/// Draws with `paint` and returns the document.
fn document(paint: impl FnOnce(&Area<'_>) -> Result<()>) -> Result<String> {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
        area.fill(&WHITE).map_err(drawing)?;
        paint(&area)?;
        area.present().map_err(drawing)?;
    }
    Ok(text)
}

/// Plotters' errors borrow the backend; keep their text.
fn drawing(error: impl std::fmt::Display) -> anyhow::Error {
    anyhow!("cannot draw: {error}")
}

fn legend<'a, 'b: 'a>(chart: &mut Plane<'a, 'b>) -> Result<()> {
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.85))
        .border_style(BLACK.mix(0.3))
        .label_font(("sans-serif", 16))
        .draw()
        .map_err(drawing)
}

pub fn line_chart(data: &LineChart) -> Result<String> {
    document(|area| {
        let points = || data.curves.iter().flat_map(|c| &c.points);
        let x_max = points().map(|p| p.0).fold(f64::MIN_POSITIVE, f64::max);
        let y_max = points().map(|p| p.1).fold(f64::MIN_POSITIVE, f64::max) * 1.08;
        let mut chart = ChartBuilder::on(area)
            .caption(&data.title, ("sans-serif", 24))
            .margin(14)
            .x_label_area_size(48)
            .y_label_area_size(64)
            .build_cartesian_2d(0.0..x_max, 0.0..y_max)
            .map_err(drawing)?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(BLACK.mix(0.1))
            .x_desc(&data.x_label)
            .y_desc(&data.y_label)
            .label_style(("sans-serif", 16))
            .draw()
            .map_err(drawing)?;
        for curve in &data.curves {
            draw_curve(&mut chart, curve)?;
        }
        legend(&mut chart)
    })
}

fn draw_curve<'a, 'b: 'a>(chart: &mut Plane<'a, 'b>, curve: &Curve) -> Result<()> {
    let colour = PALETTE[curve.group % PALETTE.len()];
    let style = colour.stroke_width(2);
    let points = curve.points.clone();
    if curve.dashed {
        chart
            .draw_series(DashedLineSeries::new(points.clone(), 7, 5, style))
            .map_err(drawing)?
            .label(&curve.label)
            .legend(move |(x, y)| DashedPathElement::new([(x, y), (x + 26, y)], 7, 5, style));
    } else {
        chart
            .draw_series(LineSeries::new(points.clone(), style))
            .map_err(drawing)?
            .label(&curve.label)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 26, y)], style));
    }
    let dots = points.into_iter().map(|p| Circle::new(p, 3, colour.filled()));
    chart.draw_series(dots).map_err(drawing)?;
    Ok(())
}

pub fn bar_chart(data: &BarChart) -> Result<String> {
    document(|area| {
        let groups = data.categories.len() as f64;
        let mut chart = ChartBuilder::on(area)
            .caption(&data.title, ("sans-serif", 24))
            .margin(14)
            .x_label_area_size(120)
            .y_label_area_size(64)
            .build_cartesian_2d(0.0..groups.max(1.0), 0.0..data.cut)
            .map_err(drawing)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .disable_x_axis()
            .light_line_style(TRANSPARENT)
            .bold_line_style(BLACK.mix(0.1))
            .y_desc(&data.y_label)
            .label_style(("sans-serif", 16))
            .draw()
            .map_err(drawing)?;
        draw_category_names(area, &chart, data)?;
        for (at, bars) in data.series.iter().enumerate() {
            draw_bars(&mut chart, bars, at, data.series.len(), data.cut)?;
        }
        if let Some(level) = data.reference {
            let line = PathElement::new([(0.0, level), (groups, level)], BLACK.stroke_width(1));
            chart.draw_series([line]).map_err(drawing)?;
        }
        legend(&mut chart)
    })
}

/// Names below the groups, turned by a quarter so that long ones fit.
fn draw_category_names(area: &Area<'_>, chart: &Plane<'_, '_>, data: &BarChart) -> Result<()> {
    let style = ("sans-serif", 16).into_font().transform(FontTransform::Rotate90).color(&BLACK);
    for (at, name) in data.categories.iter().enumerate() {
        let (x, y) = chart.backend_coord(&(at as f64 + 0.5, 0.0));
        area.draw(&Text::new(name.as_str(), (x + 6, y + 6), style.clone())).map_err(drawing)?;
    }
    Ok(())
}

fn draw_bars<'a, 'b: 'a>(chart: &mut Plane<'a, 'b>, bars: &Bars, at: usize, of: usize, cut: f64) -> Result<()> {
    let colour = PALETTE[at % PALETTE.len()];
    let width = 0.84 / of as f64;
    let left = |group: usize| group as f64 + 0.08 + width * at as f64;
    let present = || bars.values.iter().enumerate().filter_map(|(g, v)| v.map(|v| (g, v)));
    let boxes = present().map(|(group, value)| {
        let corner = (left(group) + width * 0.94, value.min(cut));
        Rectangle::new([(left(group), 0.0), corner], colour.filled())
    });
    chart
        .draw_series(boxes)
        .map_err(drawing)?
        .label(&bars.label)
        .legend(move |(x, y)| Rectangle::new([(x, y - 5), (x + 14, y + 5)], colour.filled()));
    let style = ("sans-serif", 13).into_font().transform(FontTransform::Rotate270).color(&WHITE);
    let values = present().filter(|(_, value)| *value > cut).map(|(group, value)| {
        Text::new(format!("{value:.1}"), (left(group) + width * 0.25, cut * 0.97), style.clone())
    });
    chart.draw_series(values).map_err(drawing)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_chart_names_its_curves_and_axes() {
        let curve =
            |label: &str, dashed| Curve { label: label.into(), points: vec![(1.0, 2.0), (2.0, 3.0)], group: 0, dashed };
        let svg = line_chart(&LineChart {
            title: "Figure".into(),
            x_label: "keys".into(),
            y_label: "seconds".into(),
            curves: vec![curve("plain", false), curve("broken", true)],
        })
        .unwrap();
        for text in ["<svg", "</svg>", "Figure", "keys", "seconds", "plain", "broken"] {
            assert!(svg.contains(text), "{text} missing");
        }
    }

    #[test]
    fn a_bar_chart_leaves_gaps_and_cuts_towers() {
        let svg = bar_chart(&BarChart {
            title: "Ratios".into(),
            y_label: "time".into(),
            categories: vec!["one".into(), "two".into()],
            series: vec![Bars { label: "x".into(), values: vec![Some(7.25), None] }],
            reference: Some(1.0),
            cut: 2.0,
        })
        .unwrap();
        for text in ["</svg>", "one", "two", "7.2"] {
            assert!(svg.contains(text), "{text} missing");
        }
    }

    #[test]
    fn an_empty_chart_is_still_a_document() {
        let svg = line_chart(&LineChart {
            title: "Nothing".into(),
            x_label: String::new(),
            y_label: String::new(),
            curves: vec![],
        });
        assert!(svg.unwrap().contains("Nothing"));
    }
}
