//! Aliases that are inferred at call arguments (memory, section 5.3): a unique path of alias-restricted type, passed where
//! the function takes a pointer that may be copied, into any region, is borrowed for the time of the call.
//!
//! The pointer gets a fresh region, which nothing outlives but what lives already. A parameter takes part if its region is
//! a variable of the function that occurs only as the region of whole parameters, and within this one: then nothing that
//! the function returns or stores can keep the pointer. If the result mentions it as well, the argument is borrowed while the
//! result is used ([`crate::region`]). Otherwise the argument is moved, if its type lets it.

use crate::coerce::{Want, Why};
use crate::cx::Checker;
use crate::region::ScopeKind;
use crate::scope::Entity;
use crate::stmt::alias::{Deep, Trail};
use crate::tast::{Expr, ExprKind, Transfer};
use cyc_base::Span;
use cyc_syntax::ast::{self, ExprKind as Ast};
use cyc_types::{Aqual, FnTy, Fold, PtrTy, QTy, Region, ScopeId, TyKind, Types, Varargs};

/// The arguments of a call that may be borrowed.
pub(crate) struct Borrowing {
    candidates: Vec<Option<Until>>,
    /// Those of the extra arguments, too.
    extra: bool,
    call: Option<ForCall>,
}

/// When a borrowed argument is given back.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Until {
    /// The call returns.
    Return,
    /// The last use of what comes of it.
    LastUse,
}

/// The region that pointers are borrowed into until the call returns, and the scope around it.
#[derive(Clone, Copy)]
struct ForCall {
    region: Region,
    outer: ScopeId,
}

impl Borrowing {
    /// The region that extra arguments are borrowed into, if they are.
    pub(crate) fn of_extra(&self) -> Option<Region> {
        self.call.filter(|_| self.extra).map(|call| call.region)
    }
}

impl Checker<'_> {
    /// Enters the scope of a call's inferred aliases, if one of its arguments may need it.
    pub(crate) fn enter_borrowing(&mut self, function: &FnTy, args: &[ast::Expr], span: Span) -> Option<Borrowing> {
        if !self.func.inside {
            return None;
        }
        let params = function.params.iter().enumerate();
        let candidates: Vec<Option<Until>> = params
            .map(|(i, param)| {
                args.get(i).filter(|arg| self.may_be_restricted(arg))?;
                borrows(&self.unit.types, function, i, *param)
            })
            .collect();
        let given = args.get(function.params.len()..).unwrap_or_default();
        let extra = borrows_extra(&self.unit.types, function) && given.iter().any(|arg| self.may_be_restricted(arg));
        if candidates.iter().all(Option::is_none) && !extra {
            return None;
        }
        let call = (extra || candidates.contains(&Some(Until::Return))).then(|| {
            let outer = self.enter_region(ScopeKind::Alias, None, span);
            ForCall { region: Region::Scope(self.func.current), outer }
        });
        Some(Borrowing { candidates, extra, call })
    }

    pub(crate) fn leave_borrowing(&mut self, borrowing: Option<Borrowing>) {
        if let Some(call) = borrowing.and_then(|borrowing| borrowing.call) {
            self.func.current = call.outer;
        }
    }

    /// An argument, borrowed if it can be, converted to the parameter's type.
    pub(crate) fn check_argument(
        &mut self,
        arg: &ast::Expr,
        param: QTy,
        borrowing: Option<&Borrowing>,
        index: usize,
        why: Why,
    ) -> Expr {
        let value = self.check_expr(arg, Want::Ty(param.ty));
        let value = match borrowing.map(|b| (b.candidates[index], b.call)) {
            Some((Some(Until::Return), Some(call))) => self.borrowed(value, param, call.region),
            Some((Some(Until::LastUse), _)) => self.borrowed_while_used(value, param),
            _ => value,
        };
        self.coerce(value, param.ty, why)
    }

    /// An extra argument, borrowed into the region if there is one.
    pub(crate) fn check_extra_argument(&mut self, arg: &ast::Expr, want: Want, lent: Option<Region>) -> Expr {
        let value = self.check_expr(arg, want);
        match (lent, self.pointer_of(value.ty)) {
            (Some(region), Some(ptr)) => {
                let same = QTy::from(self.unit.types.pointer(ptr));
                self.borrowed(value, same, region)
            }
            _ => value,
        }
    }

    /// The value as a pointer that may be copied until the call returns; or unchanged.
    fn borrowed(&mut self, value: Expr, param: QTy, region: Region) -> Expr {
        let (Some(from), Some(to)) = (self.pointer_of(value.ty), self.pointer_of(param.ty)) else { return value };
        if !self.is_lendable(&value) {
            return value;
        }
        let unique = self.is_unique_pointer(value.ty);
        let mut target = from.to;
        if !self.may_equal(from.to.ty, to.to.ty)
            && matches!(self.kind_of(from.to.ty), TyKind::Aggr(_))
            && self.deep_alias(from.to, to.to, Deep { region, unique, span: value.span }, &mut Trail::default())
        {
            target = QTy { ty: to.to.ty, ..from.to };
        }
        self.require_live(from.region, crate::region::Use::Access, value.span);
        let ty = self.unit.types.pointer(PtrTy { to: target, region, aqual: Aqual::Aliasable, ..from });
        let ExprKind::Read(place) = value.kind else { return value };
        Expr { kind: ExprKind::Move(place, Transfer::Aliased), ty, span: value.span }
    }

    /// The value as a pointer that may be copied while what comes of it is used; or unchanged.
    fn borrowed_while_used(&mut self, value: Expr, param: QTy) -> Expr {
        let (Some(from), Some(to)) = (self.pointer_of(value.ty), self.pointer_of(param.ty)) else { return value };
        if !self.is_lendable(&value) || !self.may_equal(from.to.ty, to.to.ty) {
            return value;
        }
        self.require_live(from.region, crate::region::Use::Access, value.span);
        let (borrow, region) = self.borrow_while_used(from.region, value.span);
        let ty = self.unit.types.pointer(PtrTy { region, aqual: Aqual::Aliasable, ..from });
        let ExprKind::Read(place) = value.kind else { return value };
        Expr { kind: ExprKind::Move(place, Transfer::Borrowed(borrow)), ty, span: value.span }
    }

    /// Is it what a unique path holds, of a type that must not be copied?
    fn is_lendable(&mut self, value: &Expr) -> bool {
        let ExprKind::Read(place) = &value.kind else { return false };
        self.is_restricted(value.ty) && self.unique_path(place).is_ok()
    }

    /// Could the argument be a place within a variable that holds what must not be copied?
    fn may_be_restricted(&mut self, arg: &ast::Expr) -> bool {
        match &arg.kind {
            Ast::Name(name) => match self.names.value(name.name) {
                Some(Entity::Local(id)) => self.carries_restricted(self.func.local(id).qty.ty),
                _ => false,
            },
            Ast::Deref(inner) | Ast::Field { expr: inner, .. } => self.may_be_restricted(inner),
            _ => false,
        }
    }
}

