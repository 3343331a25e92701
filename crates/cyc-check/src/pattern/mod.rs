//! Patterns (core, section 7).

mod aggregate;
mod constant;
pub mod exhaust;
mod reference;

use crate::coerce::{KindExt, Why};
use crate::cx::Checker;
use crate::errors;
use crate::scope::Entity;
use crate::stmt::alias::Alias;
use crate::tast::{Pattern, PatternKind};
use cyc_base::{Span, Symbol};
use cyc_syntax::ast::{self, Ident, PatternKind as Ast};
use cyc_types::{QTy, Ty, TyKind};
pub(crate) use reference::Bar;
use reference::Spot;

/// The variables that a pattern has bound so far.
type Seen = Vec<(Symbol, Span)>;

impl Checker<'_> {
    /// A pattern against values of type `ty`. Its variables are declared in the current scope.
    pub fn check_pattern(&mut self, pattern: &ast::Pattern, ty: Ty) -> Pattern {
        self.pattern(pattern, Spot::outermost(ty), &mut vec![])
    }

    fn pattern(&mut self, p: &ast::Pattern, at: Spot, seen: &mut Seen) -> Pattern {
        let ty = self.resolve(at.ty);
        let at = at.typed(ty);
        let span = p.span;
        let kind = match &p.kind {
            Ast::Wild => Some(PatternKind::Wild),
            Ast::Const(e) => self.constant_pattern(e, ty),
            Ast::Null => self.null_pattern(ty, span),
            Ast::Name(name) => return self.name_pattern(name, at, span, seen),
            Ast::As(name, inner) => {
                let local = self.bind_variable(*name, at, seen);
                let inner = self.pattern(inner, at, seen);
                local.map(|local| PatternKind::As(local, Box::new(inner)))
            }
            Ast::Pointer(inner) => self.pointer_pattern(inner, at, span, seen),
            Ast::Tuple(fields) => self.tuple_pattern(fields, at, span, seen),
            Ast::Call(name, parts, rest) => self.call_pattern(name, parts, *rest, at, span, seen),
            Ast::Struct { name, args, fields } => self.struct_pattern(name.as_ref(), args, fields, at, span, seen),
            Ast::Ref(name, inner) => self.reference_pattern(*name, inner.as_deref(), at, span, seen),
            Ast::Tag(name, var) => self.tag_pattern(*name, var.as_ref(), ty, span, seen),
            Ast::Alias { var, ty, name } => {
                let alias = Alias { var, ty, name: *name };
                let local = if self.is_new(*name, seen) { self.alias_pattern(alias, at.ty, span) } else { None };
                local.map(PatternKind::Alias)
            }
            Ast::Error => None,
        };
        match kind {
            Some(kind) => Pattern { kind, ty, span },
            None => Pattern { kind: PatternKind::Wild, ty: Ty::ERROR, span },
        }
    }

    /// Does the pattern bind no other variable of that name?
    fn is_new(&mut self, name: Ident, seen: &mut Seen) -> bool {
        let before = seen.iter().find(|(n, _)| *n == name.name).map(|(_, span)| *span);
        match before {
            Some(before) => self.report(errors::pattern::repeated_variable(name, before)),
            None => seen.push((name.name, name.span)),
        }
        before.is_none()
    }

    /// A variable that copies the value it matches.
    fn bind_variable(&mut self, name: Ident, at: Spot, seen: &mut Seen) -> Option<crate::tast::LocalId> {
        if !self.is_new(name, seen) {
            return None;
        }
        let ty = at.ty;
        let why = Why::Value.flow(name.span);
        let held = match self.kind_of(ty) {
            TyKind::Error | TyKind::Infer(_) => ty,
            TyKind::Array { .. } | TyKind::OpenArray { .. } if at.address().is_some() => self.pointer_to_array(at),
            TyKind::Array { .. } | TyKind::OpenArray { .. } => {
                self.report(errors::pattern::array_variable(name));
                Ty::ERROR
            }
            _ if !self.is_sized(ty) => {
                let found = self.show(ty);
                self.report(errors::pattern::abstract_variable(name, &found));
                Ty::ERROR
            }
            _ => self.settle(ty, why),
        };
        Some(self.declare_local(name, QTy::from(held)))
    }

    /// `` n<`i> ``: a variable that holds the integer, which gets a name that types can speak of.
    fn tag_pattern(
        &mut self,
        name: Ident,
        var: Option<&ast::TypeVar>,
        ty: Ty,
        span: Span,
        seen: &mut Seen,
    ) -> Option<PatternKind> {
        if !self.is_new(name, seen) {
            return None;
        }
        let size = self.unpacked_size(name, var, span)?;
        let is_tag = matches!(self.kind_of(ty), TyKind::Tag(_));
        let tag = match self.kind_of(ty) {
            TyKind::Error => Ty::ERROR,
            kind if kind.is_integral() || matches!(kind, TyKind::Tag(_)) => self.unit.types.intern(TyKind::Tag(size)),
            _ => {
                let found = self.show(ty);
                self.report(errors::pattern::mismatch(span, "a tag pattern, which matches integers,", &found));
                Ty::ERROR
            }
        };
        let local = self.declare_local(name, QTy { ty: tag, is_const: true, is_volatile: false });
        let binds = if is_tag { PatternKind::Bind } else { PatternKind::Tag };
        (tag != Ty::ERROR).then_some(binds(local))
    }

    /// A name: the constructor or enumeration constant that it denotes, else a fresh variable.
    fn name_pattern(&mut self, name: &ast::Name, at: Spot, span: Span, seen: &mut Seen) -> Pattern {
        let ty = at.ty;
        let error = Pattern { kind: PatternKind::Wild, ty: Ty::ERROR, span };
        match self.lookup(name) {
            Some(Entity::Enumerator { value, .. }) => {
                let kind = self.kind_of(ty);
                if !kind.is_integral() && ty != Ty::ERROR {
                    let found = self.show(ty);
                    self.report(errors::pattern::mismatch(span, "an enumeration constant", &found));
                    return error;
                }
                Pattern { kind: PatternKind::Int(value), ty, span }
            }
            Some(Entity::Variant(datatype, variant)) => {
                match self.variant_pattern((datatype, variant), &[], false, at, span, seen) {
                    Some(kind) => Pattern { kind, ty, span },
                    None => error,
                }
            }
            Some(Entity::Error) if name.as_ident().is_none() => error,
            _ if name.as_ident().is_none() => {
                self.report(errors::decl::not_in_namespace(name));
                error
            }
            _ => {
                let ident = Ident { name: name.name, span: name.span };
                match self.bind_variable(ident, at, seen) {
                    Some(local) => Pattern { kind: PatternKind::Bind(local), ty, span },
                    None => error,
                }
            }
        }
    }
}
