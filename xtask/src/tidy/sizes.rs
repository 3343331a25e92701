//! Sizes: a file over 600 lines or a function over 60 is listed, because it asks for splitting by construct; a file over
//! 800 lines fails unless `xtask/size-allow.toml` gives a reason.

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use std::path::Path;
use syn::spanned::Spanned;
use syn::visit::Visit;

const FILE_LISTED: usize = 600;
const FILE_LIMIT: usize = 800;
const FUNCTION_LISTED: usize = 60;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Allowed {
    path: String,
    /// The file may not grow beyond this.
    lines: usize,
    reason: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AllowList {
    #[serde(default)]
    file: Vec<Allowed>,
}

/// Collects the functions longer than [`FUNCTION_LISTED`].
struct Functions(Vec<(String, usize)>);

impl Functions {
    fn add(&mut self, signature: &syn::Signature, whole: proc_macro2::Span) {
        let lines = whole.end().line - signature.span().start().line + 1;
        if lines > FUNCTION_LISTED {
            self.0.push((signature.ident.to_string(), lines));
        }
    }
}

impl<'ast> Visit<'ast> for Functions {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.add(&item.sig, item.block.span());
        syn::visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.add(&item.sig, item.block.span());
        syn::visit::visit_impl_item_fn(self, item);
    }
}

fn list_functions(path: &Path, text: &str) -> Result<()> {
    let file = syn::parse_file(text).with_context(|| format!("cannot parse {}", path.display()))?;
    let mut functions = Functions(vec![]);
    functions.visit_file(&file);
    for (name, lines) in functions.0 {
        println!("  long function: {} in {}, {lines} lines", name, path.display());
    }
    Ok(())
}

pub fn run(root: &Path) -> Result<()> {
    let allow = std::fs::read_to_string(root.join("xtask/size-allow.toml")).context("xtask/size-allow.toml")?;
    let allow: AllowList = toml::from_str(&allow).context("xtask/size-allow.toml")?;
    let mut too_long = vec![];
    for path in super::files(root)? {
        let kind = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
        if !matches!(kind, "rs" | "c" | "h" | "cyc") {
            continue;
        }
        let bytes = std::fs::read(root.join(&path))?;
        let lines = bytes.iter().filter(|b| **b == b'\n').count();
        let allowed = allow.file.iter().find(|a| Path::new(&a.path) == path);
        if lines > allowed.map_or(FILE_LIMIT, |a| a.lines) {
            too_long.push(format!("{} ({lines})", path.display()));
        } else if let Some(allowed) = allowed {
            println!("  long file: {}, {lines} lines: {}", path.display(), allowed.reason);
        } else if lines > FILE_LISTED {
            println!("  long file: {}, {lines} lines", path.display());
        }
        if kind == "rs" {
            list_functions(&path, &String::from_utf8_lossy(&bytes))?;
        }
    }
    ensure!(too_long.is_empty(), "longer than {FILE_LIMIT} lines, split by construct: {}", too_long.join(", "));
    Ok(())
}
