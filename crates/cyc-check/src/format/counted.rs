//! `%s` of strings that no zero ends: C is told how many characters there are, by the precision.
//!
//! `printf("%8s", s)` becomes `printf("%8.*s", n, s)`, `n` being the number of elements, or the precision that was written
//! if that is less. C reads no further, and stops at a zero before.

use super::parse::{Expect, Item};
use crate::coerce::Why;
use crate::cx::Checker;
use crate::tast::{BinOp, Coercion, Expr, ExprKind, LocalId, Place, PlaceKind};
use cyc_base::Span;
use cyc_types::{Bound, PtrTy, QTy, Ty};
use std::rc::Rc;

/// The precision that a conversion writes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Precision {
    /// As many characters, `i32::MAX` if none was written.
    Most(i32),
    /// `.*`: by the argument before.
    Argument,
}

/// The precision of a conversion's text `%…s`, and which bytes of the text say it.
fn precision(text: &str) -> (Precision, std::ops::Range<usize>) {
    let letter = text.len() - 1;
    let Some(dot) = text.find('.') else { return (Precision::Most(i32::MAX), letter..letter) };
    let written = match &text[dot + 1..letter] {
        "*" => Precision::Argument,
        "" => Precision::Most(0),
        // A negative one counts as none.
        digits => Precision::Most(digits.parse().ok().filter(|n| *n >= 0).unwrap_or(i32::MAX)),
    };
    (written, dot..letter)
}

impl Checker<'_> {
    /// Gives every string among the arguments that is a fat pointer its precision, in an argument before it. `items`
    /// are the conversions, the first of them for the argument `first`. Which ones got a precision, in order.
    pub(super) fn count_strings(&mut self, items: &[Item], first: usize, typed: &mut Vec<Expr>) -> Vec<usize> {
        let mut counted = vec![];
        for (k, item) in items.iter().enumerate().rev() {
            let at = first + k;
            let Some(value) = typed.get(at).filter(|_| item.expect == (Expect::Str { wide: false })) else { continue };
            let Some(ptr) = self.pointer_of(value.ty).filter(|p| p.bound == Bound::Fat) else { continue };
            let (value, given) = (value.clone(), typed[at - 1].clone());
            let by_argument = precision(&item.text).0 == Precision::Argument;
            let (count, text) = self.counted_string(value, ptr, precision(&item.text).0, given);
            typed.splice(at - usize::from(by_argument)..=at, [count, text]);
            counted.insert(0, k);
        }
        counted
    }

    /// The precision of the string `value` and its characters; `given`: the argument that asks for a precision.
    fn counted_string(&mut self, value: Expr, ptr: PtrTy, most: Precision, given: Expr) -> (Expr, Expr) {
        let (ty, span) = (value.ty, value.span);
        let text = self.temp_local("text", QTy::from(ty), span);
        let count = Expr { kind: ExprKind::Numelts(Box::new(read(text, ty, span))), ty: Ty::ULONG, span };
        let stored = assign(text, value);
        let precision = match most {
            Precision::Most(most) => comma(stored, least(count, int(most, span))),
            Precision::Argument => {
                // A negative one counts as none.
                let asked = self.temp_local("precision", QTy::from(Ty::INT), span);
                let negative =
                    binary(BinOp::Lt, read(asked, Ty::INT, span), Expr { ty: Ty::INT, ..int(0, span) }, Ty::INT);
                let wanted = read(asked, Ty::INT, span).coerced(Coercion::Arith, Ty::ULONG);
                let limit = cond(negative, int(i32::MAX, span), wanted);
                comma(assign(asked, given), comma(stored, least(count, limit)))
            }
        };
        let thin = self.unit.types.pointer(PtrTy { nullable: false, bound: Bound::Thin(0), ..ptr });
        (precision.coerced(Coercion::Arith, Ty::INT), self.coerce(read(text, ty, span), thin, Why::Format))
    }
}

/// The format, its literals with `.*` where a string got a precision; `items` are the conversions of each literal.
pub(super) fn with_precisions(cx: &Checker, format: Expr, items: &[Vec<Item>], counted: &[usize]) -> Expr {
    if counted.is_empty() {
        return format;
    }
    let mut literals = items.iter();
    rewritten(cx, format, &mut literals, counted)
}

fn rewritten(cx: &Checker, e: Expr, literals: &mut std::slice::Iter<Vec<Item>>, counted: &[usize]) -> Expr {
    let kind = match e.kind {
        ExprKind::Str(bytes) => {
            let Some(items) = literals.next() else { return Expr { kind: ExprKind::Str(bytes), ..e } };
            let mut text = bytes.to_vec();
            for item in counted.iter().rev().filter_map(|k| items.get(*k)) {
                let said = precision(&item.text).1;
                text.splice(item.at.0 + said.start..item.at.0 + said.end, *b".*");
            }
            let ty = match cx.unit.types.as_pointer(e.ty) {
                Some(ptr) => cx.unit.types.pointer(PtrTy { bound: Bound::Thin(text.len() as u64 + 1), ..ptr }),
                None => e.ty,
            };
            return Expr { kind: ExprKind::Str(Rc::from(text)), ty, span: e.span };
        }
        ExprKind::Coerce(how, inner) => ExprKind::Coerce(how, Box::new(rewritten(cx, *inner, literals, counted))),
        ExprKind::Cond(test, a, b) => {
            let a = Box::new(rewritten(cx, *a, literals, counted));
            ExprKind::Cond(test, a, Box::new(rewritten(cx, *b, literals, counted)))
        }
        kind => kind,
    };
    Expr { kind, ..e }
}

fn local(id: LocalId, ty: Ty, span: Span) -> Box<Place> {
    Box::new(Place { kind: PlaceKind::Local(id), qty: QTy::from(ty), span })
}

fn read(id: LocalId, ty: Ty, span: Span) -> Expr {
    Expr { kind: ExprKind::Read(local(id, ty, span)), ty, span }
}

fn assign(id: LocalId, value: Expr) -> Expr {
    let (ty, span) = (value.ty, value.span);
    Expr { kind: ExprKind::Assign { place: local(id, ty, span), value: Box::new(value) }, ty, span }
}

fn comma(first: Expr, second: Expr) -> Expr {
    Expr { ty: second.ty, span: second.span, kind: ExprKind::Comma(Box::new(first), Box::new(second)) }
}

fn int(value: i32, span: Span) -> Expr {
    Expr { kind: ExprKind::Int(i128::from(value)), ty: Ty::ULONG, span }
}

fn binary(op: BinOp, a: Expr, b: Expr, ty: Ty) -> Expr {
    Expr { span: a.span, kind: ExprKind::Binary(op, Box::new(a), Box::new(b)), ty }
}

fn cond(test: Expr, a: Expr, b: Expr) -> Expr {
    Expr { ty: a.ty, span: a.span, kind: ExprKind::Cond(Box::new(test), Box::new(a), Box::new(b)) }
}

/// The less of two `unsigned long`s that can be evaluated twice.
fn least(a: Expr, b: Expr) -> Expr {
    cond(binary(BinOp::Lt, a.clone(), b.clone(), Ty::INT), a, b)
}
