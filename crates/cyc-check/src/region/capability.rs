//! The capability: which regions are live where (memory, sections 2.4 and 2.5).
//!
//! Judgement: at a point of the program the heap is live; so are the current region, the function's effect, the scopes
//! around the point, and what is open there. Reading or writing through a pointer, allocating by a handle, and calling a
//! function with an effect need their regions live. Forming, copying, comparing and storing pointers need nothing.

use super::{Flow, RegionReason, Use};
use crate::cx::Checker;
use crate::tast::{Expr, Place, PlaceKind};
use cyc_base::{Span, Symbol};
use cyc_types::{Arg, Constraint, FnTy, Kind, Region, Var};

impl Checker<'_> {
    /// Demands that the region is live at this point.
    pub fn require_live(&mut self, region: Region, of: Use, span: Span) {
        if !self.func.inside || matches!(region, Region::Heap | Region::Error) {
            return;
        }
        // A region to be inferred is reached only by what is in scope where it was made: dead is only what can be
        // named without being live.
        if matches!(region, Region::Infer(_)) && !self.func.regions.may_be_dead {
            return;
        }
        let here = Region::Scope(self.func.current);
        self.outlives(region, here, RegionReason::new(span, Flow::Use(of)));
    }

    /// What is stored in a place is read or written: the object that it is part of must be live.
    pub(crate) fn require_place(&mut self, place: &Place) {
        match &place.kind {
            PlaceKind::Deref(pointer) | PlaceKind::Index(pointer, _) => self.require_access(pointer),
            PlaceKind::Element(inner, _) | PlaceKind::Field(inner, _) | PlaceKind::Component(inner, _) => {
                self.require_place(inner);
            }
            PlaceKind::Local(_) | PlaceKind::Global(_) | PlaceKind::Temp(_) => {}
        }
    }

    /// What a value points to may be used by a function that its type says nothing about.
    pub(crate) fn require_reachable(&mut self, value: &Expr, function: Option<Symbol>) {
        if self.func.regions.may_be_dead {
            let regions = self.unit.types.regions_of(self.resolve(value.ty));
            self.require_live(regions, Use::Call(function), value.span);
        }
    }

    /// The object behind a pointer is used.
    pub(crate) fn require_access(&mut self, pointer: &Expr) {
        if let Some(ptr) = self.pointer_of(pointer.ty) {
            self.require_live(ptr.region, Use::Access, pointer.span);
        }
    }

    /// Demands what calling a function of this type needs: its effect live, its constraints true. `args` instantiate
    /// its variables.
    pub(crate) fn require_call(&mut self, function: &FnTy, args: &[Arg], name: Option<Symbol>, span: Span) {
        if !self.func.inside {
            return;
        }
        self.require_constraints(&function.constraints, args, name, span);
        // By default everything it is passed may be used; what is passed was named, and only what was unpacked or left
        // out of an effect can be named without being live.
        if !self.func.regions.may_be_dead {
            return;
        }
        for atom in self.unit.types.effect_of(function) {
            let atom = self.unit.types.substitute_region(atom, args);
            self.require_live(atom, Use::Call(name), span);
        }
    }

    /// Demands declared constraints of what is instantiated.
    pub(crate) fn require_constraints(
        &mut self,
        constraints: &[Constraint],
        args: &[Arg],
        name: Option<Symbol>,
        span: Span,
    ) {
        for (i, constraint) in constraints.iter().enumerate() {
            let what = self.unit.types.substitute_constraint(*constraint, args);
            self.require_constraint(what, RegionReason::new(span, Flow::Constraint(i as u32 + 1, name)));
        }
    }

    /// At the start of a body: its effect is live, its constraints are known. The parameters of the function are
    /// `Var::Param`s.
    pub(crate) fn assume_effect(&mut self, function: &FnTy) {
        let vars: Vec<_> = function.vars.iter().zip(0..).collect();
        let args: Vec<Arg> = vars.iter().map(|(v, i)| v.arg(Var::Param(*i), &self.unit.types)).collect();
        let mut effect: Vec<Region> = vec![];
        for atom in self.unit.types.effect_of(function) {
            let atom = self.unit.types.substitute_region(atom, &args);
            effect.extend(self.unit.types.atoms(atom));
        }
        let named = vars.iter().filter(|(v, _)| v.kind == Kind::E || v.kind.is_type());
        let complete = named.clone().all(|(v, i)| {
            let of = match v.arg(Var::Param(*i), &self.unit.types) {
                Arg::Type(ty) => Region::Of(ty),
                Arg::Region(region) => region,
                _ => return true,
            };
            effect.contains(&of)
        });
        let facts = function.constraints.iter().map(|c| self.unit.types.substitute_constraint(*c, &args)).collect();
        let regions = &mut self.func.regions;
        regions.may_be_dead = !complete;
        regions.effect = effect;
        regions.facts = facts;
    }

    /// New names that a pattern unpacks, `Var::Param`s from `first` on: in scope in the current block, not live; what
    /// their definition demands of them is known.
    pub fn assume_unpacked(&mut self, first: u32, constraints: impl IntoIterator<Item = Constraint>) {
        let scope = self.func.current;
        let regions = &mut self.func.regions;
        regions.unpacked.push((first, scope));
        regions.facts.extend(constraints);
        regions.may_be_dead = true;
    }
}
