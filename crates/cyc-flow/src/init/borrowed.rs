//! The ends of loans that last while pointers which come of them are used (memory, sections 5.3 and 14.4).
//!
//! The judgement: pointers to the borrowed object are held by variables and temporaries whose types mention a region of the
//! loan; the checker has found them all. Where none of these is live, which is to say read later before it is written as a
//! whole, no pointer to the object is ever followed again: the loan ends there. In a `try` what its handler reads is live
//! throughout.

use crate::dataflow::successors;
use cyc_base::Span;
use cyc_check::tast::TypedUnit;
use cyc_mir::mir::*;
use cyc_mir::visit;
use cyc_types::visit::Part;
use cyc_types::{Region, RegionVid, Ty};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// A set of locals that may hold borrowed pointers, by their numbers among these.
type Set = Vec<u64>;

struct Loans {
    loans: Vec<(LoanId, Set)>,
    /// The numbers of the locals that hold.
    numbers: FxHashMap<Local, usize>,
    words: usize,
}

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
    let borrowed: Vec<(LoanId, usize)> = ids
        .filter_map(|(id, loan)| match loan.kind {
            LoanKind::Borrowed(borrow) => Some((id, borrow.0 as usize)),
            _ => None,
        })
        .collect();
    if borrowed.is_empty() {
        return Uses::default();
    }
    let loans = Loans::new(unit, body, &borrowed);
    let entries = loans.live_at_entries(body);
    let mut uses: FxHashMap<LoanId, BTreeSet<Span>> = FxHashMap::default();
    let mut ends: Vec<Vec<(usize, LoanId)>> = vec![vec![]; body.blocks.len()];
    for (at, block) in body.blocks.iter().enumerate() {
        loans.ends_within(body, block, &entries, &mut ends[at], &mut uses);
        // What is live here and not where control goes is given back there.
        let leaving = loans.live_at_end(body, block, &entries);
        for to in successors(&block.term) {
            let to = to.0 as usize;
            let given = loans.loans.iter().filter(|(_, set)| meets(set, &leaving) && !meets(set, &entries[to]));
            let given: Vec<(usize, LoanId)> = given.map(|(id, _)| (0, *id)).collect();
            ends[to].extend(given);
        }
    }
    for (block, mut ends) in body.blocks.iter_mut().zip(ends) {
        ends.sort();
        ends.dedup();
        for (at, loan) in ends.into_iter().rev() {
            let span = block.stmts.get(at.saturating_sub(1)).map_or(block.term_span, |stmt| stmt.span);
            block.stmts.insert(at, Stmt { kind: StmtKind::EndLoan(loan), span });
        }
    }
    let after = (0..).map(HandlerId).zip(&body.handlers).flat_map(|(id, handler)| {
        let entry = &entries[handler.catch.0 as usize];
        loans.loans.iter().filter(|(_, set)| meets(set, entry)).map(move |(loan, _)| (id, *loan))
    });
    let spans = uses.into_iter().map(|(loan, spans)| (loan, spans.into_iter().collect()));
    Uses { spans: spans.collect(), after: after.collect() }
}

fn catch(body: &Body, block: &Block) -> Option<BlockId> {
    block.handler.map(|handler| body.handlers[handler.0 as usize].catch)
}

fn meets(a: &Set, b: &Set) -> bool {
    a.iter().zip(b).any(|(a, b)| a & b != 0)
}

impl Loans {
    fn new(unit: &TypedUnit, body: &Body, borrowed: &[(LoanId, usize)]) -> Loans {
        let mut holders: FxHashMap<Ty, Vec<usize>> = FxHashMap::default();
        let mut numbers = FxHashMap::default();
        let mut held = vec![];
        for (i, decl) in body.locals.iter().enumerate() {
            let ty = decl.qty.ty;
            let of = holders.entry(ty).or_insert_with(|| {
                let holds = |(_, regions): &(usize, &Vec<RegionVid>)| mentions(unit, ty, regions);
                body.borrowed.iter().enumerate().filter(holds).map(|(borrow, _)| borrow).collect()
            });
            if !of.is_empty() {
                numbers.insert(Local(i as u32), held.len());
                held.push(of.clone());
            }
        }
        let words = held.len().div_ceil(64);
        let loans = borrowed.iter().map(|(id, borrow)| {
            let mut set = vec![0; words];
            let of = held.iter().enumerate().filter(|(_, of)| of.contains(borrow));
            of.for_each(|(number, _)| set[number / 64] |= 1 << (number % 64));
            (*id, set)
        });
        Loans { loans: loans.collect(), numbers, words }
    }

