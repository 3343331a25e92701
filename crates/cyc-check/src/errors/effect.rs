//! Errors of effects, constraints, handles and keys: E095x and E096x. Regions are named by where they come from, and of
//! what was demanded both sides are shown.

use super::region::{region_name, region_text};
use crate::cx::Checker;
use crate::region::{Bad, Flow, RegionReason, ScopeKind, Use};
use cyc_base::{Diagnostic, Span, Symbol};
use cyc_types::{Constraint, Region};

/// A region is used where it may be dead.
pub fn not_live(cx: &Checker, region: Region, of: Use, span: Span) -> Diagnostic {
    let name = region_text(cx, region);
    let error = match of {
        Use::Access => Diagnostic::error("E0950", span, format!("{name} may be dead here"))
            .here("using the object needs its region to be live"),
        Use::Allocation => Diagnostic::error("E0950", span, format!("{name} may be dead here"))
            .here("allocating needs the region to be live"),
        Use::Call(function) => {
            let who = function.map_or("the function".into(), |f| format!("`{f}`"));
            Diagnostic::error("E0950", span, format!("{name} may be dead here"))
                .here(format!("{who} may use what lies there"))
        }
        Use::Key => Diagnostic::error("E0950", span, format!("the key lies in {name}, which may be dead here"))
            .here("using the key needs it to be live"),
    };
    match region {
        Region::Param(i) if cx.func.ty.as_ref().is_some_and(|ty| (i as usize) < ty.vars.len()) => {
            error.help("add it to the effect of the function, or leave the effect out")
        }
        Region::Of(_) => error.help("a type that was unpacked may hold pointers into dead regions: bound it, as in ``<`a> : regions(`a) <= `r``"),
        Region::Param(_) | Region::App(..) => {
            error.help("open the key of the region around this: ``region h = open(key);``")
        }
        _ => error,
    }
}

/// A function that may use a region is converted to a type whose effect does not have it.
pub fn effect_too_large(cx: &Checker, region: Region, to: Bad, why: RegionReason) -> Diagnostic {
    let name = region_text(cx, region);
    let Bad::Region(effect) = to else {
        return Diagnostic::error("E0951", why.span, format!("the function may use {name}"));
    };
    Diagnostic::error("E0951", why.span, format!("the function may use {name}, its new type does not say so"))
        .here(format!("the effect of the type that is expected is {}", region_text(cx, effect)))
}

/// An outlives constraint of what is instantiated does not hold.
pub fn outlives_constraint(cx: &Checker, from: Region, to: Bad, why: RegionReason) -> Diagnostic {
    let (longer, shorter) = (region_text(cx, from), region_name(cx, to));
    Diagnostic::error("E0951", why.span, format!("{} does not hold", constraint_name(why)))
        .here(format!("{longer} would have to outlive {shorter}"))
}

fn constraint_name(why: RegionReason) -> String {
    match why.kind {
        Flow::Constraint(n, Some(function)) => format!("constraint {n} of `{function}`"),
        Flow::Constraint(n, None) => format!("constraint {n} of the type"),
        _ => "a constraint".into(),
    }
}

/// `single` or disjointness does not hold; `found` are the regions that show it.
pub fn constraint(cx: &Checker, what: Constraint, why: RegionReason, found: &[Region]) -> Diagnostic {
    let names: Vec<String> = found.iter().map(|r| region_text(cx, *r)).collect();
    let error = Diagnostic::error("E0951", why.span, format!("{} does not hold", constraint_name(why)));
    match what {
        Constraint::Single(_) if found.len() > 1 => {
            error.here(format!("exactly one region is asked for, and this may be {}", names.join(" or ")))
        }
        Constraint::Single(_) => error.here(format!("{} may stand for several regions", names.join(" and "))),
        _ => error.here(format!("{} and {} may be one region", names[0], names[names.len() - 1])),
    }
}

/// A handle, or a pointer that frees, of one region where that of another is expected.
pub fn another_region(cx: &Checker, from: Region, to: Region, why: RegionReason) -> Diagnostic {
    let (from, to) = (region_text(cx, from), region_text(cx, to));
    Diagnostic::error("E0959", why.span, format!("this belongs to {from}, and that of {to} is expected"))
        .here(format!("must be of {to} itself"))
        .note("handles, keys and pointers that free their object name its region exactly: that one region outlives another is not enough")
}

/// E-SWAP: the pointers of `:=:` are of different regions.
pub fn swapped_regions(cx: &Checker, from: Region, to: Bad, span: Span) -> Diagnostic {
    let (from, to) = (region_text(cx, from), region_name(cx, to));
    Diagnostic::error("E0439", span, "`:=:` exchanges two pointers into the same region")
        .here(format!("one points into {from}, the other into {to}"))
        .note("each place gets what the other one held, so both must be able to hold either")
        .help("write the same region on both pointers")
}

