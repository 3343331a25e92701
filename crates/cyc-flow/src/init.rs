//! Definite initialisation (core, sections 9.1, 9.2, 9.6).
//!
//! The judgement: at every point each tracked object has an abstract value. What is not in the state
//! is initialised with everything reachable from it. The objects are local variables and allocation
//! sites; structs and tuples are tracked part by part, everything else as one.
//!
//! 1. A variable without initialiser and the contents of `malloc` start as `Uninit`.
//! 2. A copy copies the abstract value; storing into a part changes that part.
//! 3. A pointer that is surely the address of one object is `Addr` of it, and stores through it are
//!    stores into the object.
//! 4. An object *escapes* when its address goes where it is no longer tracked: into a call, into
//!    memory, out of the function, or joined with another pointer. Then it must be initialised in all
//!    parts that are not mere bits, and so must be everything that is stored into it from then on.
//! 5. Where paths meet, initialised on one and not on the other is uninitialised.
//! 6. Every use other than a copy needs an initialised value, unless its type is bits-only: such a
//!    value is unspecified, and its variable keeps the `Uninit` instruction that settles it.

mod state;
mod transfer;

use crate::dataflow::{Analysis, solve};
use crate::errors;
use cyc_base::Diagnostics;
use cyc_check::tast::TypedUnit;
use cyc_mir::mir::*;
use cyc_types::Ty;
use rustc_hash::{FxHashMap, FxHashSet};
use state::{Root, State, Val};

pub struct Init<'a> {
    unit: &'a TypedUnit,
    /// Allocation sites by the address of their instruction (the body stays where it is meanwhile).
    sites: FxHashMap<*const Stmt, u32>,
    /// The type of the object at each site.
    site_types: Vec<Ty>,
    /// Parameters that the function promises to initialise, with their sites.
    promised: Vec<(Local, Root)>,
    /// Variables that some instruction may read before they are written.
    frozen: FxHashSet<Local>,
    /// Set while the final pass reports; what was reported once for a variable is enough.
    reporting: Option<Diagnostics>,
    reported: FxHashSet<(u32, Option<Local>)>,
}

/// Checks a body, and removes the `Uninit` of variables that are never read too early.
pub fn analyse(unit: &TypedUnit, body: &mut Body) -> Diagnostics {
    let mut analysis = Init {
        unit,
        sites: FxHashMap::default(),
        site_types: vec![],
        promised: vec![],
        frozen: FxHashSet::default(),
        reporting: None,
        reported: FxHashSet::default(),
    };
    analysis.number_sites(body);
    let entries = solve(&mut analysis, body);
    analysis.reporting = Some(Diagnostics::default());
    for (block, entry) in body.blocks.iter().zip(&entries) {
        let Some(mut state) = entry.clone() else { continue };
        for index in 0..block.stmts.len() {
            analysis.statement(body, &mut state, block, index);
        }
        analysis.terminator(body, &mut state, block);
    }
    let Init { frozen, reporting, .. } = analysis;
    for block in &mut body.blocks {
        block.stmts.retain(|stmt| !matches!(stmt.kind, StmtKind::Uninit(local) if !frozen.contains(&local)));
    }
    reporting.unwrap_or_default()
}

impl Init<'_> {
    /// Gives every allocation a number, and every promised parameter an object of its own.
    fn number_sites(&mut self, body: &Body) {
        for stmt in body.blocks.iter().flat_map(|block| &block.stmts) {
            if let StmtKind::Alloc(alloc) = &stmt.kind {
                self.sites.insert(std::ptr::from_ref(stmt), self.site_types.len() as u32);
                self.site_types.push(alloc.elem.ty);
            }
        }
        let Some(function) = self.unit.types.as_function(self.unit.global(body.global).qty.ty) else { return };
        for parameter in &function.attrs.initializes {
            let Some(local) = parameter.checked_sub(1).filter(|p| *p < body.params).map(Local) else { continue };
            let Some(ptr) = self.unit.types.as_pointer(body.locals[local.0 as usize].qty.ty) else { continue };
            self.promised.push((local, Root::Site(self.site_types.len() as u32)));
            self.site_types.push(ptr.to.ty);
        }
    }

    fn root_type(&self, body: &Body, root: Root) -> Ty {
        match root {
            Root::Local(local) => body.locals[local.0 as usize].qty.ty,
            Root::Site(site) => self.site_types[site as usize],
        }
    }

    /// Records an error once for each code and variable.
    fn report(&mut self, code: u32, origin: Option<Local>, make: impl FnOnce() -> cyc_base::Diagnostic) {
        if let Some(diagnostics) = &mut self.reporting
            && self.reported.insert((code, origin))
        {
            diagnostics.push(make());
        }
    }

    /// What happens at the end of a block, beyond its edges.
    fn terminator(&mut self, body: &Body, state: &mut State, block: &Block) {
        let span = block.term_span;
        match &block.term {
            Terminator::If { cond: operand, .. } | Terminator::Switch { on: operand, .. } => {
                self.test(body, state, operand, span)
            }
            Terminator::Throw(operand) | Terminator::Rethrow(operand) => self.consume(body, state, operand, span),
            Terminator::Return(operand) => {
                if let Some(operand) = operand {
                    self.consume(body, state, operand, span);
                }
                self.check_promises(body, state, span);
                self.check_noreturn(body, span);
            }
            Terminator::MissingReturn => self.missing_return(body),
            Terminator::Goto(_) | Terminator::Try { .. } | Terminator::Unreachable => {}
        }
    }

    /// `initializes(n)`: the object is whole at every return.
    fn check_promises(&mut self, body: &Body, state: &State, span: cyc_base::Span) {
        for (local, root) in self.promised.clone() {
            if !state.whole(self.unit, &state.value(root), self.root_type(body, root)) {
                let name = body.locals[local.0 as usize].name.map(|n| n.to_string());
                self.report(704, Some(local), || errors::initializes_not_done(span, &name));
            }
        }
    }

    fn check_noreturn(&mut self, body: &Body, span: cyc_base::Span) {
        let global = self.unit.global(body.global);
        if self.unit.types.as_function(global.qty.ty).is_some_and(|f| f.attrs.noreturn) {
            self.report(706, None, || errors::noreturn_returns(span, global.name.as_str()));
        }
    }

    fn missing_return(&mut self, body: &Body) {
        let name = self.unit.global(body.global).name;
        if self.unit.types.bits_only(body.ret) {
            self.report(1702, None, || errors::missing_return_of_bits(body.end, name.as_str()));
        } else {
            let result = self.unit.types.show(body.ret.into(), &cyc_types::print::Plain);
            self.report(705, None, || errors::missing_return(body.end, name.as_str(), &result));
        }
    }
}

impl Analysis for Init<'_> {
    type State = State;

    fn entry(&self, _: &Body) -> State {
        let mut state = State::default();
        for (local, root) in &self.promised {
            state.set(Root::Local(*local), Val::Addr(*root));
            state.set(*root, Val::Uninit(None));
        }
        state
    }

    fn join(&self, into: &mut State, from: &State) -> bool {
        into.join(from, self.unit, &|root| match root {
            Root::Local(_) => None,
            Root::Site(site) => Some(self.site_types[site as usize]),
        })
    }

    fn statement(&mut self, body: &Body, state: &mut State, block: &Block, index: usize) {
        self.transfer(body, state, &block.stmts[index]);
    }

    fn edge(&mut self, _: &Body, state: &State, _: &Block, _: usize) -> Option<State> {
        Some(state.clone())
    }
}