/// Is parameter number `i` one that arguments may be borrowed for?
fn borrows(types: &Types, function: &FnTy, i: usize, param: QTy) -> Option<Until> {
    let ptr = types.as_pointer(param.ty)?;
    let Region::Bound { depth: 0, index } = ptr.region else { return None };
    let mentions = |ty| {
        let mut find = Mentions { index, depth: 0, found: false };
        types.fold(ty, &mut find);
        find.found
    };
    let elsewhere =
        function.params.iter().enumerate().any(|(j, other)| {
            j != i && types.as_pointer(other.ty).map_or(mentions(other.ty), |ptr| mentions(ptr.to.ty))
        });
    let varargs = matches!(&function.varargs, Varargs::Typed { elem, .. } if mentions(elem.ty));
    let borrows = ptr.aqual == Aqual::Aliasable && function.constraints.is_empty() && !varargs && !elsewhere;
    borrows.then(|| if mentions(function.ret) { Until::LastUse } else { Until::Return })
}

/// Are extra arguments borrowed? Those of a format are only read, or written to; those of the language's own `...` if
/// the region that they point into occurs nowhere else.
fn borrows_extra(types: &Types, function: &FnTy) -> bool {
    let Varargs::Typed { elem, .. } = function.varargs else { return function.attrs.format.is_some() };
    let mentions = |ty, index| {
        let mut find = Mentions { index, depth: 0, found: false };
        types.fold(ty, &mut find);
        find.found
    };
    let vars = 0..function.vars.len() as u32;
    let own = |index: &u32| {
        mentions(elem.ty, *index)
            && !mentions(function.ret, *index)
            && !function.params.iter().any(|param| mentions(param.ty, *index))
    };
    function.constraints.is_empty() && vars.into_iter().any(|index| own(&index))
}

/// Looks for a region variable of the function type in its parts.
struct Mentions {
    index: u32,
    depth: u32,
    found: bool,
}

impl Fold for Mentions {
    fn region(&mut self, _: &Types, atom: Region) -> Region {
        self.found |= matches!(atom, Region::Bound { depth, index } if depth == self.depth && index == self.index);
        atom
    }

    fn enter(&mut self) {
        self.depth += 1;
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }
}
