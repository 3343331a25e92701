//! Enumerations (core, section 3.12).

use crate::cx::Checker;
use crate::errors;
use crate::scope::{Entity, Tag};
use cyc_base::{Span, Symbol};
use cyc_syntax::ast::{self, Ident};
use cyc_types::{Enum, EnumId, IntTy, Ty, TyKind};

impl Checker<'_> {
    /// `enum E { A, B = e, … }`: declares the tag and the constants. Without `= e` a constant is one
    /// more than the one before, the first 0.
    pub(crate) fn define_enum(&mut self, def: &ast::EnumDef) -> Ty {
        if let Some(&known) = self.decls.defined.get(&def.id) {
            return known;
        }
        let (name, namespace) = match &def.name {
            Some(name) => match self.declared_name(name) {
                Some((ident, namespace)) => (ident.name, namespace),
                None => return Ty::ERROR,
            },
            None => (self.decls.anonymous_tag(), self.names.target()),
        };
        self.in_namespace(namespace, |c| c.define_enum_here(def, name))
    }

    fn define_enum_here(&mut self, def: &ast::EnumDef, name: Symbol) -> Ty {
        let (anonymous, span) = (def.name.is_none(), def.name.as_ref().map_or(def.span, |n| n.span));
        let before = if anonymous { None } else { self.names.tag_here(name) };
        let id = match before {
            Some((Tag::Enum(old), _)) if self.unit.types.enumeration(old).items.is_some() => {
                return self.repeat_enum(def, name, old);
            }
            Some((Tag::Enum(declared), _)) => {
                self.unit.types.enums[declared.0 as usize].span = span;
                declared
            }
            Some((tag, _)) => {
                let (word, before) = self.describe_tag(tag);
                self.report(errors::decl::tag_of_another_kind(span, name, "enum", word, before));
                self.new_enum(name, anonymous, span)
            }
            None if !anonymous => self.declare_enum(name, span),
            None => self.new_enum(name, anonymous, span),
        };
        let ty = self.unit.types.intern(TyKind::Enum(id));
        self.decls.defined.insert(def.id, ty);
        let items = self.enumerators(def, ty, false);
        let enumeration = &mut self.unit.types.enums[id.0 as usize];
        enumeration.underlying = underlying(&items);
        enumeration.items = Some(items);
        ty
    }

    /// A definition that was there before: read as a new one and compared.
    fn repeat_enum(&mut self, def: &ast::EnumDef, name: Symbol, old: EnumId) -> Ty {
        let ty = self.unit.types.intern(TyKind::Enum(old));
        let items = self.enumerators(def, ty, true);
        if items != self.unit.types.enumerators(old) {
            let (span, before) =
                (def.name.as_ref().map_or(def.span, |n| n.span), self.unit.types.enumeration(old).span);
            self.report(errors::decl::redefined_type(span, &format!("enum {name}"), before));
        }
        self.decls.defined.insert(def.id, ty);
        ty
    }

    /// An enumeration of that tag, in the current scope, without constants as yet.
    pub(crate) fn declare_enum(&mut self, name: Symbol, span: Span) -> EnumId {
        let id = self.new_enum(name, false, span);
        self.names.declare_tag(name, Tag::Enum(id), span);
        id
    }

    fn new_enum(&mut self, name: Symbol, anonymous: bool, span: Span) -> EnumId {
        let id = EnumId(self.unit.types.enums.len() as u32);
        let shown = if anonymous { name } else { self.names.qualified(name) };
        self.unit.types.enums.push(Enum { name: shown, anonymous, items: None, underlying: IntTy::UInt, span });
        id
    }

    /// Is the type an enumeration without definition as yet, whose values nobody knows? Reports an error if it is.
    pub(crate) fn require_defined_enum(&mut self, ty: Ty, span: Span) -> bool {
        let TyKind::Enum(id) = *self.kind_of(ty) else { return true };
        let enumeration = self.unit.types.enumeration(id);
        if enumeration.items.is_some() {
            return true;
        }
        let (name, declared) = (enumeration.name, enumeration.span);
        self.report(errors::types::incomplete_enum(span, name, declared));
        false
    }

    /// Enumerations that types were instantiated with before they were defined: how large their values are is known at
    /// the end of the unit.
    pub(crate) fn check_forward_enums(&mut self) {
        for (ty, span) in std::mem::take(&mut self.decls.forward_enums) {
            self.require_defined_enum(ty, span);
        }
    }

    /// The constants with their values; declares them unless they repeat a definition.
    fn enumerators(&mut self, def: &ast::EnumDef, ty: Ty, repeated: bool) -> Vec<(Symbol, i64)> {
        let mut items = vec![];
        let mut next: i128 = 0;
        for item in &def.items {
            let Some((ident, namespace)) = self.declared_name(&item.name) else { continue };
            if let Some(e) = &item.value {
                let not_constant = |span| errors::decl::enumerator_not_constant(span, ident.name);
                next = self.require_const_int(e, not_constant).unwrap_or(next);
            }
            // Values of `unsigned long` above the signed range keep their bits.
            let Ok(value) = i64::try_from(next).or_else(|_| u64::try_from(next).map(|v| v as i64)) else {
                self.report(errors::decl::enumerator_too_large(ident.span, ident.name));
                next = 0;
                continue;
            };
            items.push((ident.name, value));
            if !repeated {
                let entity = Entity::Enumerator { ty, value: next };
                self.in_namespace(namespace, |c| c.declare_enumerator(ident, entity));
            }
            next += 1;
        }
        items
    }
}

impl Checker<'_> {
    fn declare_enumerator(&mut self, ident: Ident, entity: Entity) {
        if let Some((other, before)) = self.names.value_here(ident.name) {
            let old = self.describe_entity(other);
            self.report(errors::decl::another_kind_of_name(ident, "an enumeration constant", before, old));
        }
        self.names.declare_value(ident.name, entity, ident.span);
        if self.decls.extern_c {
            self.names.declare_c_value(ident.name, entity, ident.span);
        }
    }
}

/// The integer type that represents the enumeration, as gcc chooses: the first of `unsigned int`,
/// `int`, `unsigned long`, `long` that holds all values, the unsigned ones only without negative values.
fn underlying(items: &[(Symbol, i64)]) -> IntTy {
    let negative = items.iter().any(|(_, v)| *v < 0);
    let fits = |int: IntTy| items.iter().all(|(_, v)| int.holds(i128::from(*v)));
    match negative {
        false if fits(IntTy::UInt) => IntTy::UInt,
        true if fits(IntTy::Int) => IntTy::Int,
        false => IntTy::ULong,
        true => IntTy::Long,
    }
}
