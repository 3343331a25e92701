//! The ends of loans that last while pointers which come of them are used (memory, sections 5.3 and 14.4).
//!
//! The judgement: pointers to the borrowed object are held by variables and temporaries whose types mention a region of the
//! loan; the checker has found them all. Where none of these is live, which is to say read later before it is written as a
//! whole, no pointer to the object is ever followed again: the loan ends there. In a `try` what its handler reads is live
//! throughout.
//!
//! Each loan is followed from where it begins, so that what it costs is as long as it lasts.

use crate::dataflow::successors;
use cyc_base::Span;
use cyc_check::tast::TypedUnit;
use cyc_mir::live::{AT_END, Asking, Live};
use cyc_mir::mir::*;
use cyc_types::visit::Part;
use cyc_types::{Region, RegionVid, Ty};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Where what comes of loans is used.
#[derive(Default)]
pub(super) struct Uses {
    /// For messages, in order.
    pub spans: FxHashMap<LoanId, Vec<Span>>,
    /// By handlers, or by what follows them.
    pub after: FxHashSet<(HandlerId, LoanId)>,
}

/// Writes the ends of loans where they come of themselves, but for those by exceptions.
pub(super) fn give_back_after_last_uses(unit: &TypedUnit, body: &mut Body) -> Uses {
    let ids = (0..).map(LoanId).zip(&body.loans);
    let borrowed: FxHashMap<LoanId, usize> = ids
        .filter_map(|(id, loan)| match loan.kind {
            LoanKind::Borrowed(borrow) => Some((id, borrow.0 as usize)),
            LoanKind::Argument | LoanKind::AliasArgument | LoanKind::Alias(_) | LoanKind::Pattern(_) => None,
        })
        .collect();
    if borrowed.is_empty() {
        return Uses::default();
    }
    let holders = holders(unit, body);
    let all: FxHashSet<Local> = holders.iter().flatten().copied().collect();
    let live = Live::new(body, Asking::Uses, |local| all.contains(&local));
    let mut ends = vec![vec![]; body.blocks.len()];
    let mut uses = Uses::default();
    for (loan, begins) in beginnings(body, &borrowed) {
        let holders = &holders[borrowed[&loan]];
        let mut way =
            Way { body, live: &live, loan, holders, entered: BTreeSet::new(), waiting: vec![], ends: &mut ends };
        let spans = way.follow(&begins, &mut uses.after);
        uses.spans.insert(loan, spans.into_iter().collect());
    }
    for (block, ends) in body.blocks.iter_mut().zip(ends) {
        insert(block, ends);
    }
    uses
}

/// The locals that may hold pointers of each borrow of the body.
fn holders(unit: &TypedUnit, body: &Body) -> Vec<Vec<Local>> {
    let mut borrows_of: FxHashMap<RegionVid, Vec<usize>> = FxHashMap::default();
    for (borrow, regions) in body.borrowed.iter().enumerate() {
        regions.iter().for_each(|region| borrows_of.entry(*region).or_default().push(borrow));
    }
    let mut borrows: FxHashMap<Ty, BTreeSet<usize>> = FxHashMap::default();
    let mut holders = vec![vec![]; body.borrowed.len()];
    for (i, decl) in body.locals.iter().enumerate() {
        let ty = decl.qty.ty;
        let of = borrows.entry(ty).or_insert_with(|| {
            let mut of = BTreeSet::new();
            unit.types.any_part(ty, &mut |part| {
                if let Part::Region(Region::Infer(region)) = part {
                    of.extend(borrows_of.get(&region).into_iter().flatten());
                }
                false
            });
            of
        });
        of.iter().for_each(|borrow| holders[*borrow].push(Local(i as u32)));
    }
    holders
}

/// Where the loans begin, each with its block and the number of the instruction after.
fn beginnings(body: &Body, of: &FxHashMap<LoanId, usize>) -> Vec<(LoanId, Vec<(BlockId, u32)>)> {
    let mut all: FxHashMap<LoanId, Vec<(BlockId, u32)>> = FxHashMap::default();
    for (at, block) in (0..).map(BlockId).zip(&body.blocks) {
        for (index, stmt) in (1..).zip(&block.stmts) {
            if let StmtKind::Assign(_, Rvalue::Move(_, Some(loan))) = &stmt.kind
                && of.contains_key(loan)
            {
                all.entry(*loan).or_default().push((at, index));
            }
        }
    }
    let mut all: Vec<_> = all.into_iter().collect();
    all.sort();
    all
}

