//! Bounds facts (core, section 9.3): what is known of the distances between numbers.
//!
//! The judgement: a fact is `a - b <= c` with a constant `c`, about terms: values of integers that stay until something
//! writes to them, the lowest and the highest index of a fat pointer, its `numelts`, the distance of the first zero of a
//! zero-terminated one, and 0 (`terms.rs`). Terms are integers of mathematics. What follows from a set of facts is
//! found by shortest paths (`facts.rs`).
//!
//! 1. A test that came out establishes its fact, a check that succeeded those that it checked (`tests.rs`).
//! 2. An assignment gives the place's new numbers distances from others, where nothing can have wrapped (`values.rs`);
//!    `i = i + 1` moves the facts about `i`, if `i` is known not to be the greatest number.
//! 3. Every other write ends the facts about terms that it may change: a write to a variable those that mention it, a
//!    store through a pointer or to an object in memory those that read memory of such a type, a call all in memory.
//!    What followed for other terms stays known.
//! 4. Where paths meet, what holds on all of them remains; where control goes back, only what it leaves unchanged.
//! 5. Volatile places, members of unions and bit-fields have no facts.
//!
//! A check whose condition follows is removed (`prove.rs`). What a loop's checks need and the loop does not change is
//! tested before the loop: a second copy of the loop, without these checks, runs if the test succeeds (`hoist.rs`).

mod facts;
mod hoist;
mod prove;
mod terms;
mod tests;
mod values;

use crate::dataflow::{Analysis, block_id, solve, successors};
use crate::{errors, place};
use cyc_base::Diagnostics;
use cyc_check::tast::TypedUnit;
use cyc_mir::live::{Asking, Live};
use cyc_mir::mir::*;
use facts::{Facts, Search};
use smallvec::SmallVec;
use std::cell::{OnceCell, RefCell};
use terms::{Kind, Memory, Term, Terms, ZERO};

/// Ends of an interval; None where nothing is known.
type Interval = (Option<i64>, Option<i64>);

/// A temporary that one block only mentions.
#[derive(Clone, Copy)]
struct Private {
    local: Local,
    /// The statement after which nothing needs to be known of it; [`AT_END`]: the end of the block.
    end: u32,
}

const AT_END: u32 = u32::MAX;

struct Bounds<'a> {
    terms: Terms<'a>,
    search: RefCell<Search>,
    /// Room for [`Bounds::number`].
    distances: Vec<values::Distance>,
    /// For each block the temporaries that no other block mentions, in the order of their ends.
    private: Vec<Vec<Private>>,
    live: OnceCell<Live>,
    /// Instructions that may still be looked at; after them nothing more is learnt, so that the analysis of deeply
    /// nested loops ends soon.
    work: usize,
}

/// How often an instruction is looked at, in the mean; functions of a few instructions need not count.
const MOST_ROUNDS: usize = 24;
const FEW: usize = 100;

/// Removes the checks that the facts prove needless, and those that can be replaced by a test before their loop.
pub fn eliminate(unit: &TypedUnit, body: &mut Body) {
    if !body.blocks.iter().any(|block| block.stmts.iter().any(is_candidate)) {
        return;
    }
    let mut analysis = Bounds::new(unit, body);
    let entries = solve(&mut analysis, body);
    let mut loops: Option<hoist::Loops> = None;
    let mut needless = vec![];
    for (at, entry) in entries.into_iter().enumerate() {
        let Some(mut facts) = entry else { continue };
        let block = &body.blocks[at];
        let last = block.stmts.iter().rposition(is_candidate).map_or(0, |last| last + 1);
        for (index, stmt) in block.stmts[..last].iter().enumerate() {
            if let StmtKind::Check(check) = &stmt.kind
                && is_candidate(stmt)
            {
                match analysis.proof(body, &facts, block, index, &check.kind) {
                    Some(why) => needless.push((at, index, why)),
                    None => {
                        let loops = loops.get_or_insert_with(|| hoist::Loops::new(unit, body));
                        loops.consider(&mut analysis, body, &facts, (at, index), &check.kind);
                    }
                }
            }
            analysis.statement(body, &mut facts, block, index);
        }
    }
    for (block, index, why) in needless {
        remove(&mut body.blocks[block].stmts[index], why);
    }
    if let Some(loops) = loops {
        loops.hoist(body, &analysis.private);
    }
}

