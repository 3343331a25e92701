//! Ownership: a value that holds a unique or counted pointer is never copied, and what was moved away or lent is not used
//! until it is there again.
//!
//! A temporary that gets such a value owns it, and hands it over where it is used. What reads such a value out of any other
//! place without a move is a *view*: its holder may be looked at and followed, but not stored, passed or returned; and not
//! any more once the place has been moved away. This judges lowering and the moves that the checker wrote, by themselves:
//! flow analysis, which tells users of their mistakes, is asked for nothing. What is moved through addresses that are
//! followed nowhere here is not seen.

mod loans;
mod state;

use super::forward::{Forward, run};
use super::{At, Cx, Reads, Verdict, indices, written};
use crate::mir::*;
use crate::types::{operand_ty, place_ty};
use cyc_check::tast::GlobalId;
use cyc_types::{Ty, TyKind};
use loans::Holders;
use state::{Gone, How, Own};

const COPIED: &str = "what must not be copied is moved or lent";
const USED: &str = "what was moved away or lent is not used";
const VIEWED: &str = "a view is not used after its place was moved away";

pub(super) fn check(cx: &Cx) -> Verdict {
    let carries = |local: &LocalDecl| cx.unit.types.carries_restricted(local.qty.ty, &cx.body.vars);
    let moves = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Assign(_, Rvalue::Move(..)));
    let nothing =
        !cx.body.locals.iter().any(carries) && !cx.body.blocks.iter().flat_map(|block| &block.stmts).any(moves);
    if nothing {
        return Ok(());
    }
    let rule = Ownership { holders: Holders::new(cx) };
    run(cx, &rule).map(|_| ())
}

struct Ownership {
    holders: Holders,
}

/// What a use of an operand takes with it.
enum Taken {
    /// Nothing that must not be copied.
    Free,
    /// The value, from a temporary, whose parts may be gone.
    Owned(Place),
    /// Somebody else's.
    View(Vec<Place>),
}

impl Ownership {
    fn carries(&self, cx: &Cx, ty: Ty) -> bool {
        cx.unit.types.carries_restricted(ty, &cx.body.vars)
    }

    fn ty(&self, cx: &Cx, operand: &Operand) -> Ty {
        operand_ty(cx.unit, &cx.body.locals, operand)
    }

    // ------------------------------------------------------------ looking

    /// The place is there: nothing on the way to it is gone, nor is it itself.
    fn look(&self, cx: &Cx, at: At, state: &Own, place: &Place) -> Verdict {
        for index in indices(place) {
            if let Operand::Copy(index) = index {
                self.look(cx, at, state, index)?;
            }
        }
        if let Base::Local(local) = place.base {
            if state.stale.contains(&local) {
                return cx.fail(VIEWED, at, format!("`{}`", cx.local_text(local)));
            }
            if let Some(loan) = state.ended.get(&local) {
                let detail = format!("`{}` came of loan l{}", cx.local_text(local), loan.0);
                return cx.fail("nothing that came of a loan is used after it", at, detail);
            }
        }
        let place = state.origin(place);
        match state.gone.iter().find(|gone| gone.covers(&place)) {
            Some(gone) => {
                cx.fail(USED, at, format!("`{}`: `{}` {}", cx.place_text(&place), cx.place_text(&gone.place), gone.how))
            }
            None => Ok(()),
        }
    }

    /// The place is there with everything below it.
    fn whole(&self, cx: &Cx, at: At, state: &Own, place: &Place) -> Verdict {
        self.look(cx, at, state, place)?;
        let place = state.origin(place);
        match state.gone.iter().find(|gone| gone.lies_in(&place)) {
            Some(gone) => {
                cx.fail(USED, at, format!("`{}`: `{}` {}", cx.place_text(&place), cx.place_text(&gone.place), gone.how))
            }
            None => Ok(()),
        }
    }

    /// The way to a place that is written: what is followed on it is there.
    fn way(&self, cx: &Cx, at: At, state: &Own, place: &Place) -> Verdict {
        match place.proj.iter().rposition(|step| matches!(step, Proj::Deref(_))) {
            Some(last) => self.look(cx, at, state, &Place { base: place.base, proj: place.proj[..last].to_vec() }),
            None => Ok(()),
        }
    }

