//! Values that must not be copied (memory, sections 4.3, 4.9, 4.12 and 5): moves out of places, loans, and the ends of
//! variables that hold such values. None of it is there at run time; flow analysis follows it.

use super::region::end_of;
use super::{FrameId, Left, Lower};
use crate::mir::*;
use cyc_base::Span;
use cyc_check::tast::{self, Transfer};
use cyc_types::{Ty, TyKind};

impl<'a> Lower<'a> {
    pub(super) fn carries_restricted(&self, ty: Ty) -> bool {
        self.types().carries_restricted(ty, &self.body.vars)
    }

    /// The value of a place that loses it, as a right side. A loan lasts until [`Lower::end_loans`], or the end of the scope;
    /// where it ends with the last use, flow analysis finds that.
    pub(super) fn move_out(&mut self, place: &tast::Place, transfer: Transfer, span: Span) -> Rvalue {
        let place = self.place(place);
        let loan = match transfer {
            Transfer::Moved => None,
            Transfer::Lent => Some(self.lend(place.clone(), LoanKind::Argument, span)),
            Transfer::Aliased => Some(self.lend(place.clone(), LoanKind::AliasArgument, span)),
            Transfer::Borrowed(id) => Some(self.loan(place.clone(), LoanKind::Borrowed(id), span)),
        };
        self.note_write(&place);
        Rvalue::Move(Operand::Copy(place), loan)
    }

    /// A loan of what the place holds; every way out of the scope gives it back.
    pub(super) fn lend(&mut self, place: Place, kind: LoanKind, span: Span) -> LoanId {
        let loan = self.loan(place, kind, span);
        self.enter(Left::Loan(loan));
        loan
    }

    fn loan(&mut self, place: Place, kind: LoanKind, span: Span) -> LoanId {
        self.body.loans.push(Loan { place, kind, span });
        LoanId(self.body.loans.len() as u32 - 1)
    }

    /// The innermost frame, for [`Lower::end_loans`].
    pub(super) fn mark(&self) -> Option<FrameId> {
        self.frame
    }

    /// Gives back what was lent since the mark.
    pub(super) fn end_loans(&mut self, mark: Option<FrameId>, span: Span) {
        while self.frame != mark {
            self.leave_frame(span);
        }
    }

    /// `{ … }`: its variables die at its end, after everything that was lent in it was given back.
    pub(super) fn block(&mut self, block: &tast::Block) {
        let mark = self.mark();
        self.enter_variables(block);
        for stmt in &block.stmts {
            self.stmt(stmt);
        }
        self.end_loans(mark, end_of(block));
    }

    /// The block's variables that hold values that must not be copied hold nothing yet, and die when the frame is left.
    pub(super) fn enter_variables(&mut self, block: &tast::Block) {
        if let Some(variables) = block.scope.and_then(|scope| self.restricted.get(&scope)) {
            let variables = variables.clone();
            for local in &variables {
                let (ty, span) = (self.body.locals[local.0 as usize].qty.ty, self.body.locals[local.0 as usize].span);
                // Elements are not followed one by one: an array is what its initialiser makes it.
                if !self.holds_array(ty) {
                    self.push(StmtKind::Uninit(*local), span);
                }
            }
            self.enter(Left::Variables(variables));
        }
    }

    fn holds_array(&self, ty: Ty) -> bool {
        match self.types().kind(ty) {
            TyKind::Array { .. } | TyKind::OpenArray { .. } => true,
            TyKind::Tuple(parts) => parts.iter().any(|part| self.holds_array(part.ty)),
            TyKind::Aggr(id) => {
                self.types().fields(*id).unwrap_or_default().iter().any(|field| self.holds_array(field.qty.ty))
            }
            _ => false,
        }
    }
}
