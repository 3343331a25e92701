//! Uses of type variables, and the kinds of types (core, section 3.2).

use super::Position;
use super::kinds::is_reserved;
use crate::cx::Checker;
use crate::errors;
use cyc_base::{Span, Symbol};
use cyc_syntax::ast;
use cyc_types::{Bound, IntTy, Kind, Part, Ty, TyKind, TyParam, Var};

impl Checker<'_> {
    /// A type variable in the place of a type.
    pub(super) fn resolve_variable(&mut self, var: &ast::TypeVar, at: Position) -> Ty {
        if is_reserved(var.name) {
            self.report(errors::poly::region_as_type(var.span, var.name));
            return Ty::ERROR;
        }
        let Some((found, param)) = self.find_variable(var, at) else { return Ty::ERROR };
        if !param.kind.is_type() {
            self.report(errors::poly::wrong_kind(var.span, var.name, param.kind, "a type"));
            return Ty::ERROR;
        }
        self.unit.types.intern(TyKind::Var(found))
    }

    /// The variable that an occurrence means, its written kind agreeing; an error if there is none.
    pub(super) fn find_variable(&mut self, var: &ast::TypeVar, at: Position) -> Option<(Var, TyParam)> {
        let Some((found, param)) = self.visible_variable(var.name, at) else {
            self.report(errors::poly::unbound(var.span, var.name));
            return None;
        };
        if let Some(written) = self.written_kind(var)
            && written != param.kind
            && written != Kind::M
        {
            self.report(errors::poly::kind_differs(var.span, var.name, written, param.kind));
        }
        if var.alias.is_some() && (matches!(found, Var::Param(_)) || at == Position::Typedef) {
            self.report(errors::poly::bound_out_of_place(var.span, var.name));
            return None;
        }
        Some((found, param))
    }

    /// The variable of that name: of a declaration around the type, or of the function being checked. What outlives
    /// the function cannot speak of its variables.
    pub(super) fn visible_variable(&self, name: Symbol, at: Position) -> Option<(Var, TyParam)> {
        if let Some(found) = self.binders.lookup(name) {
            return Some(found);
        }
        if !matches!(at, Position::Local | Position::Cast | Position::Typedef) && !self.binders.nested {
            return None;
        }
        let index = self.names.tyvar(name)?;
        Some((Var::Param(index), *self.func.params.get(index as usize)?))
    }

    /// The kind of a type: how its values may be used. A type that is still to be inferred has the kind that it is
    /// wanted for.
    pub fn type_kind(&self, ty: Ty) -> Kind {
        let ty = self.resolve(ty);
        let types = &self.unit.types;
        match types.kind(ty) {
            TyKind::Error => Kind::B,
            TyKind::Infer(vid) => self.func.infer.kind(*vid),
            TyKind::Var(var) => self.declared_param(*var).map_or(Kind::B, |p| p.kind),
            TyKind::Abstract(id, _) => types.abstract_type(*id).kind,
            TyKind::Int(IntTy::Int | IntTy::UInt | IntTy::Long | IntTy::ULong)
            | TyKind::Enum(_)
            | TyKind::Tag(_)
            | TyKind::Handle(_)
            | TyKind::AqualHandle(_) => Kind::B,
            TyKind::Pointer(ptr) if ptr.bound == Bound::Fat => Kind::M,
            TyKind::Pointer(_) => Kind::B,
            TyKind::Bool | TyKind::Int(_) | TyKind::Float(_) | TyKind::Complex(_) | TyKind::VaList => Kind::M,
            TyKind::Void | TyKind::Function(_) | TyKind::Datatype(_) => Kind::A,
            TyKind::Variant(..) | TyKind::Tuple(_) => Kind::M,
            TyKind::Array { len: None, .. } | TyKind::OpenArray { .. } => Kind::A,
            // (Not as a maximum: of a function that ends in `max(itself, M)` rustc 1.95 believes that it never returns B.)
            TyKind::Array { elem, .. } if self.type_kind(elem.ty) == Kind::A => Kind::A,
            TyKind::Array { .. } => Kind::M,
            TyKind::Aggr(id) => {
                let fields = types.fields(*id).unwrap_or_default();
                if !types.is_complete(ty) {
                    return Kind::A;
                }
                // Only a variable can make a part that is not sized: every other field was checked.
                let open = types.aggr(*id).params.iter().any(|p| p.kind == Kind::A);
                let unsized_field = |ty| !matches!(self.kind_of(ty), TyKind::Infer(_)) && self.type_kind(ty) == Kind::A;
                match open && fields.iter().any(|f| unsized_field(f.qty.ty)) {
                    true => Kind::A,
                    false => Kind::M,
                }
            }
        }
    }

    /// Does a type variable occur in the type?
    pub(crate) fn mentions_variable(&self, ty: Ty) -> bool {
        let ty = self.final_type(ty);
        let types = &self.unit.types;
        types.any_part(ty, &mut |part| matches!(part, Part::Type(ty) if matches!(types.kind(ty), TyKind::Var(_))))
    }

    /// Does the type fit a parameter of that kind? Reports an error if not.
    pub(crate) fn require_kind(&mut self, ty: Ty, param: TyParam, span: Span) -> bool {
        if let TyKind::Infer(vid) = *self.kind_of(ty) {
            self.func.infer.narrow(vid, param.kind);
            return true;
        }
        let have = self.type_kind(ty);
        if have.fits(param.kind) {
            if matches!(self.unit.types.kind(ty), TyKind::Enum(_)) && !self.unit.types.is_complete(ty) {
                self.decls.forward_enums.push((ty, span));
            }
            return true;
        }
        let shown = self.show(ty);
        self.report(errors::poly::type_of_wrong_kind(span, &shown, have, param));
        false
    }
}
