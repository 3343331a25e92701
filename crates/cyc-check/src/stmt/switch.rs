//! `switch` (core, section 6.3).

use crate::coerce::{KindExt, Want, Why};
use crate::cx::Checker;
use crate::errors;
use crate::pattern::exhaust;
use crate::stmt::jumps::{Entered, Target};
use crate::tast::{self, Block, Clause, LocalId, Otherwise, Pattern, PatternKind, StmtKind, Switch};
use cyc_base::Span;
use cyc_syntax::ast;
use cyc_types::{ScopeId, Ty, TyKind};

/// A clause whose pattern has been checked, its body not yet.
struct Head {
    pattern: Pattern,
    guard: Option<tast::Expr>,
    /// The clause's, or that of the last alias in its pattern.
    scope: ScopeId,
    /// The pattern's variables in order of occurrence.
    vars: Vec<LocalId>,
    /// Its variables with the names they had in the program.
    names: Vec<(cyc_base::Symbol, LocalId, Span)>,
    /// The type variables that it unpacks.
    hidden: Vec<(cyc_base::Symbol, u32)>,
}

/// Which rules hold for the ends of clauses.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Rules {
    Cyclone,
    /// `switch "C"`.
    C,
    /// `catch`: every clause, the last one too, must end in a jump.
    Catch,
}

