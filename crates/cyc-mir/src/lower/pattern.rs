//! Patterns (core, section 7): what a pattern binds, and `let`. How the clauses of a `switch` are told apart is in
//! [`super::decide`].

use super::Lower;
use crate::mir::*;
use cyc_base::Span;
use cyc_check::tast::{self, LocalId, Pattern, PatternKind};
use cyc_types::{Ty, TyKind};
use std::collections::VecDeque;

/// What a variable of a pattern gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Binds {
    /// A copy of the value; of an array a pointer to its elements.
    Value,
    /// The pointer, lent for the scope as one that may be copied.
    Alias,
    /// A pointer to the place.
    Address,
    /// The value as `unsigned`, in a tag.
    Tag,
}

/// A variable, the place it is bound at, the type of what lies there.
pub(super) struct Binding {
    local: Local,
    binds: Binds,
    place: Place,
    ty: Ty,
    span: Span,
}

/// The variables of a pattern in the order of their occurrence.
pub(super) fn variables(pattern: &Pattern, out: &mut Vec<LocalId>) {
    match &pattern.kind {
        PatternKind::Bind(local) | PatternKind::Alias(local) | PatternKind::Tag(local) => out.push(*local),
        PatternKind::As(local, inner) | PatternKind::Ref(local, inner) => {
            out.push(*local);
            variables(inner, out);
        }
        PatternKind::Pointer(inner) | PatternKind::Member(_, _, inner) => variables(inner, out),
        PatternKind::Tuple(parts) => parts.iter().for_each(|part| variables(part, out)),
        PatternKind::Struct(_, fields) => fields.iter().for_each(|(_, part)| variables(part, out)),
        PatternKind::Variant { args, .. } => args.iter().for_each(|part| variables(part, out)),
        PatternKind::Wild | PatternKind::Int(_) | PatternKind::Float(_) | PatternKind::Null => {}
    }
}

impl<'a> Lower<'a> {
    /// `let pattern = init;`
    pub(super) fn let_stmt(&mut self, pattern: &Pattern, init: &tast::Expr, refutable: bool, span: Span) {
        if let PatternKind::Bind(local) = pattern.kind
            && !(matches!(init.kind, tast::ExprKind::Read(_)) && self.carries_restricted(init.ty))
        {
            return self.store_at(init, Place::local(Local(local.0)), true, span);
        }
        let value = self.operand(init);
        let place = self.as_place(value, init.ty, span);
        let fail = self.new_block();
        self.match_one(pattern, place.clone(), fail);
        // What is in no place that the program can name is moved for good.
        let named = matches!(init.kind, tast::ExprKind::Read(_));
        self.bind(pattern, place, named.then(VecDeque::new).as_mut());
        if refutable {
            let done = self.new_block();
            self.goto(done, span);
            self.start(fail);
            self.check(CheckKind::Match, CheckReason::NoMatch, span);
            self.terminate(Terminator::Unreachable, span);
            self.start(done);
        }
    }

    /// Binds the variables of a pattern that the value at `place` matches, innermost first. Values that must not be
    /// copied are lent to them: by the loans of `known`, where the same pattern was bound on another path; new ones are
    /// added there. None: they are moved, and only an `alias` borrows.
    pub(super) fn bind(&mut self, pattern: &Pattern, place: Place, mut known: Option<&mut VecDeque<LoanId>>) {
        let mut made = vec![];
        let mut all = vec![];
        self.bindings(pattern, place, &mut all);
        for Binding { local, binds, place, ty, span } in all {
            let to = self.body.locals[local.0 as usize].qty.ty;
            let array = matches!(self.types().kind(ty), TyKind::Array { .. } | TyKind::OpenArray { .. });
            let value = match binds {
                Binds::Address => self.rvalue_address(place, to, span),
                Binds::Value if array && self.pointer(to).is_some() => self.rvalue_address(place, to, span),
                Binds::Value | Binds::Alias if binds == Binds::Alias || self.carries_restricted(to) => {
                    let kind = if binds == Binds::Alias { LoanKind::Alias(local) } else { LoanKind::Pattern(local) };
                    let lent = binds == Binds::Alias || known.is_some();
                    let before = known.as_mut().and_then(|known| known.pop_front());
                    let loan = lent.then(|| before.unwrap_or_else(|| self.lend(place.clone(), kind, span)));
                    made.extend(loan);
                    Rvalue::Move(Operand::Copy(place), loan)
                }
                Binds::Value | Binds::Alias => Rvalue::Use(Operand::Copy(place)),
                Binds::Tag => {
                    let tag = self.arith(Operand::Copy(place), ty, Ty::UINT);
                    Rvalue::Arith(self.settled(tag, Ty::UINT, span), Ty::UINT, to)
                }
            };
            self.assign(Place::local(local), value, span);
        }
        if let Some(known) = known {
            known.extend(made);
        }
    }

    fn bindings(&self, pattern: &Pattern, place: Place, all: &mut Vec<Binding>) {
        let binding = |local: LocalId, binds, place| Binding {
            local: Local(local.0),
            binds,
            place,
            ty: pattern.ty,
            span: pattern.span,
        };
        match &pattern.kind {
            PatternKind::Bind(local) => all.push(binding(*local, Binds::Value, place)),
            PatternKind::Alias(local) => all.push(binding(*local, Binds::Alias, place)),
            PatternKind::Tag(local) => all.push(binding(*local, Binds::Tag, place)),
            PatternKind::As(local, inner) => {
                self.bindings(inner, place.clone(), all);
                all.push(binding(*local, Binds::Value, place));
            }
            PatternKind::Ref(local, inner) => {
                self.bindings(inner, place.clone(), all);
                all.push(binding(*local, Binds::Address, place));
            }
            PatternKind::Wild
            | PatternKind::Int(_)
            | PatternKind::Float(_)
            | PatternKind::Null
            | PatternKind::Pointer(_)
            | PatternKind::Tuple(_)
            | PatternKind::Member(..)
            | PatternKind::Struct(..)
            | PatternKind::Variant { .. } => {
                for (part, place) in self.parts(pattern, &place) {
                    self.bindings(part, place, all);
                }
            }
        }
    }

    /// The direct parts of a pattern, with the places of what they match.
    pub(super) fn parts<'p>(&self, pattern: &'p Pattern, place: &Place) -> Vec<(&'p Pattern, Place)> {
        let field = |i: u32| place.clone().then(Proj::Field(i));
        match &pattern.kind {
            PatternKind::As(_, inner) | PatternKind::Ref(_, inner) => vec![(inner, place.clone())],
            PatternKind::Pointer(inner) => vec![(inner, place.clone().then(Proj::Deref(None)))],
            PatternKind::Member(_, member, inner) => vec![(inner, field(*member))],
            PatternKind::Tuple(parts) => parts.iter().zip(0..).map(|(part, i)| (part, field(i))).collect(),
            PatternKind::Struct(_, parts) => parts.iter().map(|(i, part)| (part, field(*i))).collect(),
            PatternKind::Variant { datatype, variant, args } => {
                let whole = matches!(self.types().kind(pattern.ty), TyKind::Datatype(_));
                let inside = match whole {
                    true => place.clone().then(Proj::Variant(*datatype, *variant)),
                    false => place.clone(),
                };
                args.iter().zip(0..).map(|(part, i)| (part, inside.clone().then(Proj::Field(i)))).collect()
            }
            PatternKind::Wild
            | PatternKind::Bind(_)
            | PatternKind::Alias(_)
            | PatternKind::Tag(_)
            | PatternKind::Int(_)
            | PatternKind::Float(_)
            | PatternKind::Null => vec![],
        }
    }
}
