//! Removed checks: each leaves a record of the fact that proves it, which is one that can prove such a check; and that a
//! pointer is not null is shown once more, by an analysis that knows tests, checks and copies, and keeps no more order
//! than that.
//!
//! Bounds are not shown again here: `--assert-removed` asks the running program.

use super::forward::{Forward, run};
use super::{At, Cx, Verdict, mentions, written};
use crate::graph::successors;
use crate::mir::*;
use crate::types::{PlaceTy, base_ty, operand_ty, place_ty, step};
use rustc_hash::FxHashMap;

pub(super) fn check(cx: &Cx) -> Verdict {
    let removed = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Removed(..));
    for (id, block) in cx.blocks() {
        for (index, stmt) in block.stmts.iter().enumerate().filter(|(_, stmt)| removed(stmt)) {
            record(cx, At { block: id, index: Some(index) }, &stmt.kind)?;
        }
    }
    let not_null = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Removed(_, Fact::NonNull));
    match cx.body.blocks.iter().flat_map(|block| &block.stmts).any(not_null) {
        true => run(cx, &NullTests).map(|_| ()),
        false => Ok(()),
    }
}

/// Only checks are removed, each by a fact about what it checks.
fn record(cx: &Cx, at: At, kind: &StmtKind) -> Verdict {
    let StmtKind::Removed(inner, fact) = kind else { return Ok(()) };
    let StmtKind::Check(check) = &**inner else { return cx.fail("only checks are removed", at, "it is none") };
    let fits = match &check.kind {
        CheckKind::NonNull(_) => matches!(fact, Fact::NonNull),
        CheckKind::Index { .. } | CheckKind::FatBounds { .. } => matches!(fact, Fact::InBounds | Fact::BeforeLoop),
        CheckKind::FatOrNull { .. } | CheckKind::ZeroWrite { .. } | CheckKind::ZeroLast { .. } => {
            matches!(fact, Fact::InBounds)
        }
        CheckKind::ZeroScan { .. } | CheckKind::ZeroStep { .. } => matches!(fact, Fact::BeforeZero),
        CheckKind::Assert(_) => matches!(fact, Fact::Holds | Fact::Proved | Fact::NeverTrue),
        CheckKind::AtBase(_) | CheckKind::Member(_) | CheckKind::Match => false,
    };
    let detail = || format!("by the fact `{}`", fact.text());
    if fits { Ok(()) } else { cx.fail("a check is removed by a fact about what it checks", at, detail()) }
}

/// Which pointers are known to be null (`false`) or not to be (`true`).
#[derive(Clone, Default, PartialEq)]
struct Known {
    places: FxHashMap<Place, bool>,
    /// The temporaries and variables whose truth tells that a place is not null, or is: by `true` and `false`.
    tests: FxHashMap<Local, (Place, bool)>,
    /// Those that hold a copy of what a place holds.
    copies: FxHashMap<Local, Place>,
}

struct NullTests;

impl Known {
    fn origin<'p>(&'p self, place: &'p Place) -> &'p Place {
        place.as_local().and_then(|local| self.copies.get(&local)).unwrap_or(place)
    }

    /// (A way on which what is not null turns out to be null is never taken: anything holds there.)
    fn learn(&mut self, place: &Place, there: bool) {
        let origin = self.origin(place).clone();
        let copies = self.copies.iter().filter(|(_, of)| **of == origin).map(|(copy, _)| Place::local(*copy));
        let all: Vec<Place> = copies.chain([place.clone(), origin.clone()]).collect();
        for place in all {
            *self.places.entry(place).or_default() |= there;
        }
    }

    /// Forgets what is said about places of which that holds.
    fn forget(&mut self, gone: impl Fn(&Place) -> bool) {
        self.places.retain(|place, _| !gone(place));
        self.tests.retain(|temp, (place, _)| !gone(place) && !gone(&Place::local(*temp)));
        self.copies.retain(|copy, place| !gone(place) && !gone(&Place::local(*copy)));
    }

