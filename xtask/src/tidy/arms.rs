//! Default arms: in passes that soundness hangs on, a `match` over a form of the program names every construct, so that a new
//! one does not compile until somebody has thought of it. `xtask/default-arms.toml` has the exceptions with their reasons:
//! matches in which the default is the answer that promises nothing.

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{Arm, Pat};

/// The passes, by their folders and files.
const PASSES: [&str; 6] = [
    "crates/cyc-check/src/moves",
    "crates/cyc-check/src/region",
    "crates/cyc-check/src/tast",
    "crates/cyc-check/src/threads",
    "crates/cyc-flow/src",
    "crates/cyc-mir/src/lower",
];

/// The enumerations that make up the typed tree, MIR, and what is known of values and loans.
const FORMS: [&str; 24] = [
    "Base",
    "Callee",
    "CheckKind",
    "Coercion",
    "Const",
    "ExprKind",
    "Guard",
    "How",
    "LoanKind",
    "NewInit",
    "Operand",
    "Part",
    "PatternKind",
    "PlaceKind",
    "Proj",
    "Role",
    "Rvalue",
    "Spot",
    "Step",
    "StmtKind",
    "Terminator",
    "Transfer",
    "Val",
    "Way",
];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Allowed {
    path: String,
    function: String,
    /// How many such arms it has.
    arms: usize,
    reason: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AllowList {
    #[serde(default)]
    arm: Vec<Allowed>,
}

/// Collects the lines of default arms by function.
#[derive(Default)]
struct Arms {
    function: String,
    found: BTreeMap<String, Vec<usize>>,
}

impl<'ast> Visit<'ast> for Arms {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        let outer = std::mem::replace(&mut self.function, item.sig.ident.to_string());
        syn::visit::visit_item_fn(self, item);
        self.function = outer;
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        let outer = std::mem::replace(&mut self.function, item.sig.ident.to_string());
        syn::visit::visit_impl_item_fn(self, item);
        self.function = outer;
    }

    fn visit_expr_match(&mut self, item: &'ast syn::ExprMatch) {
        if item.arms.iter().any(|arm| names_a_form(&arm.pat)) {
            let lines = item.arms.iter().filter(|arm| takes_all(arm)).map(|arm| arm.pat.span().start().line);
            self.found.entry(self.function.clone()).or_default().extend(lines);
        }
        syn::visit::visit_expr_match(self, item);
    }
}

/// Does the pattern mention a variant of one of the forms?
fn names_a_form(pat: &Pat) -> bool {
    struct Names(bool);
    impl<'ast> Visit<'ast> for Names {
        fn visit_path(&mut self, path: &'ast syn::Path) {
            let of = path.segments.iter().rev().nth(1).map(|segment| segment.ident.to_string());
            self.0 |= of.is_some_and(|of| FORMS.contains(&of.as_str()));
        }
    }
    let mut names = Names(false);
    names.visit_pat(pat);
    names.0
}

fn takes_all(arm: &Arm) -> bool {
    arm.guard.is_none() && is_default(&arm.pat)
}

/// Does the pattern match every value?
fn is_default(pat: &Pat) -> bool {
    match pat {
        Pat::Wild(_) | Pat::Rest(_) => true,
        Pat::Ident(name) => {
            let inner = name.subpat.as_ref().is_none_or(|(_, inner)| is_default(inner));
            inner && name.ident.to_string().starts_with(|first: char| first.is_lowercase() || first == '_')
        }
        Pat::Tuple(tuple) => tuple.elems.iter().all(is_default),
        Pat::Or(cases) => cases.cases.iter().any(is_default),
        Pat::Paren(inner) => is_default(&inner.pat),
        Pat::Reference(inner) => is_default(&inner.pat),
        _ => false,
    }
}

pub fn run(root: &Path) -> Result<()> {
    let list = "xtask/default-arms.toml";
    let allow = std::fs::read_to_string(root.join(list)).context(list)?;
    let allow: AllowList = toml::from_str(&allow).context(list)?;
    let (mut wrong, mut used) = (vec![], vec![]);
    for path in super::files(root)? {
        if path.extension().is_none_or(|e| e != "rs") || !PASSES.iter().any(|pass| path.starts_with(pass)) {
            continue;
        }
        let text = std::fs::read_to_string(root.join(&path))?;
        let file = syn::parse_file(&text).with_context(|| format!("cannot parse {}", path.display()))?;
        let mut arms = Arms::default();
        arms.visit_file(&file);
        for (function, lines) in arms.found.into_iter().filter(|(_, lines)| !lines.is_empty()) {
            let allowed = allow.arm.iter().position(|a| Path::new(&a.path) == path && a.function == function);
            used.extend(allowed);
            if allowed.is_none_or(|i| allow.arm[i].arms != lines.len() || allow.arm[i].reason.is_empty()) {
                let lines: Vec<String> = lines.iter().map(usize::to_string).collect();
                wrong.push(format!("{}: {} ({function})", path.display(), lines.join(", ")));
            }
        }
    }
    let stale = allow.arm.iter().enumerate().filter(|(i, _)| !used.contains(i));
    wrong.extend(stale.map(|(_, a)| format!("{list}: {} has no default arm in {}", a.function, a.path)));
    ensure!(wrong.is_empty(), "default arms where every construct is to be named:\n  {}", wrong.join("\n  "));
    Ok(())
}
