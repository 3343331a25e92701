//! Expressions of generated programs: their text in Cyclone and their value.

use super::types::Type;
use std::rc::Rc;

#[derive(Clone, Debug)]
pub struct Function {
    pub number: usize,
    pub vars: usize,
    pub params: Vec<Type>,
    pub ret: Type,
    pub body: Expr,
    /// `static`, in the unit that calls it.
    pub internal: bool,
}

#[derive(Clone, Debug)]
pub enum Expr {
    Param(usize),
    Number(Type, i64),
    Text(String),
    Pair(Box<Expr>, Box<Expr>),
    Flip(Box<Expr>),
    First(Box<Expr>),
    Second(Box<Expr>),
    Tuple(Type, Box<Expr>, Box<Expr>),
    Component(Box<Expr>, usize),
    /// The empty list of elements of the type.
    Nil(Type),
    Cons(Box<Expr>, Box<Expr>),
    /// The first element, or the second operand.
    Head(Box<Expr>, Box<Expr>),
    Length(Box<Expr>),
    Append(Box<Expr>, Box<Expr>),
    Reverse(Box<Expr>),
    /// Every element through the identity, the other operand in front.
    Mapped(Box<Expr>, Box<Expr>),
    Array(Vec<Expr>),
    At(Box<Expr>, usize),
    /// The elements moved by one.
    Rotated(Box<Expr>),
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Through a polymorphic function that is a value in a struct.
    Through(Box<Expr>),
    Apply(usize, Box<Expr>),
    /// A function of the prelude.
    Named(&'static str),
    Call(usize, Vec<Expr>),
}

#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    Number(i64),
    Text(Rc<str>),
    /// A pair or a tuple.
    Two(Rc<(Value, Value)>),
    /// A list or an array.
    Many(Vec<Value>),
    Function(&'static str),
}

impl Expr {
    /// A function of the prelude from one type to the other.
    pub fn named_function(from: &Type, to: &Type) -> Option<Expr> {
        if from == to {
            return Some(Expr::Named("id"));
        }
        Some(Expr::Named(match (from, to) {
            (_, Type::List(elem)) if **elem == *from => "single",
            (Type::Pair(a, _), to) if **a == *to => "first",
            (_, Type::Pair(a, b)) if **a == *from && **b == *from => "twice",
            (Type::Int, Type::Long) => "widen",
            (Type::Long, Type::Int) => "narrow",
            (Type::Unsigned, Type::Int) => "half",
            (Type::Text, Type::Int) => "letters",
            (Type::Int, Type::Text) => "sign",
            (_, Type::Int) => "seven",
            (_, Type::Long) => "eight",
            _ => return None,
        }))
    }

    pub fn text(&self) -> String {
        let call = |name: &str, args: &[&Expr]| {
            let args: Vec<String> = args.iter().map(|arg| arg.text()).collect();
            format!("{name}({})", args.join(", "))
        };
        match self {
            Expr::Param(index) => format!("x{index}"),
            Expr::Number(Type::Unsigned, n) => format!("{n}u"),
            Expr::Number(Type::Long, n) => format!("({n}L)"),
            Expr::Number(Type::Colour, n) => ["Red", "Green", "Blue"][*n as usize].into(),
            Expr::Number(_, n) => format!("({n})"),
            Expr::Text(text) => format!("str(\"{text}\")"),
            Expr::Pair(a, b) => call("pair", &[a, b]),
            Expr::Flip(p) => call("flip", &[p]),
            Expr::First(p) => call("first", &[p]),
            Expr::Second(p) => call("second", &[p]),
            Expr::Tuple(ty, a, b) => format!("(({})$({}, {}))", ty.text(), a.text(), b.text()),
            Expr::Component(tuple, i) => format!("({})[{i}]", tuple.text()),
            Expr::Nil(elem) => format!("((list_t<{}>)NULL)", elem.text()),
            Expr::Cons(x, l) => call("cons", &[x, l]),
            Expr::Head(l, otherwise) => call("head", &[l, otherwise]),
            Expr::Length(l) => call("length", &[l]),
            Expr::Append(a, b) => call("append", &[a, b]),
            Expr::Reverse(l) => call("reverse", &[l]),
            Expr::Mapped(l, x) => format!("cons({}, map(id, {}))", x.text(), l.text()),
            Expr::Array(elements) => call("three", &elements.iter().collect::<Vec<_>>()),
            Expr::At(array, i) => format!("{}[{i}]", array.text()),
            Expr::Rotated(array) => call("rotated", &[array]),
            Expr::Cond(test, a, b) => format!("({} > 1 ? {} : {})", test.text(), a.text(), b.text()),
            Expr::Through(x) => format!("ops.same({})", x.text()),
            Expr::Apply(function, x) => format!("x{function}({})", x.text()),
            Expr::Named(name) => (*name).into(),
            Expr::Call(number, args) => call(&format!("f{number}"), &args.iter().collect::<Vec<_>>()),
        }
    }

