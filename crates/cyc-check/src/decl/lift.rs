//! Makes nested functions functions of the unit.
//!
//! The variables that a nested function uses of others, or that functions which it calls use, are handed to it by
//! pointers, which follow its parameters. So it can be called wherever its name is visible, for all of these variables
//! live there. A pointer to it is a closure over these pointers (`closure.rs`).

use super::closure::closure;
use super::nested::Nested;
use crate::cx::Checker;
use crate::errors;
use crate::tast::operands::{Named, Way};
use crate::tast::*;
use crate::visit::{Rewriter, Visitor};
use cyc_base::{Diagnostic, Span};
use cyc_types::{Aqual, Args, Bound, FnTy, PtrTy, QTy, Region, Ty, TyKind, TyParam, Types, Varargs};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::rc::Rc;

/// What the rewriting of the bodies shares.
pub(super) struct Whole<'a> {
    pub types: &'a Types,
    /// The locals of the outermost function and of all that are nested in it.
    pub locals: Vec<Local>,
    /// The innermost nested function that declares each local; None for the outermost function's.
    owners: Vec<Option<usize>>,
    /// Nested functions by their place among the unit's.
    by_global: FxHashMap<GlobalId, usize>,
    /// How many parameters of each stand before the extra arguments.
    fixed: Vec<usize>,
    /// The type variables that each binds itself, among those of the whole.
    own: Vec<Range<u32>>,
    /// The variables of others that each needs.
    pub captures: Vec<Vec<LocalId>>,
    /// The entries of the closures that some are as values.
    closures: Vec<Option<GlobalId>>,
    /// If the outermost function is polymorphic, all functions that come from it are, over the same variables, which stand
    /// for themselves here.
    pub args: Args,
}

impl Checker<'_> {
    /// Adds the function to the unit, with the functions that were nested in it.
    pub(super) fn lift_nested(&mut self, mut function: Function, mut nested: Vec<Nested>) {
        if nested.is_empty() {
            self.unit.functions.push(function);
            return;
        }
        let closures = self.declare_closures(&function, &nested);
        let locals = std::mem::take(&mut function.locals);
        let mut whole = Whole::new(&self.unit.types, locals, &nested, closures);
        whole.args = self.unit.types.params_for_themselves(&function.vars);
        for local in whole.captures.iter().flatten() {
            whole.locals[local.0 as usize].address_taken = true;
        }
        let (mut lifted, mut not_instantiated) = (vec![], vec![]);
        for (n, inner) in nested.iter_mut().enumerate() {
            let mut lift = Lift::new(&whole, Some(n));
            lift.block(&mut inner.body);
            let captured = whole.captures[n].iter().map(|local| QTy::from(whole.pointer_to(*local)));
            not_instantiated.append(&mut lift.not_instantiated);
            lifted.push((lift.locals, captured.collect::<Vec<QTy>>()));
        }
        let mut lift = Lift::new(&whole, None);
        lift.block(&mut function.body);
        function.locals = lift.locals;
        not_instantiated.extend(lift.not_instantiated);
        let entries = nested.iter().enumerate().filter_map(|(n, inner)| {
            let id = whole.closures[n]?;
            Some(self.closure_entry(&whole, inner, &whole.captures[n], id, &function))
        });
        let entries: Vec<Function> = entries.collect();
        let mut problems = self.captured_uniques(&whole, &nested);
        problems.extend(polymorphic_values(&nested, &function.vars, &not_instantiated));
        problems.into_iter().for_each(|problem| self.report(problem));
        self.unit.functions.extend(entries);
        for (inner, (locals, captured)) in nested.into_iter().zip(lifted) {
            self.push_lifted(inner, locals, captured, &function);
        }
        self.unit.functions.push(function);
    }

    /// Errors for captured variables that must not be copied: the flow of their state ends at a call.
    fn captured_uniques(&self, whole: &Whole, nested: &[Nested]) -> Vec<Diagnostic> {
        let found = nested.iter().zip(&whole.captures).filter_map(|(inner, captured)| {
            let mut variables = captured.iter().map(|local| &whole.locals[local.0 as usize]);
            let variable = variables.find(|variable| self.carries_restricted(variable.qty.ty))?;
            Some(errors::decl::nested_function_uses_unique(inner.span, inner.name, variable.name, variable.span))
        });
        found.collect()
    }

    /// One nested function as a function of the unit; its type gets the pointers.
    fn push_lifted(&mut self, inner: Nested, locals: Vec<Local>, captured: Vec<QTy>, outer: &Function) {
        let params = inner.params + captured.len() as u32;
        let fixed = inner.fixed + captured.len();
        let ty = self.lifted_type(&inner, &locals[..params as usize], fixed, &outer.vars);
        self.unit.globals[inner.global.0 as usize].qty.ty = ty;
        self.unit.functions.push(Function {
            global: inner.global,
            vars: outer.vars.clone(),
            locals,
            params,
            ret: inner.ret,
            body: inner.body,
            labels: inner.labels,
            borrowed: vec![],
            span: inner.span,
            end: inner.end,
        });
    }
}

