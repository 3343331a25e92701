//! The declarations around a type that bind variables: function types, and the definition of a struct, union,
//! datatype or typedef.

use crate::cx::Checker;
use cyc_base::Symbol;
use cyc_types::{Aqual, Kind, Region, TyParam, Var};

/// What binds variables around the type being resolved.
#[derive(Default, Debug)]
pub(crate) struct Binders {
    /// Of the definition around: its parameters, then what it hides. [`Var::Own`].
    pub own: Vec<TyParam>,
    /// A typedef's parameters without a written alias bound, which get that of what they are given to.
    pub unbounded: Vec<Symbol>,
    /// The function types around, innermost last. [`Var::Bound`].
    frames: Vec<Frame>,
    /// The parameter being resolved, which invented variables are named after.
    pub hint: Option<Symbol>,
    /// In the prototype of a nested function: variables of the body around are known.
    pub nested: bool,
    /// In the type of an alias: its pointers may be copied unless they say otherwise.
    pub aliased: bool,
    /// In the type of `main`: the run time has its arguments in the heap.
    pub in_heap: bool,
    /// Parameters that are tags, and the names of their integers, of the function types around.
    pub tags: Vec<(Symbol, Symbol)>,
}

#[derive(Debug)]
struct Frame {
    vars: Vec<TyParam>,
    /// How many of them were written, in the list of binders or free in the type; the others cannot be named.
    written: usize,
    /// A prototype: what is left out in a parameter is a fresh variable bound here.
    prototype: bool,
}

impl Binders {
    /// Those of a definition: nothing else around binds anything in it.
    pub fn of_definition(own: Vec<TyParam>) -> Binders {
        Binders { own, ..Binders::default() }
    }

    /// A variable is given to a parameter with an alias bound: if its own is not written, it is that.
    pub fn inherit_bound(&mut self, var: Var, bound: Aqual) -> bool {
        let Var::Own(index) = var else { return false };
        let Some(own) = self.own.get_mut(index as usize).filter(|own| self.unbounded.contains(&own.name)) else {
            return false;
        };
        own.bound = bound;
        true
    }

    pub fn enter(&mut self, vars: Vec<TyParam>, prototype: bool) {
        let written = vars.len();
        self.frames.push(Frame { vars, written, prototype });
    }

    /// Leaves the innermost function type: all that it binds, in order.
    pub fn leave(&mut self) -> Vec<TyParam> {
        self.frames.pop().map_or(vec![], |frame| frame.vars)
    }

    /// Is the type part of a function type?
    pub fn in_function(&self) -> bool {
        !self.frames.is_empty()
    }

    fn at(&self, frame: usize, index: usize) -> Var {
        Var::Bound { depth: (self.frames.len() - 1 - frame) as u32, index: index as u32 }
    }

    /// The variable of that name that a function type or definition around binds.
    pub fn lookup(&self, name: Symbol) -> Option<(Var, TyParam)> {
        for (i, frame) in self.frames.iter().enumerate().rev() {
            if let Some(index) = frame.vars[..frame.written].iter().position(|v| v.name == name) {
                return Some((self.at(i, index), frame.vars[index]));
            }
        }
        let index = self.own.iter().rposition(|v| v.name == name)?;
        Some((Var::Own(index as u32), self.own[index]))
    }

    /// The declaration of a bound variable.
    pub fn param(&self, var: Var) -> Option<TyParam> {
        match var {
            Var::Bound { depth, index } => {
                let frame = self.frames.len().checked_sub(depth as usize + 1)?;
                self.frames[frame].vars.get(index as usize).copied()
            }
            Var::Own(index) => self.own.get(index as usize).copied(),
            Var::Param(_) => None,
        }
    }

    /// A variable for what a parameter's type leaves out, bound by the prototype around; None: there is none.
    pub fn fresh(&mut self, kind: Kind) -> Option<(Var, TyParam)> {
        let frame = self.frames.iter().position(|f| f.prototype)?;
        let name = match self.hint {
            Some(hint) => Symbol::new(&format!("`{hint}")),
            None => Symbol::new("`_"),
        };
        let param = TyParam { kind, ..TyParam::region(name) };
        self.frames[frame].vars.push(param);
        let index = self.frames[frame].vars.len() - 1;
        Some((self.at(frame, index), param))
    }

    /// A region for a parameter's pointer that names none.
    pub fn fresh_region(&mut self) -> Region {
        if self.in_heap {
            return Region::Heap;
        }
        self.fresh(Kind::E).map_or(Region::Heap, |(var, _)| var.into())
    }
}

impl Checker<'_> {
    /// The declaration of a variable: of a declaration around, or of the function being checked.
    pub(crate) fn declared_param(&self, var: Var) -> Option<TyParam> {
        match var {
            Var::Param(index) => self.func.params.get(index as usize).copied(),
            var => self.binders.param(var),
        }
    }
}
