//! Errors of regions: E03xx. Each tells what the pointer points to, where that ends, and
//! what the pointer flows into.

use crate::cx::Checker;
use crate::errors::effect;
use crate::region::{Bad, Failure, Flow, RegionCx, RegionReason, ScopeKind};
use cyc_base::{Diagnostic, Span, Symbol};
use cyc_types::{QTy, Region, RegionVid, ScopeId, Ty, TyKind};

/// A pointer flows to where it may outlive what it points to.
pub fn escape(cx: &Checker, regions: &RegionCx, failure: &Failure) -> Diagnostic {
    let last = failure.path.last().copied().unwrap_or(RegionReason::new(Span::NONE, Flow::Value));
    match (last.kind, failure.to) {
        (Flow::Use(of), _) => return effect::not_live(cx, failure.from, of, last.span),
        (Flow::Swap, to) => return effect::swapped_regions(cx, failure.from, to, last.span),
        (Flow::Effect, to) => return effect::effect_too_large(cx, failure.from, to, last),
        (Flow::Constraint(..), to) => return effect::outlives_constraint(cx, failure.from, to, last),
        (_, Bad::Exactly(to)) => return effect::another_region(cx, failure.from, to, last),
        _ => {}
    }
    match failure.from {
        Region::Scope(scope) if cx.func.scope(scope).kind != ScopeKind::Block => {
            effect::region_escapes(cx, scope, last, failure.to)
        }
        Region::Scope(scope) => {
            let first = failure.path.first().map_or(last.span, |w| w.span);
            let source = match regions.address_within(&cx.func, first, scope) {
                Some((at, local)) => Source {
                    at,
                    name: format!("`{}`", cx.func.local(local).name),
                    end: end_of(cx, scope),
                    whole: scope == ScopeId(0),
                },
                None => Source {
                    at: first,
                    name: "a local object".into(),
                    end: end_of(cx, scope),
                    whole: scope == ScopeId(0),
                },
            };
            local_escapes(cx, &source, last, failure.to)
        }
        from if matches!(failure.to, Bad::Inferred { .. }) => effect::name_escapes(cx, from, last),
        from => parameter_escapes(cx, from, last, failure.to),
    }
}

/// What a pointer points to.
struct Source {
    /// Where its address was taken.
    at: Span,
    /// The variable, in quotes.
    name: String,
    /// The closing brace of its block.
    end: Span,
    /// Its block is the whole function.
    whole: bool,
}

fn end_of(cx: &Checker, scope: ScopeId) -> Span {
    let span = cx.func.scope(scope).span;
    Span::new(span.hi.saturating_sub(1).max(span.lo), span.hi)
}

fn local_escapes(cx: &Checker, source: &Source, last: RegionReason, to: Bad) -> Diagnostic {
    let Source { at, name, end, whole } = source;
    // Compiler-made objects, such as the array of the extra arguments, have no name.
    let (local, its) = match name.starts_with('`') {
        true => (format!("the local {name}"), format!("its local {name}")),
        false => (name.clone(), name.clone()),
    };
    let until = if *whole { "the function returns" } else { "its block ends" };
    let error = match (to, last.kind) {
        (Bad::Inferred { vid, span, .. }, _) => {
            let holder = holder_of(cx, vid);
            let error = Diagnostic::error("E0300", *at, format!("{name} does not live long enough"))
                .here(format!("the address of {name} is taken here"));
            return match holder {
                Some((holder, at)) => error
                    .label(at, format!("`{holder}` lives longer than {name}"))
                    .label(*end, format!("{name} ends here"))
                    .help(format!("declare `{holder}` in the block of {name}, or {name} in the block of `{holder}`")),
                None => error
                    .label(if span == *at { last.span } else { span }, "but the pointer is used outside its block")
                    .label(*end, format!("{name} ends here")),
            };
        }
        (_, Flow::Return) => Diagnostic::error("E0301", *at, format!("the function returns a pointer to {its}"))
            .here(format!("{name} is gone when the function has returned"))
            .help("return the value itself, or allocate the object with `new`"),
        (_, Flow::Argument(n, function)) => {
            Diagnostic::error("E0302", *at, format!("a pointer to {local} is given away"))
                .here(format!("{} must point into {}; {name} is gone when {until}", argument(n, function), region_name(cx, to)))
                .help(wants(cx, to))
        }
        (_, Flow::Throw) => Diagnostic::error("E0303", *at, format!("an exception cannot point to {local}"))
            .here(format!("{name} is gone when a handler runs"))
            .help("allocate the exception with `new`"),
        (_, Flow::Within) => Diagnostic::error("E0305", *at, format!("pointers to {name} and pointers that live longer would be mixed"))
            .here(format!("this may point to {name}"))
            .label(last.span, format!("here the region must be {}", region_name(cx, to)))
            .note("below the first pointer of a type the regions must be the same: through one of the pointers the other's target could be replaced"),
        (
            _,
            Flow::Init(_)
            | Flow::Assign(_)
            | Flow::Component
            | Flow::Value
            | Flow::Swap
            | Flow::Use(_)
            | Flow::Effect
            | Flow::Constraint(..),
        ) => {
            Diagnostic::error("E0304", *at, format!("a pointer to {local} is stored where it outlives {name}"))
                .here(format!("{name} is gone when {until}"))
                .help(wants(cx, to))
        }
    };
    let error = if contains(last.span, *at) || matches!(last.kind, Flow::Within) {
        error
    } else {
        error.label(last.span, "the pointer arrives here")
    };
    error.label(*end, format!("{name} ends here"))
}

