//! Initialisers of variables with static storage: constant expressions of C.

use crate::{Unit, literal, print};
use cyc_mir::tast::{Coercion, Expr, ExprKind, Place, PlaceKind, UnOp};
use cyc_mir::types::PlaceTy;
use cyc_types::{Bound, Ty, TyKind};
use std::fmt::Write;

/// A fat pointer whose parts the compiler knows.
struct Fat {
    base: String,
    /// Elements from the base to the current position.
    at: String,
    len: String,
}

/// The initialiser of an object of type `e.ty`.
pub(crate) fn initialiser(cx: &Unit, e: &Expr) -> String {
    let types = &cx.unit.types;
    if let TyKind::Pointer(ptr) = types.kind(e.ty)
        && ptr.bound == Bound::Fat
    {
        return match fat(cx, e) {
            Some(Fat { base, at, len }) => format!("{{(char *){base}, {at}, {len}}}"),
            None => "{0, 0, 0}".into(),
        };
    }
    match &e.kind {
        ExprKind::Aggregate(fields) => {
            let parts = fields.iter().map(|(index, value)| {
                let name = match types.kind(e.ty) {
                    TyKind::Aggr(id) => cx.types.field(*id, *index).into_owned(),
                    _ => format!("f{index}"),
                };
                let text = part(cx, value, e.ty, *index);
                match types.kind(e.ty) {
                    TyKind::Aggr(id) if types.aggr(*id).tagged => {
                        let member = cx.types.member(*id, *index);
                        format!(".{member} = {{{}, {text}}}", index + 1)
                    }
                    _ => format!(".{name} = {text}"),
                }
            });
            braces(parts)
        }
        ExprKind::Array(elements) => braces(elements.iter().map(|element| initialiser(cx, element))),
        ExprKind::ArrayFor(all) => {
            let (ExprKind::Int(count), Some(body)) = (&strip(&all.count).kind, &all.body) else { return "{}".into() };
            if *count == 0 { "{}".into() } else { format!("{{[0 ... {}] = {}}}", count - 1, initialiser(cx, body)) }
        }
        ExprKind::StrArray(bytes) => literal::string(bytes.strip_suffix(&[0]).unwrap_or(bytes)),
        ExprKind::WideStrArray(chars) => braces(chars.iter().map(|c| c.to_string())),
        ExprKind::Zero => match types.kind(e.ty) {
            TyKind::Aggr(_) | TyKind::Tuple(_) | TyKind::Array { .. } | TyKind::Variant(..) => "{}".into(),
            _ => "0".into(),
        },
        ExprKind::Variant { datatype, variant, args } => {
            let tag = cx.types.tag_value(*datatype, *variant);
            let args = args.iter().enumerate().map(|(i, arg)| part(cx, arg, e.ty, i as u32));
            braces(std::iter::once(tag).chain(args))
        }
        ExprKind::Read(place) => match &place.kind {
            PlaceKind::Temp(value) => initialiser(cx, value),
            _ => scalar(cx, e),
        },
        ExprKind::Coerce(Coercion::Retype, inner)
            if matches!(types.kind(e.ty), TyKind::Aggr(_) | TyKind::Tuple(_) | TyKind::Array { .. }) =>
        {
            initialiser(cx, inner)
        }
        _ => scalar(cx, e),
    }
}

/// The initialiser of a part of an object of type `of`: its type in C may be a representative of its own.
fn part(cx: &Unit, e: &Expr, of: Ty, index: u32) -> String {
    let text = initialiser(cx, e);
    match cx.types.declared_otherwise(PlaceTy::Of(of.into()), index, e.ty) {
        Some(declared) if cx.unit.types.shape(e.ty).is_some() => {
            let value = crate::ctree::Expr::name(format!("({text})"));
            print::constant(&cx.types.retyped(value, e.ty, declared))
        }
        _ => text,
    }
}

fn braces(parts: impl Iterator<Item = String>) -> String {
    let mut out = String::from("{");
    for (i, part) in parts.enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        out.push_str(&part);
    }
    out.push('}');
    out
}

fn strip(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Coerce(Coercion::Arith | Coercion::Retype, inner) => strip(inner),
        _ => e,
    }
}