    /// Anything that an address leads to may have changed.
    fn forget_memory(&mut self, cx: &Cx) {
        self.forget(|place| match place.base {
            Base::Global(_) => true,
            Base::Local(local) => cx.local(local).address_taken || place.through_pointer(),
        });
    }

    fn write(&mut self, cx: &Cx, place: &Place) {
        match place.within_local() {
            Some(local) => {
                self.forget(|known| mentions(known, local));
                if cx.local(local).address_taken {
                    self.forget_memory(cx);
                }
            }
            None => self.forget_memory(cx),
        }
    }

    fn of(&self, cx: &Cx, operand: &Operand) -> Option<bool> {
        match operand {
            Operand::Const(Const::Null(_) | Const::Zero(_)) => Some(false),
            Operand::Const(
                Const::Str(..) | Const::WideStr(..) | Const::Function(..) | Const::Global(..) | Const::Variant(..),
            ) => Some(true),
            Operand::Const(Const::Int(..) | Const::Float(..) | Const::SizeOf(_) | Const::AlignOf(_)) => None,
            Operand::Copy(place) => {
                let by_type = cx.unit.types.as_pointer(operand_ty(cx.unit, &cx.body.locals, operand));
                if by_type.is_some_and(|ptr| !ptr.nullable) {
                    return Some(true);
                }
                self.places.get(place).or_else(|| self.places.get(self.origin(place))).copied()
            }
        }
    }

    /// What the truth of the value says.
    fn outcome(&self, cx: &Cx, value: &Rvalue) -> Option<(Place, bool)> {
        let test = |operand: &Operand| match operand {
            Operand::Copy(place) => self.tests.get(&place.as_local()?).cloned(),
            Operand::Const(_) => None,
        };
        match value {
            Rvalue::IsNonNull(Operand::Copy(place)) => Some((self.origin(place).clone(), true)),
            Rvalue::Use(operand) => test(operand),
            Rvalue::Unary(UnOp::Not, operand, _) => test(operand).map(|(place, there)| (place, !there)),
            Rvalue::PtrCompare(op @ (BinOp::Eq | BinOp::Ne), a, b) => {
                let with_null = |a: &Operand, b: &Operand| match a {
                    Operand::Copy(place) if self.of(cx, b) == Some(false) => Some(self.origin(place).clone()),
                    _ => None,
                };
                let place = with_null(a, b).or_else(|| with_null(b, a))?;
                Some((place, *op == BinOp::Ne))
            }
            _ => None,
        }
    }

    fn assign(&mut self, cx: &Cx, dst: &Place, value: &Rvalue) {
        let there = match value {
            Rvalue::Use(operand) | Rvalue::Retype(operand, _) | Rvalue::Instantiate(operand, ..) => {
                self.of(cx, operand)
            }
            Rvalue::FatMake { ptr, .. } => self.of(cx, ptr),
            Rvalue::AddrOf(..) => Some(true),
            _ => None,
        };
        let copied = match value {
            Rvalue::Use(Operand::Copy(from)) | Rvalue::Retype(Operand::Copy(from), _) => {
                Some(self.origin(from).clone())
            }
            _ => None,
        };
        let test = self.outcome(cx, value);
        self.write(cx, dst);
        if let Some(there) = there.filter(|_| is_steady(cx, dst)) {
            self.places.insert(dst.clone(), there);
        }
        let Some(local) = dst.as_local().filter(|local| !cx.local(*local).address_taken) else { return };
        let keeps = |place: &Place| is_steady(cx, place) && !mentions(place, local);
        let is_pointer = cx.unit.types.as_pointer(cx.local(local).qty.ty).is_some();
        if let Some(place) = copied.filter(|place| is_pointer && keeps(place)) {
            self.copies.insert(local, place);
        }
        if let Some(test) = test.filter(|(place, _)| keeps(place)) {
            self.tests.insert(local, test);
        }
    }

    /// The condition came out so.
    fn came_out(&mut self, cond: &Operand, truth: bool) {
        if let Operand::Copy(place) = cond
            && let Some((of, there)) = place.as_local().and_then(|temp| self.tests.get(&temp)).cloned()
        {
            self.learn(&of, there == truth);
        }
    }

