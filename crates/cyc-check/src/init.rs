//! Initialisers: brace lists, designators, strings to arrays, comprehensions (core, sections 5.9 and 5.10).

use crate::coerce::{Want, Why};
use crate::cx::Checker;
use crate::errors;
use crate::scope::nearest;
use crate::tast::{ArrayFor, Expr, ExprKind};
use cyc_base::{Span, Symbol};
use cyc_syntax::ast::{self, Designator, Ident, Init, InitItem};
use cyc_types::{AggrId, Field, QTy, Ty, TyKind};

/// One element of a brace list on its way to a field.
#[derive(Clone, Copy)]
pub(crate) struct Item<'a> {
    field: Option<Ident>,
    init: &'a Init,
    span: Span,
}

/// What becomes of the fields that a list of values leaves out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rest {
    /// Zero, as in C: in an initialiser.
    Zero,
    /// Nothing may be left out: in `S{…}` and `S(…)`, which are built as if by a call.
    Required,
}

impl Checker<'_> {
    /// The value that an initialiser gives to an object of type `to`. For an array without length
    /// the result's type has the length that the initialiser gives.
    pub fn check_init(&mut self, init: &Init, to: QTy) -> Expr {
        self.init_value(init, to, Why::Component)
    }

    /// As [`Checker::check_init`]; `why` says what is initialised.
    pub(crate) fn init_value(&mut self, init: &Init, to: QTy, why: Why) -> Expr {
        let ty = self.resolve(to.ty);
        match init {
            Init::Expr(e) => match *self.unit.types.kind(ty) {
                TyKind::Array { elem, len, .. } => self.array_from_expr(e, ty, elem, len),
                _ => self.check_rvalue_to(e, ty, why),
            },
            Init::List(list) => self.check_init_list(list, to),
            Init::Comprehension(comprehension) => self.array_comprehension(comprehension, ty),
        }
    }

    /// `{…}` as the value of an object of type `to`: also compound literals.
    pub fn check_init_list(&mut self, list: &ast::InitList, to: QTy) -> Expr {
        self.list_value(list, to, Rest::Zero)
    }

    /// The same for struct values, too; `rest` says what may be left out.
    pub(crate) fn list_value(&mut self, list: &ast::InitList, to: QTy, rest: Rest) -> Expr {
        let ty = self.resolve(to.ty);
        match self.unit.types.kind(ty).clone() {
            TyKind::Array { elem, len, zeroterm } => self.array_list(list, elem, len, zeroterm),
            TyKind::Aggr(id) => match self.items_of(list, ty) {
                Some(items) if self.require_sized(ty, list.span, "a value") => {
                    self.aggr_value(&items, id, ty, rest, list.span)
                }
                _ => Expr::error(list.span),
            },
            TyKind::Tuple(parts) => self.tuple_list(list, &parts, ty),
            TyKind::Error => {
                self.check_items_anyway(list);
                Expr::error(list.span)
            }
            kind => {
                let shown = self.show(ty);
                self.report(errors::decl::braces_for_scalar(list.span, &shown, matches!(kind, TyKind::Pointer(_))));
                Expr::error(list.span)
            }
        }
    }

    /// The elements of a list whose type is in error: their own mistakes are still told.
    fn check_items_anyway(&mut self, list: &ast::InitList) {
        for item in &list.items {
            match &item.init {
                Init::Expr(e) => {
                    self.check_expr(e, Want::None);
                }
                Init::List(inner) => self.check_items_anyway(inner),
                Init::Comprehension(_) => {}
            }
        }
    }

    // ------------------------------------------------------------ structs, unions, tuples

    /// The elements of a list for a struct: each with at most one field designator.
    pub(crate) fn items_of<'a>(&mut self, list: &'a ast::InitList, ty: Ty) -> Option<Vec<Item<'a>>> {
        let mut items = vec![];
        for item in &list.items {
            let field = match item.designators.as_slice() {
                [] => None,
                [Designator::Field(field)] => Some(*field),
                [Designator::Index(e)] => {
                    let shown = self.show(ty);
                    self.report(errors::decl::wrong_designator(e.span, &shown, false));
                    return None;
                }
                [first, ..] => {
                    self.report(errors::decl::designator_too_long(designator_span(first)));
                    return None;
                }
            };
            items.push(Item { field, init: &item.init, span: item_span(item) });
        }
        Some(items)
    }

    pub(crate) fn aggr_value(&mut self, items: &[Item], id: AggrId, ty: Ty, rest: Rest, span: Span) -> Expr {
        let aggr = self.unit.types.aggr(id);
        if !aggr.exists.is_empty() {
            let exists = aggr.exists.clone();
            let witnesses = self.fresh_args(&exists, span);
            return self.package(items, id, &witnesses, span);
        }
        let (is_union, fields) = (aggr.is_union, self.unit.types.fields(id).unwrap_or_default().to_vec());
        let values = match is_union {
            true => self.union_member(items, &fields, ty, rest, span),
            false => self.struct_fields(items, &fields, ty, rest, span),
        };
        match values {
            Some(values) => Expr { kind: ExprKind::Aggregate(values), ty, span },
            None => Expr::error(span),
        }
    }

    /// Every field at most once: positional elements take the first field not yet filled.
    pub(crate) fn struct_fields(
        &mut self,
        items: &[Item],
        fields: &[Field],
        ty: Ty,
        rest: Rest,
        span: Span,
    ) -> Option<Vec<(u32, Expr)>> {
        let fillable = |f: &Field| f.name.is_some() || f.bits.is_none();
        let first = fields.iter().find(|f| fillable(f)).map(|f| f.qty);
        let items = match (items, first) {
            ([Item { field: None, init, .. }], Some(first)) if rest == Rest::Zero && self.zeroes_all(init, first) => {
                &[]
            }
            _ => items,
        };
        let mut filled: Vec<Option<Span>> = vec![None; fields.len()];
        let mut inner: Vec<Vec<Item>> = vec![vec![]; fields.len()];
        let mut values = vec![];
        let mut next = 0;
        let mut good = true;
        for item in items {
            let found = match item.field {
                Some(field) => self.find_field(fields, field, ty),
                None => {
                    while next < fields.len()
                        && (filled[next].is_some() || !inner[next].is_empty() || !fillable(&fields[next]))
                    {
                        next += 1;
                    }
                    if next == fields.len() {
                        let (shown, count) = (self.show(ty), fields.iter().filter(|f| fillable(f)).count());
                        self.report(errors::decl::too_many_fields(item.span, &shown, count));
                        good = false;
                        break;
                    }
                    Some((next, false))
                }
            };
            let Some((index, within)) = found else {
                good = false;
                continue;
            };
            if within {
                inner[index].push(*item);
                continue;
            }
            if let Some(before) = filled[index].replace(item.span) {
                let name = fields[index].name.unwrap_or(Symbol::new("_"));
                self.report(errors::decl::field_filled_twice(item.span, name, before));
                good = false;
                continue;
            }
            if !self.has_braces(item.init, fields[index].qty) {
                return None;
            }
            values.push((index as u32, self.init_value(item.init, fields[index].qty, Why::Component)));
        }
        for (index, items) in inner.iter().enumerate().filter(|(_, items)| !items.is_empty()) {
            // Fields of an anonymous member, designated from outside.
            let TyKind::Aggr(id) = *self.unit.types.kind(fields[index].qty.ty) else { continue };
            filled[index] = Some(span);
            values.push((index as u32, self.aggr_value(items, id, fields[index].qty.ty, rest, span)));
        }
        good = good && self.fill_rest(fields, &filled, ty, rest, span, &mut values);
        good.then_some(values)
    }

    /// Makes the fields that were left out zero, if `rest` allows it and zero is a value of each.
    fn fill_rest(
        &mut self,
        fields: &[Field],
        filled: &[Option<Span>],
        ty: Ty,
        rest: Rest,
        span: Span,
        values: &mut Vec<(u32, Expr)>,
    ) -> bool {
        let needed = |f: &Field| (f.name.is_some() || f.bits.is_none()) && !self.is_flexible(f);
        let left_out: Vec<usize> = (0..fields.len()).filter(|i| filled[*i].is_none() && needed(&fields[*i])).collect();
        let zeroable = |i: &usize| rest == Rest::Zero && self.unit.types.admits_zero(self.resolve(fields[*i].qty.ty));
        let missing: Vec<usize> = left_out.iter().copied().filter(|i| !zeroable(i)).collect();
        if let Some(first) = missing.first() {
            let names: Vec<Symbol> = missing.iter().map(|i| fields[*i].name.unwrap_or(Symbol::new("{…}"))).collect();
            let shown = self.show(ty);
            let zero = (rest == Rest::Zero).then(|| self.without_zero(&fields[*first]));
            self.report(errors::decl::too_few_fields(span, &shown, &names, zero));
            return false;
        }
        let zero = |i: usize| (i as u32, Expr { kind: ExprKind::Zero, ty: fields[i].qty.ty, span });
        values.extend(left_out.into_iter().map(zero));
        true
    }

    /// Where in a field the first part lies that cannot be zero, `.a.b`, and its type.
    fn without_zero(&mut self, field: &Field) -> (String, String) {
        let mut path = field.name.map_or(String::new(), |name| name.to_string());
        let mut ty = self.resolve(field.qty.ty);
        loop {
            let inner = match self.unit.types.kind(ty) {
                TyKind::Array { elem, .. } => Some((String::from("[]"), elem.ty)),
                TyKind::Aggr(id) if !self.unit.types.aggr(*id).tagged => {
                    let fields = self.unit.types.fields(*id).unwrap_or_default();
                    let bad = fields.iter().find(|f| !self.unit.types.admits_zero(f.qty.ty));
                    bad.map(|f| (f.name.map_or(String::new(), |name| format!(".{name}")), f.qty.ty))
                }
                _ => None,
            };
            let Some((step, inner)) = inner else { break };
            path.push_str(&step);
            ty = inner;
        }
        (path, self.show(ty))
    }

    /// `{0}` where the first part has braces of its own: C's way to say that all is zero.
    fn zeroes_all(&self, init: &Init, first: QTy) -> bool {
        let Init::Expr(e) = init else { return false };
        let nested = matches!(self.unit.types.kind(self.resolve(first.ty)), TyKind::Array { .. } | TyKind::Aggr(_));
        nested && matches!(e.kind, ast::ExprKind::Int { value: 0, .. })
    }

    /// The array without length that may end a struct: it has no elements that could be given.
    fn is_flexible(&self, field: &Field) -> bool {
        matches!(self.unit.types.kind(field.qty.ty), TyKind::Array { len: None, .. })
    }

    /// The field with a name; or the anonymous member that has it within (then `true`).
    fn find_field(&mut self, fields: &[Field], name: Ident, ty: Ty) -> Option<(usize, bool)> {
        if let Some(index) = fields.iter().position(|f| f.name == Some(name.name)) {
            return Some((index, false));
        }
        if let Some(index) = fields.iter().position(|f| f.name.is_none() && self.has_field(f.qty.ty, name.name)) {
            return Some((index, true));
        }
        let near = nearest(name.name, fields.iter().filter_map(|f| f.name));
        let shown = self.show(ty);
        self.report(errors::decl::bad_field_designator(name.span, name.name, &shown, near));
        None
    }

    fn has_field(&self, ty: Ty, name: Symbol) -> bool {
        let TyKind::Aggr(id) = self.unit.types.kind(ty) else { return false };
        let fields = self.unit.types.fields(*id).unwrap_or_default().iter();
        fields.into_iter().any(|f| f.name == Some(name) || f.name.is_none() && self.has_field(f.qty.ty, name))
    }

    /// Exactly one member: the first, or the designated one.
    fn union_member(
        &mut self,
        items: &[Item],
        fields: &[Field],
        ty: Ty,
        rest: Rest,
        span: Span,
    ) -> Option<Vec<(u32, Expr)>> {
        let first = items.first();
        let (index, within) = match first.and_then(|i| i.field) {
            Some(field) => self.find_field(fields, field, ty)?,
            None => (fields.iter().position(|f| f.name.is_some() || f.bits.is_none()).unwrap_or(0), false),
        };
        if items.is_empty() || items.len() > 1 && !within || index >= fields.len() {
            let shown = self.show(ty);
            self.report(errors::decl::union_needs_one(span, &shown, items.len()));
            return None;
        }
        let qty = fields[index].qty;
        let value = match *self.unit.types.kind(qty.ty) {
            TyKind::Aggr(id) if within => self.aggr_value(items, id, qty.ty, rest, span),
            _ => self.init_value(items[0].init, qty, Why::Component),
        };
        let value = match fields[index].when {
            Some(condition) => self.guarded_value(value, ty, condition),
            None => value,
        };
        Some(vec![(index as u32, value)])
    }

    fn tuple_list(&mut self, list: &ast::InitList, parts: &[QTy], ty: Ty) -> Expr {
        let Some(items) = self.items_of(list, ty) else { return Expr::error(list.span) };
        if let Some(field) = items.iter().find_map(|i| i.field) {
            let shown = self.show(ty);
            self.report(errors::decl::bad_field_designator(field.span, field.name, &shown, None));
            return Expr::error(list.span);
        }
        if items.len() != parts.len() {
            let shown = self.show(ty);
            let missing: Vec<Symbol> = (items.len()..parts.len()).map(|i| Symbol::new(&format!("f{i}"))).collect();
            self.report(match items.get(parts.len()) {
                Some(extra) => errors::decl::too_many_fields(extra.span, &shown, parts.len()),
                None => errors::decl::too_few_fields(list.span, &shown, &missing, None),
            });
            return Expr::error(list.span);
        }
        let values = items
            .iter()
            .zip(parts)
            .enumerate()
            .map(|(i, (item, part))| (i as u32, self.init_value(item.init, *part, Why::Component)));
        Expr { kind: ExprKind::Aggregate(values.collect()), ty, span: list.span }
    }

    // ------------------------------------------------------------ arrays

    /// `{e, …}` or `{[0] = e, …}`: the elements in order; those that are left out are zero.
    fn array_list(&mut self, list: &ast::InitList, elem: QTy, len: Option<u64>, zeroterm: bool) -> Expr {
        let mut values: Vec<Expr> = Vec::with_capacity(list.items.len());
        let items = match list.items.as_slice() {
            [item] if len.is_some() && item.designators.is_empty() && self.zeroes_all(&item.init, elem) => &[],
            items => items,
        };
        for item in items {
            if !self.in_order(item, values.len() as u64, elem) {
                return Expr::error(list.span);
            }
            if matches!(item.init, Init::Expr(_)) && len.is_some_and(|n| values.len() as u64 >= n) {
                // One mistake, told below; the element's own type does not matter any more.
                values.push(Expr::error(list.span));
                continue;
            }
            if !self.has_braces(&item.init, elem) {
                return Expr::error(list.span);
            }
            values.push(self.init_value(&item.init, elem, Why::Component));
        }
        let has = values.len() as u64;
        let ty = self.unit.types.intern(TyKind::Array { elem, len: Some(len.unwrap_or(has)), zeroterm });
        let partial = len.is_some_and(|n| has < n);
        let fits = len.is_none_or(|n| has <= n) && (!partial || self.unit.types.admits_zero(self.resolve(elem.ty)));
        if !fits {
            let shown = self.show_q(elem);
            self.report(errors::decl::different_array_sizes(list.span, has, len.unwrap_or(0), &shown));
            return Expr { ty, ..Expr::error(list.span) };
        }
        if partial && values.iter().all(|value| !value.is_error() && is_zero(value)) {
            return Expr { kind: ExprKind::Zero, ty, span: list.span };
        }
        if zeroterm && !partial && !values.last().is_some_and(is_zero) {
            self.report(errors::decl::unterminated(values.last().map_or(list.span, |v| v.span)));
        }
        Expr { kind: ExprKind::Array(values), ty, span: list.span }
    }

    /// Is the element the next one? Reports a designator that says otherwise.
    fn in_order(&mut self, item: &InitItem, expected: u64, elem: QTy) -> bool {
        match item.designators.as_slice() {
            [] => true,
            [Designator::Index(e)] => match self.const_int(e) {
                Some(index) if index == i128::from(expected) => true,
                Some(index) => {
                    self.report(errors::decl::element_out_of_order(e.span, index, expected));
                    false
                }
                None => {
                    self.report(errors::types::array_length_not_constant(e.span));
                    false
                }
            },
            [Designator::Field(field)] => {
                let shown = format!("{}[]", self.show_q(elem));
                self.report(errors::decl::wrong_designator(field.span, &shown, true));
                false
            }
            [first, ..] => {
                self.report(errors::decl::designator_too_long(designator_span(first)));
                false
            }
        }
    }

    /// A string for an array of characters; else only what is an array value already.
    fn array_from_expr(&mut self, e: &ast::Expr, ty: Ty, elem: QTy, len: Option<u64>) -> Expr {
        let elem_ty = self.resolve(elem.ty);
        let (kind, count) = match &e.kind {
            ast::ExprKind::Str(bytes) if self.unit.types.is_char(elem_ty) => {
                let mut bytes = bytes.clone();
                bytes.push(0);
                let count = bytes.len() as u64;
                (ExprKind::StrArray(bytes.into()), count)
            }
            ast::ExprKind::WideStr(chars) if elem_ty == Ty::INT => {
                let mut chars = chars.clone();
                chars.push(0);
                let count = chars.len() as u64;
                (ExprKind::WideStrArray(chars.into()), count)
            }
            _ => return self.array_value(e, ty),
        };
        if len.is_some_and(|n| n < count) {
            self.report(errors::decl::string_length(e.span, count, len.unwrap_or(0)));
            return Expr { ty, ..Expr::error(e.span) };
        }
        let zeroterm = matches!(self.unit.types.kind(ty), TyKind::Array { zeroterm: true, .. });
        let ty = self.unit.types.intern(TyKind::Array { elem, len: Some(len.unwrap_or(count)), zeroterm });
        let kind = if count == 1 && len != Some(1) { ExprKind::Zero } else { kind };
        Expr { kind, ty, span: e.span }
    }

    /// Has a nested struct or array braces of its own? C lets them be left out.
    fn has_braces(&mut self, init: &Init, to: QTy) -> bool {
        use ast::ExprKind::{Char, CompoundLit, Float, Int, Str, WideStr};
        let Init::Expr(e) = init else { return true };
        let missing = match self.unit.types.kind(self.resolve(to.ty)) {
            TyKind::Array { .. } => !matches!(e.kind, Str(_) | WideStr(_) | CompoundLit(..)),
            TyKind::Aggr(_) | TyKind::Tuple(_) => matches!(e.kind, Int { .. } | Float { .. } | Char { .. } | Str(_)),
            _ => false,
        };
        if missing {
            let shown = self.show_q(to);
            self.report(errors::decl::brace_needed(e.span, &shown));
        }
        !missing
    }

    /// A compound literal of the array's own type.
    fn array_value(&mut self, e: &ast::Expr, ty: Ty) -> Expr {
        if let ast::ExprKind::CompoundLit(..) = e.kind {
            let value = self.check_expr(e, Want::Ty(ty));
            if matches!(value.kind, ExprKind::Array(_)) && self.unit.types.equivalent(value.ty, ty) || value.is_error()
            {
                return value;
            }
        }
        let shown = self.show(ty);
        self.report(errors::decl::array_needs_braces(e.span, &shown));
        Expr::error(e.span)
    }

    // ------------------------------------------------------------ comprehensions

    /// `{for i < n : e}` as the value of an array: `n` is constant and as long as the array (one
    /// less if it is zero-terminated).
    fn array_comprehension(&mut self, c: &ast::Comprehension, ty: Ty) -> Expr {
        let TyKind::Array { elem, len, zeroterm } = *self.unit.types.kind(ty) else {
            if ty != Ty::ERROR {
                let shown = self.show(ty);
                self.report(errors::decl::comprehension_for_non_array(c.span, &shown));
            }
            return Expr::error(c.span);
        };
        let needs = len.map(|n| n.saturating_sub(u64::from(zeroterm)));
        let has =
            self.require_const_int(&c.count, |span| errors::decl::comprehension_length(span, None, needs.unwrap_or(0)));
        let Some(has) = has else { return Expr::error(c.span) };
        let fits = u64::try_from(has).ok().filter(|n| needs.is_none_or(|m| m == *n) && (!zeroterm || len != Some(0)));
        let Some(count) = fits else {
            self.report(errors::decl::comprehension_length(c.count.span, Some(has), needs.unwrap_or(0)));
            return Expr::error(c.span);
        };
        let ty = self.unit.types.intern(TyKind::Array {
            elem,
            len: Some(count.saturating_add(u64::from(zeroterm))),
            zeroterm,
        });
        let (var, body, zero) = self.comprehension_body(c, elem);
        let count = Expr { kind: ExprKind::Int(i128::from(count)), ty: Ty::ULONG, span: c.count.span };
        let array = ArrayFor { var, count, body, zero, elem, zeroterm };
        Expr { kind: ExprKind::ArrayFor(Box::new(array)), ty, span: c.span }
    }

    /// The variable and body of a comprehension whose elements have type `elem`, and whether elements
    /// without initialiser must be zeroed. Elements are not converted, except for constants.
    pub(crate) fn comprehension_body(
        &mut self,
        c: &ast::Comprehension,
        elem: QTy,
    ) -> (crate::tast::LocalId, Option<Expr>, bool) {
        self.push_scope(c.span);
        let var = self.declare_local(c.var, QTy { ty: Ty::UINT, is_const: true, is_volatile: false });
        let (body, zero) = match &c.body {
            ast::ComprehensionBody::Expr(e) => (Some(self.comprehension_element(e, elem)), false),
            ast::ComprehensionBody::Type(written) => {
                let ty = self.resolve_type(written, crate::types::Position::Cast).ty;
                if !self.unify(ty, elem.ty, written.span) {
                    let (shown, wanted) = (self.show(ty), self.show(elem.ty));
                    self.report(errors::decl::comprehension_type(written.span, &shown, &wanted));
                }
                let plain = self.any_bits(elem.ty);
                if !plain && !self.unit.types.admits_zero(elem.ty) {
                    let shown = self.show(elem.ty);
                    self.report(errors::decl::comprehension_uninitialised(written.span, &shown));
                }
                (None, !plain)
            }
        };
        self.pop_scope();
        (var, body, zero)
    }

    pub(crate) fn comprehension_element(&mut self, e: &ast::Expr, elem: QTy) -> Expr {
        let value = self.check_expr(e, Want::Ty(elem.ty));
        let (from, to) = (self.resolve(value.ty), self.resolve(elem.ty));
        let number =
            |ty| matches!(self.unit.types.kind(ty), TyKind::Bool | TyKind::Int(_) | TyKind::Float(_) | TyKind::Enum(_));
        let constant = self.eval_int(&value).is_some() || matches!(value.kind, ExprKind::Float(_));
        if from != to && number(from) && number(to) && !constant {
            let (shown, wanted) = (self.show(from), self.show(to));
            self.report(errors::decl::comprehension_type(e.span, &shown, &wanted));
            return Expr::error(e.span);
        }
        self.coerce(value, elem.ty, Why::Component)
    }

    /// A global's initialiser: comprehensions of nothing but zeros take no room in the program's file.
    pub(crate) fn finish_global_init(&mut self, mut value: Expr) -> Expr {
        self.find_zeros(&mut value);
        value
    }

    fn find_zeros(&self, value: &mut Expr) {
        match &mut value.kind {
            ExprKind::Aggregate(fields) => fields.iter_mut().for_each(|(_, field)| self.find_zeros(field)),
            ExprKind::Array(elements) => elements.iter_mut().for_each(|e| self.find_zeros(e)),
            ExprKind::ArrayFor(array) if array.body.as_ref().is_none_or(is_zero) => value.kind = ExprKind::Zero,
            _ => {}
        }
    }
}

/// The constant 0 or null.
fn is_zero(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Int(0) | ExprKind::Null | ExprKind::Zero | ExprKind::Error => true,
        ExprKind::Coerce(_, inner) => is_zero(inner),
        _ => false,
    }
}

fn designator_span(designator: &Designator) -> Span {
    match designator {
        Designator::Field(field) => field.span,
        Designator::Index(e) => e.span,
    }
}

fn item_span(item: &InitItem) -> Span {
    match &item.init {
        Init::Expr(e) => e.span,
        Init::List(list) => list.span,
        Init::Comprehension(c) => c.span,
    }
}
