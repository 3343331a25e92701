//! Places: their types, and their names in messages.

use cyc_check::tast::TypedUnit;
use cyc_mir::mir::*;
use cyc_types::{Ty, TyKind};

/// The type of what lies at one projection of something of type `ty`.
pub fn step(unit: &TypedUnit, ty: Ty, proj: &Proj) -> Ty {
    match (unit.types.kind(ty), proj) {
        (TyKind::Pointer(ptr), Proj::Deref(_)) => ptr.to.ty,
        (TyKind::Array { elem, .. }, Proj::Element(_)) => elem.ty,
        (TyKind::Aggr(_) | TyKind::Tuple(_), Proj::Field(i)) => part(unit, ty, *i).unwrap_or(Ty::ERROR),
        (TyKind::Variant(datatype, variant), Proj::Field(i)) => {
            let variant = &unit.types.datatype(*datatype).variants[*variant as usize];
            variant.fields.get(*i as usize).map_or(Ty::ERROR, |field| field.ty)
        }
        _ => Ty::ERROR,
    }
}

fn part(unit: &TypedUnit, ty: Ty, i: u32) -> Option<Ty> {
    match unit.types.kind(ty) {
        TyKind::Aggr(id) => Some(unit.types.fields(unit.types.packed_aggr(*id))?.get(i as usize)?.qty.ty),
        TyKind::Tuple(parts) => Some(parts.get(i as usize)?.ty),
        _ => None,
    }
}

/// The parts that are tracked one by one: a struct's fields, a tuple's components. Everything else
/// (unions, arrays, scalars) is one place.
pub fn parts(unit: &TypedUnit, ty: Ty) -> Vec<Ty> {
    match unit.types.kind(ty) {
        TyKind::Aggr(id) if !unit.types.aggr(*id).is_union => {
            let fields = unit.types.fields(unit.types.packed_aggr(*id));
            fields.unwrap_or_default().iter().map(|field| field.qty.ty).collect()
        }
        TyKind::Tuple(parts) => parts.iter().map(|part| part.ty).collect(),
        _ => vec![],
    }
}

pub fn base_type(unit: &TypedUnit, body: &Body, base: Base) -> Ty {
    match base {
        Base::Local(local) => body.locals[local.0 as usize].qty.ty,
        Base::Global(global) => unit.global(global).qty.ty,
    }
}

/// The type of a place.
pub fn type_of(unit: &TypedUnit, body: &Body, place: &Place) -> Ty {
    place.proj.iter().fold(base_type(unit, body, place.base), |ty, proj| step(unit, ty, proj))
}

/// The type of an operand.
pub fn operand_type(unit: &TypedUnit, body: &Body, operand: &Operand) -> Ty {
    match operand {
        Operand::Copy(place) => type_of(unit, body, place),
        Operand::Const(constant) => match constant {
            Const::Int(_, ty)
            | Const::Float(_, ty)
            | Const::Null(ty)
            | Const::Str(_, ty)
            | Const::WideStr(_, ty)
            | Const::Function(_, _, ty)
            | Const::Global(_, ty)
            | Const::Variant(.., ty)
            | Const::Zero(ty) => *ty,
            Const::SizeOf(_) | Const::AlignOf(_) => Ty::ULONG,
        },
    }
}

/// The place as the programmer wrote it, as far as it has names.
pub fn describe(unit: &TypedUnit, body: &Body, place: &Place) -> Option<String> {
    let (mut text, mut ty) = match place.base {
        Base::Local(local) => (body.locals[local.0 as usize].name?.to_string(), body.locals[local.0 as usize].qty.ty),
        Base::Global(global) => (unit.global(global).name.to_string(), unit.global(global).qty.ty),
    };
    let mut through = false;
    for proj in &place.proj {
        match proj {
            Proj::Deref(None) => through = true,
            Proj::Field(i) => {
                let name = match unit.types.kind(ty) {
                    TyKind::Aggr(id) => unit.types.fields(*id)?.get(*i as usize)?.name?.to_string(),
                    _ => format!("f{i}"),
                };
                text = format!("{text}{}{name}", if std::mem::take(&mut through) { "->" } else { "." });
            }
            Proj::Deref(Some(_)) | Proj::Element(_) => text.push_str("[…]"),
            Proj::Variant(..) => {}
        }
        ty = step(unit, ty, proj);
    }
    Some(if through { format!("*{text}") } else { text })
}

/// Does the place mention the local, as its base or in a subscript?
pub fn mentions(place: &Place, local: Local) -> bool {
    place.base == Base::Local(local)
        || place.proj.iter().any(|proj| match proj {
            Proj::Deref(Some(Operand::Copy(index))) | Proj::Element(Operand::Copy(index)) => mentions(index, local),
            Proj::Deref(None | Some(Operand::Const(_))) | Proj::Element(Operand::Const(_)) => false,
            Proj::Field(_) | Proj::Variant(..) => false,
        })
}

/// Does the place keep its value until something writes to it, so that facts can be kept about it: is it a variable, or
/// reached from one by fields and plain dereferences, nothing of it volatile and no member of a union (writing one
/// member changes the others)?
pub fn is_steady(unit: &TypedUnit, body: &Body, place: &Place) -> bool {
    let qty = match place.base {
        Base::Local(local) => body.locals[local.0 as usize].qty,
        Base::Global(global) => unit.global(global).qty,
    };
    let mut ty = qty.ty;
    !qty.is_volatile
        && place.proj.iter().all(|proj| {
            let steady = match (unit.types.kind(ty), proj) {
                (TyKind::Pointer(ptr), Proj::Deref(None)) => !ptr.to.is_volatile,
                (TyKind::Aggr(id), Proj::Field(i)) => {
                    let aggr = unit.types.aggr(*id);
                    let field = unit.types.fields(*id).and_then(|fields| fields.get(*i as usize));
                    !aggr.is_union && field.is_some_and(|field| !field.qty.is_volatile)
                }
                (_, Proj::Field(_)) => true,
                (_, Proj::Deref(_) | Proj::Element(_) | Proj::Variant(..)) => false,
            };
            ty = step(unit, ty, proj);
            steady
        })
}

/// Every local that the place mentions.
pub fn each_local_of(place: &Place, f: &mut impl FnMut(Local)) {
    if let Base::Local(local) = place.base {
        f(local);
    }
    for proj in &place.proj {
        if let Proj::Deref(Some(Operand::Copy(index))) | Proj::Element(Operand::Copy(index)) = proj {
            each_local_of(index, f);
        }
    }
}
