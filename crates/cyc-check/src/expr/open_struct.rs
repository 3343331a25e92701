//! Structs that end in a datatype (core, section 3.11).

use crate::coerce::Why;
use crate::cx::Checker;
use crate::errors;
use crate::init::Rest;
use crate::scope::{Entity, Tag};
use crate::tast::{Expr, ExprKind, NewInit};
use cyc_base::{Span, Symbol};
use cyc_syntax::ast::{self, ExprKind as Ast, Init, InitItem, InitList};
use cyc_types::{Aqual, Bound, PtrTy, QTy, Region, Ty, TyKind};

impl Checker<'_> {
    /// `new S{a, V(b)}`, `S` a struct that ends in a datatype: what is allocated is the tuple of the fields with the
    /// variant in the datatype's place, and the pointer to it converts (core, section 4.3). None: not such a value.
    pub(super) fn new_open_struct(&mut self, e: &ast::Expr, span: Span) -> Option<Expr> {
        let (name, list) = match &e.kind {
            Ast::StructVal { name, items, args } if args.is_empty() => (name, items.clone()),
            Ast::Call(callee, args) => match &callee.kind {
                Ast::Name(name) => (name, positional(args, e.span)),
                _ => return None,
            },
            _ => return None,
        };
        if !self.names_open_struct(name.name) {
            return None;
        }
        let ty = self.struct_named(name)?;
        Some(self.open_struct_value(&list, ty, span).unwrap_or_else(|| Expr::error(span)))
    }

    fn names_open_struct(&self, name: Symbol) -> bool {
        let ty = match (self.names.tag(name), self.names.value(name)) {
            (Some(Tag::Aggr(id)), _) => self.unit.types.intern(TyKind::Aggr(id)),
            (None, Some(Entity::Typedef(id))) => self.names.typedef(id).qty.ty,
            _ => return false,
        };
        let TyKind::Aggr(id) = self.unit.types.kind(ty) else { return false };
        let fields = self.unit.types.fields(*id).unwrap_or_default();
        fields.last().is_some_and(|last| matches!(self.unit.types.kind(last.qty.ty), TyKind::Datatype(_)))
    }

    fn open_struct_value(&mut self, list: &InitList, ty: Ty, span: Span) -> Option<Expr> {
        let TyKind::Aggr(id) = *self.unit.types.kind(ty) else { return None };
        let mut fields = self.unit.types.fields(id)?.to_vec();
        let last = fields.last_mut()?;
        let sum = std::mem::replace(&mut last.qty.ty, self.fresh_ty(span));
        let open = last.qty.ty;
        let items = self.items_of(list, ty)?;
        let values = self.struct_fields(&items, &fields, ty, Rest::Required, list.span)?;
        if values.iter().any(|(_, value)| value.is_error()) {
            return None;
        }
        let (TyKind::Variant(d, _), TyKind::Datatype(wanted)) = (self.kind_of(open), self.kind_of(sum)) else {
            let (found, wanted) = (self.show(open), self.show(sum));
            self.report(errors::datatype::tail_not_variant(list.span, &found, &wanted));
            return None;
        };
        if !self.unit.types.same_datatype_def(*d, *wanted) {
            let (found, wanted) = (self.show(open), self.show(sum));
            self.report(errors::datatype::tail_not_variant(list.span, &found, &wanted));
            return None;
        }
        let parts = fields.iter().map(|f| QTy { ty: self.resolve(f.qty.ty), ..f.qty }).collect();
        let tuple = self.unit.types.intern(TyKind::Tuple(parts));
        let value = Expr { kind: ExprKind::Aggregate(values), ty: tuple, span: list.span };
        let made = self.allocated(tuple.into(), Bound::Thin(1), false, NewInit::Value(value), span);
        let seen_as = self.unit.types.pointer(PtrTy {
            to: ty.into(),
            nullable: false,
            bound: Bound::Thin(1),
            zeroterm: false,
            region: Region::Heap,
            aqual: Aqual::Aliasable,
        });
        Some(self.coerce(made, seen_as, Why::Cast))
    }
}

/// The arguments of `S(e1, …)` as those of `S{e1, …}`.
pub(super) fn positional(args: &[ast::Expr], span: Span) -> InitList {
    let item = |e: &ast::Expr| InitItem { designators: vec![], init: Init::Expr(e.clone()) };
    InitList { items: args.iter().map(item).collect(), span }
}
