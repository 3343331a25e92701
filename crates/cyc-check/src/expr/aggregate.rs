//! Values of structs, tuples and datatype variants (core, section 5.9).

use crate::coerce::{Want, Why};
use crate::cx::Checker;
use crate::errors;
use crate::init::Rest;
use crate::scope::{Tag, nearest};
use crate::tast::{Expr, ExprKind};
use cyc_base::Span;
use cyc_syntax::ast::{self, InitList};
use cyc_types::{AggrId, DatatypeId, QTy, Ty, TyKind};
use std::rc::Rc;

impl Checker<'_> {
    /// `S{…}`, the `struct` keyword omitted; `S` may also be a typedef of a struct.
    pub(crate) fn check_struct_value(
        &mut self,
        name: &ast::Name,
        args: &[Rc<ast::Type>],
        items: &InitList,
        want: Want,
        span: Span,
    ) -> Expr {
        let Some(ty) = self.struct_named(name) else { return Expr::error(span) };
        let ty = self.instance_wanted(ty, want);
        let value = match args {
            [] => self.list_value(items, ty.into(), Rest::Required),
            args => self.check_package(items, args, ty, span),
        };
        Expr { span, ..value }
    }

    /// The instance of a struct that an expression means which only names it: the one that is expected, or one to be
    /// inferred. The arguments that `ty` itself has tell which of its parameters are free.
    fn instance_wanted(&mut self, ty: Ty, want: Want) -> Ty {
        let TyKind::Aggr(id) = *self.kind_of(ty) else { return ty };
        if let Some(TyKind::Aggr(wanted)) = want.ty().map(|ty| self.kind_of(ty).clone())
            && self.unit.types.is_own_aggr(id)
            && self.unit.types.same_aggr_def(id, wanted)
        {
            return self.unit.types.intern(TyKind::Aggr(wanted));
        }
        if !self.unit.types.is_own_aggr(id) || self.unit.types.aggr(id).params.is_empty() {
            return ty;
        }
        let params = self.unit.types.aggr(id).params.clone();
        let args = self.fresh_args(&params, Span::NONE);
        let args = self.unit.types.intern_args(args);
        self.unit.types.intern(TyKind::Aggr(self.unit.types.aggr_instance(id, args)))
    }

    /// `S(e1, …)`: the positional spelling of `S{e1, …}`.
    pub(crate) fn check_positional_struct(
        &mut self,
        name: &ast::Name,
        args: &[ast::Expr],
        want: Want,
        span: Span,
    ) -> Expr {
        let list = super::open_struct::positional(args, span);
        self.check_struct_value(name, &[], &list, want, span)
    }

    /// The struct or union type of that tag or typedef name; an error if there is none.
    pub(crate) fn struct_named(&mut self, name: &ast::Name) -> Option<Ty> {
        if let Some(Tag::Aggr(id)) = self.lookup_tag(name).ok()? {
            return self.complete_struct(id, name.span);
        }
        if let Some(id) = self.lookup_typedef(name) {
            let (ty, params) = (self.names.typedef(id).qty.ty, self.names.typedef(id).params.clone());
            let args = self.fresh_args(&params, name.span);
            let ty = self.unit.types.substitute_own(ty, &args);
            match *self.kind_of(ty) {
                TyKind::Aggr(id) => return self.complete_struct(id, name.span),
                TyKind::Error => return None,
                _ => {}
            }
        }
        if name.as_ident().is_none() {
            self.report(errors::decl::not_in_namespace(name));
            return None;
        }
        let near = nearest(name.name, self.names.visible_tags());
        self.report(errors::expr::no_struct(name.span, name.name, near));
        None
    }

    fn complete_struct(&mut self, id: AggrId, span: Span) -> Option<Ty> {
        let ty = self.unit.types.intern(TyKind::Aggr(id));
        let aggr = self.unit.types.aggr(id);
        if aggr.fields.is_none() {
            let (shown, declared) = (self.show(ty), aggr.span);
            self.report(errors::expr::incomplete(span, span, &shown, declared));
            return None;
        }
        Some(ty)
    }

    /// `$(e1, …)`
    pub(crate) fn check_tuple(&mut self, parts: &[ast::Expr], want: Want, span: Span) -> Expr {
        let wanted = want.ty().and_then(|ty| match self.kind_of(ty) {
            TyKind::Tuple(qs) if qs.len() == parts.len() => Some((self.resolve(ty), qs.clone())),
            _ => None,
        });
        let mut values = vec![];
        let mut types = vec![];
        for (i, part) in parts.iter().enumerate() {
            let value = match &wanted {
                Some((_, qs)) => self.check_rvalue_to(part, qs[i].ty, Why::Component),
                None => self.check_expr(part, Want::None),
            };
            if value.ty == Ty::VOID {
                self.report(errors::coerce::void_value(value.span));
                return Expr::error(span);
            }
            types.push(QTy::from(self.resolve(value.ty)));
            values.push((i as u32, value));
        }
        if values.iter().any(|(_, v)| v.is_error()) {
            return Expr::error(span);
        }
        let ty = match wanted {
            Some((ty, _)) => ty,
            None => self.unit.types.intern(TyKind::Tuple(types.into())),
        };
        Expr { kind: ExprKind::Aggregate(values), ty, span }
    }

    /// `V(e…)`: a value of one variant of a datatype.
    pub(crate) fn check_variant_value(
        &mut self,
        datatype: DatatypeId,
        variant: u32,
        args: &[ast::Expr],
        span: Span,
    ) -> Expr {
        let datatype = self.fresh_datatype(datatype, span);
        let shape = &self.unit.types.datatype(datatype).variants[variant as usize];
        let (name, declared) = (shape.name, shape.span);
        let fields = self.unit.types.variant_fields(datatype, variant).unwrap_or_default().to_vec();
        if args.len() != fields.len() {
            self.report(errors::expr::constructor_arguments(span, name, fields.len(), args.len(), declared));
            return self.check_args_anyway(args, span);
        }
        let args: Vec<Expr> =
            args.iter().zip(&fields).map(|(a, f)| self.check_rvalue_to(a, f.ty, Why::Component)).collect();
        if args.iter().any(Expr::is_error) {
            return Expr::error(span);
        }
        let ty = self.unit.types.intern(TyKind::Variant(datatype, variant));
        Expr { kind: ExprKind::Variant { datatype, variant, args }, ty, span }
    }
}
