//! Guards of clauses (core, section 7.2): what was tested of a value before a guard is not tested again after it, so a guard
//! changes nothing.

use cyc_base::Span;
use cyc_syntax::ast::{Expr, ExprKind, Init, InitItem, InitList};

/// The first part of a guard that is not free of side effects.
pub(super) fn side_effect(e: &Expr) -> Option<Span> {
    match &e.kind {
        ExprKind::Step { .. }
        | ExprKind::Assign { .. }
        | ExprKind::Swap(..)
        | ExprKind::Call(..)
        | ExprKind::New(_)
        | ExprKind::Alloc(_)
        | ExprKind::Throw(_)
        | ExprKind::StmtExpr(_)
        | ExprKind::Asm(_)
        | ExprKind::Assert { .. } => Some(e.span),
        ExprKind::Unary(_, a)
        | ExprKind::Deref(a)
        | ExprKind::AddrOf(a)
        | ExprKind::Cast(_, a)
        | ExprKind::Numelts(a)
        | ExprKind::Tagof(a)
        | ExprKind::Tagcheck(a)
        | ExprKind::NoInst(a)
        | ExprKind::Inst(a, _)
        | ExprKind::Field { expr: a, .. } => side_effect(a),
        ExprKind::Binary(_, a, b)
        | ExprKind::And(a, b)
        | ExprKind::Or(a, b)
        | ExprKind::Comma(a, b)
        | ExprKind::Index(a, b) => side_effect(a).or_else(|| side_effect(b)),
        ExprKind::Cond(a, b, c) => {
            side_effect(a).or_else(|| b.as_deref().and_then(side_effect)).or_else(|| side_effect(c))
        }
        ExprKind::Tuple(parts) => parts.iter().find_map(side_effect),
        ExprKind::CompoundLit(_, parts) | ExprKind::StructVal { name: _, args: _, items: parts } => in_list(parts),
        ExprKind::Generic { on, arms } => side_effect(on).or_else(|| arms.iter().find_map(|(_, e)| side_effect(e))),
        ExprKind::BuiltinWithTypes { name: _, types: _, exprs } => exprs.iter().find_map(side_effect),
        // Not evaluated, or without parts.
        ExprKind::SizeofExpr(_)
        | ExprKind::SizeofType(_)
        | ExprKind::AlignofType(_)
        | ExprKind::Offsetof(..)
        | ExprKind::Valueof(_)
        | ExprKind::Int { .. }
        | ExprKind::Float { .. }
        | ExprKind::Char { .. }
        | ExprKind::Str(_)
        | ExprKind::WideStr(_)
        | ExprKind::Null
        | ExprKind::Name(_)
        | ExprKind::Pragma(_)
        | ExprKind::Error => None,
    }
}

fn in_list(list: &InitList) -> Option<Span> {
    let InitList { items, span: _ } = list;
    // (Designators are constants.)
    items.iter().find_map(|InitItem { designators: _, init }| match init {
        Init::Expr(e) => side_effect(e),
        Init::List(inner) => in_list(inner),
        Init::Comprehension(comprehension) => Some(comprehension.span),
    })
}