/// Proves `@assert` and `@assert_false`, and removes them: errors for those that do not follow from what is known.
pub fn prove(unit: &TypedUnit, body: &mut Body) -> Diagnostics {
    let mut out = Diagnostics::default();
    let wanted = |stmt: &Stmt| match &stmt.kind {
        StmtKind::Check(Check { kind: CheckKind::Assert(_), why }) => why.wanted(),
        _ => None,
    };
    if !body.blocks.iter().flat_map(|block| &block.stmts).any(|stmt| wanted(stmt).is_some()) {
        return out;
    }
    let mut analysis = Bounds::new(unit, body);
    let entries = solve(&mut analysis, body);
    let mut proved = vec![];
    for (at, entry) in entries.into_iter().enumerate() {
        let block = &body.blocks[at];
        // What cannot be reached holds.
        let mut facts = entry;
        for (index, stmt) in block.stmts.iter().enumerate() {
            if let (Some(wanted), StmtKind::Check(Check { kind: CheckKind::Assert(cond), why })) =
                (wanted(stmt), &stmt.kind)
            {
                let comparison = analysis.comparison(body, block, index, cond);
                let truth = facts.as_ref().map_or(Some(wanted), |facts| analysis.truth(body, facts, cond, comparison));
                if *why == CheckReason::Precondition {
                    if truth == Some(false) {
                        out.push(errors::precondition_fails(stmt.span));
                        proved.push((at, index));
                    }
                } else if truth == Some(wanted) {
                    proved.push((at, index));
                } else {
                    let known = facts.as_ref().and_then(|facts| analysis.known(body, facts, block, index, cond));
                    out.push(errors::not_proved(stmt.span, wanted, truth.is_some(), known));
                }
            }
            if let Some(facts) = &mut facts {
                analysis.statement(body, facts, block, index);
            }
        }
    }
    for (block, index) in proved {
        remove(&mut body.blocks[block].stmts[index], Fact::Proved);
    }
    out
}

/// A check that this analysis may prove.
fn is_candidate(stmt: &Stmt) -> bool {
    let kind = |kind: &CheckKind| !matches!(kind, CheckKind::NonNull(_) | CheckKind::Member(_) | CheckKind::Match);
    matches!(&stmt.kind, StmtKind::Check(check) if check.why != CheckReason::Assumed && kind(&check.kind))
}

fn remove(stmt: &mut Stmt, why: Fact) {
    let check = std::mem::replace(&mut stmt.kind, StmtKind::PopHandler(HandlerId(0)));
    stmt.kind = StmtKind::Removed(Box::new(check), why);
}

/// Temporaries that occur in one block only, by that block.
fn private_temporaries(body: &mut Body, scans: bool) -> Vec<Vec<Private>> {
    const NOWHERE: u32 = u32::MAX;
    const SHARED: u32 = u32::MAX - 1;
    // The block of each local, and where it is last mentioned.
    let mut home = vec![(NOWHERE, 0u32); body.locals.len()];
    for (at, block) in body.blocks.iter_mut().enumerate() {
        let mut mention = |local: Local, end: u32| {
            let (home, last) = &mut home[local.0 as usize];
            *home = if *home == NOWHERE || *home == at as u32 { at as u32 } else { SHARED };
            *last = end.max(*last);
        };
        for (index, stmt) in block.stmts.iter_mut().enumerate() {
            let end = if is_asked_again(&stmt.kind, scans) { AT_END } else { index as u32 };
            cyc_mir::visit::each_local_of(&mut stmt.kind, &mut |local| mention(*local, end));
        }
        cyc_mir::visit::each_local_of_terminator(&mut block.term, &mut |local| mention(*local, AT_END));
    }
    let mut private = vec![vec![]; body.blocks.len()];
    for (i, (home, end)) in home.into_iter().enumerate().skip(body.params as usize) {
        if home < SHARED && body.locals[i].name.is_none() {
            private[home as usize].push(Private { local: Local(i as u32), end });
        }
    }
    private.iter_mut().for_each(|temps| temps.sort_unstable_by_key(|temp| temp.end));
    private
}

/// Does the end of the block ask for what the instruction reads, once more? For the operands of its comparisons, and
/// for elements that were compared with zero.
fn is_asked_again(kind: &StmtKind, scans: bool) -> bool {
    match kind {
        StmtKind::Assign(_, Rvalue::Binary(op, ..)) => tests::compares(*op),
        StmtKind::Assign(_, Rvalue::Unary(UnOp::Not, ..)) => true,
        StmtKind::Assign(_, Rvalue::Use(_) | Rvalue::Arith(..)) => scans,
        _ => false,
    }
}