/// Errors for nested functions with type variables of their own that are values without being instantiated. `vars` are the
/// variables of the whole.
fn polymorphic_values(nested: &[Nested], vars: &[TyParam], found: &[(usize, Span)]) -> Vec<Diagnostic> {
    let found = found.iter().map(|(n, span)| (&nested[*n], *span));
    let shaped = found.filter(|(inner, _)| inner.own.clone().any(|i| vars[i as usize].kind.is_type()));
    shaped.map(|(inner, span)| errors::decl::nested_function_not_instantiated(span, inner.name)).collect()
}

impl Checker<'_> {
    /// The type of a function of the unit that comes from a nested one: it has these parameters, `fixed` of them before the
    /// extra arguments, and the variables of the outermost function.
    pub(super) fn lifted_type(&self, inner: &Nested, params: &[Local], fixed: usize, vars: &[TyParam]) -> Ty {
        let types = &self.unit.types;
        let old = &self.unit.globals[inner.global.0 as usize];
        let Some(old) = types.as_function(old.qty.ty) else { return Ty::ERROR };
        let bound = |qty: QTy| QTy { ty: types.bind_params(qty.ty, vars), ..qty };
        let varargs = match (&old.varargs, params.get(fixed).and_then(|extra| types.as_pointer(extra.qty.ty))) {
            (Varargs::Typed { inject, .. }, Some(extra)) => Varargs::Typed { elem: bound(extra.to), inject: *inject },
            (varargs, _) => varargs.clone(),
        };
        types.intern(TyKind::Function(Rc::new(FnTy {
            vars: vars.to_vec(),
            ret: types.bind_params(inner.ret, vars),
            params: params[..fixed].iter().map(|local| bound(local.qty)).collect(),
            varargs,
            effect: None,
            constraints: vec![],
            attrs: old.attrs.clone(),
        })))
    }
}