/// A constant scalar that is not a fat pointer.
fn scalar(cx: &Unit, e: &Expr) -> String {
    let types = &cx.unit.types;
    let cast = |inner: String| format!("({}){inner}", cx.types.text(e.ty));
    match &e.kind {
        ExprKind::Int(value) => print::constant(&literal::int(types, *value, e.ty, true)),
        ExprKind::Float(digits) => print::constant(&literal::float(types, digits.as_str(), e.ty)),
        ExprKind::Null => "0".into(),
        ExprKind::Str(bytes) => cast(literal::string(bytes)),
        ExprKind::WideStr(chars) => cast(literal::wide(chars)),
        ExprKind::FunctionAddr(id, args) => cast(format!("(cyc_code){}", cx.function_name(*id, *args))),
        ExprKind::AddrOf(place) => {
            let decays = matches!(types.kind(place.qty.ty), TyKind::Array { .. });
            cast(format!("({}{})", if decays { "" } else { "&" }, place_text(cx, place)))
        }
        ExprKind::Coerce(coercion, inner) => match coercion {
            Coercion::FatToThin => match fat(cx, inner) {
                Some(Fat { base, at, .. }) => cast(format!("(({}){base} + {at})", cx.types.text(e.ty))),
                None => "0".into(),
            },
            Coercion::Arith => match cx.int_of_float(inner.ty, e.ty) {
                Some(text) => format!("CYC_CONSTANT_TO_INT({text}, {})", scalar(cx, inner)),
                None => cast(format!("({})", scalar(cx, inner))),
            },
            _ => cast(format!("({})", initialiser(cx, inner))),
        },
        ExprKind::Unary(op, inner) => {
            let op = match op {
                UnOp::Neg => "-",
                UnOp::Plus => "+",
                UnOp::BitNot => "~",
                UnOp::Not => "!",
            };
            format!("({op} {})", scalar(cx, inner))
        }
        ExprKind::Not(inner) => format!("(!{})", scalar(cx, inner)),
        ExprKind::Binary(op, a, b) => format!("({} {} {})", scalar(cx, a), op.text(), scalar(cx, b)),
        ExprKind::And(a, b) => format!("({} && {})", scalar(cx, a), scalar(cx, b)),
        ExprKind::Or(a, b) => format!("({} || {})", scalar(cx, a), scalar(cx, b)),
        ExprKind::Cond(c, a, b) => format!("({} ? {} : {})", scalar(cx, c), scalar(cx, a), scalar(cx, b)),
        ExprKind::Comma(_, b) => scalar(cx, b),
        ExprKind::Read(place) => place_text(cx, place),
        _ => "0".into(),
    }
}

/// A place with a constant address.
fn place_text(cx: &Unit, place: &Place) -> String {
    let types = &cx.unit.types;
    match &place.kind {
        PlaceKind::Global(id) => cx.names.global(*id).into_owned(),
        PlaceKind::Field(inner, index) => match types.kind(inner.qty.ty) {
            TyKind::Aggr(id) => format!("{}.{}", place_text(cx, inner), cx.types.field(*id, *index)),
            _ => format!("{}.f{index}", place_text(cx, inner)),
        },
        PlaceKind::Component(inner, index) => format!("{}.f{index}", place_text(cx, inner)),
        PlaceKind::Element(inner, index) => format!("{}[{}]", place_text(cx, inner), scalar(cx, index)),
        PlaceKind::Deref(pointer) => format!("(*{})", scalar(cx, pointer)),
        PlaceKind::Index(pointer, index) => format!("{}[{}]", scalar(cx, pointer), scalar(cx, index)),
        // A compound literal outside of functions has static storage.
        PlaceKind::Temp(value) => {
            let text = initialiser(cx, value);
            let text = if text.starts_with('{') { text } else { format!("{{{text}}}") };
            format!("({}){text}", cx.types.text(place.qty.ty))
        }
        PlaceKind::Local(_) => "0".into(),
    }
}

/// The parts of a constant fat pointer; None for null.
fn fat(cx: &Unit, e: &Expr) -> Option<Fat> {
    let types = &cx.unit.types;
    match &e.kind {
        ExprKind::Coerce(Coercion::ThinToFat, inner) => {
            if matches!(strip(inner).kind, ExprKind::Null) {
                return None;
            }
            let len = match types.as_pointer(inner.ty)?.bound {
                Bound::Thin(len) => len,
                Bound::Fat | Bound::Sized(_) => 1,
            };
            Some(Fat { base: scalar(cx, inner), at: "0".into(), len: len.to_string() })
        }
        ExprKind::Coerce(Coercion::ZerotermToFat, inner) => {
            let ExprKind::Str(bytes) = &strip(inner).kind else { return None };
            Some(Fat { base: scalar(cx, inner), at: "0".into(), len: (bytes.len() + 1).to_string() })
        }
        ExprKind::Coerce(Coercion::FatDropZero, inner) => {
            let fat = fat(cx, inner)?;
            Some(Fat { len: format!("({} - 1)", fat.len), ..fat })
        }
        ExprKind::Coerce(Coercion::FatToBytes, inner) => {
            let to: Ty = types.as_pointer(inner.ty)?.to.ty;
            let fat = fat(cx, inner)?;
            let mut len = fat.len;
            let _ = write!(len, " * sizeof({})", cx.types.text(to));
            let at = format!("({}) * (int)sizeof({})", fat.at, cx.types.text(to));
            Some(Fat { at, len, ..fat })
        }
        ExprKind::Coerce(_, inner) => fat(cx, inner),
        ExprKind::PtrAdd { ptr, index, negate } => {
            let ExprKind::Int(index) = strip(index).kind else { return None };
            let fat = fat(cx, ptr)?;
            let sign = if *negate { '-' } else { '+' };
            Some(Fat { at: format!("{} {sign} {index}", fat.at), ..fat })
        }
        ExprKind::Comma(_, inner) => fat(cx, inner),
        _ => None,
    }
}
