//! From written types to types: `ast::Type` to [`QTy`].

use crate::cx::Checker;
use cyc_base::{Span, Symbol};
use cyc_syntax::ast;
use cyc_types::{QTy, Ty};

/// Where a type stands: decides what an omitted region means (core, section 10.3) and what kinds of
/// type may stand there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Position {
    /// A function's parameter: a fresh region, bound by the function.
    Param,
    /// A function's result: the heap.
    Result,
    /// A field of a struct or union: the heap.
    Field,
    /// A global variable or function.
    Global,
    /// The right side of a typedef: the heap.
    Typedef,
    /// A local variable: inferred.
    Local,
    /// A cast, `sizeof`, compound literal, type argument in a body: inferred.
    Cast,
}

/// The function types around the type being resolved, innermost last.
#[derive(Default, Debug)]
pub(crate) struct Binders {
    #[allow(dead_code)] // the resolver follows
    frames: Vec<Frame>,
}

#[derive(Debug)]
struct Frame {
    #[allow(dead_code)]
    regions: Vec<(Symbol, bool)>,
}

impl Checker<'_> {
    /// The type that is written, with the qualifiers of the place that it describes.
    pub fn resolve_type(&mut self, ty: &ast::Type, at: Position) -> QTy {
        let _ = (ty, at);
        Ty::ERROR.into()
    }

    /// The type as the user would write it, for messages.
    pub fn show(&self, ty: Ty) -> String {
        format!("{ty:?}")
    }

    /// As [`Checker::show`], with the qualifiers.
    pub fn show_q(&self, qty: QTy) -> String {
        self.show(qty.ty)
    }

    /// Is a value of this type of known size (kind M)? Reports an error that names `what` if not.
    pub fn require_sized(&mut self, ty: Ty, span: Span, what: &str) -> bool {
        let _ = (ty, span, what);
        true
    }
}