    fn look_at(&self, cx: &Cx, at: At, state: &Own, operand: &Operand) -> Verdict {
        match operand {
            Operand::Copy(place) => self.look(cx, at, state, place),
            Operand::Const(_) => Ok(()),
        }
    }

    // ------------------------------------------------------------ taking

    /// The operand flows on.
    fn take(&self, cx: &Cx, at: At, state: &mut Own, operand: &Operand) -> Result<Taken, super::Failure> {
        let Operand::Copy(place) = operand else { return Ok(Taken::Free) };
        self.look(cx, at, state, place)?;
        if !self.carries(cx, self.ty(cx, operand)) {
            return Ok(Taken::Free);
        }
        if let Base::Local(local) = place.base
            && cx.is_temp(local)
            && !place.through_pointer()
        {
            return Ok(match state.views.get(&local) {
                Some(of) => Taken::View(of.iter().map(|of| append(of, &place.proj)).collect()),
                None => Taken::Owned(place.clone()),
            });
        }
        Ok(Taken::View(vec![state.origin(place)]))
    }

    /// The operand goes where it stays: it owns what it holds, and everything in it is there.
    fn give(&self, cx: &Cx, at: At, state: &mut Own, operand: &Operand) -> Verdict {
        match self.take(cx, at, state, operand)? {
            Taken::Free => Ok(()),
            Taken::View(of) => self.copied(cx, at, &of),
            Taken::Owned(place) => {
                self.whole(cx, at, state, &place)?;
                self.moved(cx, state, &place, How::Moved);
                Ok(())
            }
        }
    }

    fn copied(&self, cx: &Cx, at: At, of: &[Place]) -> Verdict {
        let texts: Vec<_> = of.iter().map(|of| format!("`{}`", cx.place_text(of))).collect();
        cx.fail(COPIED, at, format!("a copy of {}", texts.join(", ")))
    }

    /// What must not be copied in the value of a place is gone from there; views of it are no good any more.
    fn moved(&self, cx: &Cx, state: &mut Own, place: &Place, how: How) {
        let place = state.origin(place);
        let mut parts = vec![];
        let ty = place_ty(cx.unit, &cx.body.locals, &place).ty();
        self.parts(cx, ty, &place, &mut parts);
        state.gone.retain(|gone| !gone.lies_in(&place));
        state.gone.extend(parts.into_iter().map(|place| Gone { place, how }));
        if how == How::Moved {
            state.views_of(&place);
        }
    }

    /// The parts of a place that must not be copied.
    fn parts(&self, cx: &Cx, ty: Ty, place: &Place, all: &mut Vec<Place>) {
        let types = &cx.unit.types;
        if !self.carries(cx, ty) {
            return;
        }
        let fields: Vec<Ty> = match types.kind(ty) {
            TyKind::Aggr(id) if !types.aggr(*id).is_union => {
                types.fields(types.packed_aggr(*id)).unwrap_or_default().iter().map(|field| field.qty.ty).collect()
            }
            TyKind::Tuple(parts) => parts.iter().map(|part| part.ty).collect(),
            _ => return all.push(place.clone()),
        };
        for (i, field) in (0..).zip(fields) {
            self.parts(cx, field, &place.clone().then(Proj::Field(i)), all);
        }
    }

    // ------------------------------------------------------------ storing

    /// The place gets a value, which ends what was known of it.
    fn write(&self, cx: &Cx, at: At, state: &mut Own, place: &Place) -> Verdict {
        self.way(cx, at, state, place)?;
        self.forget(cx, state, place);
        Ok(())
    }

    fn forget(&self, cx: &Cx, state: &mut Own, place: &Place) {
        if let Some(local) = place.as_local() {
            state.new_local(local);
        }
        let origin = state.origin(place);
        state.gone.retain(|gone| !gone.is_in(&origin));
        // What is reached by a pointer that may be copied can be anything whose address was taken.
        if self.through_shared(cx, &origin) {
            state.gone.retain(|gone| !gone.base().is_some_and(|local| cx.local(local).address_taken));
        }
        state.overwritten(&origin);
    }