/// The way of one loan through the body.
struct Way<'a> {
    body: &'a Body,
    live: &'a Live,
    loan: LoanId,
    holders: &'a [Local],
    entered: BTreeSet<BlockId>,
    waiting: Vec<BlockId>,
    /// For each block, the instructions before which loans end.
    ends: &'a mut [Vec<(u32, LoanId)>],
}

impl Way<'_> {
    /// Finds the ends of the loan, the handlers that it is used after, and its uses.
    fn follow(&mut self, begins: &[(BlockId, u32)], after: &mut FxHashSet<(HandlerId, LoanId)>) -> BTreeSet<Span> {
        let mut spans = BTreeSet::new();
        for (block, from) in begins {
            self.within(*block, *from, after, &mut spans);
        }
        while let Some(block) = self.waiting.pop() {
            self.within(block, 0, after, &mut spans);
        }
        spans
    }

    /// The loan lasts where instruction `from` of the block begins, or has just begun there.
    fn within(
        &mut self,
        at: BlockId,
        from: u32,
        after: &mut FxHashSet<(HandlerId, LoanId)>,
        spans: &mut BTreeSet<Span>,
    ) {
        let block = &self.body.blocks[at.0 as usize];
        let Some(last) = self.last_use(at, from) else { return self.end(at, from) };
        for holder in self.holders {
            let uses = self.live.uses(at, from, last, *holder).filter_map(|index| block.stmts.get(index as usize));
            spans.extend(uses.map(|stmt| stmt.span));
        }
        if last != AT_END {
            return self.end(at, last + 1);
        }
        for to in successors(&block.term) {
            match self.is_live_at(to) {
                true => self.enter(to),
                // It is live here, and not where control goes.
                false => self.end(to, 0),
            }
        }
        if let Some(handler) = block.handler {
            let catch = self.body.handlers[handler.0 as usize].catch;
            if self.is_live_at(catch) {
                after.insert((handler, self.loan));
                self.enter(catch);
            }
        }
    }

    /// The last instruction of the block, from number `from` on, before which a holder has been live all the time.
    fn last_use(&self, at: BlockId, from: u32) -> Option<u32> {
        let mut last = None;
        while last != Some(AT_END) {
            let next = last.map_or(from, |last| last + 1);
            let used = self.holders.iter().filter_map(|holder| self.live.last_use_from(at, next, *holder)).max();
            if used.is_none() {
                break;
            }
            last = used;
        }
        last
    }

    fn is_live_at(&self, block: BlockId) -> bool {
        self.holders.iter().any(|holder| self.live.at_entry(block, *holder))
    }

    fn enter(&mut self, block: BlockId) {
        if self.entered.insert(block) {
            self.waiting.push(block);
        }
    }

    fn end(&mut self, block: BlockId, before: u32) {
        self.ends[block.0 as usize].push((before, self.loan));
    }
}

/// Writes ends into the block, each before the instruction of its number.
fn insert(block: &mut Block, mut ends: Vec<(u32, LoanId)>) {
    if ends.is_empty() {
        return;
    }
    ends.sort();
    ends.dedup();
    let (mut ends, mut span) =
        (ends.into_iter().peekable(), block.stmts.first().map_or(block.term_span, |stmt| stmt.span));
    let stmts = Vec::with_capacity(block.stmts.len() + ends.len());
    let mut old = std::mem::replace(&mut block.stmts, stmts).into_iter();
    for index in 0.. {
        while let Some((_, loan)) = ends.next_if(|(before, _)| *before == index) {
            block.stmts.push(Stmt { kind: StmtKind::EndLoan(loan), span });
        }
        let Some(stmt) = old.next() else { break };
        span = stmt.span;
        block.stmts.push(stmt);
    }
}
