//! The region solver: does every pointer die before what it points to?
//!
//! Each flow of a pointer from region `a` to region `b` demands that `a` outlives `b`. An inference
//! region stands for the set of concrete regions that flow into it; it is solved at the end of the
//! function, by walking from each concrete region along the flows. The heap outlives everything and
//! is never walked. What a walk reaches must be outlived by where it began: a concrete region, or an
//! inference region, which lives as long as the block it was made in.
//!
//! Order of concrete regions: `Heap` outlives all; a `Param` outlives itself and every `Scope`; a
//! `Scope` outlives itself and the scopes within it.

use crate::cx::{Checker, FnCx};
use crate::errors;
use crate::tast::{LocalId, Place, PlaceKind};
use cyc_base::{Span, Symbol};
use cyc_types::{Fold, Kind, Part, QTy, Region, RegionVid, ScopeId, Ty, TyKind, Types};

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
}

impl RegionReason {
    pub fn new(span: Span, kind: Flow) -> RegionReason {
        RegionReason { span, kind }
    }
}

#[derive(Clone, Copy, Debug)]
struct Var {
    scope: ScopeId,
    span: Span,
    /// The latest flow out of it: an index into `RegionCx::flows`.
    out: Option<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    from: Region,
    to: Region,
    why: RegionReason,
    /// The next flow out of the same variable.
    next: Option<u32>,
}

/// The flows of one function.
#[derive(Default, Debug)]
pub struct RegionCx {
    vars: Vec<Var>,
    flows: Vec<Edge>,
    /// Flows out of a parameter's region or a scope: where walks begin, and what fails at once.
    sources: Vec<u32>,
    /// Where addresses of locals were taken, for messages.
    addresses: Vec<(Span, LocalId)>,
}

impl Checker<'_> {
    /// A region to be inferred, which lives as long as the current block. At the top level: the heap.
    pub fn fresh_region(&mut self, span: Span) -> Region {
        if !self.func.inside {
            return Region::Heap;
        }
        let scope = self.func.current;
        let vars = &mut self.func.regions.vars;
        vars.push(Var { scope, span, out: None });
        Region::Infer(RegionVid(vars.len() as u32 - 1))
    }

    /// Demands that `longer` outlives `shorter`: a pointer into `longer` flows to where a pointer
    /// into `shorter` is expected. Reported at the end of the function if it does not hold.
    pub fn outlives(&mut self, longer: Region, shorter: Region, why: RegionReason) {
        if longer == shorter || longer == Region::Heap || longer == Region::Error || shorter == Region::Error {
            return;
        }
        let RegionCx { vars, flows, sources, .. } = &mut self.func.regions;
        let index = flows.len() as u32;
        let mut next = None;
        match longer {
            Region::Infer(v) => next = vars[v.0 as usize].out.replace(index),
            _ => sources.push(index),
        }
        flows.push(Edge { from: longer, to: shorter, why, next });
    }

    /// Demands that two regions are the same: each outlives the other.
    pub fn same_region(&mut self, a: Region, b: Region, why: RegionReason) {
        self.outlives(a, b, why);
        self.outlives(b, a, why);
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
                    return self.unit.types.as_pointer(pointer.ty).map_or(Region::Error, |p| p.region);
                }
                PlaceKind::Element(inner, _) | PlaceKind::Field(inner, _) | PlaceKind::Component(inner, _) => {
                    at = inner
                }
                PlaceKind::Temp(_) => return Region::Scope(self.func.current),
            }
        }
    }

    /// The region that `` `name `` denotes in the body being checked: a region parameter of the
    /// function, or a block around this point (its label, or the function's name).
    pub(crate) fn named_region(&self, name: Symbol) -> Option<Region> {
        if let Some(i) = self.names.tyvar(name)
            && self.func.params.get(i as usize).is_some_and(|p| p.kind == Kind::E)
        {
            return Some(Region::Param(i));
        }
        let plain = name.as_str().strip_prefix('`')?;
        let mut at = Some(self.func.current);
        while let Some(scope) = at {
            let info = self.func.scope(scope);
            if info.name.is_some_and(|n| n.as_str() == plain) {
                return Some(Region::Scope(scope));
            }
            at = info.parent;
        }
        None
    }

    /// `ty` with fresh regions of the current block, into which the given ones flow: for a value
    /// that leaves a block (the end of a statement expression). What does not outlive the current
    /// block is reported.
    pub fn relocate(&mut self, ty: Ty, why: RegionReason) -> Ty {
        if !self.func.inside {
            return ty;
        }
        self.relocate_at(ty, why, false)
    }

    fn relocate_at(&mut self, ty: Ty, why: RegionReason, within: bool) -> Ty {
        match self.unit.types.kind(ty).clone() {
            TyKind::Pointer(mut ptr) if !within => {
                let old = ptr.region;
                if is_local(old) {
                    ptr.region = self.fresh_region(why.span);
                    self.outlives(old, ptr.region, why);
                }
                ptr.to = QTy { ty: self.relocate_at(ptr.to.ty, why, true), ..ptr.to };
                self.unit.types.pointer(ptr)
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
            if let Part::Region(region) = part
                && is_local(region)
                && !found.contains(&region)
            {
                found.push(region);
            }
            false
        });
        let mut moved = vec![];
        for old in found {
            let new = self.fresh_region(why.span);
            self.same_region(old, new, why);
            moved.push((old, new));
        }
        if moved.is_empty() { ty } else { self.unit.types.fold(ty, &mut Moved(moved)) }
    }

    /// Solves the regions of the function at its end and reports each flow that cannot be allowed.
    pub(crate) fn solve_regions(&mut self) {
        let regions = std::mem::take(&mut self.func.regions);
        let mut walk =
            Walk { cx: &self.func, regions: &regions, reached: vec![None; regions.vars.len()], failures: vec![] };
        let mut starts: Vec<(Region, u32)> =
            regions.sources.iter().map(|s| (regions.flows[*s as usize].from, *s)).collect();
        starts.sort();
        let mut done = 0;
        while done < starts.len() {
            let from = starts[done].0;
            let group = starts[done..].iter().take_while(|s| s.0 == from).count();
            walk.from(from, &starts[done..done + group]);
            done += group;
        }
        for failure in walk.failures {
            let diagnostic = errors::region::escape(self, &regions, &failure);
            self.report(diagnostic);
        }
    }
}