impl<'a> Whole<'a> {
    fn new(types: &'a Types, locals: Vec<Local>, nested: &[Nested], closures: Vec<Option<GlobalId>>) -> Whole<'a> {
        let mut owners = vec![None; locals.len()];
        // Bodies that end first are the inner ones.
        for (n, inner) in nested.iter().enumerate() {
            for local in inner.locals.clone() {
                owners[local as usize].get_or_insert(n);
            }
        }
        let by_global = nested.iter().enumerate().map(|(n, f)| (f.global, n)).collect();
        let fixed = nested.iter().map(|f| f.fixed).collect();
        let own = nested.iter().map(|f| f.own.clone()).collect();
        let mut whole = Whole {
            types,
            locals,
            owners,
            by_global,
            fixed,
            own,
            captures: vec![vec![]; nested.len()],
            closures,
            args: Args::NONE,
        };
        let uses: Vec<(Vec<LocalId>, Vec<usize>)> = nested
            .iter()
            .map(|inner| {
                let found = Uses::of(&inner.body);
                let nested = found.functions().filter_map(|id| whole.by_global.get(id)).copied().collect();
                (found.locals, nested)
            })
            .collect();
        while whole.grow(&uses) {}
        whole.captures.iter_mut().for_each(|list| list.sort());
        whole
    }

    /// Adds what each function uses itself, and what those need that it mentions; false when nothing is new.
    fn grow(&mut self, uses: &[(Vec<LocalId>, Vec<usize>)]) -> bool {
        let mut grown = false;
        for (n, (locals, called)) in uses.iter().enumerate() {
            let through_calls = called.iter().flat_map(|callee| self.captures[*callee].clone());
            let wanted: Vec<LocalId> = locals.iter().copied().chain(through_calls).collect();
            for local in wanted {
                if self.owners[local.0 as usize] != Some(n) && !self.captures[n].contains(&local) {
                    self.captures[n].push(local);
                    grown = true;
                }
            }
        }
        grown
    }

    /// The arguments of the function that comes from the nested function `n`: what is given for its own variables, and the
    /// variables of the functions around it for themselves.
    fn args_of(&self, n: usize, given: Args) -> Args {
        if self.args == Args::NONE || given == Args::NONE {
            return self.args;
        }
        let mut args = self.types.args(self.args).to_vec();
        let own = self.own[n].start as usize..self.own[n].end as usize;
        args[own].copy_from_slice(self.types.args(given));
        self.types.intern_args(args)
    }

    /// A non-null pointer to a variable. (Regions have done their work.)
    pub fn pointer_to(&self, local: LocalId) -> Ty {
        self.types.pointer(PtrTy {
            to: self.locals[local.0 as usize].qty,
            nullable: false,
            bound: Bound::Thin(1),
            zeroterm: false,
            region: Region::Heap,
            aqual: Aqual::Aliasable,
        })
    }
}

/// What a body mentions.
#[derive(Default)]
pub(super) struct Uses {
    pub locals: Vec<LocalId>,
    pub called: Vec<GlobalId>,
    /// Functions that are taken as values.
    pub values: Vec<GlobalId>,
}

impl Uses {
    pub fn of(body: &Block) -> Uses {
        let mut found = Uses::default();
        found.block(body);
        found
    }

    /// Functions that are called or taken as values.
    pub fn functions(&self) -> impl Iterator<Item = &GlobalId> {
        self.called.iter().chain(&self.values)
    }
}

impl Visitor for Uses {
    fn local(&mut self, local: &LocalId) {
        self.locals.push(*local);
    }

    fn global(&mut self, named: Named, id: &GlobalId, _: Span) {
        match named {
            Named::Called => self.called.push(*id),
            Named::Value => self.values.push(*id),
            Named::Place => {}
        }
    }
}

/// Rewrites one body: its locals are numbered anew, captured variables are reached through pointers, and calls of
/// nested functions hand on such pointers.
struct Lift<'a> {
    whole: &'a Whole<'a>,
    /// The locals of the new function.
    locals: Vec<Local>,
    /// Where a local of the whole is now: a local of its own, or (true) behind the pointer in one.
    places: FxHashMap<LocalId, (LocalId, bool)>,
    /// Where nested functions that bind variables are values without arguments for them.
    not_instantiated: Vec<(usize, Span)>,
}

