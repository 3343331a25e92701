//! Random well-typed polymorphic programs of two units, with what they print: the generator evaluates them itself.
//!
//! A program is a number of polymorphic functions, each of which may call those before it, and calls of them at random types.
//! Everything ends: recursion is only within the functions of [`PRELUDE`].

mod expr;
mod text;
mod types;

pub use text::Program;

use expr::{Expr, Function, Value};
use fastrand::Rng;
use types::Type;

/// What every program is built from, shared by both units as prototypes.
pub const PRELUDE_H: &str = include_str!("prelude.h");
/// The bodies.
pub const PRELUDE: &str = include_str!("prelude.cyc");

/// Polymorphic functions of a program.
const FUNCTIONS: usize = 8;
/// Calls that print.
const CALLS: usize = 16;

struct Generator {
    rng: Rng,
    functions: Vec<Function>,
}

/// The program of a seed.
pub fn generate(seed: u64) -> Program {
    let mut generator = Generator { rng: Rng::with_seed(seed), functions: vec![] };
    for number in 0..FUNCTIONS {
        let function = generator.function(number);
        generator.functions.push(function);
    }
    let calls: Vec<(Type, Expr, Value)> = (0..CALLS).map(|_| generator.printed_call()).collect();
    text::program(&generator.functions, &calls)
}

