//! Names in expressions (core, section 5.1).

use crate::cx::Checker;
use crate::errors;
use crate::expr::temp_place;
use crate::scope::{Entity, nearest};
use crate::tast::{Expr, ExprKind, GlobalId, Place, PlaceKind};
use cyc_syntax::ast;
use cyc_types::{Aqual, Args, Bound, PtrTy, Ty};

impl Checker<'_> {
    /// A variable is a place; a function, an enumeration constant or a constant constructor is a value.
    pub(crate) fn check_name(&mut self, name: &ast::Name) -> Place {
        let span = name.span;
        match self.lookup(name) {
            Some(Entity::Local(id)) => {
                self.func
                    .initialising
                    .iter_mut()
                    .filter(|(local, _)| *local == id)
                    .for_each(|(_, named)| *named = true);
                Place { kind: PlaceKind::Local(id), qty: self.func.local(id).qty, span }
            }
            Some(Entity::Global(id)) if self.unit.global(id).is_function => temp_place(self.function_address(id, span)),
            Some(Entity::Global(id)) => Place { kind: PlaceKind::Global(id), qty: self.unit.global(id).qty, span },
            Some(Entity::Enumerator { ty, value }) => temp_place(Expr { kind: ExprKind::Int(value), ty, span }),
            Some(Entity::Variant(datatype, variant)) => {
                temp_place(self.check_variant_value(datatype, variant, &[], span))
            }
            Some(Entity::Error) => Place::error(span),
            // The parser has told a type's name from a value's.
            Some(Entity::Typedef(_)) | None => self.check_unknown_name(name),
        }
    }

    /// `__func__` and its older spellings; anything else is undeclared.
    fn check_unknown_name(&mut self, name: &ast::Name) -> Place {
        let span = name.span;
        if name.as_ident().is_none() {
            self.report(errors::decl::not_in_namespace(name));
            return Place::error(span);
        }
        if self.func.inside && matches!(name.name.as_str(), "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__") {
            let text = self.func.name.as_str().as_bytes().to_vec();
            let literal = ast::Expr { kind: ast::ExprKind::Str(text), span };
            return temp_place(self.check_literal(&literal, crate::coerce::Want::None));
        }
        // Each undeclared name is told once for each function.
        if self.func.inside && !self.func.undeclared.insert(name.name) {
            return Place::error(span);
        }
        let near = nearest(name.name, self.names.visible());
        let elsewhere = self.names.namespace_with(name.name);
        self.report(errors::expr::undeclared(span, name.name, near, elsewhere));
        Place::error(span)
    }

    /// A function as a non-null pointer to it.
    pub(crate) fn function_address(&mut self, id: GlobalId, span: cyc_base::Span) -> Expr {
        let to = self.unit.global(id).qty.ty;
        if to == Ty::ERROR {
            return Expr::error(span);
        }
        let ty = self.unit.types.pointer(PtrTy {
            to: to.into(),
            nullable: false,
            bound: Bound::Thin(1),
            zeroterm: false,
            region: self.func.nested.region_of(id),
            aqual: Aqual::Aliasable,
        });
        self.unit.addressed.insert(id);
        Expr { kind: ExprKind::FunctionAddr(id, Args::NONE), ty, span }
    }
}
