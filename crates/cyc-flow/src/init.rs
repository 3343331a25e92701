//! Definite initialisation, and values that must not be copied (core, sections 9.1, 9.2, 9.6; memory, section 9): one
//! forward analysis, sensitive to flow and not to paths, of one function at a time.
//!
//! The judgement: at every point each tracked object has an abstract value. What is not in the state is initialised with
//! everything reachable from it. The checker has made moves explicit and has seen to it that they leave unique paths only.
//! The steps have the numbers of memory.md.
//!
//! 9.1 Objects are local variables and allocation sites; structs and tuples are tracked part by part, and so is what a
//!     unique pointer owns; everything else is one place. ([`spot`])
//!
//! 9.2 The values are those of [`value::Val`]. A value is *whole* when it and everything that is known below it is
//!     initialised and there (level `All`); it is *usable* when it itself is.
//!
//! 9.3 A variable without initialiser and the contents of `malloc` start as `Uninit`; a parameter that the caller keeps
//!     is `Named` by itself; of the object that a `noliveunique` parameter points to nothing can be used.
//!
//! 9.4 Where paths meet, uninitialised on one of them is uninitialised, and gone on one of them is gone. Addresses that
//!     are not the same on all escape. ([`state`])
//!
//! 9.5 The instructions ([`transfer`], [`rvalue`], [`own`]):
//!
//!   1. A copy copies the abstract value; storing into a part changes that part.
//!   2. A pointer that is surely the address of one object is `Addr` of it, and stores through it are stores into the
//!      object. A unique pointer is unfolded where a path goes through it.
//!   3. An object *escapes* when its address goes where it is no longer tracked: into a call, into memory, out of the
//!      function, or joined with another pointer. Then it must be whole, up to mere bits, and so must be everything
//!      that is stored into it from then on.
//!   4. A move takes the value of a place: what must not be copied in it is `Gone` there. Using it, even testing it for
//!      null, is an error until the place gets another value.
//!   5. A loan takes it for a while. An argument comes back when the call returns, and nothing is known of it but that
//!      it is whole; what an `alias` or `open` borrows comes back at the end of its scope, whatever was done with it; what
//!      is borrowed for what a call returns, after the last use of that ([`borrowed`]); what the variable of a pattern
//!      takes comes back if the variable still has it and the place was not assigned.
//!   6. Every use other than a copy needs a usable value, unless its type is bits-only: such a value is unspecified, and
//!      its variable keeps the `Uninit` instruction that settles it. A use that may keep the value needs a whole one.
//!   7. `:=:` exchanges the values of two tracked places whatever they are; what goes elsewhere must be whole, and what
//!      comes from there is.
//!   8. A null test of a value that must not be copied tells on each branch whether there is something to lose.
//!   9. At a return everything lent is given back first; then a parameter that the caller keeps must hold the value it
//!      was called with, whole.
//!
//! 9.7 An exception carries the state before the instruction that raises it to the handler; a call may have done before
//!     all that it does, so that what it was given has escaped there too. A value that was lent to the call is gone there, one borrowed by an `alias` or `open` inside of the `try` is not.

mod borrowed;
pub(crate) mod branch;
mod leak;
mod own;
mod rvalue;
mod spot;
mod state;
mod transfer;
mod value;

use crate::dataflow::{Analysis, block_id, solve, successors};
use crate::{Watch, errors};
use cyc_base::{Diagnostics, Span};
use cyc_check::tast::TypedUnit;
use cyc_mir::live::{Asking, Live};
use cyc_mir::mir::*;
use cyc_mir::verify::Stage;
use cyc_types::Ty;
use rustc_hash::{FxHashMap, FxHashSet};
use state::{Root, State};
use std::cell::OnceCell;
use std::rc::Rc;
use value::{Name, Val, whole};

pub(crate) use value::Gone;

pub struct Init<'a> {
    unit: &'a TypedUnit,
    /// Allocation sites by the address of their instruction (the body stays where it is meanwhile).
    sites: FxHashMap<*const Stmt, u32>,
    /// The type of the object at each site.
    site_types: Vec<Ty>,
    /// Parameters that the function promises to initialise, with their sites.
    promised: Vec<(Local, Root)>,
    /// Parameters whose values the caller keeps.
    borrowed: Vec<Local>,
    /// Parameters of whose objects nothing can be used.
    emptied: Vec<(Local, Val)>,
    /// The handler that is active where a key is opened, and where a loan begins.
    begun: FxHashMap<*const Stmt, Option<HandlerId>>,
    loans_begun: FxHashMap<LoanId, Option<HandlerId>>,
    /// Where what is borrowed while it is used is used.
    uses: borrowed::Uses,
    /// Does a type hold values that must not be copied?
    carries: FxHashMap<Ty, bool>,
    live: OnceCell<Live>,
    /// How much was known in the present block when what is dead was looked for.
    kept: usize,
    /// Variables that some instruction may read before they are written.
    frozen: FxHashSet<Local>,
    /// Set while the final pass reports; what was reported once for a variable is enough.
    reporting: Option<Diagnostics>,
    reported: FxHashSet<(u32, Option<Local>)>,
}

