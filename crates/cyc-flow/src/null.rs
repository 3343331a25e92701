//! Null facts (core, sections 9.3 and 9.4): which places hold null, which do not.
//!
//! The judgement: a fact is about a place, a variable or a field reached from one.
//!
//! 1. A null check that succeeded, a test, an allocation or an assignment of such a value establishes it.
//! 2. Assigning to the place, or to a variable on the way to it, ends it.
//! 3. A store through a pointer ends the facts about places behind pointers and about variables whose
//!    address is taken; so does a call.
//! 4. Where paths meet, only facts that hold on all of them remain.
//! 5. Volatile places have no facts.
//! 6. What is known of a variable ends with its last use: facts that nobody can ask for would be carried on and on.
//!
//! A check on a place known not to be null is removed; on one known to be null it is an error.

use crate::dataflow::{Analysis, block_id, solve, successors};
use crate::errors;
use crate::place::{self, mentions};
use cyc_base::Diagnostics;
use cyc_check::tast::TypedUnit;
use cyc_mir::live::{Asking, Live};
use cyc_mir::mir::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Nullness {
    Null,
    NonNull,
}

use Nullness::{NonNull, Null};

/// What a temporary's truth says about a place: `true` means the place has this nullness.
type Test = (Place, Nullness);

#[derive(Clone, Default, PartialEq, Debug)]
struct Facts {
    known: FxHashMap<Place, Nullness>,
    /// Temporaries that hold the outcome of a test of a place, or a copy of a pointer: valid until
    /// either is written.
    tests: FxHashMap<Local, Test>,
    copies: FxHashMap<Local, Place>,
}

/// More facts than this at one point help nobody and would cost time.
const MOST_FACTS: usize = 256;

/// As many facts may be those of dead variables.
const FEW_FACTS: usize = 16;

struct NullFacts<'a> {
    unit: &'a TypedUnit,
    live: OnceCell<Live>,
    /// How many facts there were in the present block when those of dead variables were looked for.
    kept: usize,
}

/// Errors for checks that fail whenever they are reached.
pub fn definite_failures(unit: &TypedUnit, body: &Body) -> Diagnostics {
    let mut out = Diagnostics::default();
    each_check(unit, body, |facts, analysis, _, _, stmt, check| {
        if let CheckKind::NonNull(operand) = &check.kind
            && analysis.nullness(body, facts, operand) == Some(Null)
        {
            let name = match operand {
                Operand::Copy(place) => place::describe(unit, body, facts.origin(place)),
                Operand::Const(_) => None,
            };
            out.push(errors::null_certainly(stmt.span, &name));
        }
    });
    out
}

/// Removes `@assert`s and `@assert_false`s that the facts prove; errors for calls that do not satisfy what the function
/// requires.
pub fn prove(unit: &TypedUnit, body: &mut Body) -> Diagnostics {
    let mut out = Diagnostics::default();
    let is_static = |stmt: &Stmt| matches!(&stmt.kind, StmtKind::Check(check) if check.why.wanted().is_some());
    if !body.blocks.iter().flat_map(|block| &block.stmts).any(is_static) {
        return out;
    }
    let mut proved = vec![];
    each_check(unit, body, |facts, analysis, block, index, stmt, check| {
        let (CheckKind::Assert(cond), Some(wanted)) = (&check.kind, check.why.wanted()) else { return };
        let Some(truth) = analysis.truth(body, facts, cond) else { return };
        if check.why != CheckReason::Precondition && truth == wanted {
            proved.push((block, index, Fact::Proved));
        } else if check.why == CheckReason::Precondition && !truth {
            out.push(errors::precondition_fails(stmt.span));
            proved.push((block, index, Fact::NeverTrue));
        }
    });
    remove(body, proved);
    out
}

fn remove(body: &mut Body, checks: Vec<(usize, usize, Fact)>) {
    for (block, index, why) in checks {
        let kind = &mut body.blocks[block].stmts[index].kind;
        let check = std::mem::replace(kind, StmtKind::PopHandler(HandlerId(0)));
        *kind = StmtKind::Removed(Box::new(check), why);
    }
}

/// Removes null checks that always succeed.
pub fn eliminate(unit: &TypedUnit, body: &mut Body) -> Diagnostics {
    let mut needless = vec![];
    let mut warnings = Diagnostics::default();
    each_check(unit, body, |facts, analysis, block, index, stmt, check| {
        let operand = match &check.kind {
            CheckKind::NonNull(operand) => operand,
            CheckKind::Assert(cond) => {
                if check.why != CheckReason::Assumed && analysis.truth(body, facts, cond) == Some(true) {
                    needless.push((block, index, Fact::Holds));
                }
                return;
            }
            _ => return,
        };
        match analysis.nullness(body, facts, operand) {
            Some(NonNull) => needless.push((block, index, Fact::NonNull)),
            None if check.why == CheckReason::Coercion && unit.implicit_null_checks.contains(&stmt.span) => {
                warnings.push(errors::null_check_inserted(stmt.span));
            }
            _ => {}
        }
    });
    remove(body, needless);
    warnings
}

