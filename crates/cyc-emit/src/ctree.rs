//! Expressions of C as a tree.

use std::borrow::Cow;
use std::rc::Rc;

pub(crate) type Text = Cow<'static, str>;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Expr {
    /// A local of the function being emitted, by its MIR number.
    Local(u32),
    /// A name or literal.
    Atom(Text),
    /// A literal of digits.
    Number(u64),
    /// The variable that holds the name of a source file, by its slot.
    File(u32),
    /// A call of a function of the run time's header, or of a builtin.
    Runtime(&'static str, Vec<Expr>),
    /// A literal that begins with a sign.
    Negative(Text),
    Unary(&'static str, Box<Expr>),
    Binary(&'static str, Box<Expr>, Box<Expr>),
    Cast(Rc<str>, Box<Expr>),
    Call(Box<Expr>, Vec<Expr>),
    Index(Box<Expr>, Box<Expr>),
    Member(Box<Expr>, Text),
    SizeOf(Rc<str>),
    /// `(type){.member = value, …}`
    Compound(Rc<str>, Vec<(Option<Text>, Expr)>),
}

impl Expr {
    pub fn name(text: impl Into<Text>) -> Expr {
        Expr::Atom(text.into())
    }

    pub fn call(function: &'static str, args: Vec<Expr>) -> Expr {
        Expr::Runtime(function, args)
    }

    pub fn unary(op: &'static str, inner: Expr) -> Expr {
        match (op, inner) {
            ("*", Expr::Unary("&", inner)) | ("&", Expr::Unary("*", inner)) => *inner,
            (op, inner) => Expr::Unary(op, Box::new(inner)),
        }
    }

    pub fn binary(op: &'static str, a: Expr, b: Expr) -> Expr {
        Expr::Binary(op, Box::new(a), Box::new(b))
    }

    pub fn cast(ty: Rc<str>, inner: Expr) -> Expr {
        Expr::Cast(ty, Box::new(inner))
    }

    pub fn member(self, name: impl Into<Text>) -> Expr {
        Expr::Member(Box::new(self), name.into())
    }

    /// `! e`, comparisons of integers turned round.
    pub fn negated(self) -> Expr {
        match self {
            Expr::Unary("!", inner) => *inner,
            Expr::Binary("==", a, b) => Expr::Binary("!=", a, b),
            Expr::Binary("!=", a, b) => Expr::Binary("==", a, b),
            other => Expr::Unary("!", Box::new(other)),
        }
    }
}