impl Generator {
    fn pick<'t, T>(&mut self, from: &'t [T]) -> &'t T {
        &from[self.rng.usize(..from.len())]
    }

    /// A type of kind B, built from the given leaves.
    fn boxed_type(&mut self, leaves: &[Type], depth: u32) -> Type {
        match self.rng.u32(..10) {
            0..2 if depth > 0 => {
                Type::Pair(self.boxed_type(leaves, depth - 1).into(), self.boxed_type(leaves, depth - 1).into())
            }
            2..4 if depth > 0 => Type::List(self.boxed_type(leaves, depth - 1).into()),
            _ => self.pick(leaves).clone(),
        }
    }

    /// A type of values, tuples and arrays included.
    fn any_type(&mut self, leaves: &[Type], depth: u32) -> Type {
        match self.rng.u32(..10) {
            0 => Type::Tuple(
                self.any_type(leaves, depth.saturating_sub(1)).into(),
                self.boxed_type(leaves, depth).into(),
            ),
            1 => Type::Array(self.boxed_type(leaves, depth).into()),
            _ => self.boxed_type(leaves, depth),
        }
    }

    /// A polymorphic function. Its first parameters are one value of each variable, so that values of every type
    /// over them can be built.
    fn function(&mut self, number: usize) -> Function {
        let vars = self.rng.usize(1..=3);
        let mut leaves: Vec<Type> = (0..vars).map(Type::Var).collect();
        let mut params = leaves.clone();
        leaves.push(Type::Int);
        leaves.push(Type::Long);
        for _ in 0..self.rng.usize(0..=2) {
            let param = match self.rng.bool() {
                true => self.any_type(&leaves, 2),
                false => {
                    let from = self.boxed_type(&leaves[..vars], 0);
                    let to = self.boxed_type(&leaves, 1);
                    Type::Function(from.into(), to.into())
                }
            };
            params.push(param);
        }
        let ret = self.any_type(&leaves, 2);
        let body = self.expr(&ret, &params, 4);
        Function { number, vars, params, ret, body, internal: self.rng.bool() }
    }

    fn printed_call(&mut self) -> (Type, Expr, Value) {
        let leaves = [Type::Int, Type::Unsigned, Type::Long, Type::Colour, Type::Text];
        let ty = self.any_type(&leaves, 2);
        let expr = self.call_for(&ty, &[], 2).unwrap_or_else(|| self.expr(&ty, &[], 3));
        let value = expr.value(&self.functions, &[]);
        (ty, expr, value)
    }

    /// An expression of type `ty` over parameters of types `params`.
    fn expr(&mut self, ty: &Type, params: &[Type], depth: u32) -> Expr {
        if depth > 0 {
            for _ in 0..4 {
                if let Some(found) = self.larger_expr(ty, params, depth - 1) {
                    return found;
                }
            }
        }
        let fitting: Vec<usize> = (0..params.len()).filter(|i| params[*i] == *ty).collect();
        if !fitting.is_empty() && (depth == 0 || !ty.is_constant() || self.rng.bool()) {
            return Expr::Param(*self.pick(&fitting));
        }
        self.smallest(ty)
    }

    /// A value of the type, without looking further.
    fn smallest(&mut self, ty: &Type) -> Expr {
        match ty {
            Type::Var(index) => Expr::Param(*index),
            Type::Pair(a, b) => Expr::Pair(self.smallest(a).into(), self.smallest(b).into()),
            Type::Tuple(a, b) => Expr::Tuple(ty.clone(), self.smallest(a).into(), self.smallest(b).into()),
            Type::List(elem) if self.rng.bool() => Expr::Nil((**elem).clone()),
            Type::List(elem) => Expr::Cons(self.smallest(elem).into(), Expr::Nil((**elem).clone()).into()),
            Type::Array(elem) => {
                let elements = (0..3).map(|_| self.smallest(elem)).collect();
                Expr::Array(elements)
            }
            Type::Function(..) => unreachable!("functions are passed as parameters only"),
            Type::Int => Expr::Number(ty.clone(), i64::from(self.rng.i32(-1000..1000))),
            Type::Unsigned => Expr::Number(ty.clone(), i64::from(self.rng.u32(..))),
            Type::Long => Expr::Number(ty.clone(), self.rng.i64(-1 << 60..1 << 60)),
            Type::Colour => Expr::Number(ty.clone(), self.rng.i64(0..3)),
            Type::Text => Expr::Text(["", "a", "word", "two words", "%d"][self.rng.usize(..5)].into()),
        }
    }

    /// One of the forms whose value has the type, its parts of depth at most `depth`; None: try another.
    fn larger_expr(&mut self, ty: &Type, params: &[Type], depth: u32) -> Option<Expr> {
        let leaves: Vec<Type> =
            params.iter().filter(|p| matches!(p, Type::Var(_))).cloned().chain([Type::Int]).collect();
        let sub = |this: &mut Self, ty: &Type| Box::new(this.expr(ty, params, depth));
        match self.rng.u32(..12) {
            0 | 1 => self.call_for(ty, params, depth),
            2 => {
                // A parameter that is a function, applied.
                let fitting: Vec<usize> =
                    (0..params.len()).filter(|i| matches!(&params[*i], Type::Function(_, to) if **to == *ty)).collect();
                let function = *fitting.get(self.rng.usize(..fitting.len().max(1)))?;
                let Type::Function(from, _) = &params[function] else { return None };
                Some(Expr::Apply(function, sub(self, from)))
            }
            3 if ty.is_boxed() => {
                let other = self.boxed_type(&leaves, 1);
                Some(match self.rng.bool() {
                    true => Expr::First(sub(self, &Type::Pair(ty.clone().into(), other.into()))),
                    false => Expr::Second(sub(self, &Type::Pair(other.into(), ty.clone().into()))),
                })
            }
            4 if ty.is_boxed() => Some(Expr::Head(sub(self, &Type::List(ty.clone().into())), sub(self, ty))),
            5 if ty.is_boxed() => Some(Expr::At(sub(self, &Type::Array(ty.clone().into())), self.rng.usize(..3))),
            6 => Some(Expr::Cond(sub(self, &Type::Int), sub(self, ty), sub(self, ty))),
            7 if ty.is_boxed() => Some(Expr::Through(sub(self, ty))),
            8 if ty.is_boxed() => {
                let other = self.boxed_type(&leaves, 1);
                Some(Expr::Component(sub(self, &Type::Tuple(ty.clone().into(), other.into())), 0))
            }
            _ => match ty {
                Type::Pair(a, b) if self.rng.bool() => Some(Expr::Pair(sub(self, a), sub(self, b))),
                Type::Pair(a, b) => Some(Expr::Flip(sub(self, &Type::Pair(b.clone(), a.clone())))),
                Type::Tuple(a, b) => Some(Expr::Tuple(ty.clone(), sub(self, a), sub(self, b))),
                Type::List(elem) => Some(match self.rng.u32(..4) {
                    0 => Expr::Append(sub(self, ty), sub(self, ty)),
                    1 => Expr::Reverse(sub(self, ty)),
                    2 => Expr::Mapped(sub(self, ty), sub(self, elem)),
                    _ => Expr::Cons(sub(self, elem), sub(self, ty)),
                }),
                Type::Array(_) => Some(Expr::Rotated(sub(self, ty))),
                Type::Int => {
                    let elem = self.boxed_type(&leaves, 1);
                    Some(Expr::Length(sub(self, &Type::List(elem.into()))))
                }
                _ => None,
            },
        }
    }

    /// A call of one of the functions so far whose result can have the type.
    fn call_for(&mut self, ty: &Type, params: &[Type], depth: u32) -> Option<Expr> {
        let number = self.rng.usize(..self.functions.len().max(1));
        let function = self.functions.get(number)?.clone();
        let mut at: Vec<Option<Type>> = vec![None; function.vars];
        if !function.ret.matches(ty, &mut at) {
            return None;
        }
        let leaves: Vec<Type> = match params.is_empty() {
            true => vec![Type::Int, Type::Unsigned, Type::Long, Type::Colour, Type::Text],
            false => params.iter().filter(|p| matches!(p, Type::Var(_))).cloned().chain([Type::Int]).collect(),
        };
        let at: Vec<Type> = at.into_iter().map(|t| t.unwrap_or_else(|| self.boxed_type(&leaves, 1))).collect();
        let mut args = vec![];
        for param in &function.params {
            args.push(match param.at(&at) {
                Type::Function(from, to) => self.function_value(&from, &to, params)?,
                param => self.expr(&param, params, depth.saturating_sub(1)),
            });
        }
        Some(Expr::Call(number, args))
    }

    /// Something that can be passed for a parameter of function type.
    fn function_value(&mut self, from: &Type, to: &Type, params: &[Type]) -> Option<Expr> {
        let wanted = Type::Function(from.clone().into(), to.clone().into());
        let fitting: Vec<usize> = (0..params.len()).filter(|i| params[*i] == wanted).collect();
        if !fitting.is_empty() && self.rng.bool() {
            return Some(Expr::Param(*self.pick(&fitting)));
        }
        Expr::named_function(from, to)
    }
}
