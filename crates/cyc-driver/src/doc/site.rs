//! The folder of pages: an index, a page for each header, and a search that needs no network.

use super::highlight::escape;
use super::page::{Types, file_name, frame, full_name, prose, render};
use super::scan::{ItemKind, Page};
use crate::compile::publish;
use crate::problem::Problem;
use std::path::Path;

const STYLE: &str = include_str!("style.css");
const SEARCH: &str = include_str!("search.js");

fn first_sentence(text: &str) -> &str {
    let end = text.find(". ").or_else(|| text.find(".\n")).map_or(text.len(), |end| end + 1);
    &text[..end]
}

fn index(title: &str, pages: &[Page]) -> String {
    let mut out = format!("<h1>{}</h1>\n<dl>\n", escape(title));
    for page in pages.iter().filter(|page| !page.groups.is_empty()) {
        let (href, name) = (file_name(&page.name), escape(&page.name));
        out.push_str(&format!(
            "<dt><a href=\"{href}\">{name}</a></dt>\n<dd>{}</dd>\n",
            prose(first_sentence(&page.about))
        ));
    }
    out.push_str("</dl>\n");
    frame(title, &out)
}

/// All names with their kind, place and description, as a script: pages that are opened as files may not fetch.
fn names(pages: &[Page]) -> String {
    let quote = |text: &str| {
        let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', " ").replace("</", "<\\/");
        format!("\"{escaped}\"")
    };
    let mut out = String::from("const NAMES = [\n");
    for page in pages {
        for group in &page.groups {
            for item in &group.items {
                let entry = [
                    full_name(group, item),
                    item.kind.word().into(),
                    format!("{}#{}", file_name(&page.name), item.name),
                    first_sentence(&group.text).into(),
                ];
                out.push_str(&format!("[{}],\n", entry.map(|text| quote(&text)).join(",")));
            }
        }
    }
    out.push_str("];\n");
    out
}

/// Names of types that one page explains.
fn types(pages: &[Page]) -> Types {
    let mut found = Types::new();
    for page in pages {
        for item in page.groups.iter().flat_map(|group| &group.items).filter(|item| item.kind == ItemKind::Type) {
            let target = format!("{}#{}", file_name(&page.name), item.name);
            // A name that several headers have leads nowhere.
            let old = found.insert(item.name.clone(), target.clone());
            if old.is_some_and(|old| !old.starts_with(&format!("{}#", file_name(&page.name)))) {
                found.insert(item.name.clone(), String::new());
            }
        }
    }
    found.retain(|_, target| !target.is_empty());
    found
}

/// Writes the site into a folder, which is made if it is not there.
///
/// # Errors
/// The folder or a file cannot be written.
pub fn write(title: &str, pages: &[Page], folder: &Path) -> Result<(), Problem> {
    std::fs::create_dir_all(folder).map_err(|e| Problem::cannot_write(folder, &e))?;
    let types = types(pages);
    let mut files = vec![
        ("index.html".to_string(), index(title, pages)),
        ("style.css".to_string(), STYLE.to_string()),
        ("search.js".to_string(), SEARCH.to_string()),
        ("names.js".to_string(), names(pages)),
    ];
    // A header without declarations has nothing to look up.
    files.extend(
        pages.iter().filter(|page| !page.groups.is_empty()).map(|page| (file_name(&page.name), render(page, &types))),
    );
    for (name, text) in files {
        let path = folder.join(name);
        publish(&path, |place| std::fs::write(place, &text).map_err(|e| Problem::cannot_write(&path, &e)))?;
    }
    Ok(())
}