    fn through_shared(&self, cx: &Cx, place: &Place) -> bool {
        (0..place.proj.len()).any(|i| {
            let pointer = Place { base: place.base, proj: place.proj[..i].to_vec() };
            let ty = place_ty(cx.unit, &cx.body.locals, &pointer).ty();
            matches!(place.proj[i], Proj::Deref(_)) && !cx.unit.types.is_alias_restricted(ty, &cx.body.vars)
        })
    }

    /// `dst = operand`, perhaps under another type or moved along: what is known goes with it.
    fn assign_from(&self, cx: &Cx, at: At, state: &mut Own, dst: &Place, operand: &Operand) -> Verdict {
        let taken = self.take(cx, at, state, operand)?;
        // A temporary begins anew, whatever it was a view of in an earlier round of a loop.
        let to = if dst.as_local().is_some() { dst.clone() } else { state.origin(dst) };
        match taken {
            Taken::Free => self.write(cx, at, state, dst),
            Taken::Owned(place) => {
                let from = state.origin(&place);
                if from == to {
                    return self.way(cx, at, state, dst);
                }
                let below = state.below(&from);
                self.moved(cx, state, &place, How::Moved);
                self.write(cx, at, state, dst)?;
                let to = state.origin(dst);
                state.gone.extend(below.into_iter().map(|(proj, how)| Gone { place: append(&to, &proj), how }));
                Ok(())
            }
            // A pointer is moved along where it is.
            Taken::View(of) if of == [to] => self.way(cx, at, state, dst),
            Taken::View(of) => {
                let ty = place_ty(cx.unit, &cx.body.locals, dst).ty();
                match dst.as_local().filter(|local| cx.is_temp(*local)) {
                    _ if !self.carries(cx, ty) => self.write(cx, at, state, dst),
                    None => self.copied(cx, at, &of),
                    Some(temp) => {
                        self.write(cx, at, state, dst)?;
                        state.views.insert(temp, of.into_iter().collect());
                        Ok(())
                    }
                }
            }
        }
    }

    fn assign(&self, cx: &Cx, at: At, state: &mut Own, dst: &Place, value: &Rvalue) -> Verdict {
        match value {
            Rvalue::Move(operand, loan) => self.move_out(cx, at, state, dst, operand, *loan),
            Rvalue::Use(a)
            | Rvalue::Retype(a, _)
            | Rvalue::Instantiate(a, ..)
            | Rvalue::FatFromZeroterm(a, _)
            | Rvalue::FatToThin(a, _)
            | Rvalue::FatDropZero(a, _)
            | Rvalue::FatToBytes(a, _) => self.assign_from(cx, at, state, dst, a),
            Rvalue::ThinAdd { ptr: a, index: b, .. }
            | Rvalue::FatAdd { ptr: a, index: b, .. }
            | Rvalue::FatMake { ptr: a, len: b, .. } => {
                self.look_at(cx, at, state, b)?;
                self.assign_from(cx, at, state, dst, a)
            }
            Rvalue::Aggregate(_, fields) => {
                let mut below = vec![];
                for (i, field) in fields {
                    match self.take(cx, at, state, field)? {
                        Taken::Free => {}
                        Taken::View(of) => return self.copied(cx, at, &of),
                        Taken::Owned(place) => {
                            let found = state.below(&state.origin(&place));
                            below.extend(found.into_iter().map(|(proj, how)| (*i, proj, how)));
                            self.moved(cx, state, &place, How::Moved);
                        }
                    }
                }
                self.write(cx, at, state, dst)?;
                let to = state.origin(dst);
                let gone = below
                    .into_iter()
                    .map(|(i, proj, how)| Gone { place: append(&to.clone().then(Proj::Field(i)), &proj), how });
                state.gone.extend(gone);
                Ok(())
            }
            Rvalue::Array(_, elements) => {
                elements.iter().try_for_each(|element| self.give(cx, at, state, element))?;
                self.write(cx, at, state, dst)
            }
            Rvalue::AddrOf(place, _) => {
                self.way(cx, at, state, place)?;
                let of = state.origin(place);
                self.write(cx, at, state, dst)?;
                if let Some(temp) = dst.as_local().filter(|local| cx.is_temp(*local)) {
                    state.addresses.insert(temp, of);
                }
                Ok(())
            }
            Rvalue::IsVariant(place, ..) | Rvalue::Tag(place) => {
                self.look(cx, at, state, place)?;
                self.write(cx, at, state, dst)
            }
            Rvalue::Unary(..)
            | Rvalue::Binary(..)
            | Rvalue::Arith(..)
            | Rvalue::PtrToInt(..)
            | Rvalue::PtrDiff(..)
            | Rvalue::PtrCompare(..)
            | Rvalue::IsNonNull(_)
            | Rvalue::FatNumelts(_)
            | Rvalue::ZeroNumelts(_)
            | Rvalue::Bytes(..)
            | Rvalue::Wides(..) => {
                let mut looked = Ok(());
                value.for_each_operand(&mut |operand| {
                    if looked.is_ok() {
                        looked = self.look_at(cx, at, state, operand);
                    }
                });
                looked?;
                self.write(cx, at, state, dst)
            }
        }
    }

