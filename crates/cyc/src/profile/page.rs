//! The page: charts, figures and tables in one file, which asks nothing of the network.

use super::chart::{self, Axis};
use super::data::Profile;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// `text` is the profile as the program wrote it: the tables are made of it.
pub fn page(profile: &Profile, text: &str) -> String {
    let charts = chart::inline(profile, Axis::Time) + &chart::inline(profile, Axis::Allocated);
    // Inside an element only `</` could end it; as an escape it is the same JSON.
    let figures = text.replace('<', "\\u003c");
    let parts = [
        ("{{title}}", chart::escaped(&profile.program)),
        ("{{style}}", format!("{}{STYLE}", chart::STYLE)),
        ("{{charts}}", charts),
        ("{{script}}", SCRIPT.into()),
        ("{{figures}}", figures),
    ];
    // What is put in is not searched again: a program may be called `{{script}}`.
    let mut page = String::new();
    let mut rest = PAGE;
    while let Some(start) = rest.find("{{") {
        page.push_str(&rest[..start]);
        rest = &rest[start..];
        match parts.iter().find(|(name, _)| rest.starts_with(name)) {
            Some((name, part)) => {
                page.push_str(part);
                rest = &rest[name.len()..];
            }
            None => {
                page.push_str("{{");
                rest = &rest[2..];
            }
        }
    }
    page + rest
}
