//! `switch` and the clauses of `catch` (core, sections 6.3 and 6.4).

use super::pattern::variables;
use super::{Lower, NextClause, Target};
use crate::mir::*;
use cyc_base::Span;
use cyc_check::tast::{Expr, Otherwise, Switch};

impl<'a> Lower<'a> {
    pub(super) fn switch(&mut self, switch: &Switch, span: Span) {
        let Some(on) = &switch.on else { unreachable!("a switch has a scrutinee") };
        let value = self.operand(on);
        let value = Operand::Copy(self.as_place(value, on.ty, span));
        let done = self.new_block();
        self.targets.push(Target { on_break: done, on_continue: None, frame: self.frame });
        self.clauses(switch, value, done, span);
        self.targets.pop();
        self.start(done);
    }

    /// Matches `value`, a place that nothing changes before the match is decided, against the clauses.
    pub(super) fn clauses(&mut self, switch: &Switch, value: Operand, done: BlockId, span: Span) {
        let bodies: Vec<BlockId> = switch.clauses.iter().map(|_| self.new_block()).collect();
        let Operand::Copy(place) = &value else { unreachable!("made a place by the caller") };
        let no_match = self.new_block();
        let mark = self.mark();
        let frames = self.decide(switch, place.clone(), &bodies, no_match, span);
        self.start(no_match);
        self.no_match(switch, &value, done, span);
        for (i, clause) in switch.clauses.iter().enumerate() {
            let next = bodies.get(i + 1).map(|body| {
                let mut vars = vec![];
                variables(&switch.clauses[i + 1].pattern, &mut vars);
                NextClause { body: *body, variables: vars, frame: self.frame }
            });
            self.at_frame(frames[i]);
            self.start(bodies[i]);
            self.next_clauses.push(next);
            match frames[i] == mark {
                true => self.block(&clause.body),
                // The frame of its variables is there already, outside of the loans to them.
                false => clause.body.stmts.iter().for_each(|stmt| self.stmt(stmt)),
            }
            self.next_clauses.pop();
            self.end_loans(mark, clause.span);
            match bodies.get(i + 1) {
                Some(next) if clause.falls_through => self.goto(*next, clause.span),
                _ => self.leave(done, clause.span),
            }
        }
    }

    fn no_match(&mut self, switch: &Switch, value: &Operand, done: BlockId, span: Span) {
        match switch.otherwise {
            Otherwise::Impossible => self.terminate(Terminator::Unreachable, span),
            Otherwise::Nothing => self.goto(done, span),
            Otherwise::Match => {
                self.check(CheckKind::Match, CheckReason::NoMatch, span);
                self.terminate(Terminator::Unreachable, span);
            }
            Otherwise::Rethrow => self.terminate(Terminator::Rethrow(value.clone()), span),
        }
    }

    /// `fallthru(values)`: the next clause's variables get the values, its body goes on.
    pub(super) fn fallthru(&mut self, values: &[Expr], span: Span) {
        let evaluated: Vec<_> = values.iter().map(|value| self.evaluate(value)).collect();
        let mut operands: Vec<_> = evaluated.into_iter().rev().map(|value| self.protect(value, span)).collect();
        operands.reverse();
        let Some(Some(next)) = self.next_clauses.last() else { unreachable!("the checker finds the next clause") };
        let (body, frame, variables) = (next.body, next.frame, next.variables.clone());
        // A value may read a variable that is set before it: all are copied first.
        let copies: Vec<Operand> = operands
            .into_iter()
            .zip(values)
            .map(|(operand, value)| match operand {
                Operand::Const(_) => operand,
                Operand::Copy(_) if variables.len() == 1 => operand,
                Operand::Copy(_) => self.in_temp(Rvalue::Use(operand), value.ty, span),
            })
            .collect();
        for (variable, value) in variables.into_iter().zip(copies) {
            self.assign(Place::local(Local(variable.0)), Rvalue::Use(value), span);
        }
        self.jump(body, frame, span);
    }
}