/// Visits every reachable check with the facts before it.
fn each_check(unit: &TypedUnit, body: &Body, mut visit: impl FnMut(&Facts, &NullFacts, usize, usize, &Stmt, &Check)) {
    let has_checks = |block: &Block| {
        let is_ours = |kind: &CheckKind| matches!(kind, CheckKind::NonNull(_) | CheckKind::Assert(_));
        block.stmts.iter().any(|s| matches!(&s.kind, StmtKind::Check(c) if is_ours(&c.kind)))
    };
    if !body.blocks.iter().any(has_checks) {
        return;
    }
    let mut analysis = NullFacts { unit, live: OnceCell::new(), kept: 0 };
    let entries = solve(&mut analysis, body);
    for (at, (block, entry)) in body.blocks.iter().zip(entries).enumerate() {
        let Some(mut facts) = entry else { continue };
        for (index, stmt) in block.stmts.iter().enumerate() {
            if let StmtKind::Check(check) = &stmt.kind {
                visit(&facts, &analysis, at, index, stmt, check);
            }
            analysis.statement(body, &mut facts, block, index);
        }
    }
}

impl Facts {
    /// The place a temporary is a copy of, else the place itself.
    fn origin<'p>(&'p self, place: &'p Place) -> &'p Place {
        match place.base {
            Base::Local(local) if place.proj.is_empty() => self.copies.get(&local).unwrap_or(place),
            Base::Local(_) | Base::Global(_) => place,
        }
    }

    fn learn(&mut self, place: &Place, nullness: Nullness) {
        let origin = self.origin(place).clone();
        // Variables that hold a copy know it for themselves: they keep it when the origin is overwritten.
        let copies: Vec<Place> =
            self.copies.iter().filter(|(_, of)| **of == origin).map(|(temp, _)| local_place(*temp)).collect();
        for place in [place.clone(), origin].into_iter().chain(copies) {
            if self.known.len() < MOST_FACTS || self.known.contains_key(&place) {
                self.known.insert(place, nullness);
            }
        }
    }

    fn len(&self) -> usize {
        self.known.len() + self.tests.len() + self.copies.len()
    }

    /// The facts that live variables, and what live temporaries were made of, can ask for.
    fn only(&self, live: impl Fn(Local) -> bool) -> Facts {
        let tests = self.tests.iter().filter(|(temp, _)| live(**temp));
        let copies = self.copies.iter().filter(|(temp, _)| live(**temp));
        let asked: FxHashSet<&Place> =
            tests.clone().map(|(_, (of, _))| of).chain(copies.clone().map(|(_, of)| of)).collect();
        let lives = |place: &Place| {
            let mut all = true;
            place::each_local_of(place, &mut |local| all &= live(local));
            all || asked.contains(place)
        };
        let known = self.known.iter().filter(|(place, _)| lives(place));
        Facts {
            known: known.map(|(place, nullness)| (place.clone(), *nullness)).collect(),
            tests: tests.map(|(temp, test)| (*temp, test.clone())).collect(),
            copies: copies.map(|(temp, place)| (*temp, place.clone())).collect(),
        }
    }

    /// Ends everything that mentions a place for which `gone` holds.
    fn retain(&mut self, gone: impl Fn(&Place) -> bool) {
        self.known.retain(|place, _| !gone(place));
        self.tests.retain(|temp, (place, _)| !gone(place) && !gone(&local_place(*temp)));
        self.copies.retain(|temp, place| !gone(place) && !gone(&local_place(*temp)));
    }
}

fn local_place(local: Local) -> Place {
    Place { base: Base::Local(local), proj: vec![] }
}