impl Checker<'_> {
    pub(super) fn check_switch(
        &mut self,
        on: &ast::Expr,
        c_rules: bool,
        clauses: &[ast::Clause],
        span: Span,
    ) -> StmtKind {
        let value = self.check_expr(on, Want::None);
        let value =
            if self.kind_of(value.ty).is_integral() && self.is_bit_field(&value) { self.promote(value) } else { value };
        let ty = self.scrutinee(&value, c_rules);
        let rules = if c_rules { Rules::C } else { Rules::Cyclone };
        let clauses_out = self.check_clauses(clauses, ty, rules);
        let otherwise = self.check_coverage(&clauses_out, clauses, ty, rules, span.lo, on.span);
        StmtKind::Switch(Box::new(Switch { on: Some(value), caught: None, clauses: clauses_out, otherwise }))
    }

    fn is_bit_field(&self, value: &tast::Expr) -> bool {
        matches!(&value.kind, tast::ExprKind::Read(place) if self.bit_field(place).is_some())
    }

    /// The type that patterns are matched against; an error for types that nothing can match.
    fn scrutinee(&mut self, value: &tast::Expr, c_rules: bool) -> Ty {
        let ty = self.resolve(value.ty);
        let problem = match self.unit.types.kind(ty) {
            TyKind::Error => return Ty::ERROR,
            kind if c_rules && !kind.is_integral() => {
                let found = self.show(ty);
                errors::stmt::c_switch_integral(value.span, &found)
            }
            TyKind::Void | TyKind::VaList | TyKind::Complex(_) => {
                let found = self.show(ty);
                errors::stmt::cannot_switch(value.span, &found)
            }
            TyKind::Infer(_) => errors::expr::unknown_type(value.span),
            _ => return ty,
        };
        self.report(problem);
        Ty::ERROR
    }

    /// Patterns and guards of all clauses, then their bodies: `fallthru` needs the next clause's variables.
    pub(super) fn check_clauses(&mut self, clauses: &[ast::Clause], ty: Ty, rules: Rules) -> Vec<Clause> {
        let heads: Vec<Head> = clauses.iter().map(|c| self.check_head(c, ty, rules)).collect();
        let next: Vec<Option<(Vec<LocalId>, Span)>> =
            (0..heads.len()).map(|i| heads.get(i + 1).map(|h| (h.vars.clone(), clauses[i + 1].span))).collect();
        let mut out = vec![];
        for ((head, clause), next) in heads.into_iter().zip(clauses).zip(next) {
            out.push(self.check_clause_body(head, clause, next, rules));
        }
        out
    }

    fn check_head(&mut self, clause: &ast::Clause, ty: Ty, rules: Rules) -> Head {
        let around = self.func.current;
        self.push_scope(clause.span.to(clause.body.span));
        self.enter_aliases(&clause.pattern);
        let scope = self.func.current;
        let first = self.func.locals.len();
        let pattern = self.check_pattern(&clause.pattern, ty);
        if rules == Rules::C && !matches!(pattern.kind, PatternKind::Int(_)) && !clause.is_default && ty != Ty::ERROR {
            self.report(errors::stmt::c_switch_constant(clause.pattern.span));
        }
        let vars = exhaust::variables(&pattern);
        let names = (first..self.func.locals.len())
            .map(|i| {
                let local = &self.func.locals[i];
                (local.name, LocalId(i as u32), local.span)
            })
            .collect();
        let hidden = self.names.tyvars_here();
        let guard = clause.guard.as_ref().map(|g| {
            if let Some(effect) = super::guard::side_effect(g) {
                self.report(errors::stmt::guard_effect(effect));
            }
            self.check_condition(g)
        });
        self.pop_scope();
        self.func.current = around;
        Head { pattern, guard, scope, vars, names, hidden }
    }

    fn check_clause_body(
        &mut self,
        head: Head,
        clause: &ast::Clause,
        next: Option<(Vec<LocalId>, Span)>,
        rules: Rules,
    ) -> Clause {
        let Head { pattern, guard, scope, names, hidden, .. } = head;
        let binds = !names.is_empty() || !hidden.is_empty();
        let around = self.func.current;
        self.reenter_scope(scope);
        for (name, local, span) in names {
            self.names.declare_value(name, crate::scope::Entity::Local(local), span);
        }
        for (name, index) in hidden {
            self.names.declare_tyvar(name, index);
        }
        let point = self.func.jumps.here();
        // A clause that binds nothing is a block like any other.
        if binds {
            self.func.jumps.enter(Entered::Clause, clause.span);
        }
        self.func.jumps.targets.push(Target::Clause { next: next.clone() });
        let stmts = self.check_stmts(&clause.body.items);
        self.func.jumps.targets.pop();
        self.func.jumps.leave(point);
        self.pop_scope();
        self.func.current = around;
        let falls_through = self.check_clause_end(clause, &stmts, next, rules);
        let body = Block { scope: Some(scope), stmts, span: clause.body.span };
        Clause { pattern, guard, body, falls_through, span: clause.span }
    }

    /// No silent fallthrough: does the end of the body go on in the next clause?
    fn check_clause_end(
        &mut self,
        clause: &ast::Clause,
        stmts: &[tast::Stmt],
        next: Option<(Vec<LocalId>, Span)>,
        rules: Rules,
    ) -> bool {
        let empty = clause.body.items.is_empty();
        if !empty && !self.completes(stmts) {
            return false;
        }
        match next {
            _ if rules == Rules::C => next.is_some(),
            _ if rules == Rules::Catch && !empty => {
                self.report(errors::stmt::handler_falls(clause.span));
                false
            }
            Some((vars, _)) if vars.is_empty() => {
                if !empty {
                    self.report(errors::stmt::may_fall_through(clause.span));
                }
                true
            }
            Some((_, at)) => {
                self.report(errors::stmt::falls_into_variables(clause.span, at, empty));
                false
            }
            None if empty => {
                self.report(errors::stmt::empty_last_clause(clause.span));
                false
            }
            None => false,
        }
    }

    /// Every clause is reachable, and together they match every value.
    pub(super) fn check_coverage(
        &mut self,
        clauses: &[Clause],
        written: &[ast::Clause],
        ty: Ty,
        rules: Rules,
        _at: u32,
        on: Span,
    ) -> Otherwise {
        let otherwise = match rules {
            Rules::Catch => Otherwise::Rethrow,
            Rules::C => Otherwise::Nothing,
            Rules::Cyclone => Otherwise::Impossible,
        };
        if ty == Ty::ERROR || clauses.iter().any(|c| c.pattern.ty == Ty::ERROR) {
            return otherwise;
        }
        for (i, before) in exhaust::redundant(self, ty, clauses) {
            let default = written[i].is_default;
            let takes_all = |c: &Clause| matches!(c.pattern.kind, PatternKind::Wild | PatternKind::Bind(_));
            // After clauses that name every shape it is caution; after a variable, which may be misspelt, a mistake.
            if default && !clauses[..i].iter().any(takes_all) {
                continue;
            }
            self.report(errors::stmt::redundant(written[i].pattern.span, before.map(|b| written[b].span), default));
        }
        if rules == Rules::Catch {
            return otherwise;
        }
        let rows: Vec<&Pattern> = clauses.iter().filter(|c| c.guard.is_none()).map(|c| &c.pattern).collect();
        match exhaust::missing(self, ty, &rows) {
            None => Otherwise::Impossible,
            Some(_) if rules == Rules::C => Otherwise::Nothing,
            Some(missing) if [exhaust::OTHER_ENUMERATOR, exhaust::UNDECIDED].contains(&missing.as_str()) => {
                Otherwise::Match
            }
            Some(missing) => {
                self.report(errors::stmt::not_exhaustive(on, &missing));
                Otherwise::Match
            }
        }
    }

    /// `fallthru(e1, …);`: to the next clause's body, with values for its variables.
    pub(super) fn check_fallthru(&mut self, values: &[ast::Expr], span: Span) -> StmtKind {
        let clause = self.func.jumps.targets.iter().rev().find_map(|t| match t {
            Target::Clause { next } => Some(next.clone()),
            Target::Loop => None,
        });
        let (vars, at) = match clause {
            Some(Some(next)) => next,
            Some(None) => {
                self.report(errors::stmt::fallthru_last(span));
                (vec![], span)
            }
            None => {
                self.report(errors::stmt::fallthru_outside(span));
                (vec![], span)
            }
        };
        if matches!(clause_kind(&self.func.jumps.targets), Some(true)) && vars.len() != values.len() {
            self.report(errors::stmt::fallthru_values(span, at, vars.len(), values.len()));
            return StmtKind::Fallthru(vec![]);
        }
        let typed = values
            .iter()
            .enumerate()
            .map(|(i, e)| match vars.get(i).map(|v| self.func.local(*v).qty.ty) {
                Some(ty) => self.check_rvalue_to(e, ty, Why::Value),
                None => self.check_expr(e, Want::None),
            })
            .collect();
        StmtKind::Fallthru(typed)
    }
}

/// Is the innermost clause one that has a next one?
fn clause_kind(targets: &[Target]) -> Option<bool> {
    targets.iter().rev().find_map(|t| match t {
        Target::Clause { next } => Some(next.is_some()),
        Target::Loop => None,
    })
}
