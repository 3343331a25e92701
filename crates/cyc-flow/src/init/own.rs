//! Values that must not be copied: moves, loans and what a function must preserve (memory, sections 4.3, 4.8, 4.9, 4.12
//! and 5.1).

use super::Init;
use super::branch::branch_to;
use super::spot::Spot;
use super::state::{Root, State, Step};
use super::value::{Gone, How, Name, Val, whole};
use crate::{errors, place};
use cyc_base::Span;
use cyc_mir::mir::*;
use cyc_types::Ty;
use std::rc::Rc;

/// Every use of one variable that was moved away is one mistake.
pub(super) const MOVED: u32 = 522;

impl Init<'_> {
    /// Takes the value out of a place: every pointer in it that must not be copied is gone from there.
    pub(super) fn move_out(
        &mut self,
        body: &Body,
        state: &mut State,
        place: &Place,
        loan: Option<LoanId>,
        span: Span,
    ) -> Val {
        let ty = place::type_of(self.unit, body, place);
        let (root, path) = match self.spot(body, state, place, span) {
            Spot::Tracked { root, path, exact: true } if !state.escaped.contains(&root) => (root, path),
            Spot::Tracked { .. } | Spot::Memory => {
                // The checker has seen to it that the path is unique; what is not followed here was reported, or is read
                // from memory of which nothing is known.
                let known = self.trace(body, state, place).is_some();
                if self.carries(body, ty) && !known && self.reports_nothing_yet() {
                    self.report(523, base(place), || errors::not_followed(span));
                }
                return Val::Init;
            }
        };
        let val = state.value_at(root, &path);
        if let Some(gone) = val.gone().cloned() {
            self.report_missing(body, &val, place, span);
            return gone.was.clone();
        }
        let kind = loan.map(|loan| body.loans[loan.0 as usize].kind);
        let lends = kind.is_some_and(|kind| kind == LoanKind::Argument || kind.is_alias());
        if lends {
            if !whole(self.unit, &val, ty) {
                self.report_missing(body, &val, place, span);
            }
            self.escape(body, state, &val, place, span);
        }
        let how = loan.map_or(How::Moved, How::Lent);
        let name = loan.filter(|_| matches!(kind, Some(LoanKind::Pattern(_)))).map(Name::Loan);
        let (rest, taken) = self.split(body, &val, ty, &|was| Gone { at: span, how, sure: true, was }, name);
        let root_type = self.root_type(body, root);
        state.set_at(self.unit, root, root_type, &path, rest);
        match lends {
            true if matches!(kind, Some(LoanKind::Argument)) => val.forgotten(),
            true => Val::Init,
            false => taken,
        }
    }

    /// What remains of a value in its place, and what is taken, named if `name` says so.
    fn split(&mut self, body: &Body, val: &Val, ty: Ty, gone: &dyn Fn(Val) -> Gone, name: Option<Name>) -> (Val, Val) {
        if !self.carries(body, ty) {
            return (val.clone(), val.clone());
        }
        let types = place::parts(self.unit, ty);
        if types.is_empty() {
            let rest = Val::Gone(Rc::new(gone(val.forgotten())));
            let taken = match name {
                Some(name) => Val::Named(name, Rc::new(val.clone())),
                None => val.clone(),
            };
            return (rest, taken);
        }
        let both = types.into_iter().enumerate().map(|(i, ty)| self.split(body, &val.part(i), ty, gone, name));
        let (rest, taken): (Vec<Val>, Vec<Val>) = both.unzip();
        (Val::Agg(rest), Val::Agg(taken))
    }

    /// The object behind a parameter marked `noliveunique`: nothing in it can be used.
    pub(super) fn emptied(&mut self, body: &Body, ty: Ty, at: Span) -> Val {
        let gone = |was| Gone { at, how: How::Moved, sure: true, was };
        self.split(body, &Val::Init, ty, &gone, None).0
    }

    // ------------------------------------------------------------ loans

    pub(super) fn end_loan(&mut self, body: &Body, state: &mut State, id: LoanId) {
        let loan = &body.loans[id.0 as usize];
        let Some((root, path)) = self.trace(body, state, &loan.place) else { return };
        let ty = place::type_of(self.unit, body, &loan.place);
        let here = state.value_at(root, &path);
        let back = match loan.kind {
            LoanKind::Argument | LoanKind::AliasArgument | LoanKind::Borrowed(_) | LoanKind::Alias(_) => {
                given_back(&here, How::Lent(id))
            }
            LoanKind::Pattern(local) => {
                let taken = state.value(Root::Local(local));
                let (back, left) = self.restored(body, &here, &taken, ty, id);
                state.set(Root::Local(local), left);
                Some(back)
            }
        };
        if let Some(back) = back {
            let root_type = self.root_type(body, root);
            state.set_at(self.unit, root, root_type, &path, back);
        }
    }

    /// What a place holds when the scope of a pattern's variable ends: the variable's value, if it is still the one that
    /// was taken, and the place was not assigned meanwhile (memory, section 4.12). And what the variable is left with.
    fn restored(&mut self, body: &Body, here: &Val, taken: &Val, ty: Ty, id: LoanId) -> (Val, Val) {
        let types = place::parts(self.unit, ty);
        if !types.is_empty() {
            let both =
                types.into_iter().enumerate().map(|(i, ty)| self.restored(body, &here.part(i), &taken.part(i), ty, id));
            let (back, left): (Vec<Val>, Vec<Val>) = both.unzip();
            return (Val::Agg(back), Val::Agg(left));
        }
        let Val::Gone(gone) = here else { return (here.clone(), taken.clone()) };
        if gone.how != How::Lent(id) || !self.carries(body, ty) {
            return (here.clone(), taken.clone());
        }
        match taken {
            Val::Named(Name::Loan(name), val) if *name == id => {
                let left = Gone { at: gone.at, how: How::Moved, sure: true, was: Val::Init };
                ((**val).clone(), Val::Gone(Rc::new(left)))
            }
            // The variable's value went elsewhere: so it is gone from here as well.
            Val::Gone(elsewhere) => (Val::Gone(elsewhere.clone()), taken.clone()),
            Val::Uninit(_) | Val::Init | Val::Zero | Val::Addr(_) | Val::Uniq(_) | Val::Agg(_) | Val::Named(..) => {
                (Val::Gone(Rc::new(Gone { how: How::Moved, ..(**gone).clone() })), taken.clone())
            }
        }
    }

    /// `open(k)`: the key cannot be used until the region is closed.
    pub(super) fn open(&mut self, body: &Body, state: &mut State, stmt: &Stmt, key: &Place) {
        let ty = place::type_of(self.unit, body, key);
        let Spot::Tracked { root, path, exact: true } = self.spot(body, state, key, stmt.span) else { return };
        let val = state.value_at(root, &path);
        if !whole(self.unit, &val, ty) {
            self.report_missing(body, &val, key, stmt.span);
        }
        let handler = self.begun.get(&std::ptr::from_ref(stmt)).copied().flatten();
        let gone = |was| Gone { at: stmt.span, how: How::Open(handler), sure: true, was };
        let (rest, _) = self.split(body, &val, ty, &gone, None);
        let root_type = self.root_type(body, root);
        state.set_at(self.unit, root, root_type, &path, rest);
    }

    pub(super) fn close(&mut self, body: &Body, state: &mut State, key: &Place) {
        let Some((root, path)) = self.trace(body, state, key) else { return };
        let Val::Gone(gone) = state.value_at(root, &path) else { return };
        if matches!(gone.how, How::Open(_)) {
            let root_type = self.root_type(body, root);
            state.set_at(self.unit, root, root_type, &path, gone.was.clone());
        }
    }

    /// The state that an exception carries to a handler: what an `alias` or `open` inside of its `try` borrowed is back,
    /// since the borrower cannot have freed it (memory, section 4.8). What is borrowed while it is used comes back there if
    /// neither the handler nor what follows uses it ([`super::borrowed`]).
    pub(super) fn thrown(&self, body: &Body, state: &State, to: HandlerId) -> State {
        let inside = |mut at: Option<HandlerId>| loop {
            match at {
                Some(handler) if handler == to => break true,
                Some(handler) => at = body.handlers[handler.0 as usize].outer,
                None => break false,
            }
        };
        let ends = |how: How| match how {
            How::Moved => false,
            How::Open(handler) => inside(handler),
            How::Lent(loan) => {
                let begun = || self.loans_begun.get(&loan).copied().flatten();
                match body.loans[loan.0 as usize].kind {
                    LoanKind::AliasArgument | LoanKind::Alias(_) => inside(begun()),
                    LoanKind::Borrowed(_) => !self.uses.after.contains(&(to, loan)),
                    LoanKind::Argument | LoanKind::Pattern(_) => false,
                }
            }
        };
        let mut out = state.clone();
        out.map(|val| unborrowed(val, &ends));
        out.tests.clear();
        out
    }

    /// Where what comes of the loan is used after the span; in a later round of the loop if it is before.
    fn next_use(&self, loan: LoanId, span: Span) -> Option<Span> {
        let uses = self.uses.spans.get(&loan)?;
        uses.iter().find(|at| at.lo > span.lo).or(uses.last()).copied()
    }

    /// A function that returns uses nothing any more.
    pub(super) fn give_back_at_return(&self, body: &Body, state: &mut State) {
        let ends = |how: How| match how {
            How::Lent(loan) => matches!(body.loans[loan.0 as usize].kind, LoanKind::Borrowed(_)),
            How::Moved | How::Open(_) => false,
        };
        state.map(|val| unborrowed(val, &ends));
    }

    // ------------------------------------------------------------ what a function must preserve

    /// At every return a parameter that the caller keeps holds what it was called with, whole.
    pub(super) fn check_borrowed(&mut self, body: &Body, state: &State, span: Span) {
        for local in self.borrowed.clone() {
            let val = state.value(Root::Local(local));
            let decl = &body.locals[local.0 as usize];
            let kept = matches!(&val, Val::Named(Name::Param(of), _) if *of == local);
            if kept && whole(self.unit, &val, decl.qty.ty) {
                continue;
            }
            let name = decl.name.map(|n| n.to_string()).unwrap_or_default();
            let missing = val.gone_within().map(|(path, gone)| {
                let part = self.describe_path(body, &Place::local(local), &path);
                (part.unwrap_or_else(|| name.clone()), gone.clone())
            });
            self.report(525, Some(local), || {
                errors::not_preserved(span, &name, (local.0 + 1, body.open), decl.span, missing)
            });
        }
    }

    /// An assignment over a place: an error where it is borrowed by an `alias` or `open`.
    pub(super) fn overwrite(&mut self, body: &Body, state: &State, place: &Place, at: (Root, &[Step]), span: Span) {
        let old = state.value_at(at.0, at.1);
        self.require_not_lent(body, &old, place, span);
        self.leak_by_overwriting(body, &old, place, span);
    }

    /// The place to which a borrowed pointer will come back gets no other one.
    pub(super) fn require_not_lent(&mut self, body: &Body, old: &Val, place: &Place, span: Span) {
        if let Some(gone) = old.gone() {
            let loan = match gone.how {
                How::Lent(loan) => Some(body.loans[loan.0 as usize].kind),
                How::Moved | How::Open(_) => None,
            };
            if matches!(loan, Some(LoanKind::Alias(_))) || matches!(gone.how, How::Open(_)) {
                let name = place::describe(self.unit, body, place);
                let borrowed = gone.at;
                self.report(527, base(place), || errors::overwritten_while_borrowed(span, &name, borrowed));
            }
        }
    }

    pub(super) fn report_gone(&mut self, body: &Body, place: &Place, path: &[Step], gone: &Gone, span: Span) {
        let name = self.describe_path(body, place, path);
        let lent = match gone.how {
            How::Moved if self.frees(body, gone.at) => errors::Away::Freed,
            How::Moved => errors::Away::Moved,
            How::Open(_) => errors::Away::Open,
            How::Lent(loan) => match body.loans[loan.0 as usize].kind {
                LoanKind::Argument => errors::Away::Argument,
                LoanKind::AliasArgument => errors::Away::AliasArgument,
                LoanKind::Borrowed(_) => errors::Away::Borrowed(self.next_use(loan, span)),
                LoanKind::Alias(local) => errors::Away::Alias(local_name(body, local)),
                LoanKind::Pattern(local) => errors::Away::Pattern(local_name(body, local)),
            },
        };
        let parameter = base(place).filter(|local| self.borrowed.contains(local));
        let parameter = parameter.map(|local| (local.0 + 1, local_name(body, local)));
        let (at, sure) = (gone.at, gone.sure);
        self.report(MOVED, base(place), || {
            let error = errors::moved_away(span, &name, at, sure, lent, parameter);
            let branch = (!sure && at.lo < span.lo).then(|| branch_to(body, at, span)).flatten();
            match branch {
                Some(branch) => errors::by_branch(error, &branch),
                None => error,
            }
        });
    }

    /// Is what moves at this place an argument of `ufree` or `rufree`? Another call that it may be in encloses it more closely.
    fn frees(&self, body: &Body, at: Span) -> bool {
        let calls = body.blocks.iter().flat_map(|block| &block.stmts).filter_map(|stmt| {
            let StmtKind::Call { callee, .. } = &stmt.kind else { return None };
            (stmt.span.lo <= at.lo && at.hi <= stmt.span.hi).then_some((stmt.span, callee))
        });
        let Some((_, Callee::Direct(function, _))) = calls.min_by_key(|(span, _)| span.hi - span.lo) else {
            return false;
        };
        let name = self.unit.global(*function).c_name;
        name.is_some_and(|name| matches!(name.as_str(), "cyc_ufree" | "cyc_rufree"))
    }

    fn describe_path(&self, body: &Body, place: &Place, path: &[Step]) -> Option<String> {
        let steps = path.iter().map(|step| match step {
            Step::Part(i) => Proj::Field(*i),
            Step::Deref => Proj::Deref(None),
        });
        let place = Place { base: place.base, proj: place.proj.iter().cloned().chain(steps).collect() };
        place::describe(self.unit, body, &place)
    }
}