    /// `dst = move place`, for good or for a loan.
    fn move_out(
        &self,
        cx: &Cx,
        at: At,
        state: &mut Own,
        dst: &Place,
        operand: &Operand,
        loan: Option<LoanId>,
    ) -> Verdict {
        let Operand::Copy(place) = operand else { return self.write(cx, at, state, dst) };
        self.look(cx, at, state, place)?;
        if let Base::Local(local) = place.base
            && state.views.contains_key(&local)
            && !place.through_pointer()
        {
            return self.copied(cx, at, std::slice::from_ref(place));
        }
        let from = state.origin(place);
        let below = state.below(&from);
        let kind = loan.map(|loan| cx.body.loans[loan.0 as usize].kind);
        if kind.is_some_and(|kind| kind == LoanKind::Argument || kind.is_alias()) {
            self.whole(cx, at, state, place)?;
        }
        self.moved(cx, state, place, loan.map_or(How::Moved, How::Lent));
        self.write(cx, at, state, dst)?;
        if !kind.is_some_and(LoanKind::is_alias) {
            let to = state.origin(dst);
            state.gone.extend(below.into_iter().map(|(proj, how)| Gone { place: append(&to, &proj), how }));
        }
        if let Some(loan) = loan {
            state.begin(cx, at, loan);
        }
        Ok(())
    }

    /// Arguments are given away; of one that the callee frees the parts may be gone; what one initialises is there
    /// afterwards.
    fn call(&self, cx: &Cx, at: At, state: &mut Own, callee: &Callee, args: &[Operand]) -> Verdict {
        let function = match callee {
            Callee::Direct(global, _) => self.function(cx, *global),
            Callee::Pointer(pointer) => {
                self.look_at(cx, at, state, pointer)?;
                let ptr = cx.unit.types.as_pointer(self.ty(cx, pointer));
                ptr.and_then(|ptr| cx.unit.types.as_function(ptr.to.ty).cloned())
            }
            Callee::Builtin(_) => None,
        };
        let attrs = function.map(|function| function.attrs.clone()).unwrap_or_default();
        for (n, arg) in (1..).zip(args) {
            if attrs.initializes.contains(&n) {
                self.look_at(cx, at, state, arg)?;
                if let Operand::Copy(place) = arg {
                    self.forget(cx, state, &place.clone().then(Proj::Deref(None)));
                }
            } else if attrs.noliveunique.contains(&n) {
                match self.take(cx, at, state, arg)? {
                    Taken::Free => {}
                    Taken::View(of) => return self.copied(cx, at, &of),
                    Taken::Owned(place) => self.moved(cx, state, &place, How::Moved),
                }
            } else {
                self.give(cx, at, state, arg)?;
            }
        }
        Ok(())
    }

    fn function(&self, cx: &Cx, global: GlobalId) -> Option<std::rc::Rc<cyc_types::FnTy>> {
        cx.unit.types.as_function(cx.unit.global(global).qty.ty).cloned()
    }

