//! Abstract values of the initialisation analysis (memory, section 9.2).

use super::state::Root;
use crate::place::parts;
use cyc_base::Span;
use cyc_check::tast::TypedUnit;
use cyc_mir::mir::{HandlerId, LoanId, Local};
use cyc_types::Ty;
use std::rc::Rc;

/// What is known about a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Val {
    /// Possibly uninitialised; the variable it came from, for messages.
    Uninit(Option<Local>),
    /// Initialised, with everything reachable from it (`Unknown(All)`, `NonZero`).
    Init,
    /// A null pointer that must not be copied when it is not null: there is nothing to lose.
    Zero,
    /// Definitely the address of this object (`Points`).
    Addr(Root),
    /// A unique pointer; what its target holds, if it is not null.
    Uniq(Rc<Val>),
    /// One value per part.
    Agg(Vec<Val>),
    /// Moved away (`Consumed`).
    Gone(Rc<Gone>),
    /// This value, and it is still the one that the parameter or loan began with.
    Named(Name, Rc<Val>),
}

/// Which value it is, where identity matters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Name {
    /// What a parameter without `consume` was called with.
    Param(Local),
    /// What a variable of a pattern took.
    Loan(LoanId),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gone {
    /// Where it was moved away.
    pub at: Span,
    pub how: How,
    /// On every path that leads here.
    pub sure: bool,
    /// What it is when it comes back: initialised, or null, and which one it is.
    pub was: Val,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum How {
    Moved,
    Lent(LoanId),
    /// The key of an open region; the handler that was active where it was opened.
    Open(Option<HandlerId>),
}

/// Deeper knowledge than this through unique pointers is given up.
const DEEPEST: u32 = 12;

impl Val {
    /// The simplest form: an aggregate of initialised parts is initialised, and so is a pointer to such a thing.
    pub fn normal(self) -> Val {
        match self {
            Val::Agg(parts) => {
                let parts: Vec<Val> = parts.into_iter().map(Val::normal).collect();
                if parts.iter().all(|part| *part == Val::Init) { Val::Init } else { Val::Agg(parts) }
            }
            Val::Uniq(target) => match (*target).clone().normal() {
                Val::Init => Val::Init,
                target => Val::Uniq(Rc::new(target)),
            },
            val @ (Val::Uninit(_) | Val::Init | Val::Zero | Val::Addr(_) | Val::Gone(_) | Val::Named(..)) => val,
        }
    }

    /// Without the knowledge of which value it is.
    pub fn plain(&self) -> &Val {
        match self {
            Val::Named(_, val) => val.plain(),
            Val::Uninit(_) | Val::Init | Val::Zero | Val::Addr(_) | Val::Uniq(_) | Val::Agg(_) | Val::Gone(_) => self,
        }
    }

    /// The value of part `i`.
    pub fn part(&self, i: usize) -> Val {
        match self {
            Val::Agg(parts) => parts.get(i).cloned().unwrap_or(Val::Init),
            Val::Named(_, val) => val.part(i),
            Val::Uninit(_) | Val::Gone(_) => self.clone(),
            Val::Init | Val::Zero | Val::Addr(_) | Val::Uniq(_) => Val::Init,
        }
    }

    /// What the pointer's target holds, the pointer being unique.
    pub fn target(&self) -> Val {
        match self {
            Val::Uniq(target) => (**target).clone(),
            Val::Named(_, val) => val.target(),
            Val::Uninit(_) | Val::Gone(_) => self.clone(),
            Val::Init | Val::Zero | Val::Addr(_) | Val::Agg(_) => Val::Init,
        }
    }

    /// Is some part possibly uninitialised, bits or not? Pointers are not followed.
    pub fn has_uninit(&self) -> bool {
        match self {
            Val::Uninit(_) => true,
            Val::Agg(parts) => parts.iter().any(Val::has_uninit),
            Val::Named(_, val) => val.has_uninit(),
            Val::Init | Val::Zero | Val::Addr(_) | Val::Uniq(_) | Val::Gone(_) => false,
        }
    }

    /// The variable that an uninitialised part came from.
    pub fn origin(&self) -> Option<Local> {
        match self {
            Val::Uninit(origin) => *origin,
            Val::Agg(parts) => parts.iter().find_map(Val::origin),
            Val::Named(_, val) => val.origin(),
            Val::Uniq(target) => target.origin(),
            Val::Init | Val::Zero | Val::Addr(_) | Val::Gone(_) => None,
        }
    }

    /// A part of the value itself that was moved away.
    pub fn gone(&self) -> Option<&Rc<Gone>> {
        match self {
            Val::Gone(gone) => Some(gone),
            Val::Agg(parts) => parts.iter().find_map(Val::gone),
            Val::Named(_, val) => val.gone(),
            Val::Uninit(_) | Val::Init | Val::Zero | Val::Addr(_) | Val::Uniq(_) => None,
        }
    }

    /// The same, through unique pointers too, with the way to it.
    pub fn gone_within(&self) -> Option<(Vec<super::state::Step>, &Rc<Gone>)> {
        use super::state::Step;
        match self {
            Val::Gone(gone) => Some((vec![], gone)),
            Val::Agg(parts) => parts.iter().enumerate().find_map(|(i, part)| {
                let (mut path, gone) = part.gone_within()?;
                path.insert(0, Step::Part(i as u32));
                Some((path, gone))
            }),
            Val::Named(_, val) => val.gone_within(),
            Val::Uniq(target) => {
                let (mut path, gone) = target.gone_within()?;
                path.insert(0, Step::Deref);
                Some((path, gone))
            }
            Val::Uninit(_) | Val::Init | Val::Zero | Val::Addr(_) => None,
        }
    }

    /// What remains known when somebody else may have used the value: that it is initialised, whether it is null, and
    /// which one it is.
    pub fn forgotten(&self) -> Val {
        match self {
            Val::Named(name, val) => Val::Named(*name, Rc::new(val.forgotten())),
            Val::Zero => Val::Zero,
            Val::Uninit(_) | Val::Init | Val::Addr(_) | Val::Uniq(_) | Val::Agg(_) | Val::Gone(_) => Val::Init,
        }
    }

    /// Replaces the address of an object that is made anew.
    pub fn forget(&mut self, root: Root) {
        match self {
            Val::Addr(of) if *of == root => *self = Val::Uninit(None),
            Val::Agg(parts) => parts.iter_mut().for_each(|part| part.forget(root)),
            Val::Uniq(val) | Val::Named(_, val) => Rc::make_mut(val).forget(root),
            Val::Uninit(_) | Val::Init | Val::Zero | Val::Addr(_) | Val::Gone(_) => {}
        }
    }

    /// Does it mention the address of some object?
    pub fn has_address(&self) -> bool {
        match self {
            Val::Addr(_) => true,
            Val::Agg(parts) => parts.iter().any(Val::has_address),
            Val::Uniq(val) | Val::Named(_, val) => val.has_address(),
            Val::Uninit(_) | Val::Init | Val::Zero | Val::Gone(_) => false,
        }
    }

    /// Calls `f` on the objects whose addresses it mentions.
    pub fn each_address(&self, f: &mut impl FnMut(Root)) {
        match self {
            Val::Addr(root) => f(*root),
            Val::Agg(parts) => parts.iter().for_each(|part| part.each_address(f)),
            Val::Uniq(val) | Val::Named(_, val) => val.each_address(f),
            Val::Uninit(_) | Val::Init | Val::Zero | Val::Gone(_) => {}
        }
    }

    /// The value with knowledge through at most [`DEEPEST`] pointers.
    pub fn clipped(self) -> Val {
        if self.deeper_than(DEEPEST) { self.clip(DEEPEST) } else { self }
    }

    fn deeper_than(&self, levels: u32) -> bool {
        match self {
            Val::Uniq(_) if levels == 0 => true,
            Val::Uniq(target) => target.deeper_than(levels - 1),
            Val::Agg(parts) => parts.iter().any(|part| part.deeper_than(levels)),
            Val::Named(_, val) => val.deeper_than(levels),
            Val::Uninit(_) | Val::Init | Val::Zero | Val::Addr(_) | Val::Gone(_) => false,
        }
    }

    fn clip(self, levels: u32) -> Val {
        match self {
            Val::Uniq(target) if levels == 0 => target.worst(),
            Val::Uniq(target) => Val::Uniq(Rc::new((*target).clone().clip(levels - 1))),
            Val::Agg(parts) => Val::Agg(parts.into_iter().map(|part| part.clip(levels)).collect()),
            Val::Named(name, val) => Val::Named(name, Rc::new((*val).clone().clip(levels))),
            val @ (Val::Uninit(_) | Val::Init | Val::Zero | Val::Addr(_) | Val::Gone(_)) => val,
        }
    }

    /// The worst that is known of any part, as one value.
    fn worst(&self) -> Val {
        match self.gone_within() {
            Some((_, gone)) => Val::Gone(gone.clone()),
            None if self.any_uninit() => Val::Uninit(self.origin()),
            None => Val::Init,
        }
    }

    fn any_uninit(&self) -> bool {
        match self {
            Val::Uniq(target) => target.any_uninit(),
            Val::Agg(parts) => parts.iter().any(Val::any_uninit),
            Val::Named(_, val) => val.any_uninit(),
            Val::Uninit(_) => true,
            Val::Init | Val::Zero | Val::Addr(_) | Val::Gone(_) => false,
        }
    }
}

/// What lies at the end of a path that another value takes: is it, with all it leads to, initialised and there?
pub fn whole(unit: &TypedUnit, val: &Val, ty: Ty) -> bool {
    match val {
        Val::Init | Val::Zero | Val::Addr(_) => true,
        Val::Uninit(_) => unit.types.bits_only(ty),
        Val::Gone(_) => false,
        Val::Named(_, val) => whole(unit, val, ty),
        Val::Uniq(target) => match unit.types.as_pointer(ty) {
            Some(ptr) => whole(unit, target, ptr.to.ty),
            None => true,
        },
        Val::Agg(vals) => vals.iter().zip(parts(unit, ty)).all(|(val, ty)| whole(unit, val, ty)),
    }
}

/// Is the value itself initialised and there, whatever it leads to?
pub fn usable(unit: &TypedUnit, val: &Val, ty: Ty) -> bool {
    match val {
        Val::Uniq(_) => true,
        Val::Named(_, val) => usable(unit, val, ty),
        Val::Agg(vals) => vals.iter().zip(parts(unit, ty)).all(|(val, ty)| usable(unit, val, ty)),
        Val::Uninit(_) | Val::Init | Val::Zero | Val::Addr(_) | Val::Gone(_) => whole(unit, val, ty),
    }
}

/// Join of values in which addresses are either shared or already weakened (memory, section 9.4). A null pointer joins
/// with a unique one without loss: what is known of the target is known of it if there is one.
pub fn join(a: &Val, b: &Val) -> Val {
    match (a, b) {
        (a, b) if a == b => a.clone(),
        (Val::Named(x, a), Val::Named(y, b)) if x == y => Val::Named(*x, Rc::new(join(a, b))),
        (Val::Gone(x), Val::Gone(y)) => Val::Gone(Rc::new(Gone {
            at: x.at.min(y.at),
            how: if x.how == y.how { x.how } else { How::Moved },
            sure: x.sure && y.sure,
            was: join(&x.was, &y.was),
        })),
        (Val::Agg(xs), Val::Agg(ys)) => Val::Agg(xs.iter().zip(ys).map(|(x, y)| join(x, y)).collect()),
        (Val::Agg(xs), other) | (other, Val::Agg(xs)) if !matches!(other, Val::Named(..)) => {
            Val::Agg(xs.iter().enumerate().map(|(i, x)| join(x, &other.part(i))).collect())
        }
        (Val::Gone(gone), other) | (other, Val::Gone(gone)) => {
            // What comes back may never have been there.
            let other = if other.has_uninit() { other.clone() } else { other.forgotten() };
            Val::Gone(Rc::new(Gone { sure: false, was: join(&gone.was, &other), ..(**gone).clone() }))
        }
        (Val::Named(_, val), other) | (other, Val::Named(_, val)) => join(val, other),
        (Val::Uninit(Some(origin)), _) | (_, Val::Uninit(Some(origin))) => Val::Uninit(Some(*origin)),
        (Val::Uninit(None), _) | (_, Val::Uninit(None)) => Val::Uninit(None),
        (Val::Uniq(x), Val::Uniq(y)) => Val::Uniq(Rc::new(join(x, y))),
        (Val::Uniq(x), Val::Zero) | (Val::Zero, Val::Uniq(x)) => Val::Uniq(x.clone()),
        (Val::Uniq(x), Val::Init | Val::Addr(_) | Val::Agg(_))
        | (Val::Init | Val::Addr(_) | Val::Agg(_), Val::Uniq(x)) => Val::Uniq(Rc::new(join(x, &Val::Init))).normal(),
        (Val::Init | Val::Zero | Val::Addr(_) | Val::Agg(_), Val::Init | Val::Zero | Val::Addr(_) | Val::Agg(_)) => {
            Val::Init
        }
    }
}