impl NullFacts<'_> {
    /// The facts that may be asked for where a block begins.
    fn entering(&self, body: &Body, facts: &Facts, to: BlockId) -> Facts {
        if facts.len() <= FEW_FACTS {
            return facts.clone();
        }
        let live = self.live(body);
        facts.only(|local| body.locals[local.0 as usize].address_taken || live.at_entry(to, local))
    }

    /// Ends the facts of what has been used for the last time, now and then: so that few are carried along.
    fn end_lives(&mut self, body: &Body, facts: &mut Facts, block: &Block, index: usize) {
        if index == 0 {
            self.kept = facts.len();
        }
        if facts.len() <= 2 * self.kept + FEW_FACTS {
            return;
        }
        let (live, at, index) = (self.live(body), block_id(body, block), index as u32);
        let is_used = |local: Local| live.last_use_after(at, index, local).is_some();
        *facts = facts.only(|local| body.locals[local.0 as usize].address_taken || is_used(local));
        self.kept = facts.len();
    }

    fn live(&self, body: &Body) -> &Live {
        self.live.get_or_init(|| Live::new(body, Asking::Uses, |_| true))
    }

    /// Can facts be kept about this place?
    fn keeps(&self, body: &Body, place: &Place) -> bool {
        place::is_steady(self.unit, body, place)
    }

    fn nullness(&self, body: &Body, facts: &Facts, operand: &Operand) -> Option<Nullness> {
        match operand {
            Operand::Const(Const::Null(_) | Const::Zero(_)) => Some(Null),
            Operand::Const(
                Const::Str(..) | Const::WideStr(..) | Const::Function(..) | Const::Global(..) | Const::Variant(..),
            ) => Some(NonNull),
            Operand::Const(Const::Int(..) | Const::Float(..) | Const::SizeOf(_) | Const::AlignOf(_)) => None,
            Operand::Copy(place) => facts
                .known
                .get(place)
                .or_else(|| facts.known.get(facts.origin(place)))
                .copied()
                .or_else(|| self.by_type(body, place)),
        }
    }

    /// Whether a condition is known to be true or to be false.
    fn truth(&self, body: &Body, facts: &Facts, cond: &Operand) -> Option<bool> {
        let (place, when_true) = test_of(facts, cond)?;
        let known = self.nullness(body, facts, &Operand::Copy(place.clone()))?;
        Some(known == *when_true)
    }

    /// Pointers whose type says so are never null.
    fn by_type(&self, body: &Body, place: &Place) -> Option<Nullness> {
        let ptr = self.unit.types.as_pointer(place::type_of(self.unit, body, place))?;
        (!ptr.nullable).then_some(NonNull)
    }

    /// Ends the facts that writing to a place may falsify.
    fn write(&self, body: &Body, facts: &mut Facts, place: &Place) {
        match place.base {
            Base::Local(local) if !place.proj.iter().any(|p| matches!(p, Proj::Deref(_))) => {
                facts.retain(|known| mentions(known, local));
                if body.locals[local.0 as usize].address_taken {
                    self.unknown_store(body, facts);
                }
            }
            Base::Local(_) | Base::Global(_) => self.unknown_store(body, facts),
        }
    }

    /// Something behind some pointer may have changed.
    fn unknown_store(&self, body: &Body, facts: &mut Facts) {
        facts.retain(|known| match known.base {
            Base::Global(_) => true,
            Base::Local(local) => {
                body.locals[local.0 as usize].address_taken || known.proj.iter().any(|p| matches!(p, Proj::Deref(_)))
            }
        });
    }

    fn assign(&self, body: &Body, facts: &mut Facts, place: &Place, rvalue: &Rvalue) {
        let value = match rvalue {
            Rvalue::Use(operand) | Rvalue::Retype(operand, _) | Rvalue::Instantiate(operand, ..) => {
                self.nullness(body, facts, operand)
            }
            Rvalue::AddrOf(..) => Some(NonNull),
            Rvalue::FatMake { ptr, .. } => self.nullness(body, facts, ptr),
            _ => None,
        };
        let source = match rvalue {
            Rvalue::Use(Operand::Copy(from)) | Rvalue::Retype(Operand::Copy(from), _) => {
                Some(facts.origin(from).clone())
            }
            _ => None,
        };
        let test = self.outcome(body, facts, rvalue);
        self.write(body, facts, place);
        let Base::Local(local) = place.base else { return };
        if let Some(value) = value.filter(|_| self.keeps(body, place)) {
            facts.known.insert(place.clone(), value);
        }
        let plain = place.proj.is_empty() && !body.locals[local.0 as usize].address_taken;
        if !plain {
            return;
        }
        let is_pointer = || self.unit.types.as_pointer(body.locals[local.0 as usize].qty.ty).is_some();
        if let Some(source) = source.filter(|s| is_pointer() && self.keeps(body, s) && !mentions(s, local)) {
            facts.copies.insert(local, source);
        }
        if let Some(test) = test.filter(|(of, _)| self.keeps(body, of) && !mentions(of, local)) {
            facts.tests.insert(local, test);
        }
    }

    /// What the truth of this value says.
    fn outcome(&self, body: &Body, facts: &Facts, rvalue: &Rvalue) -> Option<Test> {
        match rvalue {
            Rvalue::IsNonNull(Operand::Copy(place)) => Some((facts.origin(place).clone(), NonNull)),
            Rvalue::Unary(UnOp::Not, Operand::Copy(temp), _) | Rvalue::Use(Operand::Copy(temp)) => {
                let Base::Local(local) = temp.base else { return None };
                let (place, when_true) = facts.tests.get(&local).filter(|_| temp.proj.is_empty())?.clone();
                let negated = matches!(rvalue, Rvalue::Unary(..));
                Some((place, if negated { opposite(when_true) } else { when_true }))
            }
            Rvalue::PtrCompare(op @ (BinOp::Eq | BinOp::Ne), a, b) => {
                let (place, other) = match (a, b) {
                    (Operand::Copy(place), other) if self.nullness(body, facts, other) == Some(Null) => (place, Null),
                    (other, Operand::Copy(place)) if self.nullness(body, facts, other) == Some(Null) => (place, Null),
                    _ => return None,
                };
                let when_true = if *op == BinOp::Eq { other } else { opposite(other) };
                Some((facts.origin(place).clone(), when_true))
            }
            _ => None,
        }
    }
}