/// The value with everything back that was lent by `how`; None if nothing was.
fn given_back(val: &Val, how: How) -> Option<Val> {
    unborrowed(val, &|of| of == how)
}

/// The value with everything back whose loan ends; None if nothing changes.
fn unborrowed(val: &Val, ends: &dyn Fn(How) -> bool) -> Option<Val> {
    match val {
        Val::Gone(gone) if ends(gone.how) => Some(gone.was.clone()),
        Val::Agg(parts) => {
            let new: Vec<Option<Val>> = parts.iter().map(|part| unborrowed(part, ends)).collect();
            let changed = new.iter().any(Option::is_some);
            changed
                .then(|| Val::Agg(parts.iter().zip(new).map(|(old, new)| new.unwrap_or_else(|| old.clone())).collect()))
        }
        Val::Uniq(target) => Some(Val::Uniq(Rc::new(unborrowed(target, ends)?))),
        Val::Named(name, val) => Some(Val::Named(*name, Rc::new(unborrowed(val, ends)?))),
        Val::Uninit(_) | Val::Init | Val::Zero | Val::Addr(_) | Val::Gone(_) => None,
    }
}

/// What is known on a branch on which a pointer is null.
pub(super) fn as_null(val: &Val) -> Val {
    match val {
        Val::Named(name, val) => Val::Named(*name, Rc::new(as_null(val))),
        Val::Init | Val::Uniq(_) => Val::Zero,
        Val::Uninit(_) | Val::Zero | Val::Addr(_) | Val::Agg(_) | Val::Gone(_) => val.clone(),
    }
}

fn base(place: &Place) -> Option<Local> {
    super::transfer::base_local(place)
}

fn local_name(body: &Body, local: Local) -> String {
    body.locals[local.0 as usize].name.map(|n| n.to_string()).unwrap_or_default()
}