    pub fn value(&self, functions: &[Function], params: &[Value]) -> Value {
        let of = |e: &Expr| e.value(functions, params);
        let many = |e: &Expr| match of(e) {
            Value::Many(elements) => elements,
            other => unreachable!("{other:?} is no list"),
        };
        let two = |e: &Expr| match of(e) {
            Value::Two(parts) => (*parts).clone(),
            other => unreachable!("{other:?} is no pair"),
        };
        match self {
            Expr::Param(index) => params[*index].clone(),
            Expr::Number(_, n) => Value::Number(*n),
            Expr::Text(text) => Value::Text(text.as_str().into()),
            Expr::Pair(a, b) | Expr::Tuple(_, a, b) => Value::Two(Rc::new((of(a), of(b)))),
            Expr::Flip(p) => {
                let (a, b) = two(p);
                Value::Two(Rc::new((b, a)))
            }
            Expr::First(p) | Expr::Component(p, 0) => two(p).0,
            Expr::Second(p) | Expr::Component(p, _) => two(p).1,
            Expr::Nil(_) => Value::Many(vec![]),
            Expr::Cons(x, l) | Expr::Mapped(l, x) => {
                let mut list = vec![of(x)];
                list.extend(many(l));
                Value::Many(list)
            }
            Expr::Head(l, otherwise) => many(l).into_iter().next().unwrap_or_else(|| of(otherwise)),
            Expr::Length(l) => Value::Number(many(l).len() as i64),
            Expr::Append(a, b) => Value::Many([many(a), many(b)].concat()),
            Expr::Reverse(l) => Value::Many(many(l).into_iter().rev().collect()),
            Expr::Array(elements) => Value::Many(elements.iter().map(of).collect()),
            Expr::At(array, i) => many(array)[*i].clone(),
            Expr::Rotated(array) => {
                let mut elements = many(array);
                elements.rotate_left(1);
                Value::Many(elements)
            }
            Expr::Cond(test, a, b) => {
                if matches!(of(test), Value::Number(n) if n > 1) {
                    of(a)
                } else {
                    of(b)
                }
            }
            Expr::Through(x) => of(x),
            Expr::Apply(function, x) => {
                let Value::Function(name) = &params[*function] else { unreachable!("a function is applied") };
                apply(name, of(x))
            }
            Expr::Named(name) => Value::Function(name),
            Expr::Call(number, args) => {
                let args: Vec<Value> = args.iter().map(of).collect();
                functions[*number].body.value(functions, &args)
            }
        }
    }
}

/// The functions of the prelude that are passed as values.
fn apply(name: &str, x: Value) -> Value {
    let number = |x: &Value| if let Value::Number(n) = x { *n } else { unreachable!("{x:?} is no number") };
    match name {
        "id" => x,
        "single" => Value::Many(vec![x]),
        "twice" => Value::Two(Rc::new((x.clone(), x))),
        "first" => {
            if let Value::Two(parts) = x {
                parts.0.clone()
            } else {
                unreachable!("a pair")
            }
        }
        "widen" => Value::Number(number(&x) << 20),
        "narrow" => Value::Number(number(&x) % 1000),
        "half" => Value::Number(number(&x) / 2),
        "letters" => {
            if let Value::Text(text) = x {
                Value::Number(text.len() as i64)
            } else {
                unreachable!("a text")
            }
        }
        "sign" => Value::Text(if number(&x) < 0 { "minus" } else { "plus" }.into()),
        "seven" => Value::Number(7),
        _ => Value::Number(8),
    }
}

impl Value {
    /// As the program prints it.
    pub fn shown(&self) -> String {
        match self {
            Value::Number(n) => n.to_string(),
            Value::Text(text) => format!("'{text}'"),
            Value::Two(parts) => format!("({} {})", parts.0.shown(), parts.1.shown()),
            Value::Many(elements) => {
                let shown: Vec<String> = elements.iter().map(Value::shown).collect();
                format!("[{}]", shown.join(" "))
            }
            Value::Function(_) => unreachable!("functions are not printed"),
        }
    }
}
