//! Threads (memory, section 14.2; docs/adr/005): what moves to another thread, what several threads read, and what a function
//! that another thread runs may touch.
//!
//! Who starts threads or hands values on says so in the type of a function: `sends(n)`, `shares(n)`, `runs(n)`. The rules are
//! about finished types, so they are applied when the whole unit has been checked:
//!
//! - an argument that is sent has a sendable type, one that is shared points to what all may read ([`cyc_types::Obstacle`]);
//! - what another thread runs is a function by its name, so that all that it can ever come to call is known: whatever is
//!   mentioned in its body, in what is mentioned there, and so on. (Functions are not sendable.) None of it mentions a variable
//!   that some thread could write to while another reads it. The driver follows mentions from unit to unit.
//!
//! Inside a function with such an attribute, the type variables of the parameter are trusted to stand for types that pass, and
//! a parameter of `runs` counts as a name: callers answer for both.

mod calls;
mod mentions;

use crate::errors::thread as errors;
use crate::tast::{GlobalId, Linkage, Mention, TypedUnit};
use cyc_base::{Diagnostic, Diagnostics, Span};
use cyc_types::TyKind;
use rustc_hash::FxHashMap;

/// Notes in the unit what its functions and initialisers mention, and which functions are given to other threads; what breaks
/// the rules.
pub(crate) fn judge(unit: &mut TypedUnit) -> Diagnostics {
    unit.mentions = mentions::collect(unit);
    let (roots, mut found) = calls::judge(unit);
    unit.thread_roots = roots;
    for (root, span) in &unit.thread_roots {
        touched(unit, *root, *span).into_iter().for_each(|error| found.push(error));
    }
    found
}

/// May variables like this be mentioned in every thread?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variable {
    /// Nobody ever writes to it, nor to what it leads to.
    Constant,
    /// Each thread has one of its own. Its address is that of one thread's.
    Private,
    Mutable,
}

/// A constant all of whose pointers are to constants; what C declares constant is trusted to be.
pub fn variable(unit: &TypedUnit, id: GlobalId) -> Variable {
    let global = unit.global(id);
    if global.thread_local {
        return Variable::Private;
    }
    let is_const = match unit.types.kind(global.qty.ty) {
        // It has one value.
        TyKind::Variant(id, variant) if unit.types.variant_fields(*id, *variant).is_some_and(|f| f.is_empty()) => true,
        TyKind::Array { elem, .. } => global.qty.is_const || elem.is_const,
        _ => global.qty.is_const,
    };
    let from_c = global.linkage == Linkage::Extern && global.c_name.is_some();
    match is_const && (from_c || unit.types.unshareable(global.qty.ty, &[], true).is_none()) {
        true => Variable::Constant,
        false => Variable::Mutable,
    }
}

/// Why a function that mentions this may not run in another thread; None: it may.
fn forbids(unit: &TypedUnit, mention: &Mention) -> Option<errors::Touch> {
    let global = unit.global(mention.to);
    if global.is_function {
        let single = unit.types.as_function(global.qty.ty).is_some_and(|f| f.attrs.single_threaded);
        return single.then_some(errors::Touch::SingleThreaded);
    }
    match variable(unit, mention.to) {
        Variable::Private if mention.address => Some(errors::Touch::AddressOfPrivate),
        Variable::Mutable => Some(errors::Touch::Mutable),
        Variable::Constant | Variable::Private => None,
    }
}

/// The first thing that a function which another thread runs must not touch, with the way there. (Breadth first, so that the
/// way is a shortest one.)
fn touched(unit: &TypedUnit, root: GlobalId, at: Span) -> Option<Diagnostic> {
    let mut from: FxHashMap<GlobalId, GlobalId> = FxHashMap::default();
    let mut open = std::collections::VecDeque::from([root]);
    while let Some(id) = open.pop_front() {
        for mention in unit.mentions.get(&id).into_iter().flatten() {
            if let Some(touch) = forbids(unit, mention) {
                let mut way = vec![id];
                while let Some(before) = way.last().filter(|id| **id != root).and_then(|id| from.get(id)) {
                    way.push(*before);
                }
                let names: Vec<&str> = way.iter().rev().map(|id| own_name(unit, *id)).collect();
                let name = own_name(unit, mention.to);
                return Some(errors::thread_touches(at, &names, name, touch, mention.span));
            }
            if mention.to != root && !from.contains_key(&mention.to) {
                from.insert(mention.to, id);
                open.push_back(mention.to);
            }
        }
    }
    None
}

/// Of a static local, or a nested function, without the name of the function around it.
fn own_name(unit: &TypedUnit, id: GlobalId) -> &'static str {
    unit.global(id).name.as_str().rsplit('$').next().unwrap_or_default()
}
