//! Abstract values and states of the initialisation analysis.

use crate::place::parts;
use cyc_check::tast::TypedUnit;
use cyc_mir::mir::Local;
use cyc_types::Ty;
use std::collections::{BTreeMap, BTreeSet};

/// A tracked object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Root {
    Local(Local),
    /// The object most recently made at an allocation site, or what a parameter promises to initialise.
    Site(u32),
}

/// What is known about a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Val {
    /// Possibly uninitialised; the variable it came from, for messages.
    Uninit(Option<Local>),
    /// Initialised, with everything reachable from it.
    Init,
    /// Definitely the address of this object.
    Addr(Root),
    /// One value per part.
    Agg(Vec<Val>),
}

/// The abstract values at a point. Objects without an entry are `Init`.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct State {
    values: BTreeMap<Root, Val>,
    pub escaped: BTreeSet<Root>,
}

impl State {
    pub fn value(&self, root: Root) -> Val {
        self.values.get(&root).cloned().unwrap_or(Val::Init)
    }

    pub fn set(&mut self, root: Root, val: Val) {
        match val.normal() {
            Val::Init => drop(self.values.remove(&root)),
            val => drop(self.values.insert(root, val)),
        }
    }

    /// The value at a path of parts within an object.
    pub fn value_at(&self, root: Root, path: &[u32]) -> Val {
        let mut here = match self.values.get(&root) {
            None => return Val::Init,
            Some(val) => val,
        };
        for part in path {
            match here {
                Val::Agg(parts) => match parts.get(*part as usize) {
                    Some(part) => here = part,
                    None => return Val::Init,
                },
                other => return other.clone(),
            }
        }
        here.clone()
    }

    /// Stores a value at a path of parts within an object of type `ty`.
    pub fn set_at(&mut self, unit: &TypedUnit, root: Root, ty: Ty, path: &[u32], val: Val) {
        let mut whole = self.value(root);
        put(unit, &mut whole, ty, path, val);
        self.set(root, whole);
    }

    /// Is the value initialised in all parts that are not mere bits?
    pub fn whole(&self, unit: &TypedUnit, val: &Val, ty: Ty) -> bool {
        match val {
            Val::Init | Val::Addr(_) => true,
            Val::Uninit(_) => unit.types.bits_only(ty),
            Val::Agg(vals) => vals.iter().zip(parts(unit, ty)).all(|(val, ty)| self.whole(unit, val, ty)),
        }
    }

    /// Lets everything that the value gives access to escape. False, with the variable at fault, if
    /// some of it is not initialised.
    pub fn escape(&mut self, unit: &TypedUnit, val: &Val, type_of: &dyn Fn(Root) -> Ty) -> Result<(), Option<Local>> {
        match val {
            Val::Init | Val::Uninit(_) => Ok(()),
            Val::Agg(vals) => vals.iter().try_for_each(|val| self.escape(unit, val, type_of)),
            Val::Addr(root) => {
                if !self.escaped.insert(*root) {
                    return Ok(());
                }
                let content = self.value(*root);
                let whole = self.whole(unit, &content, type_of(*root));
                let below = self.escape(unit, &content, type_of);
                self.set(*root, Val::Init);
                let origin = content.origin().or(match root {
                    Root::Local(local) => Some(*local),
                    Root::Site(_) => None,
                });
                if whole { below } else { Err(origin) }
            }
        }
    }

    /// Forgets that anything is surely the address of `root`: the site makes a new object.
    pub fn forget(&mut self, root: Root) {
        self.escaped.remove(&root);
        for val in self.values.values_mut() {
            val.forget(root);
        }
        self.set(root, Val::Init);
    }

    /// Pointwise join; true if `self` changed.
    pub fn join(&mut self, from: &State, unit: &TypedUnit, site_type: &dyn Fn(Root) -> Option<Ty>) -> bool {
        let before = self.clone();
        let mut from = from.clone();
        let roots: BTreeSet<Root> = self.values.keys().chain(from.values.keys()).copied().collect();
        for root in roots {
            let (mut a, mut b) = (self.value(root), from.value(root));
            if a != b {
                self.weaken(&mut a, &b, unit, site_type);
                from.weaken(&mut b, &a, unit, site_type);
            }
            self.set(root, join(&a, &b));
        }
        self.escaped.extend(from.escaped.iter().copied());
        *self != before
    }