/// A name that was unpacked occurs in the type of something that outlives it.
pub fn name_escapes(cx: &Checker, region: Region, last: RegionReason) -> Diagnostic {
    let name = region_text(cx, region);
    if let Region::Param(index) = region
        && cx.func.nested.scope_of(index).is_some()
    {
        return Diagnostic::error("E0961", last.span, format!("{name} is not known outside of the nested function"))
            .here("this flows to a variable of a function around it")
            .help("name the region of that variable in the nested function's type");
    }
    if matches!(region, Region::Bound { .. } | Region::Caller) {
        return Diagnostic::error("E0961", last.span, format!("{name} has no name outside of the function's type"))
            .here("what is inferred here would be that region of every call")
            .help("write the type of the function, with the region that it binds");
    }
    Diagnostic::error("E0961", last.span, format!("{name} is not known outside of the block that unpacks it"))
        .here("this would be used where the name is not in scope")
        .help("pack it again with the name hidden, or use it within the block")
}

/// A pointer into a lexical region, or its handle, flows to where it outlives the region.
pub fn region_escapes(cx: &Checker, scope: cyc_types::ScopeId, last: RegionReason, to: Bad) -> Diagnostic {
    let name = region_text(cx, Region::Scope(scope));
    let what = match last.kind {
        Flow::Return => "returned",
        Flow::Throw => "thrown",
        Flow::Argument(..) => "given away",
        Flow::Within => "mixed with pointers that live longer",
        _ => "stored where it lives longer",
    };
    let place = region_name(cx, to);
    let declared = cx.func.scope(scope).span;
    let end = Span::new(declared.hi.saturating_sub(1).max(declared.lo), declared.hi);
    let error = Diagnostic::error("E0961", last.span, format!("a pointer into {name} is {what}"))
        .here(format!("this would have to live as long as {place}"));
    if matches!(cx.func.scope(scope).kind, ScopeKind::Alias | ScopeKind::Borrowed) {
        return error
            .label(end, "what is borrowed is given back here")
            .note("whoever gets it back may free it, so no copy of it may stay")
            .help("use the pointer within the scope of the alias only; move the unique pointer itself where it has to stay");
    }
    error
        .label(end, format!("{name} is freed here"))
        .help(format!("declare it inside of {name}, or allocate the object in a region that lives longer"))
}

/// `region h;` where no statements follow it in a block.
pub fn region_misplaced(span: Span) -> Diagnostic {
    Diagnostic::error("E0952", span, "a region is declared among the statements of a block")
        .here("not possible here")
        .help("put it and what uses it in a block of its own, `{ region h; … }`")
}

pub fn not_a_handle(span: Span, found: &str) -> Diagnostic {
    Diagnostic::error("E0953", span, format!("a region handle is needed, and this is `{found}`"))
        .here("not a region handle")
        .help("`region h;` declares one; `heap_region` is the heap's")
}

pub fn not_a_key(span: Span, found: &str) -> Diagnostic {
    Diagnostic::error("E0954", span, format!("`open` needs the key of a dynamic region, and this is `{found}`"))
        .here("not a key")
}

pub fn key_aliasable(span: Span, found: &str) -> Diagnostic {
    Diagnostic::error("E0954", span, format!("a key of type `{found}` can be copied, and cannot be opened"))
        .here("must be unique or counted")
        .note("another copy could be used to free the region while it is open")
}

pub fn key_not_a_place(span: Span) -> Diagnostic {
    Diagnostic::error("E0954", span, "`open` needs a variable or field that holds the key")
        .here("this key could not be given back at the end of the block")
        .help("store the key in a variable first")
}

pub fn key_cast(span: Span, found: &str, wanted: &str) -> Diagnostic {
    Diagnostic::error("E0954", span, format!("a key of type `{found}` is none of type `{wanted}`"))
        .here("a cast changes nothing about a key that is opened")
        .help("open the key as it is, without a cast")
}

pub fn key_unknown(span: Span) -> Diagnostic {
    Diagnostic::error("E0954", span, "the region of this key is not known here")
        .here("which region would be open?")
        .help("write the type of the key, or give the region a name by unpacking")
}

/// `` `C `` outside of functions and their types.
pub fn current_outside(span: Span) -> Diagnostic {
    Diagnostic::error("E0962", span, "the current region `` `C `` has no meaning here")
        .here("only functions have a current region")
        .help("a struct or typedef takes a region as a parameter: ``struct S<`r::E> { … }``")
}

/// A program gives fields to the struct that stands for dynamic regions: keys point to what the run time made.
pub fn dynamic_region_defined(span: Span, name: Symbol) -> Diagnostic {
    Diagnostic::error("E0955", span, format!("`struct {name}` belongs to the run time"))
        .here("it cannot be defined")
        .help("choose another name")
}

/// W: the key of a dynamic region is freed, not the region.
pub fn key_discarded(span: Span) -> Diagnostic {
    Diagnostic::warning("W0970", span, "the key is freed, and its region stays")
        .here("nobody can open the region or free it any more")
        .help("`free_ukey(k)` and `free_rckey(k)` free the region with its last key")
}