impl<'a> Lift<'a> {
    /// For the nested function `n`, or the outermost one: fixed parameters, pointers, all other locals.
    fn new(whole: &'a Whole<'a>, n: Option<usize>) -> Lift<'a> {
        let mut lift = Lift { whole, locals: vec![], places: FxHashMap::default(), not_instantiated: vec![] };
        let own = (0..whole.owners.len() as u32).filter(|local| whole.owners[*local as usize] == n);
        let own: Vec<LocalId> = own.map(LocalId).collect();
        let (fixed, rest) = own.split_at(n.map_or(0, |n| whole.fixed[n]).min(own.len()));
        fixed.iter().for_each(|local| lift.keep(*local));
        n.iter().flat_map(|n| &whole.captures[*n]).for_each(|local| lift.capture(*local));
        rest.iter().for_each(|local| lift.keep(*local));
        lift
    }

    fn keep(&mut self, local: LocalId) {
        self.places.insert(local, (LocalId(self.locals.len() as u32), false));
        self.locals.push(self.whole.locals[local.0 as usize].clone());
    }

    fn capture(&mut self, local: LocalId) {
        self.places.insert(local, (LocalId(self.locals.len() as u32), true));
        let qty = QTy::from(self.whole.pointer_to(local));
        let old = self.whole.locals[local.0 as usize].clone();
        self.locals.push(Local { qty, address_taken: false, synthetic: true, attrs: vec![], ..old });
    }

    /// The variable as a place of the new function.
    fn variable(&self, local: LocalId, span: Span) -> Option<Place> {
        let (now, captured) = *self.places.get(&local)?;
        let qty = self.whole.locals[local.0 as usize].qty;
        let kind = match captured {
            false => PlaceKind::Local(now),
            true => PlaceKind::Deref(Box::new(self.read(now, span))),
        };
        Some(Place { kind, qty, span })
    }

    fn read(&self, local: LocalId, span: Span) -> Expr {
        let qty = self.locals[local.0 as usize].qty;
        let place = Place { kind: PlaceKind::Local(local), qty, span };
        Expr { kind: ExprKind::Read(Box::new(place)), ty: qty.ty, span }
    }

    /// What the nested function `n` needs beside its arguments.
    fn pointers(&self, n: usize, span: Span) -> Vec<Expr> {
        self.whole.captures[n].iter().filter_map(|local| self.address(*local, span)).collect()
    }

    /// A pointer to a variable, for a call.
    fn address(&self, local: LocalId, span: Span) -> Option<Expr> {
        let (now, captured) = *self.places.get(&local)?;
        if captured {
            return Some(self.read(now, span));
        }
        let kind = ExprKind::AddrOf(Box::new(self.variable(local, span)?));
        Some(Expr { kind, ty: self.whole.pointer_to(local), span })
    }
}

impl Rewriter for Lift<'_> {
    fn local(&mut self, local: &mut LocalId) {
        if let Some((now, false)) = self.places.get(local) {
            *local = *now;
        }
    }

    fn place(&mut self, _: Way, place: &mut Place, _: Span) {
        match place.kind {
            PlaceKind::Local(local) => {
                if let Some(Place { kind, .. }) = self.variable(local, place.span) {
                    place.kind = kind;
                }
            }
            _ => self.parts_of_place(place),
        }
    }

    fn expr(&mut self, e: &mut Expr) {
        self.parts_of_expr(e);
        let span = e.span;
        match &mut e.kind {
            ExprKind::Call { callee: Callee::Direct(id, given), args } => {
                let Some(&n) = self.whole.by_global.get(id) else { return };
                *given = self.whole.args_of(n, *given);
                let pointers = self.pointers(n, span);
                // Extra arguments, one fat pointer, stay last.
                let at = args.len().min(self.whole.fixed[n]);
                args.splice(at..at, pointers);
            }
            ExprKind::FunctionAddr(id, given) => {
                let Some(&n) = self.whole.by_global.get(id) else { return };
                if *given == Args::NONE && !self.whole.own[n].is_empty() {
                    self.not_instantiated.push((n, span));
                }
                *given = self.whole.args_of(n, *given);
                let (Some(entry), args) = (self.whole.closures[n], *given) else { return };
                e.kind = closure(self.whole, (entry, args), e.ty, self.pointers(n, span), span);
            }
            _ => {}
        }
    }
}
