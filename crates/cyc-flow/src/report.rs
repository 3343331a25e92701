//! Which checks a function has left, for `--report-checks`.

use cyc_base::{Span, Symbol};
use cyc_check::tast::TypedUnit;
use cyc_mir::mir::*;
use std::collections::BTreeMap;

/// The checks of one function.
pub struct FunctionChecks {
    pub function: Symbol,
    /// Those left: where, and what they check (`null`, `bounds`, `zero`, `assert`, `match`).
    pub left: Vec<(Span, &'static str)>,
    pub removed: usize,
    /// Replaced by one test before their loop; where it fails, the loop runs with them.
    pub before_loop: usize,
}

/// Counts the checks of a body after elimination; None if it never had any.
pub fn checks(unit: &TypedUnit, body: &Body) -> Option<FunctionChecks> {
    // Copies of a loop have the same checks: by place and kind, how many are left, removed, and tested before.
    let mut found: BTreeMap<(u32, &'static str), (Span, [usize; 3])> = BTreeMap::new();
    for stmt in body.blocks.iter().flat_map(|block| &block.stmts) {
        let (check, outcome) = match &stmt.kind {
            StmtKind::Check(check) if check.why == CheckReason::Assumed => continue,
            StmtKind::Check(check) => (check, 0),
            StmtKind::Removed(inner, why) => match &**inner {
                StmtKind::Check(check) if *why == Fact::BeforeLoop => (check, 2),
                StmtKind::Check(check) => (check, 1),
                _ => continue,
            },
            _ => continue,
        };
        let entry = found.entry((stmt.span.lo, kind(&check.kind))).or_insert((stmt.span, [0; 3]));
        entry.1[outcome] += 1;
    }
    let mut out = FunctionChecks { function: unit.global(body.global).name, left: vec![], removed: 0, before_loop: 0 };
    for ((_, kind), (span, [left, removed, before])) in &found {
        // One of those left stands in the other copy of the loop.
        out.left.extend(std::iter::repeat_n((*span, *kind), left.saturating_sub(*before)));
        out.before_loop += before;
        // Removed in both copies.
        out.removed += if *before > 0 || *left > 0 { *removed } else { (*removed).min(1) };
    }
    (!found.is_empty()).then_some(out)
}

fn kind(check: &CheckKind) -> &'static str {
    match check {
        CheckKind::NonNull(_) => "null",
        CheckKind::Index { .. } | CheckKind::FatBounds { .. } | CheckKind::FatOrNull { .. } | CheckKind::AtBase(_) => {
            "bounds"
        }
        CheckKind::ZeroScan { .. }
        | CheckKind::ZeroStep { .. }
        | CheckKind::ZeroWrite { .. }
        | CheckKind::ZeroLast { .. } => "zero",
        CheckKind::Assert(_) => "assert",
        CheckKind::Match | CheckKind::Member(_) => "match",
    }
}
