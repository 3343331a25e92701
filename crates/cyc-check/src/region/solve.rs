//! Solving the regions of a function at its end.

use super::order::Order;
use super::{Demand, Flow, RegionCx, RegionReason};
use crate::cx::{Checker, FnCx};
use crate::errors;
use crate::tast::LocalId;
use cyc_base::Span;
use cyc_types::{Constraint, Region, RegionVid, ScopeId, Types};
use rustc_hash::FxHashMap;

/// A region reached a place that it does not outlive.
#[derive(Debug)]
pub struct Failure {
    pub from: Region,
    /// The flows on the way, the first out of `from`.
    pub path: Vec<RegionReason>,
    pub to: Bad,
}

/// What was reached and lives too long.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Bad {
    /// An inference region: the block it was made in, and the type or expression it was made for.
    Inferred {
        scope: ScopeId,
        vid: RegionVid,
        span: Span,
    },
    Region(Region),
    /// Outlived, but not the same region.
    Exactly(Region),
}

impl Checker<'_> {
    /// Solves the regions of the function at its end and reports each flow that cannot be allowed.
    pub(crate) fn solve_regions(&mut self) {
        self.expand_sources();
        self.settle_borrows();
        self.settle_names();
        let choices = self.watch_choices();
        let regions = std::mem::take(&mut self.func.regions);
        let mut chosen = Chosen::default();
        let walk = loop {
            let mut walk = Walk::new(&self.unit.types, &self.func, &regions, &chosen);
            walk.everywhere();
            match walk.undecided().filter(|_| choices) {
                Some((flow, member)) => chosen.insert(flow, member),
                None => break walk,
            };
        };
        let refused: Vec<_> = regions.demands.iter().filter_map(|d| Some((*d, walk.refuses(*d)?))).collect();
        let told: Vec<Region> = walk.failures.iter().map(|failure| failure.from).collect();
        for failure in walk.failures {
            let diagnostic = errors::region::escape(self, &regions, &failure);
            self.report(diagnostic);
        }
        for (demand, why) in refused {
            // One mistake is one error: regions that are mixed where they must not be are not one, nor apart.
            if why.iter().any(|region| told.contains(region)) {
                continue;
            }
            let diagnostic = errors::effect::constraint(self, demand.what, demand.why, &why);
            self.report(diagnostic);
        }
    }

    /// Sets with several regions to be inferred: what flows in goes to one of them, and what flows into each decides which.
    /// False: there are none.
    fn watch_choices(&mut self) -> bool {
        let mut choices = false;
        for i in 0..self.func.regions.flows.len() {
            let to = self.func.regions.flows[i].to;
            if !is_choice(&self.unit.types, to) {
                continue;
            }
            choices = true;
            for atom in self.unit.types.atoms(to) {
                if let Region::Infer(v) = atom {
                    self.func.regions.vars[v.0 as usize].watched = true;
                }
            }
        }
        choices
    }

    /// `regions(T)` whose type is known by now: flows out of it are flows out of its regions, and so with flows into it.
    fn expand_sources(&mut self) {
        for i in 0..self.func.regions.flows.len() {
            let to = self.func.regions.flows[i].to;
            if matches!(to, Region::Set(_) | Region::Of(_)) {
                self.func.regions.flows[i].to = self.known_effect(to);
            }
        }
        let sources = std::mem::take(&mut self.func.regions.sources);
        for source in sources {
            let edge = self.func.regions.flows[source as usize];
            match edge.from {
                Region::Of(ty) => {
                    let ty = self.final_type(ty);
                    match self.unit.types.regions_of(ty) {
                        // A variable: facts speak of it by its own name.
                        known @ Region::Of(_) => {
                            self.func.regions.flows[source as usize].from = known;
                            self.func.regions.sources.push(source);
                        }
                        known => {
                            for atom in self.unit.types.atoms(known) {
                                self.flow_from_type(atom, edge);
                            }
                        }
                    }
                }
                _ => self.func.regions.sources.push(source),
            }
        }
    }

    /// The effect with `regions(T)` of known types replaced by their regions.
    fn known_effect(&mut self, effect: Region) -> Region {
        let mut atoms = vec![];
        for atom in self.unit.types.atoms(effect) {
            match atom {
                Region::Of(ty) => {
                    let ty = self.final_type(ty);
                    atoms.push(self.unit.types.regions_of(ty));
                }
                atom => atoms.push(atom),
            }
        }
        self.unit.types.effect(atoms)
    }

    fn flow_from_type(&mut self, atom: Region, edge: super::Edge) {
        match atom {
            Region::Of(_) => self.add_flow(atom, edge.to, edge.exact, edge.why),
            atom => self.flow(atom, edge.to, edge.exact, edge.why),
        }
    }
}

