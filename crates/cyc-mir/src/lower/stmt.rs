//! Statements (core, section 6) and jumps (6.5), which leave `try` bodies on their way.

use super::{FrameId, Left, Lower, PendingGoto, Target};
use crate::mir::*;
use cyc_base::Span;
use cyc_check::tast::{self, ExprKind, LabelId, Stmt as TStmt, StmtKind as TStmtKind};
use cyc_types::TyKind;

impl<'a> Lower<'a> {
    pub(super) fn stmt(&mut self, stmt: &TStmt) {
        let span = stmt.span;
        match &stmt.kind {
            TStmtKind::Expr(e) => self.expr_stmt(e),
            TStmtKind::Local { local, init, zero_last, names_itself } => {
                self.local_decl(Local(local.0), init.as_ref(), *names_itself, *zero_last, span);
            }
            TStmtKind::Let { pattern, init, refutable } => self.let_stmt(pattern, init, *refutable, span),
            TStmtKind::Block(block) => self.block(block),
            TStmtKind::Label(label) => self.label(*label, span),
            TStmtKind::Goto(label) => {
                let (from, frame) = (self.current, self.frame);
                self.gotos.push(PendingGoto { from, label: label.0 as usize, frame, span });
                self.terminate(Terminator::Unreachable, span);
            }
            TStmtKind::If { cond, then, otherwise } => self.if_stmt(cond, then, otherwise.as_ref(), span),
            TStmtKind::While { cond, body } => self.loop_stmt(Some(cond), None, body, span),
            TStmtKind::For { cond, step, body } => self.loop_stmt(cond.as_ref(), step.as_ref(), body, span),
            TStmtKind::DoWhile { body, cond } => self.do_while(body, cond, span),
            TStmtKind::Switch(switch) => self.switch(switch, span),
            TStmtKind::Try { body, handler } => self.try_stmt(body, handler, span),
            TStmtKind::Break => {
                let Some(target) = self.targets.last() else { unreachable!("the checker finds break's target") };
                self.jump(target.on_break, target.frame, span);
            }
            TStmtKind::Continue => {
                let target = self.targets.iter().rev().find_map(|t| t.on_continue.map(|to| (to, t.frame)));
                let Some((to, frame)) = target else { unreachable!("the checker finds continue's target") };
                self.jump(to, frame, span);
            }
            TStmtKind::Region { handle, body } => self.region_stmt(Local(handle.0), body, span),
            TStmtKind::Open { handle, key, body } => self.open_stmt(Local(handle.0), key, body, span),
            TStmtKind::Return(value) => self.return_stmt(value.as_ref(), span),
            TStmtKind::Fallthru(values) => self.fallthru(values, span),
        }
    }

    fn expr_stmt(&mut self, e: &tast::Expr) {
        self.effect(e);
    }

    fn local_decl(&mut self, local: Local, init: Option<&tast::Expr>, names_itself: bool, zero_last: bool, span: Span) {
        let place = Place::local(local);
        if init.is_none() || names_itself {
            self.push(StmtKind::Uninit(local), span);
        }
        if let Some(e) = init {
            self.store_at(e, place.clone(), true, span);
        }
        let qty = self.body.locals[local.0 as usize].qty;
        if let (true, TyKind::Array { elem, len: Some(len), .. }) = (zero_last, self.types().kind(qty.ty)) {
            let last = Operand::int(*len as i128 - 1, cyc_types::Ty::LONG);
            let zero = Rvalue::Use(Operand::Const(Const::Zero(elem.ty)));
            self.assign(place.then(Proj::Element(last)), zero, span);
        }
    }

    fn if_stmt(&mut self, cond: &tast::Expr, then: &tast::Block, otherwise: Option<&tast::Block>, span: Span) {
        let (yes, join) = (self.new_block(), self.new_block());
        let no = if otherwise.is_some() { self.new_block() } else { join };
        self.cond(cond, yes, no);
        self.start(yes);
        self.block(then);
        if let Some(otherwise) = otherwise {
            self.goto(join, span);
            self.start(no);
            self.block(otherwise);
        }
        self.flow_into(join, span);
    }

