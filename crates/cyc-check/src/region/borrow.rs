//! Aliases that are inferred for as long as they are used (memory, sections 5.3 and 14.4).
//!
//! The judgement: an argument whose region the result of the call mentions is borrowed into a region of its own, which may be
//! named in the block around the call. Every pointer into it comes from there along flows. If these lead to nothing but
//! regions that are inferred, whatever can hold such a pointer is a variable whose type mentions one of them, and flow
//! analysis gives the argument back after the last use of these variables. (A pointer that is hidden in an existential struct is
//! followed only where its region is known to outlive one that is known.) If they lead to a region that is known, so that the
//! pointer is returned, stored where it lives longer, or given a type that is written, or if something asks which region it
//! is, the argument is moved for good, as by any other conversion to a pointer that may be copied.
//!
//! Closures keep what they capture out of sight of types: a function with nested functions borrows nothing so.

use super::{Flow, RegionReason, ScopeKind};
use crate::cx::{Checker, ScopeInfo};
use crate::tast::BorrowId;
use cyc_base::Span;
use cyc_types::{Region, RegionVid, ScopeId};
use std::collections::BTreeSet;

#[derive(Debug)]
pub(crate) struct Borrow {
    region: Region,
    /// The region of the object.
    home: Region,
    /// The flow out of `region`.
    flow: u32,
    /// Where pointers into `region` can be: found at the end of the function. None: the argument is moved.
    pub reached: Option<Vec<RegionVid>>,
}

impl Checker<'_> {
    /// A region for pointers to an object of the region `home` that is borrowed in the present block.
    pub(crate) fn borrow_while_used(&mut self, home: Region, span: Span) -> (BorrowId, Region) {
        let around = self.func.scopes_around(self.func.current);
        // What is borrowed for a call ends before.
        let around = around.into_iter().find(|scope| {
            let info = self.func.scope(*scope);
            info.kind != ScopeKind::Alias || info.name.is_some()
        });
        let around = around.unwrap_or(ScopeId(0));
        let scope = ScopeId(self.func.scopes.len() as u32);
        let depth = self.func.scope(around).depth + 1;
        let kind = ScopeKind::Borrowed;
        self.func.scopes.push(ScopeInfo { parent: Some(around), depth, name: None, span, kind });
        let (region, inferred) = (Region::Scope(scope), self.fresh_region(span));
        let flow = self.func.regions.flows.len() as u32;
        self.add_flow(region, inferred, false, RegionReason::new(span, Flow::Value));
        let borrows = &mut self.func.borrows;
        borrows.push(Borrow { region, home, flow, reached: None });
        (BorrowId(borrows.len() as u32 - 1), inferred)
    }

    /// Decides which of them are borrowed, and which are moved.
    pub(super) fn settle_borrows(&mut self) {
        let mut borrows = std::mem::take(&mut self.func.borrows);
        let possible = !self.func.regions.applied && self.func.nested.functions.is_empty();
        let mut open: Vec<&mut Borrow> = borrows.iter_mut().collect();
        // One that is moved brings flows out of the region of its object.
        loop {
            let before = open.len();
            let mut still = vec![];
            for borrow in open {
                borrow.reached = if possible { self.way_of(borrow) } else { None };
                match borrow.reached {
                    Some(_) => still.push(borrow),
                    None => self.move_from_home(borrow),
                }
            }
            open = still;
            if open.len() == before || open.is_empty() {
                break;
            }
        }
        self.func.borrows = borrows;
    }

    /// The regions that pointers into the borrowed one flow to; None if one of them is known.
    fn way_of(&self, borrow: &Borrow) -> Option<Vec<RegionVid>> {
        let (order, regions) = (self.order(), &self.func.regions);
        let mut reached = BTreeSet::new();
        let mut work = vec![borrow.flow];
        while let Some(flow) = work.pop() {
            let edge = regions.flows[flow as usize];
            match edge.to {
                Region::Infer(v) => {
                    let var = regions.vars[v.0 as usize];
                    if var.watched || !order.in_scope(borrow.region, var.scope) {
                        return None;
                    }
                    if reached.insert(v) {
                        work.extend(std::iter::successors(var.out, |out| regions.flows[*out as usize].next));
                    }
                }
                used if matches!(edge.why.kind, Flow::Use(_)) && order.outlives(borrow.region, used) => {}
                _ => return None,
            }
        }
        Some(reached.into_iter().collect())
    }

    fn move_from_home(&mut self, borrow: &Borrow) {
        let edge = self.func.regions.flows[borrow.flow as usize];
        self.func.regions.sources.retain(|source| *source != borrow.flow);
        self.outlives(borrow.home, edge.to, edge.why);
    }
}
