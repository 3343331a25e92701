//! Where places lie, as far as they are tracked (memory, section 9.1).

use super::Init;
use super::state::{Root, State, Step};
use super::transfer::{UNINITIALISED, base_local};
use super::value::{Val, whole};
use crate::{errors, place};
use cyc_base::Span;
use cyc_mir::mir::*;
use cyc_types::Ty;

/// Where a place lies.
pub(super) enum Spot {
    /// A part of what a tracked object owns. `exact`: the whole of that part, not an element within it.
    Tracked { root: Root, path: Vec<Step>, exact: bool },
    /// Memory of which only initialised values are known.
    Memory,
}

impl Init<'_> {
    /// Follows a place; reports dereferences of pointers that are uninitialised or were moved away.
    pub(super) fn spot(&mut self, body: &Body, state: &mut State, place: &Place, span: Span) -> Spot {
        let mut ty = place::base_type(self.unit, body, place.base);
        let mut spot = match place.base {
            Base::Local(local) => Spot::Tracked { root: Root::Local(local), path: vec![], exact: true },
            Base::Global(_) => Spot::Memory,
        };
        for (i, proj) in place.proj.iter().enumerate() {
            spot = match (proj, spot) {
                (Proj::Field(part), Spot::Tracked { root, mut path, exact }) => {
                    // A union is one place.
                    if exact && !place::parts(self.unit, ty).is_empty() {
                        path.push(Step::Part(*part));
                    }
                    Spot::Tracked { root, path, exact }
                }
                (Proj::Element(index), Spot::Tracked { root, path, .. }) => {
                    self.test(body, state, index, span);
                    Spot::Tracked { root, path, exact: false }
                }
                (Proj::Deref(index), Spot::Tracked { root, path, exact }) => {
                    let so_far = || Place { base: place.base, proj: place.proj[..i].to_vec() };
                    if let Some(index) = index {
                        self.test(body, state, index, span);
                    }
                    let first = matches!(index, None | Some(Operand::Const(Const::Int(0, _))));
                    self.follow(body, state, (root, path, exact), first, ty, &so_far, span)
                }
                (Proj::Element(index) | Proj::Deref(Some(index)), Spot::Memory) => {
                    self.test(body, state, index, span);
                    Spot::Memory
                }
                (Proj::Variant(..), _) | (_, Spot::Memory) => Spot::Memory,
            };
            ty = place::step(self.unit, ty, proj);
        }
        spot
    }

    /// What the pointer of type `ty` at a spot points to; `first`: its first object.
    #[expect(clippy::too_many_arguments, reason = "a place has so many sides")]
    fn follow(
        &mut self,
        body: &Body,
        state: &mut State,
        (root, mut path, exact): (Root, Vec<Step>, bool),
        first: bool,
        ty: Ty,
        pointer: &dyn Fn() -> Place,
        span: Span,
    ) -> Spot {
        let val = state.value_at(root, &path);
        match val.plain() {
            Val::Addr(root) if first => Spot::Tracked { root: *root, path: vec![], exact: true },
            Val::Addr(_) => {
                self.escape(body, state, &val, &pointer(), span);
                Spot::Memory
            }
            Val::Uninit(origin) => {
                let pointer = pointer();
                let name = self.name_of(body, *origin, &pointer);
                let declaration = origin.map(|local| body.locals[local.0 as usize].span);
                let key = origin.or(base_local(&pointer));
                self.report(UNINITIALISED, key, || errors::uninitialised_deref(span, &name, declaration));
                Spot::Memory
            }
            Val::Gone(gone) => {
                self.report_gone(body, &pointer(), &[], gone, span);
                Spot::Memory
            }
            Val::Init | Val::Zero | Val::Uniq(_) | Val::Agg(_) | Val::Named(..)
                if !self.is_unique(body, ty) || !exact || state.escaped.contains(&root) =>
            {
                Spot::Memory
            }
            // A temporary's pointer is a copy made for the order of evaluation: only what was allocated into it is its own.
            Val::Init | Val::Zero if is_temp(body, root) => Spot::Memory,
            Val::Init | Val::Zero | Val::Uniq(_) | Val::Agg(_) | Val::Named(..) if first => {
                path.push(Step::Deref);
                Spot::Tracked { root, path, exact: true }
            }
            Val::Init | Val::Zero | Val::Uniq(_) | Val::Agg(_) | Val::Named(..) => {
                // Some element: each must be there, and nothing more is known of the first one.
                if !whole(self.unit, &val, ty) {
                    self.require(body, state, &val, ty, &pointer(), span);
                }
                let root_type = self.root_type(body, root);
                state.set_at(self.unit, root, root_type, &path, val.forgotten());
                Spot::Memory
            }
        }
    }

    /// The same for a place that is known to be reachable, without reports: where its value is kept.
    pub(super) fn trace(&self, body: &Body, state: &State, place: &Place) -> Option<(Root, Vec<Step>)> {
        let Base::Local(local) = place.base else { return None };
        let (mut root, mut path) = (Root::Local(local), vec![]);
        let mut ty = place::base_type(self.unit, body, place.base);
        for proj in &place.proj {
            match proj {
                Proj::Field(part) if !place::parts(self.unit, ty).is_empty() => path.push(Step::Part(*part)),
                Proj::Field(_) => {}
                Proj::Deref(None) => match state.value_at(root, &path).plain() {
                    Val::Addr(to) => (root, path) = (*to, vec![]),
                    Val::Init
                    | Val::Zero
                    | Val::Uniq(_)
                    | Val::Agg(_)
                    | Val::Uninit(_)
                    | Val::Gone(_)
                    | Val::Named(..)
                        if self.is_unique(body, ty) =>
                    {
                        path.push(Step::Deref)
                    }
                    Val::Init
                    | Val::Zero
                    | Val::Uniq(_)
                    | Val::Agg(_)
                    | Val::Uninit(_)
                    | Val::Gone(_)
                    | Val::Named(..) => {
                        return None;
                    }
                },
                Proj::Deref(Some(_)) | Proj::Element(_) | Proj::Variant(..) => return None,
            }
            ty = place::step(self.unit, ty, proj);
        }
        (!state.escaped.contains(&root)).then_some((root, path))
    }

    pub(super) fn is_unique(&self, body: &Body, ty: Ty) -> bool {
        self.unit.types.is_unique_pointer(ty, &body.vars)
    }

    /// Does the type hold values that must not be copied?
    pub(super) fn carries(&mut self, body: &Body, ty: Ty) -> bool {
        let unit = self.unit;
        *self.carries.entry(ty).or_insert_with(|| unit.types.carries_restricted(ty, &body.vars))
    }
}

pub(super) fn is_temp(body: &Body, root: Root) -> bool {
    matches!(root, Root::Local(local) if body.locals[local.0 as usize].name.is_none())
}