/// A pointer whose region the caller chooses flows into another region.
fn parameter_escapes(cx: &Checker, from: Region, last: RegionReason, to: Bad) -> Diagnostic {
    let index = match from {
        Region::Param(i) => i,
        _ => u32::MAX,
    };
    let name = region_text(cx, from);
    let (what, expected) = match last.kind {
        Flow::Return => ("returned", "the result"),
        Flow::Throw => ("thrown", "an exception"),
        Flow::Argument(..) => ("given away", "the argument"),
        Flow::Value => ("used", "the value"),
        _ => ("stored", "this place"),
    };
    let region = region_name(cx, to);
    let code = match to {
        Bad::Region(Region::Param(_)) => "E0307",
        _ => "E0306",
    };
    let error =
        Diagnostic::error(code, last.span, format!("a pointer into {name} is {what} as a pointer into {region}"))
            .here(format!("{expected} must point into {region}"));
    let error = match parameter_with(cx, index) {
        Some((param, at)) => error.label(at, format!("the caller chooses where `{param}` points to")),
        None => error,
    };
    match (last.kind, to) {
        (Flow::Return, _) => {
            error.help("write the same region on the result and on the parameter: ``T *`r f(T *`r p)``")
        }
        (_, Bad::Region(Region::Heap)) => {
            error.help("if only heap objects are meant, write `` `H `` on the parameter's pointer")
        }
        (_, Bad::Region(Region::Param(_))) => error.help("write the same region variable on both pointers"),
        _ => error,
    }
}

fn contains(outer: Span, inner: Span) -> bool {
    outer.lo <= inner.lo && inner.hi <= outer.hi
}

fn argument(n: u32, function: Option<Symbol>) -> String {
    match function {
        Some(name) => format!("argument {n} of `{name}`"),
        None => format!("argument {n}"),
    }
}

/// A region by where it comes from.
pub(super) fn region_text(cx: &Checker, region: Region) -> String {
    match region {
        Region::Heap => "the heap".into(),
        Region::Param(i) => match cx.func.params.get(i as usize).map(|param| param.name) {
            Some(name) => format!("the region {name}"),
            None => "a region of the caller".into(),
        },
        Region::Scope(scope) => {
            let info = cx.func.scope(scope);
            let line = cx.source.file_line(info.span.lo).1;
            match (info.kind, info.name) {
                (ScopeKind::Lexical, Some(name)) => format!("region `{name}` of line {line}"),
                (ScopeKind::Alias, Some(name)) => format!("the alias `{name} of line {line}"),
                (_, Some(name)) => format!("the block `{name}"),
                (ScopeKind::Alias | ScopeKind::Borrowed, None) => {
                    format!("what is borrowed for the call at line {line}")
                }
                (_, None) => format!("the block at line {line}"),
            }
        }
        Region::Current => "the current region of the caller".into(),
        Region::Caller => "the current region of each call".into(),
        Region::Bound { .. } => "a region that each call chooses".into(),
        Region::Of(ty) => format!("what `{}` may point to", cx.show(ty)),
        Region::Set(_) => {
            let atoms = cx.unit.types.atoms(region);
            let names: Vec<String> = atoms.iter().map(|atom| region_text(cx, *atom)).collect();
            if names.is_empty() { "the heap only".into() } else { names.join(" or ") }
        }
        Region::App(..) => cx.show_region(region),
        Region::Own(_) | Region::Infer(_) | Region::Error => "another region".into(),
    }
}

pub(super) fn region_name(cx: &Checker, to: Bad) -> String {
    match to {
        Bad::Region(region) | Bad::Exactly(region) => region_text(cx, region),
        Bad::Inferred { scope, .. } => region_text(cx, Region::Scope(scope)),
    }
}

fn wants(cx: &Checker, to: Bad) -> String {
    match to {
        Bad::Region(Region::Heap) => {
            "only pointers into the heap may stand here: allocate the object with `new`".into()
        }
        _ => format!("only pointers into {} may stand here", region_name(cx, to)),
    }
}

/// The variable whose type has the inference region.
fn holder_of(cx: &Checker, vid: RegionVid) -> Option<(Symbol, Span)> {
    let found = cx.func.locals.iter().find(|l| !l.synthetic && mentions(cx, l.qty.ty, &|r| r == Region::Infer(vid)))?;
    Some((found.name, found.span))
}

/// The parameter whose type has the region parameter.
fn parameter_with(cx: &Checker, index: u32) -> Option<(Symbol, Span)> {
    let count = cx.func.ty.as_ref().map_or(0, |ty| ty.params.len());
    let found = cx.func.locals.iter().take(count).find(|l| mentions(cx, l.qty.ty, &|r| r == Region::Param(index)))?;
    Some((found.name, found.span))
}

fn mentions(cx: &Checker, ty: Ty, wanted: &dyn Fn(Region) -> bool) -> bool {
    let parts = |parts: &[QTy]| parts.iter().any(|p| mentions(cx, p.ty, wanted));
    match cx.unit.types.kind(cx.resolve(ty)) {
        TyKind::Pointer(ptr) => wanted(ptr.region) || mentions(cx, ptr.to.ty, wanted),
        TyKind::Array { elem, .. } => mentions(cx, elem.ty, wanted),
        TyKind::Tuple(tuple) => parts(tuple),
        TyKind::Function(function) => parts(&function.params) || mentions(cx, function.ret, wanted),
        _ => false,
    }
}
