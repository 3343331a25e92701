//! Calls of functions that hand arguments to other threads.

use crate::cx::Checker;
use crate::errors::thread as errors;
use crate::region::{Flow, RegionReason};
use crate::tast::operands::Way;
use crate::tast::*;
use crate::visit::Visitor;
use cyc_base::{Diagnostics, Span};
use cyc_types::print::Show;
use cyc_types::{FnAttrs, Region, Ty, TyParam, Var};
use rustc_hash::FxHashSet;

/// Functions that are given to other threads, and where.
type Roots = Vec<(GlobalId, Span)>;

pub(super) fn judge(unit: &TypedUnit) -> (Roots, Diagnostics) {
    let (mut roots, mut found) = (vec![], Diagnostics::default());
    for function in &unit.functions {
        let mut cx = Judge::new(unit, function);
        cx.block(&function.body);
        let passed = cx.passed.iter().filter(|(local, _)| cx.changed.contains(local));
        let changed: Vec<Span> = passed.map(|(_, span)| *span).collect();
        changed.into_iter().for_each(|span| cx.found.push(errors::not_a_name(span)));
        roots.append(&mut cx.roots);
        found.extend(cx.found);
    }
    (roots, found)
}

/// What a call sends: the regions that must be the heap, where, and as which argument.
struct Sent<'a> {
    unit: &'a TypedUnit,
    found: Vec<(Region, Span, u32)>,
}

impl Visitor for Sent<'_> {
    fn expr(&mut self, e: &Expr) {
        if let ExprKind::Call { callee, args } = &e.kind {
            for n in attributes(self.unit, callee).sends {
                let Some(arg) = args.get(n as usize - 1) else { continue };
                let regions = self.unit.types.must_be_heap(arg.ty).into_iter();
                self.found.extend(regions.map(|region| (region, arg.span, n)));
            }
        }
        self.parts_of_expr(e);
    }
}

impl Checker<'_> {
    /// Regions of what a function sends that are still open: objects that move to another thread lie in the heap.
    pub(crate) fn require_sent_from_heap(&mut self, body: &Block) {
        let mut cx = Sent { unit: &self.unit, found: vec![] };
        cx.block(body);
        self.func.nested.functions.iter().for_each(|inner| cx.block(&inner.body));
        let found = cx.found;
        for (region, span, n) in found {
            self.included(region, Region::Heap, RegionReason::new(span, Flow::Argument(n, None)));
        }
    }
}

/// The attributes of what is called.
fn attributes(unit: &TypedUnit, callee: &Callee) -> FnAttrs {
    let ty = match callee {
        Callee::Direct(id, _) => Some(unit.global(*id).qty.ty),
        Callee::Pointer(e) => unit.types.as_pointer(e.ty).map(|ptr| ptr.to.ty),
        Callee::Builtin(_) => None,
    };
    ty.and_then(|ty| unit.types.as_function(ty)).map(|function| function.attrs.clone()).unwrap_or_default()
}

struct Judge<'a> {
    unit: &'a TypedUnit,
    params: Vec<TyParam>,
    /// Variables of types that callers answer for.
    sendable: Vec<Var>,
    shareable: Vec<Var>,
    /// Parameters that another thread runs.
    run: Vec<LocalId>,
    /// Where they are passed on.
    passed: Vec<(LocalId, Span)>,
    /// Locals that something writes to, or whose address is known.
    changed: FxHashSet<LocalId>,
    roots: Roots,
    found: Diagnostics,
}