/// As much as this may be known of dead variables until the end of a block.
const FEW: usize = 16;

/// Checks a body, and removes the `Uninit` of variables that are never read too early.
pub fn analyse(unit: &TypedUnit, body: &mut Body, watch: &mut Watch) -> Diagnostics {
    let mut analysis = Init {
        unit,
        sites: FxHashMap::default(),
        site_types: vec![],
        promised: vec![],
        borrowed: vec![],
        emptied: vec![],
        begun: FxHashMap::default(),
        loans_begun: FxHashMap::default(),
        uses: borrowed::give_back_after_last_uses(unit, body),
        carries: FxHashMap::default(),
        live: OnceCell::new(),
        kept: 0,
        frozen: FxHashSet::default(),
        reporting: None,
        reported: FxHashSet::default(),
    };
    analysis.number_sites(body);
    analysis.ownership_of_parameters(body);
    let entries = solve(&mut analysis, body);
    analysis.reporting = Some(Diagnostics::default());
    for (block, entry) in body.blocks.iter().zip(&entries) {
        let Some(mut state) = entry.clone() else { continue };
        for index in 0..block.stmts.len() {
            analysis.statement(body, &mut state, block, index);
        }
        analysis.terminator(body, &mut state, block);
        for to in successors(&block.term) {
            if let Some(entry) = &entries[to.0 as usize] {
                analysis.leak_at_join(body, &state, entry, block.term_span);
            }
        }
    }
    let Init { frozen, reporting, .. } = analysis;
    let diagnostics = reporting.unwrap_or_default();
    if !diagnostics.has_errors() {
        watch(Stage::Judged, body);
    }
    erase(body, &frozen);
    diagnostics
}

/// Takes the instructions out that were there for this analysis only.
fn erase(body: &mut Body, frozen: &FxHashSet<Local>) {
    let loans = &body.loans;
    for block in &mut body.blocks {
        block.stmts.retain(|stmt| match stmt.kind {
            StmtKind::Uninit(local) => frozen.contains(&local),
            StmtKind::EndLoan(_) | StmtKind::Dead(_) => false,
            StmtKind::Assign(..)
            | StmtKind::Check(_)
            | StmtKind::Call { .. }
            | StmtKind::Alloc(_)
            | StmtKind::Swap(..)
            | StmtKind::SetTag(..)
            | StmtKind::Asm(_)
            | StmtKind::PushRegion { .. }
            | StmtKind::PopRegion(_)
            | StmtKind::OpenKey { .. }
            | StmtKind::CloseKey(_)
            | StmtKind::PopHandler(_)
            | StmtKind::Removed(..) => true,
        });
        for stmt in &mut block.stmts {
            if let StmtKind::Assign(place, value @ Rvalue::Move(..)) = &mut stmt.kind
                && let Rvalue::Move(operand, loan) = value
            {
                let alias = |loan: &LoanId| loans[loan.0 as usize].kind.is_alias();
                let local = place.as_local().filter(|_| loan.as_ref().is_some_and(alias));
                *value = match local {
                    Some(local) => Rvalue::Retype(operand.clone(), body.locals[local.0 as usize].qty.ty),
                    None => Rvalue::Use(operand.clone()),
                };
            }
        }
    }
}