impl RegionCx {
    /// The local whose address was taken within `span` and lives in `scope`.
    pub fn address_within(&self, cx: &FnCx, span: Span, scope: ScopeId) -> Option<(Span, LocalId)> {
        let inside = |s: Span| span.lo <= s.lo && s.hi <= span.hi;
        let mut candidates = self.addresses.iter().filter(|(_, local)| cx.local(*local).scope == scope);
        candidates.clone().find(|(at, _)| inside(*at)).or_else(|| candidates.next()).copied()
    }
}

/// How a variable was reached in a walk.
#[derive(Clone, Copy)]
struct Reached {
    /// Where the walk began.
    began: Region,
    /// The flow that reached it.
    by: u32,
    /// Only by exact flows: the set has the region itself as a member, not only something it outlives.
    exact: bool,
}

/// For flows into sets with several regions to be inferred: which of them takes what flows.
pub(super) type Chosen = FxHashMap<u32, RegionVid>;

/// Has the set several regions to be inferred?
fn is_choice(types: &Types, to: Region) -> bool {
    matches!(to, Region::Set(_))
        && types.atoms(to).into_iter().filter(|atom| matches!(atom, Region::Infer(_))).nth(1).is_some()
}

pub(super) struct Walk<'a> {
    order: Order<'a>,
    chosen: &'a Chosen,
    /// What arrived at sets with several regions to be inferred, and was not sent on: the flow, where it began, and whether
    /// the region itself must be in the set.
    waiting: Vec<(u32, Region, bool)>,
    /// For each variable: how the present walk, or an earlier one, reached it.
    reached: Vec<Option<Reached>>,
    failures: Vec<Failure>,
    /// What flows into the watched variables.
    pub(super) found: Vec<(RegionVid, Region, bool)>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(types: &'a Types, func: &'a FnCx, regions: &'a RegionCx, chosen: &'a Chosen) -> Walk<'a> {
        let order = Order { types, func, regions };
        let reached = vec![None; regions.vars.len()];
        Walk { order, chosen, waiting: vec![], reached, failures: vec![], found: vec![] }
    }

    /// Walks from every known region.
    pub(super) fn everywhere(&mut self) {
        let regions = self.order.regions;
        let mut starts: Vec<(Region, u32)> =
            regions.sources.iter().map(|s| (regions.flows[*s as usize].from, *s)).collect();
        starts.sort();
        for group in starts.chunk_by(|a, b| a.0 == b.0) {
            self.from(group[0].0, group);
        }
    }

    /// Walks along everything a pointer into `from`, or its handle, can flow to.
    fn from(&mut self, from: Region, starts: &[(Region, u32)]) {
        let regions = self.order.regions;
        let mut work: Vec<(u32, bool)> = starts.iter().rev().map(|s| (s.1, true)).collect();
        let mut failed = vec![];
        while let Some((flow, exactly)) = work.pop() {
            let edge = regions.flows[flow as usize];
            let exact = exactly && edge.exact;
            if from == Region::Heap && !exact {
                continue; // it outlives everything
            }
            if is_choice(self.order.types, edge.to) && !self.chosen.contains_key(&flow) {
                if !self.is_in_known(from, edge.to, exact) {
                    self.waiting.push((flow, from, exact));
                }
                continue;
            }
            let Some(v) = self.target(flow, from, exact) else {
                failed.extend(self.misses(from, edge.to, exact).map(|bad| (flow, bad)));
                continue;
            };
            let slot = &mut self.reached[v.0 as usize];
            if slot.is_some_and(|r| r.began == from && (r.exact || !exact)) {
                continue;
            }
            *slot = Some(Reached { began: from, by: flow, exact });
            let var = regions.vars[v.0 as usize];
            if var.watched {
                self.found.push((v, from, exact));
            }
            if !self.order.in_scope(from, var.scope) {
                failed.push((flow, Bad::Inferred { scope: var.scope, vid: v, span: var.span }));
                continue; // one mistake is one error: what follows from it is not told
            }
            let mut next = var.out;
            while let Some(out) = next {
                work.push((out, exact));
                next = regions.flows[out as usize].next;
            }
        }
        for (flow, to) in failed {
            let path = self.path(from, flow);
            if !self.failures.iter().any(|f| f.path.last().map(|w| w.span) == path.last().map(|w| w.span)) {
                self.failures.push(Failure { from, path, to });
            }
        }
    }

    /// The variable that takes what flows: where it flows to, or in a set one of its members if no known one will do.
    fn target(&self, flow: u32, from: Region, exact: bool) -> Option<RegionVid> {
        match self.order.regions.flows[flow as usize].to {
            Region::Infer(v) => Some(v),
            to @ Region::Set(_) if !self.is_in_known(from, to, exact) => match self.chosen.get(&flow) {
                Some(member) => Some(*member),
                None => self.unknown_members(to).next(),
            },
            _ => None,
        }
    }

    /// Will one of the set's known regions do?
    fn is_in_known(&self, from: Region, set: Region, exact: bool) -> bool {
        let known = |atom: &Region| !matches!(atom, Region::Infer(_));
        let atoms = self.order.types.atoms(set);
        atoms.iter().any(|a| known(a) && self.misses(from, *a, exact).is_none())
    }

    fn unknown_members(&self, set: Region) -> impl Iterator<Item = RegionVid> + use<> {
        let atoms = self.order.types.atoms(set);
        atoms.into_iter().filter_map(|atom| if let Region::Infer(v) = atom { Some(v) } else { None })
    }

    /// A flow into a set that nothing in it covers, and the member that shall take it. An effect covers what outlives a
    /// region that flows into one of its members; a pointer's region must flow there itself.
    pub(super) fn undecided(&self) -> Option<(u32, RegionVid)> {
        self.waiting.iter().find_map(|&(flow, from, exact)| {
            let edge = self.order.regions.flows[flow as usize];
            let effect = edge.why.kind == Flow::Effect;
            let covers = |member: RegionVid| {
                self.found.iter().any(|(v, region, whole)| {
                    *v == member
                        && (effect && self.order.outlives(from, *region) || *region == from && (*whole || !exact))
                })
            };
            let mut members = self.unknown_members(edge.to);
            if members.any(covers) {
                return None;
            }
            let free = self.unknown_members(edge.to).find(|v| self.is_free(*v));
            Some((flow, free.or_else(|| self.unknown_members(edge.to).next())?))
        })
    }

    /// Was the region to be inferred made equal to none that is known?
    fn is_free(&self, mut v: RegionVid) -> bool {
        loop {
            match self.order.regions.vars[v.0 as usize].is {
                None => return true,
                Some(Region::Infer(next)) => v = next,
                Some(_) => return false,
            }
        }
    }

    /// What is wrong with `from` arriving at a known region or set, if something is.
    fn misses(&self, from: Region, to: Region, exact: bool) -> Option<Bad> {
        if exact {
            let there = from == Region::Error || to == Region::Error || self.order.types.atoms(to).contains(&from);
            return match there {
                true => None,
                false if self.order.outlives(from, to) => Some(Bad::Exactly(to)),
                false => Some(Bad::Region(to)),
            };
        }
        (!self.order.outlives(from, to)).then_some(Bad::Region(to))
    }

    /// The flows from the start of the walk to `last`.
    fn path(&self, from: Region, last: u32) -> Vec<RegionReason> {
        let flows = &self.order.regions.flows;
        let mut path = vec![];
        let mut at = last;
        loop {
            let edge = flows[at as usize];
            path.push(edge.why);
            let Region::Infer(v) = edge.from else { break };
            match self.reached[v.0 as usize] {
                Some(reached) if reached.began == from && path.len() <= flows.len() => at = reached.by,
                _ => break,
            }
        }
        path.reverse();
        path
    }

    // ------------------------------------------------------------ demands

    /// What a region turns out to be: its known regions, each with the answer to "exactly this one?".
    fn members(&self, region: Region) -> Vec<(Region, bool)> {
        let mut members = vec![];
        for atom in self.order.types.atoms(region) {
            match atom {
                Region::Infer(v) => {
                    let found = self.found.iter().filter(|(of, ..)| *of == v).map(|(_, r, exact)| (*r, *exact));
                    let before = members.len();
                    members.extend(found);
                    if members.len() == before {
                        // Nothing but what lies in the heap, perhaps.
                        members.push((Region::Heap, false));
                    }
                }
                known => members.push((known, true)),
            }
        }
        members.sort();
        members.dedup();
        members
    }

    /// Why a demand is not met; None when it is.
    fn refuses(&self, demand: Demand) -> Option<Vec<Region>> {
        match demand.what {
            Constraint::Single(region) => self.not_single(region),
            Constraint::Disjoint(a, b) => {
                let (a, b) = (self.members(a), self.members(b));
                let pair = |x: Region| b.iter().map(move |y| (x, y.0));
                let shared = a.iter().flat_map(|x| pair(x.0)).find(|(x, y)| !self.order.disjoint(*x, *y));
                shared.map(|(x, y)| vec![x, y])
            }
            Constraint::Outlives(..) | Constraint::Bound { .. } => None,
        }
    }

    /// A set is single when one member that is single by itself stands for all: the only one that must be in it, which
    /// the others outlive.
    fn not_single(&self, region: Region) -> Option<Vec<Region>> {
        let members = self.members(region);
        let exact: Vec<Region> = members.iter().filter(|m| m.1).map(|m| m.0).collect();
        let stands_for_all = |one: Region| {
            self.order.is_single(one)
                && exact.iter().all(|e| *e == one)
                && members.iter().all(|(m, _)| self.order.outlives(*m, one))
        };
        let one = members.iter().any(|(m, _)| stands_for_all(*m));
        (!one).then(|| members.iter().map(|m| m.0).collect())
    }
}

impl Flow {
    /// Is it a use or a demand, not a pointer that goes somewhere?
    pub fn is_demand(self) -> bool {
        matches!(self, Flow::Use(_) | Flow::Effect | Flow::Constraint(..))
    }
}
