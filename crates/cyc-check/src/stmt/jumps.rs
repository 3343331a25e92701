//! Labels and jumps (core, section 6.5): where `break` and `continue` go, and which scopes a `goto` would enter.

use crate::cx::Checker;
use crate::errors;
use crate::tast::{LabelId, LocalId, StmtKind};
use cyc_base::{Span, Symbol};
use cyc_syntax::ast::Ident;
use rustc_hash::FxHashMap;

/// Something that a `goto` may not jump into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entered {
    Declaration,
    TryBody,
    Handler,
    Clause,
    StmtExpr,
    Region,
}

/// A point of the function: what has been entered there, innermost first. Points form a tree, and
/// a jump is allowed exactly when its target's point is an ancestor of (or is) its own.
#[derive(Clone, Copy, Debug)]
struct Point {
    outer: Option<u32>,
    what: Entered,
    span: Span,
}

/// What a `break` or `continue` can leave.
#[derive(Clone, Debug)]
pub enum Target {
    Loop,
    /// A clause of a `switch`, or of the `catch` of a `try`, which `break` leaves altogether.
    Clause {
        /// The pattern variables of the next clause and its span; None in the last one.
        next: Option<(Vec<LocalId>, Span)>,
    },
}

#[derive(Debug)]
struct Label {
    id: LabelId,
    /// Where it stands, once seen.
    defined: Option<(Span, Option<u32>)>,
}

/// The jumps of one function.
#[derive(Default, Debug)]
pub struct Jumps {
    points: Vec<Point>,
    now: Option<u32>,
    labels: FxHashMap<Symbol, Label>,
    /// Indexed by [`LabelId`].
    pub names: Vec<Symbol>,
    gotos: Vec<(Ident, Option<u32>)>,
    pub targets: Vec<Target>,
}

impl Jumps {
    /// The present point, for [`Jumps::leave`].
    pub fn here(&self) -> Option<u32> {
        self.now
    }

    pub fn enter(&mut self, what: Entered, span: Span) {
        self.points.push(Point { outer: self.now, what, span });
        self.now = Some(self.points.len() as u32 - 1);
    }

    /// Back to a point further out, at the end of a scope.
    pub fn leave(&mut self, point: Option<u32>) {
        self.now = point;
    }

    fn label(&mut self, name: Symbol) -> &mut Label {
        let names = &mut self.names;
        self.labels.entry(name).or_insert_with(|| {
            names.push(name);
            Label { id: LabelId(names.len() as u32 - 1), defined: None }
        })
    }

    /// What a jump from `from` to `to` would enter first.
    fn entered(&self, from: Option<u32>, to: Option<u32>) -> Option<Point> {
        let mut around = vec![];
        let mut at = from;
        while let Some(i) = at {
            around.push(i);
            at = self.points[i as usize].outer;
        }
        let mut outermost = None;
        let mut at = to;
        while let Some(i) = at {
            // Ancestors have smaller numbers: `around` is sorted downwards.
            if around.binary_search_by(|probe| i.cmp(probe)).is_ok() {
                break;
            }
            outermost = Some(self.points[i as usize]);
            at = self.points[i as usize].outer;
        }
        outermost
    }
}

impl Checker<'_> {
    /// `L:`
    pub(crate) fn check_label(&mut self, name: Ident) -> StmtKind {
        let now = self.func.jumps.now;
        let label = self.func.jumps.label(name.name);
        let id = label.id;
        match label.defined {
            Some((before, _)) => self.report(errors::stmt::duplicate_label(name, before)),
            None => label.defined = Some((name.span, now)),
        }
        StmtKind::Label(id)
    }

    /// `goto L;` whose target is looked at when the function has been read.
    pub(crate) fn check_goto(&mut self, name: Ident) -> StmtKind {
        let jumps = &mut self.func.jumps;
        jumps.gotos.push((name, jumps.now));
        StmtKind::Goto(jumps.label(name.name).id)
    }

    /// `break;` and `continue;`
    pub(crate) fn check_break(&mut self, span: Span, again: bool) -> StmtKind {
        let mut targets = self.func.jumps.targets.iter();
        let found = match again {
            true => targets.any(|t| matches!(t, Target::Loop)),
            false => targets.next().is_some(),
        };
        if !found {
            self.report(errors::stmt::no_target(span, again));
        }
        if again { StmtKind::Continue } else { StmtKind::Break }
    }

    /// At the end of the function: every `goto` has a label and enters no scope.
    pub(crate) fn finish_jumps(&mut self) {
        let jumps = std::mem::take(&mut self.func.jumps);
        for (name, from) in &jumps.gotos {
            match jumps.labels.get(&name.name).and_then(|l| l.defined) {
                None => {
                    let defined = jumps.labels.iter().filter(|(_, l)| l.defined.is_some()).map(|(n, _)| *n);
                    let near = crate::scope::nearest(name.name, defined);
                    self.report(errors::stmt::no_label(*name, near));
                }
                Some((at, to)) => {
                    if let Some(point) = jumps.entered(*from, to) {
                        self.report(errors::stmt::goto_enters(*name, at, point.what, point.span));
                    }
                }
            }
        }
        self.func.jumps.names = jumps.names;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_jump_out_is_free_and_a_jump_in_names_what_it_enters() {
        let mut jumps = Jumps::default();
        let outside = jumps.here();
        jumps.enter(Entered::Declaration, Span::new(1, 2));
        let first = jumps.here();
        jumps.enter(Entered::TryBody, Span::new(3, 4));
        let inner = jumps.here();
        assert!(jumps.entered(inner, outside).is_none());
        assert!(jumps.entered(inner, first).is_none());
        assert_eq!(jumps.entered(outside, inner).map(|p| p.span), Some(Span::new(1, 2)));
        assert_eq!(jumps.entered(first, inner).map(|p| p.span), Some(Span::new(3, 4)));
    }
}