impl Init<'_> {
    /// Gives every allocation a number, and every promised parameter an object of its own.
    fn number_sites(&mut self, body: &Body) {
        for (handler, stmt) in body.blocks.iter().flat_map(|b| b.stmts.iter().map(|stmt| (b.handler, stmt))) {
            match &stmt.kind {
                StmtKind::Alloc(alloc) => {
                    self.sites.insert(std::ptr::from_ref(stmt), self.site_types.len() as u32);
                    self.site_types.push(alloc.elem.ty);
                }
                StmtKind::OpenKey { .. } => drop(self.begun.insert(std::ptr::from_ref(stmt), handler)),
                StmtKind::Assign(_, Rvalue::Move(_, Some(loan))) => drop(self.loans_begun.insert(*loan, handler)),
                StmtKind::Assign(..)
                | StmtKind::Uninit(_)
                | StmtKind::Check(_)
                | StmtKind::Call { .. }
                | StmtKind::Swap(..)
                | StmtKind::SetTag(..)
                | StmtKind::Asm(_)
                | StmtKind::PushRegion { .. }
                | StmtKind::PopRegion(_)
                | StmtKind::CloseKey(_)
                | StmtKind::EndLoan(_)
                | StmtKind::Dead(_)
                | StmtKind::PopHandler(_)
                | StmtKind::Removed(..) => {}
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

    /// Which parameters the caller keeps, and which are to be freed.
    fn ownership_of_parameters(&mut self, body: &Body) {
        let Some(function) = self.unit.types.as_function(self.unit.global(body.global).qty.ty).cloned() else { return };
        for local in (0..body.params).map(Local) {
            let (n, decl) = (local.0 + 1, &body.locals[local.0 as usize]);
            if !self.unit.types.is_alias_restricted(decl.qty.ty, &body.vars) {
                continue;
            }
            if function.attrs.noliveunique.contains(&n) {
                let Some(ptr) = self.unit.types.as_pointer(decl.qty.ty) else { continue };
                let inside = self.emptied(body, ptr.to.ty, decl.span);
                if self.is_unique(body, decl.qty.ty) {
                    self.emptied.push((local, Val::Uniq(Rc::new(inside))));
                }
            } else if !function.attrs.consume.contains(&n) {
                self.borrowed.push(local);
            }
        }
    }

    /// Drops what is known of locals that are not live, and of what only they led to. (What a parameter holds is asked for at
    /// every return.)
    fn end_lives(&self, body: &Body, state: &mut State, live: impl Fn(Local) -> bool) {
        state.only(|root| match root {
            Root::Local(local) => local.0 < body.params || live(local),
            Root::Site(_) => self.promised.iter().any(|(_, promised)| *promised == root),
        });
    }

    fn live(&self, body: &Body) -> &Live {
        self.live.get_or_init(|| Live::new(body, Asking::UsesAndEnds, |_| true))
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

    /// Has no error been found yet?
    fn reports_nothing_yet(&self) -> bool {
        self.reporting.as_ref().is_some_and(|diagnostics| !diagnostics.has_errors())
    }

    /// What happens at the end of a block, beyond its edges.
    fn terminator(&mut self, body: &Body, state: &mut State, block: &Block) {
        let span = block.term_span;
        match &block.term {
            Terminator::If { cond: operand, .. } | Terminator::Switch { on: operand, .. } => {
                self.test(body, state, operand, span)
            }
            Terminator::Throw(operand) | Terminator::Rethrow(operand) => self.keep(body, state, operand, span),
            Terminator::Return(operand) => {
                if let Some(operand) = operand {
                    self.keep(body, state, operand, span);
                }
                self.give_back_at_return(body, state);
                self.check_borrowed(body, state, span);
                self.leak_at_return(body, state, span);
                self.check_promises(body, state, span);
                self.check_noreturn(body, span);
            }
            Terminator::MissingReturn => self.missing_return(body),
            Terminator::Goto(_) | Terminator::Try { .. } | Terminator::Unreachable => {}
        }
    }

    /// `initializes(n)`: the object is whole at every return.
    fn check_promises(&mut self, body: &Body, state: &State, span: Span) {
        for (local, root) in self.promised.clone() {
            if !whole(self.unit, &state.value(root), self.root_type(body, root)) {
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
        for local in &self.borrowed {
            state.set(Root::Local(*local), Val::Named(Name::Param(*local), Rc::new(Val::Init)));
        }
        for (local, val) in &self.emptied {
            state.set(Root::Local(*local), val.clone());
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
        if index == 0 {
            self.kept = state.len();
        } else if state.len() > 2 * self.kept + FEW {
            let (at, index) = (block_id(body, block), index as u32);
            self.end_lives(body, state, |local| self.live(body).last_use_after(at, index, local).is_some());
            self.kept = state.len();
        }
    }

    fn edge(&mut self, body: &Body, state: &State, block: &Block, edge: usize) -> Option<State> {
        let mut state = state.clone();
        if let Terminator::If { cond: Operand::Copy(cond), .. } = &block.term
            && let Some((place, when)) = cond.as_local().and_then(|temp| state.tests.get(&temp).cloned())
            && (edge == 0) != when
            && let Some((root, path)) = self.trace(body, &state, &place)
        {
            let null = own::as_null(&state.value_at(root, &path));
            let root_type = self.root_type(body, root);
            state.set_at(self.unit, root, root_type, &path, null);
        }
        state.tests.clear();
        if state.len() > FEW {
            let to = successors(&block.term)[edge];
            self.end_lives(body, &mut state, |local| self.live(body).at_entry(to, local));
        }
        Some(state)
    }

    fn thrown(&mut self, body: &Body, state: &State, to: HandlerId) -> State {
        let mut state = Init::thrown(self, body, state, to);
        if state.len() > FEW {
            let catch = body.handlers[to.0 as usize].catch;
            self.end_lives(body, &mut state, |local| self.live(body).at_entry(catch, local));
        }
        state
    }
}
