//! Calls (core, section 5.15): the callee, then the arguments from left to right.

use super::{Lower, Written};
use crate::mir::*;
use cyc_check::tast::{self, Expr, ExprKind};
use cyc_types::FnTy;
use std::rc::Rc;

impl<'a> Lower<'a> {
    /// A call expression, its result stored in `dst` if there is one.
    pub(super) fn call_expr(&mut self, e: &Expr, dst: Option<Place>) {
        let ExprKind::Call { callee, args } = &e.kind else { unreachable!("called on calls only") };
        let span = e.span;
        let mark = self.mark();
        let (pointer, function) = match callee {
            tast::Callee::Direct(global, _) => (None, self.function_type(self.unit.global(*global).qty.ty)),
            tast::Callee::Pointer(pointer) => {
                let function = self.pointer(pointer.ty).and_then(|ptr| self.function_type(ptr.to.ty));
                (Some((self.evaluate(pointer), pointer)), function)
            }
            tast::Callee::Builtin(_) => (None, None),
        };
        let evaluated: Vec<_> = args.iter().map(|arg| self.evaluate(arg)).collect();
        let mut args: Vec<_> =
            evaluated.into_iter().zip(args).rev().map(|(value, arg)| self.protect(value, arg.span)).collect();
        args.reverse();
        let callee = match (callee, pointer) {
            (tast::Callee::Direct(global, args), _) => Callee::Direct(*global, *args),
            (tast::Callee::Builtin(name), _) => Callee::Builtin(*name),
            (tast::Callee::Pointer(_), None) => unreachable!("evaluated above"),
            (tast::Callee::Pointer(_), Some((value, pointer))) => {
                let operand = self.protect(value, pointer.span);
                if self.pointer(pointer.ty).is_some_and(|ptr| ptr.nullable) {
                    self.check(CheckKind::NonNull(operand.clone()), CheckReason::CallThroughPointer, span);
                }
                Callee::Pointer(operand)
            }
        };
        let called = self.before_call(&callee, &args, span);
        self.written.push(Written::Memory);
        if let Some(dst) = &dst {
            self.note_write(dst);
        }
        self.push(StmtKind::Call { dst: dst.clone(), callee, args }, span);
        self.end_loans(mark, span);
        self.after_call(called, dst.as_ref(), span);
        if function.is_some_and(|function| function.attrs.noreturn) {
            self.terminate(Terminator::Unreachable, span);
        }
    }

    fn function_type(&self, ty: cyc_types::Ty) -> Option<Rc<FnTy>> {
        self.types().as_function(ty).cloned()
    }
}
