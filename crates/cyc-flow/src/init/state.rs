//! States of the initialisation analysis: the abstract values at a point, and their join (memory, sections 9.1 and 9.4).

use super::value::{Val, join, whole};
use crate::place::parts;
use cyc_check::tast::TypedUnit;
use cyc_mir::mir::{Local, Place};
use cyc_types::Ty;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A tracked object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Root {
    Local(Local),
    /// The object most recently made at an allocation site, or what a parameter promises to initialise.
    Site(u32),
}

/// A step of a path within what a tracked object owns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    Part(u32),
    /// Through a unique pointer.
    Deref,
}

/// The abstract values at a point. Objects without an entry are `Init`.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct State {
    values: BTreeMap<Root, Val>,
    pub escaped: BTreeSet<Root>,
    /// Temporaries that hold the outcome of a null test of a place: `true` for "is not null".
    pub tests: BTreeMap<Local, (Rc<Place>, bool)>,
}

impl State {
    pub fn value(&self, root: Root) -> Val {
        self.values.get(&root).cloned().unwrap_or(Val::Init)
    }

    /// Is the object plainly initialised?
    pub fn is_plain(&self, root: Root) -> bool {
        !self.values.contains_key(&root)
    }

    /// Outcomes of tests are known to the next instruction only.
    pub fn end_tests(&mut self) {
        if !self.tests.is_empty() {
            self.tests.clear();
        }
    }

    /// Everything that is not plainly initialised.
    pub fn known(&self) -> impl Iterator<Item = (Root, &Val)> {
        self.values.iter().map(|(root, val)| (*root, val))
    }

    pub fn set(&mut self, root: Root, val: Val) {
        if matches!(val, Val::Init) && self.is_plain(root) {
            return;
        }
        match val.normal().clipped() {
            Val::Init => drop(self.values.remove(&root)),
            val @ (Val::Uninit(_)
            | Val::Zero
            | Val::Addr(_)
            | Val::Uniq(_)
            | Val::Agg(_)
            | Val::Gone(_)
            | Val::Named(..)) => drop(self.values.insert(root, val)),
        }
    }

    /// How much is known.
    pub fn len(&self) -> usize {
        self.values.len() + self.escaped.len()
    }

    /// Drops what is known of objects that nobody can ask about any more: neither one of those that `live` names, nor one
    /// that such an object leads to.
    pub fn only(&mut self, live: impl Fn(Root) -> bool) {
        let mut reached: BTreeSet<Root> = self.values.keys().copied().filter(|root| live(*root)).collect();
        let mut waiting: Vec<Root> = reached.iter().copied().collect();
        while let Some(root) = waiting.pop() {
            let Some(val) = self.values.get(&root) else { continue };
            val.each_address(&mut |to| {
                if reached.insert(to) {
                    waiting.push(to);
                }
            });
        }
        self.values.retain(|root, _| reached.contains(root));
        self.escaped.retain(|root| reached.contains(root) || live(*root));
    }

    /// Replaces values by what `f` makes of them.
    pub fn map(&mut self, f: impl Fn(&Val) -> Option<Val>) {
        let changed: Vec<(Root, Val)> = self.known().filter_map(|(root, val)| Some((root, f(val)?))).collect();
        changed.into_iter().for_each(|(root, val)| self.set(root, val));
    }

    /// The value at a path within an object.
    pub fn value_at(&self, root: Root, path: &[Step]) -> Val {
        let Some(val) = self.values.get(&root) else { return Val::Init };
        path.iter().fold(val.clone(), |val, step| match step {
            Step::Part(i) => val.part(*i as usize),
            Step::Deref => val.target(),
        })
    }

    /// Stores a value at a path within an object of type `ty`.
    pub fn set_at(&mut self, unit: &TypedUnit, root: Root, ty: Ty, path: &[Step], val: Val) {
        let mut all = self.value(root);
        put(unit, &mut all, ty, path, val);
        self.set(root, all);
    }

    /// Lets everything that the value gives access to escape. Err, with the variable at fault, if some of it is not
    /// initialised.
    pub fn escape(&mut self, unit: &TypedUnit, val: &Val, type_of: &dyn Fn(Root) -> Ty) -> Result<(), Option<Local>> {
        match val {
            Val::Init | Val::Zero | Val::Uninit(_) | Val::Gone(_) => Ok(()),
            Val::Agg(vals) => vals.iter().try_for_each(|val| self.escape(unit, val, type_of)),
            Val::Uniq(val) | Val::Named(_, val) => self.escape(unit, val, type_of),
            Val::Addr(root) => {
                let first = self.escaped.insert(*root);
                // What an interrupted call was to initialise has escaped before it is whole.
                if !first && self.is_plain(*root) {
                    return Ok(());
                }
                let content = self.value(*root);
                let is_whole = whole(unit, &content, type_of(*root));
                self.set(*root, Val::Init);
                let below = self.escape(unit, &content, type_of);
                let origin = content.origin().or(match root {
                    Root::Local(local) => Some(*local),
                    Root::Site(_) => None,
                });
                if is_whole { below } else { Err(origin) }
            }
        }
    }

