//! The abstract values of operands and right-hand sides (memory, section 9.5).

use super::Init;
use super::spot::{Spot, is_temp};
use super::state::{Root, State};
use super::value::{Val, whole};
use crate::place;
use cyc_base::Span;
use cyc_mir::mir::*;
use cyc_types::Ty;

impl Init<'_> {
    /// The abstract value of an operand: a copy, which asks for nothing.
    pub(super) fn operand(&mut self, body: &Body, state: &mut State, operand: &Operand, span: Span) -> Val {
        let Operand::Copy(place) = operand else { return Val::Init };
        match self.spot(body, state, place, span) {
            Spot::Memory => Val::Init,
            Spot::Tracked { root, path, exact } => {
                let val = state.value_at(root, &path);
                if val.has_uninit() {
                    self.read_early(root);
                }
                // Elements of arrays are not followed: of pointers all must be initialised; numbers are taken
                // as they are, since a loop that fills them is the usual case.
                let ty = place::type_of(self.unit, body, place);
                match (exact, val) {
                    (true, val) => val,
                    (false, val) if val.has_uninit() && !self.unit.types.bits_only(ty) => Val::Uninit(val.origin()),
                    (false, val) => val.gone().map_or(Val::Init, |gone| Val::Gone(gone.clone())),
                }
            }
        }
    }

    /// The value of an operand that flows on. A temporary hands it over. A place whose value must not be copied, and is
    /// copied nevertheless, for the order of evaluation, is only looked at through the copy: its object must be whole,
    /// and what was known of it may change.
    pub(super) fn take(&mut self, body: &Body, state: &mut State, operand: &Operand, span: Span) -> Val {
        let ty = place::operand_type(self.unit, body, operand);
        if !self.carries(body, ty) {
            return self.operand(body, state, operand, span);
        }
        let Operand::Copy(place) = operand else { return Val::Zero };
        if let Some(temp) = place.as_local().filter(|local| is_temp(body, Root::Local(*local))) {
            let val = state.value(Root::Local(temp));
            state.set(Root::Local(temp), Val::Init);
            return val;
        }
        let Spot::Tracked { root, path, exact: true } = self.spot(body, state, place, span) else { return Val::Init };
        let val = state.value_at(root, &path);
        if !whole(self.unit, &val, ty) {
            self.report_missing(body, &val, place, span);
        }
        self.escape(body, state, &val, place, span);
        let root_type = self.root_type(body, root);
        state.set_at(self.unit, root, root_type, &path, val.forgotten());
        Val::Init
    }

    /// The variable's `Uninit` instruction must stay.
    fn read_early(&mut self, root: Root) {
        if let Root::Local(local) = root {
            self.frozen.insert(local);
        }
    }

    /// The abstract value of a right-hand side, and its type as far as storing it needs it.
    pub(super) fn rvalue(&mut self, body: &Body, state: &mut State, rvalue: &Rvalue, span: Span) -> (Val, Ty) {
        match rvalue {
            Rvalue::Use(operand) => {
                (self.take(body, state, operand, span), place::operand_type(self.unit, body, operand))
            }
            Rvalue::Move(operand, loan) => {
                let ty = place::operand_type(self.unit, body, operand);
                let Operand::Copy(place) = operand else { return (Val::Zero, ty) };
                (self.move_out(body, state, place, *loan, span), ty)
            }
            Rvalue::Retype(operand, ty) => (self.retype(body, state, operand, *ty, span), *ty),
            Rvalue::AddrOf(place, ty) => (self.address(body, state, place, span), *ty),
            Rvalue::Aggregate(ty, fields) => (self.aggregate(body, state, *ty, fields, span), *ty),
            Rvalue::Array(ty, elements) => {
                elements.iter().for_each(|element| self.keep(body, state, element, span));
                (Val::Init, *ty)
            }
            Rvalue::PtrCompare(_, a, b) | Rvalue::PtrDiff(a, b) => {
                self.test(body, state, a, span);
                self.test(body, state, b, span);
                (Val::Init, Ty::INT)
            }
            Rvalue::IsNonNull(a) | Rvalue::FatNumelts(a) | Rvalue::PtrToInt(a, _) => {
                self.test(body, state, a, span);
                (Val::Init, Ty::INT)
            }
            Rvalue::Unary(_, a, ty) | Rvalue::Arith(a, _, ty) => {
                self.test(body, state, a, span);
                (Val::Init, *ty)
            }
            Rvalue::Binary(_, a, b, ty) => {
                self.test(body, state, a, span);
                self.test(body, state, b, span);
                (Val::Init, *ty)
            }
            Rvalue::ThinAdd { ptr, index, .. } | Rvalue::FatAdd { ptr, index, .. } => {
                // `p++` on a counted pointer moves it along where it is.
                self.test(body, state, ptr, span);
                let val = self.operand(body, state, ptr, span);
                if let Operand::Copy(place) = ptr {
                    self.escape(body, state, &val, place, span);
                }
                self.test(body, state, index, span);
                (Val::Init, place::operand_type(self.unit, body, ptr))
            }
            Rvalue::FatMake { ptr, len, ty } => {
                self.keep(body, state, ptr, span);
                self.test(body, state, len, span);
                (Val::Init, *ty)
            }
            Rvalue::Instantiate(a, _, ty)
            | Rvalue::FatFromZeroterm(a, ty)
            | Rvalue::FatToThin(a, ty)
            | Rvalue::FatDropZero(a, ty)
            | Rvalue::FatToBytes(a, ty) => {
                self.keep(body, state, a, span);
                (Val::Init, *ty)
            }
            Rvalue::ZeroNumelts(a) => {
                self.test(body, state, a, span);
                (Val::Init, Ty::ULONG)
            }
            // The tag at a place is looked at: what lies there must be initialised.
            Rvalue::IsVariant(place, ..) => {
                self.test(body, state, &Operand::Copy(place.clone()), span);
                (Val::Init, Ty::INT)
            }
            Rvalue::Tag(place) => {
                self.test(body, state, &Operand::Copy(place.clone()), span);
                (Val::Init, Ty::UINT)
            }
            Rvalue::Bytes(ty, _) | Rvalue::Wides(ty, _) => (Val::Init, *ty),
        }
    }

    /// What is known of the target stays known where its type stays the same.
    fn retype(&mut self, body: &Body, state: &mut State, operand: &Operand, ty: Ty, span: Span) -> Val {
        let from = place::operand_type(self.unit, body, operand);
        let target = |ty| self.unit.types.as_pointer(ty).map(|ptr| ptr.to.ty);
        let (same, restricted) = (target(from) == target(ty), self.carries(body, ty));
        let val = self.take(body, state, operand, span);
        match &val {
            Val::Addr(root) if target_is(self, ty, self.root_type(body, *root)) => val,
            Val::Init | Val::Zero => val,
            Val::Addr(_) | Val::Uniq(_) | Val::Uninit(_) | Val::Gone(_) | Val::Agg(_) | Val::Named(..)
                if same && restricted =>
            {
                val
            }
            Val::Addr(_) | Val::Uniq(_) | Val::Uninit(_) | Val::Gone(_) | Val::Agg(_) | Val::Named(..) => {
                if let Operand::Copy(place) = operand {
                    if !whole(self.unit, &val, from) {
                        self.report_missing(body, &val, place, span);
                    }
                    self.escape(body, state, &val, place, span);
                }
                if restricted { val.forgotten() } else { Val::Init }
            }
        }
    }

    /// `&place`. The address of a whole variable is followed; of a part, the whole must be initialised
    /// and escapes, unless the part is mere bits.
    fn address(&mut self, body: &Body, state: &mut State, place: &Place, span: Span) -> Val {
        let Spot::Tracked { root, path, exact } = self.spot(body, state, place, span) else { return Val::Init };
        let val = state.value_at(root, &path);
        if val.has_uninit() {
            self.read_early(root);
        }
        let ty = place::type_of(self.unit, body, place);
        if self.unit.types.bits_only(ty) {
            if path.is_empty() && exact && matches!(root, Root::Local(_)) {
                state.set(root, Val::Init);
            }
            return Val::Init;
        }
        if path.is_empty() && exact {
            return Val::Addr(root);
        }
        self.escape(body, state, &Val::Addr(root), place, span);
        Val::Init
    }

    fn aggregate(&mut self, body: &Body, state: &mut State, ty: Ty, fields: &[(u32, Operand)], span: Span) -> Val {
        let parts = place::parts(self.unit, ty).len();
        if parts == 0 {
            fields.iter().for_each(|(_, field)| self.keep(body, state, field, span));
            return Val::Init;
        }
        let mut vals = vec![Val::Init; parts];
        for (i, field) in fields {
            let val = self.take(body, state, field, span);
            if let Some(slot) = vals.get_mut(*i as usize) {
                *slot = val;
            }
        }
        Val::Agg(vals).normal()
    }
}

fn target_is(cx: &Init, pointer: Ty, object: Ty) -> bool {
    cx.unit.types.as_pointer(pointer).is_some_and(|ptr| ptr.to.ty == object)
}