impl<'a> Judge<'a> {
    fn new(unit: &'a TypedUnit, function: &Function) -> Judge<'a> {
        let attrs = unit.types.as_function(unit.global(function.global).qty.ty).map(|f| f.attrs.clone());
        let attrs = attrs.unwrap_or_default();
        let variables = |params: &[u32]| -> Vec<Var> {
            let types = params.iter().filter_map(|n| function.locals.get(*n as usize - 1));
            types.flat_map(|local| unit.types.variables(local.qty.ty)).collect()
        };
        let known = (0u32..).zip(&function.locals).filter(|(_, local)| local.address_taken);
        Judge {
            unit,
            params: function.vars.clone(),
            sendable: variables(&attrs.sends),
            shareable: variables(&attrs.shares),
            run: attrs.runs.iter().map(|n| LocalId(n - 1)).collect(),
            passed: vec![],
            changed: known.map(|(i, _)| LocalId(i)).collect(),
            roots: vec![],
            found: Diagnostics::default(),
        }
    }

    fn call(&mut self, attrs: &FnAttrs, args: &[Expr]) {
        let argument = |n: &u32| args.get(*n as usize - 1);
        for arg in attrs.sends.iter().filter_map(argument) {
            if let Some(hindrance) = self.unit.types.unsendable(arg.ty, &self.sendable) {
                let shown = [self.show(arg.ty), self.show(hindrance.ty)];
                self.found.push(errors::not_sendable(arg.span, &shown, &hindrance));
            }
        }
        for arg in attrs.shares.iter().filter_map(argument) {
            let Some(ptr) = self.unit.types.as_pointer(arg.ty) else { continue };
            if self.unit.types.is_thread_safe(ptr.to.ty) {
                continue;
            }
            if let Some(hindrance) = self.unit.types.unshareable(ptr.to.ty, &self.shareable, false) {
                let shown = [self.show(ptr.to.ty), self.show(hindrance.ty)];
                self.found.push(errors::not_shareable(arg.span, &shown, &hindrance));
            }
        }
        for arg in attrs.runs.iter().filter_map(argument) {
            match named(arg) {
                Some(Named::Function(id)) => self.roots.push((id, arg.span)),
                Some(Named::Local(local)) if self.run.contains(&local) => self.passed.push((local, arg.span)),
                _ => self.found.push(errors::not_a_name(arg.span)),
            }
        }
    }

    fn show(&self, ty: Ty) -> String {
        self.unit.types.show(ty.into(), &Params(&self.params))
    }
}

enum Named {
    Function(GlobalId),
    Local(LocalId),
}

/// A function by its name, or a variable, whatever is converted about it.
fn named(e: &Expr) -> Option<Named> {
    match &e.kind {
        ExprKind::FunctionAddr(id, _) => Some(Named::Function(*id)),
        ExprKind::Coerce(_, e) => named(e),
        ExprKind::Read(place) => {
            if let PlaceKind::Local(local) = place.kind {
                Some(Named::Local(local))
            } else {
                None
            }
        }
        _ => None,
    }
}

impl Visitor for Judge<'_> {
    fn place(&mut self, way: Way, place: &Place, _: Span) {
        if let PlaceKind::Local(local) = place.kind
            && changes(way)
        {
            self.changed.insert(local);
        }
        self.parts_of_place(place);
    }

    fn expr(&mut self, e: &Expr) {
        if let ExprKind::Call { callee, args } = &e.kind {
            let attrs = attributes(self.unit, callee);
            self.call(&attrs, args);
        }
        self.parts_of_expr(e);
    }
}

/// May a place hold another value afterwards? (Variables whose address is known are found by that.)
fn changes(way: Way) -> bool {
    match way {
        Way::Written | Way::Updated | Way::Swapped | Way::Moved(_) => true,
        Way::Read | Way::Address | Way::Opened | Way::Around | Way::Tag => false,
    }
}

/// Shows regions and variables by the names that the function's declaration has for them.
struct Params<'a>(&'a [TyParam]);

impl Show for Params<'_> {
    fn region(&self, region: Region) -> Option<String> {
        match region {
            Region::Heap => Some("`H".into()),
            Region::Current | Region::Caller => Some("`C".into()),
            Region::Param(i) => self.0.get(i as usize).map(|param| param.name.to_string()),
            _ => None,
        }
    }
    fn variable(&self, var: Var) -> Option<String> {
        match var {
            Var::Param(i) => self.0.get(i as usize).map(|param| param.name.to_string()),
            _ => None,
        }
    }
    fn infer(&self, _: Ty) -> Option<Ty> {
        None
    }
}