    /// Forgets that anything is surely the address of `root`: the site makes a new object.
    pub fn forget(&mut self, root: Root) {
        self.escaped.remove(&root);
        for val in self.values.values_mut() {
            if val.has_address() {
                val.forget(root);
            }
        }
        self.set(root, Val::Init);
    }

    /// The object comes to life, or ends.
    pub fn remove(&mut self, root: Root) {
        self.escaped.remove(&root);
        self.values.remove(&root);
    }

    /// Pointwise join; true if `self` changed.
    pub fn join(&mut self, from: &State, unit: &TypedUnit, site_type: &dyn Fn(Root) -> Option<Ty>) -> bool {
        if *self == *from {
            return false;
        }
        let mut changed = false;
        let mut from = from.clone();
        let roots: BTreeSet<Root> = self.values.keys().chain(from.values.keys()).copied().collect();
        for root in roots {
            let (mut a, mut b) = (self.value(root), from.value(root));
            if a == b {
                continue;
            }
            let before = a.clone();
            self.weaken(&mut a, &b, unit, site_type);
            from.weaken(&mut b, &a, unit, site_type);
            let joined = join(&a, &b).normal().clipped();
            changed |= joined != before;
            self.set(root, joined);
        }
        let known = self.escaped.len();
        self.escaped.extend(from.escaped.iter().copied());
        let tests = self.tests.len();
        self.tests.retain(|temp, test| from.tests.get(temp) == Some(test));
        changed || self.escaped.len() != known || self.tests.len() != tests
    }

    /// Replaces addresses in `val` that the other value does not share: by `Init` if the object is whole
    /// (it escapes), else by `Uninit`: a use of the pointer after the join is an error, the join is not.
    fn weaken(&mut self, val: &mut Val, other: &Val, unit: &TypedUnit, site_type: &dyn Fn(Root) -> Option<Ty>) {
        match (&mut *val, other) {
            (a, b) if *a == *b => {}
            (a, _) if !a.has_address() => {}
            (Val::Addr(root), _) => {
                let root = *root;
                let content = self.value(root);
                let is_whole = match site_type(root) {
                    Some(ty) => whole(unit, &content, ty),
                    None => content == Val::Init,
                };
                if is_whole {
                    self.escaped.insert(root);
                    *val = Val::Init;
                } else {
                    *val = Val::Uninit(content.origin());
                }
            }
            (Val::Agg(parts), other) => {
                for (i, part) in parts.iter_mut().enumerate() {
                    self.weaken(part, &other.part(i), unit, site_type);
                }
            }
            (Val::Uniq(target), other) => {
                self.weaken(Rc::make_mut(target), &other.target(), unit, site_type);
            }
            (Val::Named(_, val), other) => self.weaken(Rc::make_mut(val), other.plain(), unit, site_type),
            (Val::Init | Val::Zero | Val::Uninit(_) | Val::Gone(_), _) => {}
        }
    }
}

fn put(unit: &TypedUnit, here: &mut Val, ty: Ty, path: &[Step], val: Val) {
    let Some((first, rest)) = path.split_first() else {
        *here = val;
        return;
    };
    match first {
        Step::Part(i) => {
            let types = parts(unit, ty);
            if !matches!(here, Val::Agg(_)) {
                *here = Val::Agg((0..types.len()).map(|i| here.part(i)).collect());
            }
            if let (Val::Agg(vals), Some(ty)) = (here, types.get(*i as usize))
                && let Some(slot) = vals.get_mut(*i as usize)
            {
                put(unit, slot, *ty, rest, val);
            }
        }
        Step::Deref => {
            let Some(target) = unit.types.as_pointer(ty).map(|ptr| ptr.to.ty) else { return };
            match here {
                // What it is does not change by what happens to its target.
                Val::Named(_, inner) => put(unit, Rc::make_mut(inner), ty, path, val),
                Val::Uninit(_) | Val::Gone(_) => {}
                Val::Init | Val::Zero | Val::Addr(_) | Val::Uniq(_) | Val::Agg(_) => {
                    let mut inside = here.target();
                    put(unit, &mut inside, target, rest, val);
                    *here = Val::Uniq(Rc::new(inside));
                }
            }
        }
    }
}
