//! The chart: bytes live over time or over bytes allocated, the kinds one on top of the other.

use super::data::{KINDS, Profile, Sample};
use super::units;
use std::fmt::Write;

/// What goes to the right.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    Time,
    Allocated,
}

impl Axis {
    pub fn name(self) -> &'static str {
        match self {
            Axis::Time => "time",
            Axis::Allocated => "allocated",
        }
    }

    fn of(self, sample: &Sample) -> u64 {
        match self {
            Axis::Time => sample.ns,
            Axis::Allocated => sample.allocated,
        }
    }
}

const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 380.0;
const LEFT: f64 = 76.0;
const RIGHT: f64 = 984.0;
const TOP: f64 = 28.0;
const BOTTOM: f64 = 338.0;

/// Colours of light and dark surroundings; the page has the same.
pub const STYLE: &str = include_str!("chart.css");

/// An SVG file of its own.
pub fn document(profile: &Profile) -> String {
    let title = format!("Memory of {}", profile.program);
    let (top, high) = (62.0, HEIGHT + 62.0);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {high}\" width=\"{WIDTH}\" height=\"{high}\" \
         role=\"img\" class=\"paper\">\n<style>\n{STYLE}</style>\n<title>{}</title>\n\
         <rect class=\"ground\" width=\"{WIDTH}\" height=\"{high}\"/>\n\
         <text class=\"title\" x=\"24\" y=\"34\">{0}</text>\n",
        escaped(&title)
    );
    let mut x = 24.0;
    for kind in used(profile) {
        let name = KINDS[kind];
        let _ = writeln!(
            out,
            "<rect class=\"{name}\" x=\"{x}\" y=\"48\" width=\"12\" height=\"12\" rx=\"3\"/>\
             <text class=\"key\" x=\"{}\" y=\"58\">{name}</text>",
            x + 18.0
        );
        x += 44.0 + 7.0 * name.len() as f64;
    }
    let _ = writeln!(out, "<g transform=\"translate(0 {top})\">");
    body(profile, Axis::Time, &mut out);
    out.push_str("</g>\n</svg>\n");
    out
}

/// The chart inside a page, which brings the style.
pub fn inline(profile: &Profile, axis: Axis) -> String {
    let most = axis_end(profile, axis);
    let mut out = format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"bytes live\" class=\"chart\" data-axis=\"{}\" \
         data-most=\"{most}\" data-left=\"{LEFT}\" data-right=\"{RIGHT}\" data-top=\"{TOP}\" data-bottom=\"{BOTTOM}\">\n",
        axis.name()
    );
    body(profile, axis, &mut out);
    out.push_str("<line class=\"cursor\" y1=\"28\" y2=\"338\" hidden=\"\"/>\n</svg>\n");
    out
}

/// The kinds that the program used at all.
fn used(profile: &Profile) -> impl Iterator<Item = usize> + '_ {
    (0..KINDS.len()).filter(|kind| profile.samples.iter().any(|sample| sample.live[*kind] > 0))
}

fn axis_end(profile: &Profile, axis: Axis) -> u64 {
    profile.samples.last().map_or(1, |last| axis.of(last)).max(1)
}

fn body(profile: &Profile, axis: Axis, out: &mut String) {
    let end = axis_end(profile, axis);
    let peak = profile.peak();
    // Room above the peak for its label.
    let top = peak.all().max(1) as f64 * 1.06;
    let x = |sample: &Sample| LEFT + (RIGHT - LEFT) * axis.of(sample) as f64 / end as f64;
    let y = |bytes: u64| BOTTOM - (BOTTOM - TOP) * bytes as f64 / top;
    for tick in units::byte_ticks(peak.all().max(1)) {
        let (at, label) = (y(tick), if tick == 0 { "0".into() } else { units::bytes(tick) });
        let _ = writeln!(
            out,
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{RIGHT}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/>\
             <text class=\"tick\" text-anchor=\"end\" x=\"{}\" y=\"{:.1}\">{label}</text>",
            LEFT - 10.0,
            at + 4.0
        );
    }
    let mut floor = vec![0; profile.samples.len()];
    for kind in used(profile) {
        layer(profile, kind, &mut floor, &x, &y, out);
    }
    let (ticks, label): (Vec<u64>, fn(u64) -> String) = match axis {
        Axis::Time => (units::time_ticks(end), units::time),
        Axis::Allocated => (units::byte_ticks(end), units::bytes),
    };
    for tick in ticks {
        let at = LEFT + (RIGHT - LEFT) * tick as f64 / end as f64;
        // The last label ends where the chart does.
        let anchor = if at > RIGHT - 24.0 { "end" } else { "middle" };
        let _ = writeln!(
            out,
            "<line class=\"axis\" x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{BOTTOM}\" y2=\"{}\"/>\
             <text class=\"tick\" text-anchor=\"{anchor}\" x=\"{at:.1}\" y=\"{}\">{}</text>",
            BOTTOM + 5.0,
            BOTTOM + 20.0,
            if tick == 0 { "0".into() } else { label(tick) }
        );
    }
    let _ = writeln!(out, "<line class=\"axis\" x1=\"{LEFT}\" x2=\"{RIGHT}\" y1=\"{BOTTOM}\" y2=\"{BOTTOM}\"/>");
    mark_peak(x(peak), y(peak.all()), &units::bytes(peak.all()), out);
}

/// What lies between the layers below and those with this kind; `floor` rises. A figure holds until the next sample.
fn layer(
    profile: &Profile,
    kind: usize,
    floor: &mut [u64],
    x: &dyn Fn(&Sample) -> f64,
    y: &dyn Fn(u64) -> f64,
    out: &mut String,
) {
    let mut upper = String::new();
    let mut lower = vec![];
    for (i, sample) in profile.samples.iter().enumerate() {
        let until = profile.samples.get(i + 1).map_or(x(sample), x);
        let high = floor[i].saturating_add(sample.live[kind]);
        let _ = write!(upper, "{:.1} {:.1}L{until:.1} {1:.1}L", x(sample), y(high));
        lower.push((x(sample), until, y(floor[i])));
        floor[i] = high;
    }
    let _ = write!(out, "<path class=\"layer {}\" d=\"M{upper}", KINDS[kind]);
    let back: Vec<String> =
        lower.iter().rev().map(|(from, until, at)| format!("{until:.1} {at:.1}L{from:.1} {at:.1}")).collect();
    let _ = writeln!(out, "{}Z\"/>", back.join("L"));
}

fn mark_peak(x: f64, y: f64, bytes: &str, out: &mut String) {
    let (anchor, at) = if x > (LEFT + RIGHT) / 2.0 { ("end", x - 9.0) } else { ("start", x + 9.0) };
    let _ = writeln!(
        out,
        "<line class=\"peak\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{y:.1}\" y2=\"{BOTTOM}\"/>\
         <circle class=\"peak\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/>\
         <text class=\"note\" text-anchor=\"{anchor}\" x=\"{at:.1}\" y=\"{:.1}\">peak {bytes}</text>",
        y - 6.0
    );
}

/// Text inside XML.
pub fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    // Control characters are no XML.
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}