    /// What is live where each block begins.
    fn live_at_entries(&self, body: &Body) -> Vec<Set> {
        let mut entries = vec![vec![0; self.words]; body.blocks.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for (at, block) in body.blocks.iter().enumerate().rev() {
                let mut live = self.live_at_end(body, block, &entries);
                for stmt in block.stmts.iter().rev() {
                    self.before(body, block, &stmt.kind, &entries, &mut live);
                }
                changed |= live != entries[at];
                entries[at] = live;
            }
        }
        entries
    }

    fn live_at_end(&self, body: &Body, block: &Block, entries: &[Set]) -> Set {
        let mut live = vec![0; self.words];
        for to in successors(&block.term).into_iter().chain(catch(body, block)) {
            join(&mut live, &entries[to.0 as usize]);
        }
        visit::each_local_of_terminator(&mut block.term.clone(), &mut |local| self.set(&mut live, *local, true));
        live
    }

    /// From what is live after an instruction, what is before it.
    fn before(&self, body: &Body, block: &Block, kind: &StmtKind, entries: &[Set], live: &mut Set) {
        let (used, written) = mentioned(kind);
        written.into_iter().for_each(|local| self.set(live, local, false));
        used.into_iter().for_each(|local| self.set(live, local, true));
        if let Some(catch) = catch(body, block) {
            join(live, &entries[catch.0 as usize]);
        }
    }

    fn set(&self, live: &mut Set, local: Local, on: bool) {
        let Some(number) = self.numbers.get(&local) else { return };
        match on {
            true => live[number / 64] |= 1 << (number % 64),
            false => live[number / 64] &= !(1 << (number % 64)),
        }
    }

    /// The ends after instructions of the block, each with the number of what follows it; and the uses.
    fn ends_within(
        &self,
        body: &Body,
        block: &Block,
        entries: &[Set],
        ends: &mut Vec<(usize, LoanId)>,
        uses: &mut FxHashMap<LoanId, BTreeSet<Span>>,
    ) {
        let mut live = self.live_at_end(body, block, entries);
        for (index, stmt) in block.stmts.iter().enumerate().rev() {
            let after = live.clone();
            self.before(body, block, &stmt.kind, entries, &mut live);
            let (used, _) = mentioned(&stmt.kind);
            let mut here = vec![0; self.words];
            used.into_iter().for_each(|local| self.set(&mut here, local, true));
            for (id, set) in &self.loans {
                let begins = matches!(&stmt.kind, StmtKind::Assign(_, Rvalue::Move(_, Some(loan))) if loan == id);
                if (begins || meets(set, &live)) && !meets(set, &after) {
                    ends.push((index + 1, *id));
                }
                if meets(set, &here) {
                    uses.entry(*id).or_default().insert(stmt.span);
                }
            }
        }
    }
}

fn join(into: &mut Set, from: &Set) {
    into.iter_mut().zip(from).for_each(|(into, from)| *into |= from);
}

/// The locals that an instruction reads, or a part of which it writes; and the one that it writes as a whole.
fn mentioned(kind: &StmtKind) -> (Vec<Local>, Option<Local>) {
    let written = match kind {
        StmtKind::Assign(place, _) => place.as_local(),
        StmtKind::Call { dst: Some(place), .. } => place.as_local(),
        StmtKind::Alloc(alloc) => alloc.dst.as_local(),
        StmtKind::Uninit(local) => Some(*local),
        // The end of a life is no use.
        StmtKind::Dead(local) => return (vec![], Some(*local)),
        _ => None,
    };
    let mut used = vec![];
    visit::each_local_of(&mut kind.clone(), &mut |local| used.push(*local));
    if written.is_some() {
        // What is written comes last.
        used.pop();
    }
    (used, written)
}

/// May values of the type be, or lead to, pointers into these regions?
fn mentions(unit: &TypedUnit, ty: Ty, regions: &[RegionVid]) -> bool {
    !regions.is_empty()
        && unit.types.any_part(ty, &mut |part| match part {
            Part::Region(Region::Infer(vid)) => regions.contains(&vid),
            _ => false,
        })
}
