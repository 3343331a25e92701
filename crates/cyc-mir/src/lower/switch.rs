//! `switch` and the clauses of `catch` (core, sections 6.3 and 6.4).

use super::pattern::variables;
use super::{Lower, NextClause, Target};
use crate::mir::*;
use cyc_base::Span;
use cyc_check::tast::{self, Expr, Otherwise, PatternKind, Switch};

/// Ranges up to this size become cases of a C `switch`.
const WIDEST_RANGE: i128 = 256;

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
        if is_table(switch) {
            self.table(switch, &value, &bodies, done, span);
        } else {
            self.cascade(switch, &value, &bodies, done, span);
        }
        for (i, clause) in switch.clauses.iter().enumerate() {
            let next = bodies.get(i + 1).map(|body| {
                let mut vars = vec![];
                variables(&switch.clauses[i + 1].pattern, &mut vars);
                NextClause { body: *body, variables: vars, frame: self.frame }
            });
            self.start(bodies[i]);
            self.next_clauses.push(next);
            self.block(&clause.body);
            self.next_clauses.pop();
            match bodies.get(i + 1) {
                Some(next) if clause.falls_through => self.goto(*next, clause.span),
                _ => self.leave(done, clause.span),
            }
        }
    }

    /// Only constants: a C `switch`.
    fn table(&mut self, switch: &Switch, value: &Operand, bodies: &[BlockId], done: BlockId, span: Span) {
        let mut cases = vec![];
        let mut default = None;
        for (clause, body) in switch.clauses.iter().zip(bodies) {
            match clause.pattern.kind {
                PatternKind::Int(value) => cases.push((value, *body)),
                PatternKind::Range(from, to) => cases.extend((from..=to).map(|value| (value, *body))),
                _ if default.is_none() => default = Some((*body, &clause.pattern)),
                _ => {}
            }
        }
        let fallback = self.new_block();
        let head = Terminator::Switch { on: value.clone(), cases, default: fallback };
        self.terminate(head, span);
        self.start(fallback);
        match default {
            Some((body, pattern)) => {
                let Operand::Copy(place) = value.clone() else { unreachable!("made a place by the caller") };
                self.match_pattern(pattern, place, done);
                self.goto(body, span);
            }
            None => self.no_match(switch, value, done, span),
        }
    }

    /// Clause after clause.
    fn cascade(&mut self, switch: &Switch, value: &Operand, bodies: &[BlockId], done: BlockId, span: Span) {
        let Operand::Copy(place) = value else { unreachable!("made a place by the caller") };
        for (clause, body) in switch.clauses.iter().zip(bodies) {
            let fail = self.new_block();
            self.match_pattern(&clause.pattern, place.clone(), fail);
            match &clause.guard {
                Some(guard) => self.cond(guard, *body, fail),
                None => self.goto(*body, clause.span),
            }
            self.start(fail);
        }
        self.no_match(switch, value, done, span);
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
                _ if variables.len() == 1 => operand,
                _ => self.in_temp(Rvalue::Use(operand), value.ty, span),
            })
            .collect();
        for (variable, value) in variables.into_iter().zip(copies) {
            self.assign(Place::local(Local(variable.0)), Rvalue::Use(value), span);
        }
        self.jump(body, frame, span);
    }
}

/// Can a C `switch` decide it?
fn is_table(switch: &Switch) -> bool {
    let last = switch.clauses.len().saturating_sub(1);
    let constants = switch.clauses.iter().enumerate().all(|(i, clause): (usize, &tast::Clause)| {
        clause.guard.is_none()
            && match clause.pattern.kind {
                PatternKind::Int(_) => true,
                PatternKind::Range(from, to) => to - from < WIDEST_RANGE,
                PatternKind::Wild | PatternKind::Bind(_) => i == last || switch.otherwise == Otherwise::Nothing,
                _ => false,
            }
    });
    constants && switch.clauses.iter().any(|c| matches!(c.pattern.kind, PatternKind::Int(_) | PatternKind::Range(..)))
}
