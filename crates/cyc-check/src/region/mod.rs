//! Regions and effects: does every pointer die before what it points to, and is everything alive that is used?
//!
//! One relation decides both (memory, section 2.6): `a ⊑ b`, "whenever all of `b` is live, all of `a` is" ([`order`]).
//! A pointer into `a` may be used as a pointer into `b` when `a ⊑ b`; using it at a point needs `a ⊑ the block of that
//! point`, since everything in the capability where a block is entered outlives the block. Handles of regions, and
//! pointers by which objects are freed, flow only into sets that contain their region itself.
//!
//! Each flow demands that a region outlives another. An inference region stands for the set of regions that flow into it;
//! flows are solved at the end of the function, by walking from each known region along them ([`solve`]). What a walk
//! reaches must be outlived by where it began; an inference region may only be reached by what is in scope where it was
//! made.

mod apply;
mod borrow;
mod capability;
mod declaration;
mod order;
mod solve;

pub(crate) use borrow::Borrow;
pub(crate) use declaration::OF_THE_RUN_TIME;
pub use solve::{Bad, Failure};

use crate::cx::{Checker, FnCx};
use crate::tast::{LocalId, Place, PlaceKind};
use cyc_base::{Span, Symbol};
use cyc_types::{Aqual, Constraint, Fold, Kind, Part, QTy, Region, RegionVid, ScopeId, Ty, TyKind, Types};

/// Why one region must outlive another: where a pointer flows, and into what.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RegionReason {
    /// The expression whose value flows.
    pub span: Span,
    pub kind: Flow,
}

/// What a pointer flows into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// The initialiser of the named variable.
    Init(Symbol),
    /// An assignment; to the named variable if it is one.
    Assign(Option<Symbol>),
    Return,
    /// An argument: 1-based index, and the function's name if it has one.
    Argument(u32, Option<Symbol>),
    Throw,
    /// A component of a struct, array, tuple or allocated object.
    Component,
    /// A cast, an arm of `?:`, the end of a statement expression.
    Value,
    /// Below the first pointer of a type regions must be equal.
    Within,
    /// The other operand of `:=:`.
    Swap,
    /// The region must be live here, where it is used.
    Use(Use),
    /// A function's effect must be within that of the type it is used at.
    Effect,
    /// The 1-based constraint of what is instantiated: the function's name if it has one.
    Constraint(u32, Option<Symbol>),
}

/// What needs a region to be live (memory, section 2.4).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    /// An object behind a pointer is read or written.
    Access,
    /// A handle allocates.
    Allocation,
    /// A function that may use the region is called: its name if it has one.
    Call(Option<Symbol>),
    /// A key is opened or passed on.
    Key,
}

impl RegionReason {
    pub fn new(span: Span, kind: Flow) -> RegionReason {
        RegionReason { span, kind }
    }
}

/// What a scope is, as a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScopeKind {
    /// The variables of a block.
    Block,
    /// `region h;` to the end of its block.
    Lexical,
    /// `region h = open(k);` to the end of its block: the region of the key is live here. No objects lie in the scope
    /// itself but the variables of the block.
    Open(Region),
    /// The name of borrowed pointers: no memory.
    Alias,
    /// The name of pointers that are borrowed while they are used ([`borrow`]): it means something wherever the scope around
    /// it does.
    Borrowed,
}

#[derive(Clone, Copy, Debug)]
struct Var {
    scope: ScopeId,
    span: Span,
    /// The latest flow out of it: an index into `RegionCx::flows`.
    out: Option<u32>,
    /// What flows in is remembered: a demand asks for it.
    watched: bool,
    /// What it was made equal to first.
    is: Option<Region>,
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    from: Region,
    to: Region,
    /// Outliving is not enough: the region itself must be in the set.
    exact: bool,
    why: RegionReason,
    /// The next flow out of the same variable.
    next: Option<u32>,
}

/// A question about what regions turn out to be.
#[derive(Clone, Copy, Debug)]
struct Demand {
    what: Constraint,
    why: RegionReason,
}

/// The flows of one function.
#[derive(Default, Debug)]
pub struct RegionCx {
    vars: Vec<Var>,
    flows: Vec<Edge>,
    /// Flows out of known regions: where walks begin.
    sources: Vec<u32>,
    demands: Vec<Demand>,
    /// Where addresses of locals were taken, for messages.
    addresses: Vec<(Span, LocalId)>,
    /// What is known about the regions of the function (its constraints), and of what patterns unpacked.
    pub facts: Vec<Constraint>,
    /// The function's effect, as atoms; the heap and the current region are in every effect.
    pub effect: Vec<Region>,
    /// The blocks in which names were unpacked, by the index of the first of them.
    unpacked: Vec<(u32, ScopeId)>,
    /// Names made of names flow somewhere.
    applied: bool,
    /// Some region that can be named may be dead: uses are looked at.
    pub(crate) may_be_dead: bool,
}

