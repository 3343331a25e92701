//! Names made of names: `` next_rgn<`r> `` (memory, section 8.6), a region constructor of which nothing is known, applied.
//!
//! Equal arguments give equal names, and two names of one constructor are equal only so. A flow between two such names
//! therefore makes their arguments equal. Before names are compared, the arguments that are still to be inferred must be
//! found: such an argument is what it was made equal to, else the region that flows into it, else the heap. Each of these
//! choices only adds the demand that the two are equal: a wrong one is an error like any other.

use super::solve::{Chosen, Walk};
use super::{Flow, RegionReason};
use crate::cx::Checker;
use cyc_types::{Arg, Constraint, Region, RegionVid};

/// Names within names within names: so deep is looked.
const DEEPEST: u32 = 64;

impl Checker<'_> {
    /// Two regions that are demanded to be equal: what is to be inferred is known to be the other one. Of two names
    /// of one constructor the arguments are equal.
    pub(super) fn link_regions(&mut self, a: Region, b: Region, why: RegionReason) {
        let (a, b) = (self.linked(a), self.linked(b));
        match (a, b) {
            _ if a == b => {}
            (Region::Infer(v), Region::Infer(_)) => self.func.regions.vars[v.0 as usize].is = Some(b),
            (Region::Infer(v), known) | (known, Region::Infer(v)) => {
                let loops = self.arguments(known, 0).contains(&v);
                if !loops && !matches!(known, Region::Set(_) | Region::Error) {
                    self.func.regions.vars[v.0 as usize].is = Some(known);
                }
            }
            _ => {
                self.equate_names(a, b, why);
            }
        }
    }

    /// The region itself where it is to be inferred and was made equal to something.
    fn linked(&self, mut region: Region) -> Region {
        while let Region::Infer(v) = region {
            match self.func.regions.vars[v.0 as usize].is {
                Some(value) => region = value,
                None => break,
            }
        }
        region
    }

    /// Two names of one constructor, of which some argument is to be inferred: makes the arguments equal. False for
    /// all others.
    pub(super) fn equate_names(&mut self, from: Region, to: Region, why: RegionReason) -> bool {
        let (Region::App(f, xs), Region::App(g, ys)) = (self.linked(from), self.linked(to)) else { return false };
        let unknown = [from, to].iter().any(|name| !self.arguments(*name, 0).is_empty());
        unknown && f == g && xs != ys && self.equate_args(xs, ys, why)
    }

    /// The name with those of its arguments that are known by now.
    pub(super) fn named(&self, region: Region) -> Region {
        self.named_within(region, 0)
    }

    fn named_within(&self, region: Region, depth: u32) -> Region {
        if depth > DEEPEST {
            return Region::Error;
        }
        match region {
            Region::App(id, args) => {
                let arg = |arg: &Arg| match *arg {
                    Arg::Region(region) => Arg::Region(self.named_within(self.linked(region), depth + 1)),
                    Arg::Type(ty) => Arg::Type(self.resolve(ty)),
                    arg => arg,
                };
                let args = self.unit.types.args(args).iter().map(arg).collect();
                Region::App(id, self.unit.types.intern_args(args))
            }
            Region::Set(_) => {
                let atoms = self.unit.types.atoms(region);
                self.unit.types.effect(atoms.into_iter().map(|atom| self.named_within(atom, depth)))
            }
            region => region,
        }
    }

    /// Is it a name of which an argument is to be inferred?
    pub(super) fn is_unknown_name(&self, region: Region) -> bool {
        !self.arguments(region, 0).is_empty()
    }

    /// The arguments of names within the region that are to be inferred.
    fn arguments(&self, region: Region, depth: u32) -> Vec<RegionVid> {
        let mut found = vec![];
        for atom in self.unit.types.atoms(region) {
            let Region::App(_, args) = atom else { continue };
            for arg in self.unit.types.args(args) {
                match *arg {
                    Arg::Region(region) => match self.linked(region) {
                        Region::Infer(v) => found.push(v),
                        region if depth < DEEPEST => found.extend(self.arguments(region, depth + 1)),
                        _ => {}
                    },
                    _ => continue,
                }
            }
        }
        found
    }

    /// At the end of a function: finds the arguments of all names, and writes the names with them.
    pub(super) fn settle_names(&mut self) {
        if !self.func.regions.applied {
            return;
        }
        for _ in 0..DEEPEST {
            let unknown = self.unknown_arguments();
            if unknown.is_empty() {
                break;
            }
            for v in &unknown {
                self.func.regions.vars[v.0 as usize].watched = true;
            }
            let found = self.flowing_in();
            for v in unknown {
                let region = Region::Infer(v);
                let into = found.iter().filter(|(of, from, _)| *of == v && *from != Region::Heap).map(|(_, r, _)| *r);
                let into: Vec<Region> = into.collect();
                let all = |one: &&Region| into.iter().all(|r| self.order().outlives(*r, **one));
                let value = into.iter().find(all).or(into.first()).copied().unwrap_or(Region::Heap);
                let span = self.func.regions.vars[v.0 as usize].span;
                self.equal_region(region, value, RegionReason::new(span, Flow::Within));
            }
        }
        for i in 0..self.func.regions.flows.len() {
            let edge = self.func.regions.flows[i];
            self.func.regions.flows[i].from = self.named(edge.from);
            self.func.regions.flows[i].to = self.named(edge.to);
        }
        for i in 0..self.func.regions.demands.len() {
            self.func.regions.demands[i].what = match self.func.regions.demands[i].what {
                Constraint::Single(a) => Constraint::Single(self.named(a)),
                Constraint::Disjoint(a, b) => Constraint::Disjoint(self.named(a), self.named(b)),
                what => what,
            };
        }
    }

    fn unknown_arguments(&self) -> Vec<RegionVid> {
        let regions = &self.func.regions;
        let flows = regions.flows.iter().flat_map(|edge| [edge.from, edge.to]);
        let demands = regions.demands.iter().flat_map(|demand| match demand.what {
            Constraint::Single(a) => vec![a],
            Constraint::Disjoint(a, b) => vec![a, b],
            _ => vec![],
        });
        let mut unknown: Vec<RegionVid> = flows.chain(demands).flat_map(|region| self.arguments(region, 0)).collect();
        unknown.sort();
        unknown.dedup();
        unknown
    }

    /// The regions that flow into watched ones, as far as the names are known.
    fn flowing_in(&mut self) -> Vec<(RegionVid, Region, bool)> {
        let regions = std::mem::take(&mut self.func.regions);
        let chosen = Chosen::default();
        let mut walk = Walk::new(&self.unit.types, &self.func, &regions, &chosen);
        walk.everywhere();
        let found = walk.found;
        self.func.regions = regions;
        found
    }
}
