//! Replacing bound variables by what they are instantiated with.

use crate::fold::Fold;
use crate::kind::{Aqual, Arg, Args, Constraint, Size, TyParam, Var};
use crate::region::Region;
use crate::ty::*;

/// Which variables are replaced. A variable without argument becomes an error, which is reported where the argument is missing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Which {
    /// Those of the function type whose component is walked.
    Bound,
    /// Those of the definition that the type stands in; existential ones, counted after the arguments, stay.
    Own,
    /// Those of the function whose body the type stands in.
    Param,
}

struct Substitution<'a> {
    which: Which,
    args: &'a [Arg],
    depth: u32,
}

impl Substitution<'_> {
    /// The argument for a variable; None: the variable stays.
    fn arg(&self, var: Var) -> Option<Option<Arg>> {
        match (self.which, var) {
            (Which::Bound, Var::Bound { depth, index }) if depth == self.depth => {
                Some(self.args.get(index as usize).copied())
            }
            (Which::Own, Var::Own(index)) | (Which::Param, Var::Param(index)) => {
                self.args.get(index as usize).copied().map(Some)
            }
            _ => None,
        }
    }
}

impl Fold for Substitution<'_> {
    fn ty(&mut self, types: &Types, ty: Ty) -> Option<Ty> {
        let TyKind::Var(var) = types.kind(ty) else { return None };
        Some(match self.arg(*var)? {
            Some(Arg::Type(new)) => types.shift(new, self.depth),
            _ => Ty::ERROR,
        })
    }

    fn region(&mut self, types: &Types, atom: Region) -> Region {
        let Some(arg) = atom.var().and_then(|var| self.arg(var)) else { return atom };
        match arg {
            Some(Arg::Region(new)) => types.fold_region(new, &mut Shift { by: self.depth, inside: 0 }),
            _ => Region::Error,
        }
    }

    fn size(&mut self, types: &Types, size: Size) -> Size {
        let Size::Var(var) = size else { return size };
        let Some(arg) = self.arg(var) else { return size };
        match arg {
            Some(Arg::Size(new)) => types.fold_size(new, &mut Shift { by: self.depth, inside: 0 }),
            _ => Size::Error,
        }
    }

    fn aqual(&mut self, types: &Types, aqual: Aqual) -> Aqual {
        let Aqual::Var(var) = aqual else { return aqual };
        let Some(arg) = self.arg(var) else { return aqual };
        match arg {
            Some(Arg::Aqual(new)) => types.fold_aqual(new, &mut Shift { by: self.depth, inside: 0 }),
            _ => Aqual::Error,
        }
    }

    fn enter(&mut self) {
        self.depth += 1;
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }
}

/// Moves free bound variables outwards by `by` function types: for a type that is put inside that many.
struct Shift {
    by: u32,
    inside: u32,
}

impl Shift {
    fn var(&self, var: Var) -> Var {
        match var {
            Var::Bound { depth, index } if depth >= self.inside => Var::Bound { depth: depth + self.by, index },
            var => var,
        }
    }
}

impl Fold for Shift {
    fn ty(&mut self, types: &Types, ty: Ty) -> Option<Ty> {
        match types.kind(ty) {
            TyKind::Var(var) => Some(types.intern(TyKind::Var(self.var(*var)))),
            _ => None,
        }
    }
    fn region(&mut self, _: &Types, atom: Region) -> Region {
        atom.var().map_or(atom, |var| self.var(var).into())
    }
    fn size(&mut self, _: &Types, size: Size) -> Size {
        if let Size::Var(var) = size { Size::Var(self.var(var)) } else { size }
    }
    fn aqual(&mut self, _: &Types, aqual: Aqual) -> Aqual {
        if let Aqual::Var(var) = aqual { Aqual::Var(self.var(var)) } else { aqual }
    }
    fn enter(&mut self) {
        self.inside += 1;
    }
    fn leave(&mut self) {
        self.inside -= 1;
    }
}

/// Looks for what the function types around a type bind.
#[derive(Default)]
struct Around {
    found: bool,
    inside: u32,
}

impl Around {
    fn var(&mut self, var: Var) {
        self.found |= matches!(var, Var::Bound { depth, .. } if depth >= self.inside);
    }
}