impl Checker<'_> {
    /// A region to be inferred, which lives as long as the current block. At the top level: the heap.
    pub fn fresh_region(&mut self, span: Span) -> Region {
        if !self.func.inside {
            return Region::Heap;
        }
        let scope = self.func.current;
        let vars = &mut self.func.regions.vars;
        vars.push(Var { scope, span, out: None, watched: false, is: None });
        Region::Infer(RegionVid(vars.len() as u32 - 1))
    }

    /// Demands that `longer` outlives `shorter`: a pointer into `longer` flows to where a pointer
    /// into `shorter` is expected. Reported at the end of the function if it does not hold.
    pub fn outlives(&mut self, longer: Region, shorter: Region, why: RegionReason) {
        self.flow(longer, shorter, false, why);
    }

    /// Demands that every region of the first set is one of the second: for handles and pointers that free.
    pub fn included(&mut self, small: Region, large: Region, why: RegionReason) {
        self.flow(small, large, true, why);
    }

    /// Demands that two regions are the same: each outlives the other.
    pub fn same_region(&mut self, a: Region, b: Region, why: RegionReason) {
        self.link_regions(a, b, why);
        self.outlives(a, b, why);
        self.outlives(b, a, why);
    }

    /// Demands that two regions are the same set.
    pub fn equal_region(&mut self, a: Region, b: Region, why: RegionReason) {
        self.link_regions(a, b, why);
        self.included(a, b, why);
        self.included(b, a, why);
    }

    /// Demands that a pointer which can be freed keeps the regions that it may be in: every one of the first is one of the
    /// second. (The other way round one that outlives is enough: all that is in the second came there like this.)
    pub fn freed_from(&mut self, from: Region, to: Region, why: RegionReason) {
        self.link_regions(from, to, why);
        self.included(from, to, why);
        self.outlives(to, from, why);
    }

    fn flow(&mut self, from: Region, to: Region, exact: bool, why: RegionReason) {
        if from == to || from == Region::Error || to == Region::Error || (from == Region::Heap && !exact) {
            return;
        }
        if matches!((from, to), (Region::App(..), _) | (_, Region::App(..))) {
            self.func.regions.applied = true;
        }
        if self.func.regions.applied && self.equate_names(from, to, why) {
            return;
        }
        match from {
            Region::Set(_) => {
                for atom in self.unit.types.atoms(from) {
                    self.flow(atom, to, exact, why);
                }
            }
            Region::Infer(_) => self.add_flow(from, to, exact, why),
            // Known at once, and nothing else will be known later: facts come before uses.
            _ if !matches!(to, Region::Infer(_) | Region::Set(_)) && !exact && self.order().outlives(from, to) => {}
            _ => self.add_flow(from, to, exact, why),
        }
    }

    fn add_flow(&mut self, from: Region, to: Region, exact: bool, why: RegionReason) {
        let RegionCx { vars, flows, sources, .. } = &mut self.func.regions;
        let index = flows.len() as u32;
        let mut next = None;
        match from {
            Region::Infer(v) => next = vars[v.0 as usize].out.replace(index),
            _ => sources.push(index),
        }
        flows.push(Edge { from, to, exact, why, next });
    }

    /// Demands a constraint of something that is instantiated; the first index is 1.
    pub fn require_constraint(&mut self, what: Constraint, why: RegionReason) {
        let asks = match what {
            Constraint::Outlives(longer, shorter) => return self.outlives(longer, shorter, why),
            // Those of qualifiers are not about regions.
            Constraint::Bound { .. } => return,
            Constraint::Disjoint(a, b) => vec![a, b],
            Constraint::Single(a) => vec![a],
        };
        for region in asks.into_iter().flat_map(|r| self.unit.types.atoms(r)) {
            if let Region::Infer(v) = region {
                self.func.regions.vars[v.0 as usize].watched = true;
            }
        }
        self.func.regions.demands.push(Demand { what, why });
    }

    /// Where a place lives: its variable's block, the heap for globals, the pointer's region behind a pointer.
    /// Marks a local as one whose address is taken, at `place.span`.
    pub fn region_of_place(&mut self, place: &Place) -> Region {
        let mut at = place;
        loop {
            match &at.kind {
                PlaceKind::Local(local) => {
                    self.func.local_mut(*local).address_taken = true;
                    self.func.regions.addresses.push((place.span, *local));
                    return Region::Scope(self.func.local(*local).scope);
                }
                PlaceKind::Global(_) => return Region::Heap,
                PlaceKind::Deref(pointer) | PlaceKind::Index(pointer, _) => {
                    return self.pointer_of(pointer.ty).map_or(Region::Error, |p| p.region);
                }
                PlaceKind::Element(inner, _) | PlaceKind::Field(inner, _) | PlaceKind::Component(inner, _) => {
                    at = inner
                }
                PlaceKind::Temp(_) => return Region::Scope(self.func.storage()),
            }
        }
    }

    /// The region that `` `name `` denotes in the body being checked, beside its variables: a block around this point
    /// (its label, or the function's name), a lexical region.
    pub(crate) fn named_region(&self, name: Symbol) -> Option<Region> {
        if let Some(i) = self.names.tyvar(name)
            && self.func.params.get(i as usize).is_some_and(|p| p.kind == Kind::E)
        {
            return Some(Region::Param(i));
        }
        let plain = name.as_str().strip_prefix('`')?;
        let found = self.func.scopes_around(self.func.current).find(|scope| {
            let named = self.func.scope(*scope).name.is_some_and(|n| n.as_str() == plain);
            named && !matches!(self.func.scope(*scope).kind, ScopeKind::Open(_))
        })?;
        Some(Region::Scope(found))
    }

    /// `` `C ``: the innermost lexical region around this point; the caller's if the function has none open. A nested function
    /// has callers of its own.
    pub(crate) fn current_region(&self) -> Region {
        let known = |scope: ScopeId| match self.func.scope(scope).kind {
            ScopeKind::Lexical => Some(Region::Scope(scope)),
            _ => self.func.nested.current_of(scope).map(Region::Param),
        };
        self.func.scopes_around(self.func.current).find_map(known).unwrap_or(Region::Current)
    }

    /// `ty` with fresh regions of the current block, into which the given ones flow: for a value
    /// that leaves a block (the end of a statement expression). What does not outlive the current
    /// block is reported.
    pub fn relocate(&mut self, ty: Ty, why: RegionReason) -> Ty {
        if !self.func.inside {
            return ty;
        }
        match self.require_visible(ty, why.span) {
            true => self.relocate_at(ty, why, false),
            false => Ty::ERROR,
        }
    }

    fn relocate_at(&mut self, ty: Ty, why: RegionReason, within: bool) -> Ty {
        match self.unit.types.kind(ty).clone() {
            TyKind::Pointer(mut ptr) if !within => {
                let old = ptr.region;
                if self.is_local(old) {
                    ptr.region = self.fresh_region(why.span);
                    match self.resolve_aqual_value(ptr.aqual) {
                        aqual @ (Aqual::Aliasable | Aqual::Infer(_)) => self.pointer_flow(aqual, old, ptr.region, why),
                        _ => self.included(old, ptr.region, why),
                    }
                }
                ptr.to = QTy { ty: self.relocate_at(ptr.to.ty, why, true), ..ptr.to };
                self.unit.types.pointer(ptr)
            }
            TyKind::Handle(old) if !within && self.is_local(old) => {
                let region = self.fresh_region(why.span);
                self.included(old, region, why);
                self.unit.types.intern(TyKind::Handle(region))
            }
            TyKind::Array { elem, len, zeroterm } if !within => {
                let elem = QTy { ty: self.relocate_at(elem.ty, why, within), ..elem };
                self.unit.types.intern(TyKind::Array { elem, len, zeroterm })
            }
            TyKind::Tuple(parts) if !within => {
                let parts = parts.iter().map(|p| QTy { ty: self.relocate_at(p.ty, why, within), ..*p }).collect();
                self.unit.types.intern(TyKind::Tuple(parts))
            }
            _ => self.relocate_within(ty, why),
        }
    }

    /// Below the outermost pointers, and in type arguments, regions must stay the same.
    fn relocate_within(&mut self, ty: Ty, why: RegionReason) -> Ty {
        let mut found = vec![];
        self.unit.types.any_part(ty, &mut |part| {
            if let Part::Region(region) = part {
                found.extend(self.unit.types.atoms(region).into_iter().filter(|atom| self.is_local(*atom)));
            }
            false
        });
        found.sort();
        found.dedup();
        let mut moved = vec![];
        for old in found {
            let new = self.fresh_region(why.span);
            self.equal_region(old, new, why);
            moved.push((old, new));
        }
        if moved.is_empty() { ty } else { self.unit.types.fold(ty, &mut Moved(moved)) }
    }

    /// Does the region belong to a block of the function, or is it to be inferred, or does a part of it? Names that were
    /// unpacked belong to their block too.
    fn is_local(&self, region: Region) -> bool {
        self.unit.types.atoms(region).into_iter().any(|atom| match atom {
            Region::Scope(_) | Region::Infer(_) => true,
            Region::Param(index) => self.func.ty.as_ref().is_none_or(|ty| index as usize >= ty.vars.len()),
            _ => false,
        })
    }
}

/// Regions and what they are replaced by.
struct Moved(Vec<(Region, Region)>);

impl Fold for Moved {
    fn region(&mut self, _: &Types, atom: Region) -> Region {
        self.0.iter().find(|(old, _)| *old == atom).map_or(atom, |(_, new)| *new)
    }
}

impl FnCx {
    /// The scope and those around it, innermost first.
    pub fn scopes_around(&self, scope: ScopeId) -> impl Iterator<Item = ScopeId> + '_ {
        std::iter::successors(Some(scope), |scope| self.scope(*scope).parent)
    }
}
