//! One header as a page.

use super::highlight::{code, escape};
use super::scan::{Group, Item, ItemKind, Page};
use std::collections::BTreeMap;

/// Where the types of all pages are explained: name to page and anchor.
pub(super) type Types = BTreeMap<String, String>;

/// `sys/stat.h` is `sys_stat.html`.
pub(super) fn file_name(header: &str) -> String {
    let stem = header.strip_suffix(".h").or_else(|| header.strip_suffix(".cyc")).unwrap_or(header);
    format!("{}.html", stem.replace(['/', '\\'], "_"))
}

/// The frame that all pages share.
pub(super) fn frame(title: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=en>\n<meta charset=utf-8>\n<meta name=viewport content=\"width=device-width\">\n<title>{0}</title>\n\
         <link rel=stylesheet href=style.css>\n<header><a href=index.html>Index</a>\n<input id=search type=search placeholder=\"Search names (press /)\" \
         aria-label=Search autocomplete=off></header>\n<ol id=results hidden></ol>\n<main>\n{body}</main>\n<script src=names.js></script>\n\
         <script src=search.js></script>\n",
        escape(title)
    )
}

/// Plain text of a comment: paragraphs, and words in backquotes.
pub(super) fn prose(text: &str) -> String {
    let mut out = String::new();
    for paragraph in text.split("\n\n").filter(|p| !p.trim().is_empty()) {
        out.push_str("<p>");
        for (i, part) in paragraph.split('`').enumerate() {
            let shown = escape(part);
            out.push_str(&if i % 2 == 1 { format!("<code>{shown}</code>") } else { shown });
        }
        out.push_str("</p>\n");
    }
    out
}

/// What a page calls a name: with its namespace.
pub(super) fn full_name(group: &Group, item: &Item) -> String {
    if group.namespace.is_empty() || item.kind == ItemKind::Macro {
        item.name.clone()
    } else {
        format!("{}::{}", group.namespace, item.name)
    }
}

pub(super) fn render(page: &Page, types: &Types) -> String {
    let link = |word: &str| types.get(word).cloned();
    let mut out = format!("<h1>{}</h1>\n{}", escape(&page.name), prose(&page.about));
    if let Some(prelude) = &page.prelude {
        out.push_str(&format!(
            "<p class=dim>Before each example stands:</p>\n<pre class=example>{}</pre>\n",
            code(&prelude.code, &link)
        ));
    }
    let mut anchors = std::collections::BTreeSet::new();
    for group in &page.groups {
        out.push_str("<section>\n<pre class=declaration>");
        let mut shown = "";
        for item in &group.items {
            // One declaration may declare several names.
            let anchor = if anchors.insert(&item.name) {
                format!("<a id=\"{}\"></a>", escape(&item.name))
            } else {
                String::new()
            };
            out.push_str(&anchor);
            if item.declaration != shown {
                let end = if item.kind == ItemKind::Macro { "" } else { ";" };
                out.push_str(&format!("{}{end}\n", code(&tidy(&item.declaration), &link)));
            }
            shown = &item.declaration;
        }
        out.push_str(&format!("</pre>\n{}", prose(&group.text)));
        if let Some(example) = &group.example {
            out.push_str(&format!("<pre class=example>{}</pre>\n", code(&example.code, &link)));
        }
        out.push_str("</section>\n");
    }
    frame(&page.name, &out)
}

/// A declaration without what only the compiler reads, and without the indentation of its block.
fn tidy(declaration: &str) -> String {
    let mut text = declaration.to_string();
    while let Some(start) = text.find("asm(\"") {
        let Some(end) = text[start..].find("\")") else { break };
        let before = text[..start].trim_end().len();
        text.replace_range(before..start + end + 2, "");
    }
    let lines: Vec<&str> = text.lines().collect();
    let common = lines
        .iter()
        .skip(1)
        .filter(|l| !l.trim().is_empty())
        .map(|l| l.len() - l.trim_start().len())
        .min()
        .unwrap_or(0);
    // A block's last brace stands where the declaration begins.
    let closing = lines.last().filter(|l| l.trim().starts_with('}')).map(|l| l.len() - l.trim_start().len());
    let cut = closing.unwrap_or(common.min(2));
    let shown: Vec<&str> =
        lines.iter().enumerate().map(|(i, l)| if i == 0 { *l } else { l.get(cut..).unwrap_or(l) }).collect();
    shown.join("\n")
}