impl<'a> Bounds<'a> {
    fn new(unit: &'a TypedUnit, body: &mut Body) -> Bounds<'a> {
        let terms = Terms::new(unit, body);
        let private = private_temporaries(body, terms.scans);
        let work = MOST_ROUNDS * (FEW + body.blocks.iter().map(|block| block.stmts.len()).sum::<usize>());
        Bounds { terms, search: RefCell::default(), distances: vec![], private, live: OnceCell::new(), work }
    }
}

impl Bounds<'_> {
    /// The least `c` for which the facts give `a - b <= c`.
    fn bound(&self, facts: &Facts, a: Term, b: Term) -> Option<i64> {
        facts.bound(&self.terms, &mut self.search.borrow_mut(), a, b)
    }

    /// Do the facts give `a - b <= c`?
    fn at_most(&self, facts: &Facts, a: Term, b: Term, c: i64) -> bool {
        facts.at_most(&self.terms, &mut self.search.borrow_mut(), a, b, c)
    }

    fn forget_memory(&self, facts: &mut Facts, changed: Memory) {
        if self.terms.in_memory().is_empty() {
            return;
        }
        let mut gone: SmallVec<[Term; 8]> =
            facts.terms().filter(|term| self.terms.memory(*term).meets(changed)).collect();
        gone.sort();
        gone.dedup();
        gone.into_iter().for_each(|term| facts.forget(&self.terms, term));
    }

    /// Ends what a write to the place may change.
    fn write(&self, body: &Body, facts: &mut Facts, place: &Place, may_be_zero: bool) {
        if facts.is_empty() {
            return;
        }
        let in_memory = match (place.base, place.through_pointer()) {
            (Base::Local(local), false) => {
                for &term in self.terms.mentioning(local) {
                    if self.terms.place(term).is_none_or(|of| overlap(of, place)) {
                        facts.forget(&self.terms, term);
                    }
                }
                body.locals[local.0 as usize].address_taken
            }
            (Base::Local(_), true) | (Base::Global(_), _) => true,
        };
        if in_memory && !self.terms.in_memory().is_empty() {
            let ty = place::type_of(self.terms.unit, body, place);
            self.forget_memory(facts, terms::stored(self.terms.unit, ty, may_be_zero));
        }
    }

    fn assign(&mut self, body: &Body, facts: &mut Facts, place: &Place, rvalue: &Rvalue) {
        let kinds = self.new_value(body, facts, place, rvalue);
        let in_memory = place.through_pointer() || matches!(place.base, Base::Global(_));
        let value = Kind::Value.new_value();
        let may_be_zero = !in_memory
            || self.terms.in_memory().is_empty()
            || !self.at_most(facts, ZERO, value, -1) && !self.at_most(facts, value, ZERO, -1);
        self.write(body, facts, place, may_be_zero);
        self.bind(body, facts, place, kinds);
    }

    /// The new values are those of the place, which has been written.
    fn bind(&mut self, body: &Body, facts: &mut Facts, place: &Place, kinds: &[Kind]) {
        for &kind in kinds {
            let new = kind.new_value();
            if !facts.mention(new) {
                continue;
            }
            match self.terms.get(body, kind, place) {
                Some(term) => facts.rename(&self.terms, new, term),
                None => facts.forget(&self.terms, new),
            }
        }
        facts.settle_casts(&self.terms, &mut self.search.borrow_mut());
    }

    /// Forgets the temporaries of the block that end there.
    fn forget_temporaries(&self, facts: &mut Facts, block: usize, end: u32) {
        if facts.is_empty() {
            return;
        }
        let temps = &self.private[block];
        let start = temps.partition_point(|temp| temp.end < end);
        for temp in temps[start..].iter().take_while(|temp| temp.end == end) {
            for &term in self.terms.mentioning(temp.local) {
                facts.forget(&self.terms, term);
            }
        }
    }