impl Fold for Around {
    fn ty(&mut self, types: &Types, ty: Ty) -> Option<Ty> {
        if let TyKind::Var(var) = types.kind(ty) {
            self.var(*var);
        }
        None
    }
    fn region(&mut self, _: &Types, atom: Region) -> Region {
        atom.var().into_iter().for_each(|var| self.var(var));
        self.found |= atom == Region::Caller && self.inside == 0;
        atom
    }
    fn size(&mut self, _: &Types, size: Size) -> Size {
        if let Size::Var(var) = size {
            self.var(var);
        }
        size
    }
    fn aqual(&mut self, _: &Types, aqual: Aqual) -> Aqual {
        if let Aqual::Var(var) = aqual {
            self.var(var);
        }
        aqual
    }
    fn enter(&mut self) {
        self.inside += 1;
    }
    fn leave(&mut self) {
        self.inside -= 1;
    }
}

impl Types {
    /// Does something occur in the type that a function type around it binds, `` `C `` included? It means nothing elsewhere.
    pub fn mentions_bound(&self, ty: Ty) -> bool {
        let mut around = Around::default();
        self.fold(ty, &mut around);
        around.found
    }

    /// The component `ty` of a function type, its `i`-th bound variable replaced by `args[i]`.
    pub fn substitute(&self, ty: Ty, args: &[Arg]) -> Ty {
        self.fold(ty, &mut Substitution { which: Which::Bound, args, depth: 0 })
    }

    /// The whole function type, which need not bind them any more, with the variables of index `i` that it bound
    /// replaced by `args[i]`.
    pub fn substitute_bound(&self, function: Ty, args: &[Arg]) -> Ty {
        let Some(old) = self.as_function(function) else { return function };
        let at = |ty| self.substitute(ty, args);
        let place = |p: &QTy| QTy { ty: at(p.ty), ..*p };
        self.intern(TyKind::Function(std::rc::Rc::new(FnTy {
            vars: old.vars.clone(),
            ret: at(old.ret),
            params: old.params.iter().map(place).collect(),
            varargs: match &old.varargs {
                Varargs::Typed { elem, inject } => Varargs::Typed { elem: place(elem), inject: *inject },
                plain => plain.clone(),
            },
            effect: old.effect.map(|e| self.substitute_region(e, args)),
            constraints: old.constraints.iter().map(|c| self.substitute_constraint(*c, args)).collect(),
            attrs: old.attrs.clone(),
        })))
    }

    pub fn substitute_args(&self, list: Args, args: &[Arg]) -> Args {
        self.fold_args(list, &mut Substitution { which: Which::Bound, args, depth: 0 })
    }

    pub fn substitute_region(&self, region: Region, args: &[Arg]) -> Region {
        self.fold_region(region, &mut Substitution { which: Which::Bound, args, depth: 0 })
    }

    pub fn substitute_constraint(&self, constraint: Constraint, args: &[Arg]) -> Constraint {
        self.fold_constraint(constraint, &mut Substitution { which: Which::Bound, args, depth: 0 })
    }

    /// A type of a definition, the definition's `i`-th variable replaced by `args[i]`; later ones stay.
    pub fn substitute_own(&self, ty: Ty, args: &[Arg]) -> Ty {
        self.fold(ty, &mut Substitution { which: Which::Own, args, depth: 0 })
    }

    pub fn substitute_own_args(&self, list: Args, args: &[Arg]) -> Args {
        self.fold_args(list, &mut Substitution { which: Which::Own, args, depth: 0 })
    }

    pub fn substitute_own_region(&self, region: Region, args: &[Arg]) -> Region {
        self.fold_region(region, &mut Substitution { which: Which::Own, args, depth: 0 })
    }

    pub fn substitute_own_constraint(&self, constraint: Constraint, args: &[Arg]) -> Constraint {
        self.fold_constraint(constraint, &mut Substitution { which: Which::Own, args, depth: 0 })
    }

    /// A type in the body of a function as a component of the type of one that binds the same variables.
    pub fn bind_params(&self, ty: Ty, params: &[TyParam]) -> Ty {
        let bound = (0..).zip(params).map(|(index, param)| param.arg(Var::Bound { depth: 0, index }, self));
        let args: Vec<Arg> = bound.collect();
        self.fold(ty, &mut Substitution { which: Which::Param, args: &args, depth: 0 })
    }

    fn shift(&self, ty: Ty, by: u32) -> Ty {
        if by == 0 { ty } else { self.fold(ty, &mut Shift { by, inside: 0 }) }
    }
}