    /// `a :=: b`: what is gone of one is gone of the other.
    fn swap(&self, cx: &Cx, at: At, state: &mut Own, a: &Place, b: &Place) -> Verdict {
        self.way(cx, at, state, a)?;
        self.way(cx, at, state, b)?;
        let (left, right) = (state.origin(a), state.origin(b));
        let (of_left, of_right) = (state.at_or_below(&left), state.at_or_below(&right));
        self.forget(cx, state, a);
        self.forget(cx, state, b);
        let to = |place: Place, all: Vec<(Vec<Proj>, How)>| {
            all.into_iter().map(move |(proj, how)| Gone { place: append(&place, &proj), how })
        };
        state.gone.extend(to(left, of_right).chain(to(right, of_left)));
        Ok(())
    }
}

/// The place and further steps.
fn append(place: &Place, steps: &[Proj]) -> Place {
    Place { base: place.base, proj: [&place.proj[..], steps].concat() }
}

impl Forward for Ownership {
    type State = Own;

    fn entry(&self, _: &Cx) -> Own {
        Own::default()
    }

    fn join(&self, _: &Cx, _: BlockId, into: &mut Own, from: &Own) -> Verdict {
        into.join(from);
        Ok(())
    }

    fn stmt(&self, cx: &Cx, at: At, state: &mut Own, kind: &StmtKind) -> Verdict {
        match kind {
            StmtKind::Assign(dst, value) => self.assign(cx, at, state, dst, value),
            StmtKind::Call { dst, callee, args } => {
                self.call(cx, at, state, callee, args)?;
                dst.iter().try_for_each(|dst| self.write(cx, at, state, dst))
            }
            StmtKind::Swap(a, b) => self.swap(cx, at, state, a, b),
            StmtKind::EndLoan(loan) => {
                self.end_loan(cx, state, *loan);
                Ok(())
            }
            StmtKind::OpenKey { key, handle } => {
                self.whole(cx, at, state, key)?;
                let handler = cx.body.blocks[at.block.0 as usize].handler;
                self.moved(cx, state, key, How::Open(handler));
                self.write(cx, at, state, &Place::local(*handle))
            }
            StmtKind::CloseKey(key) => {
                let key = state.origin(key);
                state.gone.retain(|gone| !(gone.is_in(&key) && matches!(gone.how, How::Open(_))));
                Ok(())
            }
            StmtKind::Uninit(local) | StmtKind::Dead(local) => {
                self.forget(cx, state, &Place::local(*local));
                Ok(())
            }
            StmtKind::Asm(asm) => {
                asm.inputs.iter().try_for_each(|(_, _, input)| self.give(cx, at, state, input))?;
                asm.outputs.iter().try_for_each(|(_, _, place)| self.write(cx, at, state, place))
            }
            StmtKind::Check(_) | StmtKind::Alloc(_) | StmtKind::PushRegion { .. } => {
                Reads::of(kind).operands.iter().try_for_each(|operand| self.look_at(cx, at, state, operand))?;
                written(kind).iter().try_for_each(|place| self.write(cx, at, state, place))
            }
            StmtKind::SetTag(place, _) => self.way(cx, at, state, place),
            StmtKind::PopHandler(_) | StmtKind::PopRegion(_) | StmtKind::Removed(..) => Ok(()),
        }
    }

    fn term(&self, cx: &Cx, at: At, state: &mut Own, term: &Terminator) -> Verdict {
        match term {
            Terminator::If { cond: operand, .. } | Terminator::Switch { on: operand, .. } => {
                self.look_at(cx, at, state, operand)
            }
            Terminator::Return(Some(Operand::Copy(place))) if place.as_local().is_some_and(|l| !cx.is_temp(l)) => {
                let carries = self.carries(cx, cx.body.ret);
                self.look(cx, at, state, place)?;
                if carries { self.copied(cx, at, std::slice::from_ref(place)) } else { Ok(()) }
            }
            Terminator::Return(Some(operand)) | Terminator::Throw(operand) | Terminator::Rethrow(operand) => {
                self.give(cx, at, state, operand)
            }
            Terminator::Goto(_)
            | Terminator::Try { .. }
            | Terminator::Return(None)
            | Terminator::MissingReturn
            | Terminator::Unreachable => Ok(()),
        }
    }

    fn thrown(&self, cx: &Cx, state: &Own, to: HandlerId) -> Own {
        let mut state = state.clone();
        state.thrown(cx, to);
        state.new_local(cx.body.handlers[to.0 as usize].caught);
        state
    }
}