    /// A check stands here, or stood, and so its condition holds.
    fn checked(&mut self, cx: &Cx, check: &Check) {
        match &check.kind {
            CheckKind::NonNull(Operand::Copy(place)) if is_steady(cx, place) => self.learn(place, true),
            CheckKind::Assert(cond) if check.why != CheckReason::Disproof => self.came_out(cond, true),
            _ => {}
        }
    }
}

/// Does the place keep its value until something writes to it: no step is volatile, or by an index?
fn is_steady(cx: &Cx, place: &Place) -> bool {
    let is_volatile = |ty: PlaceTy| matches!(ty, PlaceTy::Of(qty) if qty.is_volatile);
    let mut ty = base_ty(cx.unit, &cx.body.locals, place.base);
    let mut steady = !is_volatile(ty);
    for proj in &place.proj {
        ty = step(&cx.unit.types, ty, proj);
        steady &= matches!(proj, Proj::Deref(None) | Proj::Field(_) | Proj::Variant(..)) && !is_volatile(ty);
    }
    steady
}

impl Forward for NullTests {
    type State = Known;

    fn entry(&self, _: &Cx) -> Known {
        Known::default()
    }

    fn join(&self, _: &Cx, _: BlockId, into: &mut Known, from: &Known) -> Verdict {
        into.places.retain(|place, there| from.places.get(place) == Some(there));
        into.tests.retain(|temp, test| from.tests.get(temp) == Some(test));
        into.copies.retain(|copy, of| from.copies.get(copy) == Some(of));
        Ok(())
    }

    fn stmt(&self, cx: &Cx, at: At, state: &mut Known, kind: &StmtKind) -> Verdict {
        match kind {
            StmtKind::Assign(dst, value) => state.assign(cx, dst, value),
            StmtKind::Check(check) => state.checked(cx, check),
            StmtKind::Removed(inner, fact) => {
                let StmtKind::Check(check) = &**inner else { return Ok(()) };
                if let (CheckKind::NonNull(ptr), Fact::NonNull) = (&check.kind, fact)
                    && state.of(cx, ptr) != Some(true)
                {
                    return cx.fail("a removed null check holds", at, "the pointer may be null");
                }
                state.checked(cx, check);
            }
            StmtKind::Uninit(local) => state.forget(|known| mentions(known, *local)),
            StmtKind::Call { dst, .. } => {
                state.forget_memory(cx);
                dst.iter().for_each(|dst| state.write(cx, dst));
            }
            StmtKind::Alloc(alloc) => {
                state.write(cx, &alloc.dst);
                let ty = place_ty(cx.unit, &cx.body.locals, &alloc.dst);
                if alloc.count.is_none() && ty.ty() != cyc_types::Ty::ERROR && is_steady(cx, &alloc.dst) {
                    state.places.insert(alloc.dst.clone(), true);
                }
            }
            StmtKind::Asm(_) => *state = Known::default(),
            StmtKind::PushRegion { .. } | StmtKind::OpenKey { .. } | StmtKind::Swap(..) | StmtKind::SetTag(..) => {
                written(kind).iter().for_each(|place| state.write(cx, place));
            }
            StmtKind::PopHandler(_)
            | StmtKind::PopRegion(_)
            | StmtKind::CloseKey(_)
            | StmtKind::EndLoan(_)
            | StmtKind::Dead(_) => {}
        }
        Ok(())
    }

    fn term(&self, _: &Cx, _: At, _: &mut Known, _: &Terminator) -> Verdict {
        Ok(())
    }

    fn thrown(&self, _: &Cx, state: &Known, _: HandlerId) -> Known {
        state.clone()
    }

    /// The outcome of a test is known on each of its ways.
    fn edge(&self, cx: &Cx, state: &Known, block: BlockId, edge: usize) -> Known {
        let mut state = state.clone();
        let term = &cx.body.blocks[block.0 as usize].term;
        if let Terminator::If { cond, .. } = term
            && successors(term).len() == 2
        {
            state.came_out(cond, edge == 0);
        }
        state
    }
}