/// The test whose outcome the operand holds.
fn test_of<'f>(facts: &'f Facts, cond: &Operand) -> Option<&'f Test> {
    match cond {
        Operand::Copy(place) => facts.tests.get(&place.as_local()?),
        Operand::Const(_) => None,
    }
}

fn opposite(nullness: Nullness) -> Nullness {
    match nullness {
        Null => NonNull,
        NonNull => Null,
    }
}

impl Analysis for NullFacts<'_> {
    type State = Facts;

    fn entry(&self, _: &Body) -> Facts {
        Facts::default()
    }

    fn join(&self, into: &mut Facts, from: &Facts) -> bool {
        let before = into.len();
        into.known.retain(|place, nullness| from.known.get(place) == Some(nullness));
        into.tests.retain(|temp, test| from.tests.get(temp) == Some(test));
        into.copies.retain(|temp, place| from.copies.get(temp) == Some(place));
        into.len() != before
    }

    fn statement(&mut self, body: &Body, facts: &mut Facts, block: &Block, index: usize) {
        match &block.stmts[index].kind {
            StmtKind::Assign(place, rvalue) => self.assign(body, facts, place, rvalue),
            StmtKind::Uninit(local) => facts.retain(|known| mentions(known, *local)),
            StmtKind::Check(Check { kind: CheckKind::NonNull(Operand::Copy(place)), .. }) => {
                if self.keeps(body, place) {
                    facts.learn(place, NonNull);
                }
            }
            StmtKind::PushRegion { handle, .. } | StmtKind::OpenKey { handle, .. } => {
                self.write(body, facts, &Place::local(*handle));
            }
            StmtKind::Check(Check { kind: CheckKind::Assert(cond), why }) if *why != CheckReason::Disproof => {
                if let Some((place, when_true)) = test_of(facts, cond).cloned()
                    && self.by_type(body, &place).is_none()
                {
                    facts.learn(&place, when_true);
                }
            }
            StmtKind::Check(_)
            | StmtKind::PopHandler(_)
            | StmtKind::PopRegion(_)
            | StmtKind::CloseKey(_)
            | StmtKind::EndLoan(_)
            | StmtKind::Dead(_)
            | StmtKind::Removed(..) => {}
            StmtKind::Call { dst, .. } => {
                self.unknown_store(body, facts);
                if let Some(dst) = dst {
                    self.write(body, facts, dst);
                }
            }
            StmtKind::Alloc(alloc) => {
                self.write(body, facts, &alloc.dst);
                if self.keeps(body, &alloc.dst) && alloc.count.is_none() {
                    facts.known.insert(alloc.dst.clone(), NonNull);
                }
            }
            StmtKind::SetTag(place, _) => self.write(body, facts, place),
            StmtKind::Swap(a, b) => {
                self.write(body, facts, a);
                self.write(body, facts, b);
            }
            StmtKind::Asm(_) => *facts = Facts::default(),
        }
        self.end_lives(body, facts, block, index);
    }

    fn thrown(&mut self, body: &Body, facts: &Facts, to: HandlerId) -> Facts {
        self.entering(body, facts, body.handlers[to.0 as usize].catch)
    }

    fn edge(&mut self, body: &Body, facts: &Facts, block: &Block, edge: usize) -> Option<Facts> {
        let mut arriving = self.entering(body, facts, successors(&block.term)[edge]);
        if let Terminator::If { cond, .. } = &block.term
            && let Some((place, when_true)) = test_of(facts, cond)
            && self.by_type(body, place).is_none()
        {
            let now = if edge == 0 { *when_true } else { opposite(*when_true) };
            arriving.learn(place, now);
        }
        Some(arriving)
    }
}