    /// Replaces addresses in `val` that the other value does not share: by `Init` if the object is whole
    /// (it escapes), else by `Uninit`: a use of the pointer after the join is an error, the join is not.
    fn weaken(&mut self, val: &mut Val, other: &Val, unit: &TypedUnit, site_type: &dyn Fn(Root) -> Option<Ty>) {
        match (&mut *val, other) {
            (a, b) if *a == *b => {}
            (Val::Addr(root), _) => {
                let root = *root;
                let content = self.value(root);
                let whole = match site_type(root) {
                    Some(ty) => self.whole(unit, &content, ty),
                    None => content == Val::Init,
                };
                if whole {
                    self.escaped.insert(root);
                    *val = Val::Init;
                } else {
                    *val = Val::Uninit(content.origin());
                }
            }
            (Val::Agg(parts), Val::Agg(others)) => {
                parts.iter_mut().zip(others).for_each(|(part, other)| self.weaken(part, other, unit, site_type));
            }
            (Val::Agg(parts), other) => parts.iter_mut().for_each(|part| self.weaken(part, other, unit, site_type)),
            (Val::Init | Val::Uninit(_), _) => {}
        }
    }
}

fn put(unit: &TypedUnit, here: &mut Val, ty: Ty, path: &[u32], val: Val) {
    let Some((first, rest)) = path.split_first() else {
        *here = val;
        return;
    };
    let types = parts(unit, ty);
    if !matches!(here, Val::Agg(_)) {
        *here = Val::Agg(vec![here.clone(); types.len()]);
    }
    if let (Val::Agg(vals), Some(ty)) = (here, types.get(*first as usize))
        && let Some(slot) = vals.get_mut(*first as usize)
    {
        put(unit, slot, *ty, rest, val);
    }
}

/// Join of values in which addresses are either shared or already weakened.
fn join(a: &Val, b: &Val) -> Val {
    match (a, b) {
        (a, b) if a == b => a.clone(),
        (Val::Agg(xs), Val::Agg(ys)) => Val::Agg(xs.iter().zip(ys).map(|(x, y)| join(x, y)).collect()),
        (Val::Agg(xs), other) | (other, Val::Agg(xs)) => Val::Agg(xs.iter().map(|x| join(x, other)).collect()),
        (Val::Uninit(Some(origin)), _) | (_, Val::Uninit(Some(origin))) => Val::Uninit(Some(*origin)),
        (Val::Uninit(None), _) | (_, Val::Uninit(None)) => Val::Uninit(None),
        _ => Val::Init,
    }
}

impl Val {
    /// An aggregate of initialised parts is initialised.
    fn normal(self) -> Val {
        match self {
            Val::Agg(parts) => {
                let parts: Vec<Val> = parts.into_iter().map(Val::normal).collect();
                if parts.iter().all(|part| *part == Val::Init) { Val::Init } else { Val::Agg(parts) }
            }
            val => val,
        }
    }

    /// Is some part possibly uninitialised, bits or not?
    pub fn has_uninit(&self) -> bool {
        match self {
            Val::Uninit(_) => true,
            Val::Init | Val::Addr(_) => false,
            Val::Agg(parts) => parts.iter().any(Val::has_uninit),
        }
    }

    /// The variable that an uninitialised part came from.
    pub fn origin(&self) -> Option<Local> {
        match self {
            Val::Uninit(origin) => *origin,
            Val::Init | Val::Addr(_) => None,
            Val::Agg(parts) => parts.iter().find_map(Val::origin),
        }
    }

    fn forget(&mut self, root: Root) {
        match self {
            Val::Addr(of) if *of == root => *self = Val::Uninit(None),
            Val::Agg(parts) => parts.iter_mut().for_each(|part| part.forget(root)),
            _ => {}
        }
    }
}