/// Does the region belong to a block of the function, or is it to be inferred?
fn is_local(region: Region) -> bool {
    matches!(region, Region::Scope(_) | Region::Infer(_))
}

/// Regions and what they are replaced by.
struct Moved(Vec<(Region, Region)>);

impl Fold for Moved {
    fn region(&mut self, _: &Types, atom: Region) -> Region {
        self.0.iter().find(|(old, _)| *old == atom).map_or(atom, |(_, new)| *new)
    }
}

/// A concrete region reached a place that it does not outlive.
#[derive(Debug)]
pub struct Failure {
    pub from: Region,
    /// The flows on the way, the first out of `from`.
    pub path: Vec<RegionReason>,
    pub to: Bad,
}

/// What was reached and lives too long.
#[derive(Clone, Copy, Debug)]
pub enum Bad {
    /// An inference region: the block it was made in, and the type or expression it was made for.
    Inferred {
        scope: ScopeId,
        vid: RegionVid,
        span: Span,
    },
    Region(Region),
}

impl RegionCx {
    /// The local whose address was taken within `span` and lives in `scope`.
    pub fn address_within(&self, cx: &FnCx, span: Span, scope: ScopeId) -> Option<(Span, LocalId)> {
        let inside = |s: Span| span.lo <= s.lo && s.hi <= span.hi;
        let mut candidates = self.addresses.iter().filter(|(_, local)| cx.local(*local).scope == scope);
        candidates.clone().find(|(at, _)| inside(*at)).or_else(|| candidates.next()).copied()
    }
}

struct Walk<'a> {
    cx: &'a FnCx,
    regions: &'a RegionCx,
    /// For each variable reached in the present walk: the region the walk began at, and the flow that reached it.
    reached: Vec<Option<(Region, u32)>>,
    failures: Vec<Failure>,
}

impl Walk<'_> {
    /// Walks along everything a pointer into `from` can flow to.
    fn from(&mut self, from: Region, starts: &[(Region, u32)]) {
        let mut work: Vec<u32> = starts.iter().rev().map(|s| s.1).collect();
        let mut failed = vec![];
        while let Some(flow) = work.pop() {
            let edge = self.regions.flows[flow as usize];
            match edge.to {
                Region::Infer(v) => {
                    let slot = &mut self.reached[v.0 as usize];
                    if slot.is_some_and(|(began, _)| began == from) {
                        continue;
                    }
                    *slot = Some((from, flow));
                    let var = self.regions.vars[v.0 as usize];
                    if !outlives(self.cx, from, Region::Scope(var.scope)) {
                        failed.push((flow, Bad::Inferred { scope: var.scope, vid: v, span: var.span }));
                        continue; // one mistake is one error: what follows from it is not told
                    }
                    let mut next = var.out;
                    while let Some(out) = next {
                        work.push(out);
                        next = self.regions.flows[out as usize].next;
                    }
                }
                to => {
                    if !outlives(self.cx, from, to) {
                        failed.push((flow, Bad::Region(to)));
                    }
                }
            }
        }
        for (flow, to) in failed {
            let path = self.path(from, flow);
            if !self.failures.iter().any(|f| f.path.last().map(|w| w.span) == path.last().map(|w| w.span)) {
                self.failures.push(Failure { from, path, to });
            }
        }
    }

    /// The flows from the start of the walk to `last`.
    fn path(&self, from: Region, last: u32) -> Vec<RegionReason> {
        let mut path = vec![];
        let mut at = last;
        loop {
            let edge = self.regions.flows[at as usize];
            path.push(edge.why);
            let Region::Infer(v) = edge.from else { break };
            match self.reached[v.0 as usize] {
                Some((began, before)) if began == from && path.len() <= self.regions.flows.len() => at = before,
                _ => break,
            }
        }
        path.reverse();
        path
    }
}

/// Does one concrete region outlive another?
fn outlives(cx: &FnCx, longer: Region, shorter: Region) -> bool {
    match (longer, shorter) {
        (Region::Heap | Region::Error, _) | (_, Region::Error) => true,
        (a, b) if a == b => true,
        (Region::Param(_), Region::Scope(_)) => true,
        (Region::Scope(outer), Region::Scope(inner)) => cx.encloses(outer, inner),
        _ => false,
    }
}