    /// Makes room for new facts: forgets the locals that nobody reads from the beginning of the block on. Not before it must:
    /// where paths join, what both know by way of such a local would be lost if only one of them had forgotten it.
    fn forget_dead(&self, body: &Body, facts: &mut Facts, block: BlockId) {
        if facts.has_room() {
            return;
        }
        let live = self.live.get_or_init(|| Live::new(body, Asking::Uses, |_| true));
        let is_dead = |term: &Term| match self.terms.place(*term).map(|place| place.base) {
            Some(Base::Local(local)) => !body.locals[local.0 as usize].address_taken && !live.at_entry(block, local),
            Some(Base::Global(_)) | None => false,
        };
        // Some are named more than once.
        let dead: SmallVec<[Term; 8]> = facts.terms().filter(is_dead).collect();
        dead.into_iter().for_each(|term| facts.forget(&self.terms, term));
    }

    fn alloc(&mut self, body: &Body, facts: &mut Facts, alloc: &Alloc) {
        if let Some(count) = &alloc.count
            && cyc_mir::types::is_fat(&self.terms.unit.types, place::type_of(self.terms.unit, body, &alloc.dst))
            && let Some((of, by)) = self.operand(body, count)
        {
            // It raises an exception if the count is more than a fat pointer can say.
            let most = self.terms.most_elements();
            facts.learn(&self.terms, of, ZERO, most.saturating_sub(by));
            facts.settle_casts(&self.terms, &mut self.search.borrow_mut());
            let [low, high, count] = [Kind::Low, Kind::High, Kind::Count].map(Kind::new_value);
            facts.equate(&self.terms, low, ZERO, 0);
            facts.equate(&self.terms, high, of, by);
            facts.equate(&self.terms, count, high, 0);
        }
        self.write(body, facts, &alloc.dst, true);
        self.bind(body, facts, &alloc.dst, &[Kind::Low, Kind::High, Kind::Count]);
    }
}

/// May a write to one place of a local change the other? Not if they part at different fields.
fn overlap(a: &Place, b: &Place) -> bool {
    let differ = a.proj.iter().zip(&b.proj).find(|(a, b)| a != b);
    !matches!(differ, Some((Proj::Field(_), Proj::Field(_))))
}

impl Analysis for Bounds<'_> {
    type State = Facts;

    fn entry(&self, _: &Body) -> Facts {
        Facts::default()
    }

    fn join(&self, into: &mut Facts, from: &Facts) -> bool {
        into.join(&self.terms, from, false)
    }

    fn widen(&self, into: &mut Facts, from: &Facts) -> bool {
        into.join(&self.terms, from, true)
    }

    fn statement(&mut self, body: &Body, facts: &mut Facts, block: &Block, index: usize) {
        let Some(left) = self.work.checked_sub(1) else {
            *facts = Facts::default();
            return;
        };
        self.work = left;
        match &block.stmts[index].kind {
            StmtKind::Assign(place, rvalue) => self.assign(body, facts, place, rvalue),
            StmtKind::Uninit(local) => self.write(body, facts, &Place::local(*local), true),
            StmtKind::SetTag(place, _) => self.write(body, facts, place, true),
            StmtKind::Check(Check { why: CheckReason::Disproof, .. }) => {}
            StmtKind::Check(check) => self.succeeded(body, facts, block, index, &check.kind),
            StmtKind::PushRegion { handle, .. } | StmtKind::OpenKey { handle, .. } => {
                self.write(body, facts, &Place::local(*handle), true);
            }
            StmtKind::EndLoan(_)
            | StmtKind::Dead(_)
            | StmtKind::Removed(..)
            | StmtKind::PopHandler(_)
            | StmtKind::PopRegion(_)
            | StmtKind::CloseKey(_) => {}
            StmtKind::Call { dst, .. } => {
                self.forget_memory(facts, Memory::ALL);
                if let Some(dst) = dst {
                    self.write(body, facts, dst, true);
                }
            }
            StmtKind::Alloc(alloc) => self.alloc(body, facts, alloc),
            StmtKind::Swap(a, b) => {
                self.write(body, facts, a, true);
                self.write(body, facts, b, true);
            }
            StmtKind::Asm(_) => *facts = Facts::default(),
        }
        self.forget_temporaries(facts, block_id(body, block).0 as usize, index as u32);
    }

    fn edge(&mut self, body: &Body, facts: &Facts, block: &Block, edge: usize) -> Option<Facts> {
        let mut facts = facts.clone();
        if !self.taken(body, &mut facts, block, edge) {
            return None;
        }
        self.forget_temporaries(&mut facts, block_id(body, block).0 as usize, AT_END);
        self.forget_dead(body, &mut facts, successors(&block.term)[edge]);
        Some(facts)
    }
}