    /// `while` and `for`.
    fn loop_stmt(&mut self, cond: Option<&tast::Expr>, step: Option<&tast::Expr>, body: &tast::Block, span: Span) {
        let (head, inside, done) = (self.new_block(), self.new_block(), self.new_block());
        let next = if step.is_some() { self.new_block() } else { head };
        self.flow_into(head, span);
        match cond {
            Some(cond) => {
                self.cond(cond, inside, done);
                self.start(inside);
            }
            None => self.flow_into(inside, span),
        }
        self.targets.push(Target { on_break: done, on_continue: Some(next), frame: self.frame });
        self.block(body);
        self.targets.pop();
        if let Some(step) = step {
            self.flow_into(next, step.span);
            self.effect(step);
        }
        self.goto(head, span);
        self.start(done);
    }

    fn do_while(&mut self, body: &tast::Block, cond: &tast::Expr, span: Span) {
        let (inside, test, done) = (self.new_block(), self.new_block(), self.new_block());
        self.flow_into(inside, span);
        self.targets.push(Target { on_break: done, on_continue: Some(test), frame: self.frame });
        self.block(body);
        self.targets.pop();
        self.flow_into(test, cond.span);
        self.cond(cond, inside, done);
        self.start(done);
    }

    fn return_stmt(&mut self, value: Option<&tast::Expr>, span: Span) {
        let value = match value {
            Some(e) if e.ty == cyc_types::Ty::VOID => {
                self.effect(e);
                None
            }
            Some(e) if matches!(e.kind, ExprKind::Error) => None,
            Some(e) => {
                let value = self.operand(e);
                Some(self.before_leaving(value, e.ty, e.span))
            }
            None => None,
        };
        let value = self.promises(value, span);
        self.pop_frames(None, span);
        self.terminate(Terminator::Return(value), span);
    }

    // ------------------------------------------------------------ jumps

    /// Goes to `to`, a place where `frame` is the innermost frame.
    pub(super) fn jump(&mut self, to: BlockId, frame: Option<FrameId>, span: Span) {
        self.pop_frames(frame, span);
        self.goto(to, span);
    }

    fn label(&mut self, label: LabelId, span: Span) {
        let block = self.new_block();
        self.flow_into(block, span);
        self.labels[label.0 as usize] = Some((block, self.frame));
    }

    pub(super) fn resolve_gotos(&mut self) {
        for goto in std::mem::take(&mut self.gotos) {
            let Some((to, frame)) = self.labels[goto.label] else { unreachable!("the checker finds labels") };
            self.current = goto.from;
            self.frame = goto.frame;
            self.pop_frames(frame, goto.span);
            let block = &mut self.body.blocks[goto.from.0 as usize];
            block.term = Terminator::Goto(to);
            block.term_span = goto.span;
        }
    }
}

impl<'a> Lower<'a> {
    fn try_stmt(&mut self, body: &tast::Block, handler: &tast::Switch, span: Span) {
        let (inside, catch, done) = (self.new_block(), self.new_block(), self.new_block());
        let caught = match handler.caught {
            Some(local) => Local(local.0),
            None => unreachable!("the checker gives every catch a local for the exception"),
        };
        let id = HandlerId(self.body.handlers.len() as u32);
        let outer = self.handler;
        self.body.handlers.push(Handler { catch, caught, outer, span });
        self.terminate(Terminator::Try { handler: id, body: inside }, span);
        self.enter(Left::Handler(id));
        self.start(inside);
        self.block(body);
        self.leave_frame(body.span);
        self.goto(done, span);
        self.start(catch);
        self.targets.push(Target { on_break: done, on_continue: None, frame: self.frame });
        self.clauses(handler, Operand::local(caught), done, span);
        self.targets.pop();
        self.start(done);
    }

    /// The end of a text of clauses nobody leaves: used by the catch and switch lowering.
    pub(super) fn leave(&mut self, done: BlockId, span: Span) {
        self.goto(done, span);
    }
}
