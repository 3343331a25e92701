//! GNU attributes (core, section 3.14): those of function types, of layout, and those that only the
//! back end reads.

use crate::cx::Checker;
use crate::errors;
use cyc_base::{Span, Symbol};
use cyc_syntax::ast::{Attr, Expr, ExprKind};
use cyc_types::{AggrId, Aqual, Bound, FnAttrs, FormatKind, IntTy, QTy, Ty, TyKind};
use std::rc::Rc;

/// The alignment that `aligned` without argument gives: the largest that any object needs.
pub(super) const LARGEST_ALIGNMENT: u32 = 16;

/// The largest that gcc takes.
const GREATEST_ALIGNMENT: u32 = 1 << 28;

/// Attributes of a declaration that do not belong to a function's type.
#[derive(Default, Debug)]
pub(crate) struct DeclAttrs {
    pub packed: bool,
    /// In bytes, a power of two.
    pub align: Option<u32>,
    /// `mode(…)`: the type to use in place of the written one.
    pub mode: Option<Ty>,
    pub text: Vec<BackEnd>,
}

/// An attribute for the C compiler.
#[derive(Clone, Debug)]
pub(crate) struct BackEnd {
    pub name: Symbol,
    /// With its arguments, as C text.
    pub text: String,
    pub span: Span,
}

impl DeclAttrs {
    pub(crate) fn c_text(&self) -> Vec<String> {
        self.text.iter().map(|attr| attr.text.clone()).collect()
    }
}

/// C code keeps what is behind such a struct's address safe from several threads.
const THREAD_SAFE: &str = "thread_safe";

/// What an attribute is about.
enum Class {
    FunctionType,
    /// Of a struct that C code has.
    Struct,
    Layout,
    BackEnd,
    /// Of C, with no meaning here.
    Ignored,
    OnlyInC,
    /// What it asks for does not exist on this machine.
    OfOtherMachines,
    Unknown,
}

fn class(name: &str) -> Class {
    match name {
        "noreturn" | "pure" | "const" | "no_throw" | "nothrow" | "noheap" | "single_threaded" | "format"
        | "initializes" | "consume" | "noliveunique" | "noconsume" | "sends" | "shares" | "runs" | "overwrites" => {
            Class::FunctionType
        }
        THREAD_SAFE => Class::Struct,
        "vector_size" => Class::OnlyInC,
        "aligned" | "packed" | "mode" => Class::Layout,
        "section"
        | "weak"
        | "alias"
        | "unused"
        | "used"
        | "constructor"
        | "destructor"
        | "no_instrument_function"
        | "visibility"
        | "noinline"
        | "cold"
        | "hot"
        | "flatten" => Class::BackEnd,
        // There is one convention of calls, and nothing is shared with other processes.
        "regparm" | "stdcall" | "cdecl" | "fastcall" | "shared" | "dllimport" | "dllexport" => Class::OfOtherMachines,
        // A model of thread-local storage that does not fit would find the wrong memory; what gcc must inline, but cannot,
        // is an error.
        "tls_model" | "always_inline" => Class::Ignored,
        "no_check_memory_usage"
        | "leaf"
        | "nonnull"
        | "malloc"
        | "alloc_size"
        | "alloc_align"
        | "access"
        | "returns_nonnull"
        | "sentinel"
        | "warn_unused_result"
        | "deprecated"
        | "format_arg"
        | "may_alias"
        | "transparent_union"
        | "gnu_inline"
        | "artificial"
        | "error"
        | "warning"
        | "returns_twice"
        | "no_icf"
        | "fallthrough"
        | "nonstring"
        | "designated_init"
        | "no_sanitize"
        | "no_reorder"
        | "optimize"
        | "assume_aligned"
        | "fd_arg"
        | "null_terminated_string_arg" => Class::Ignored,
        _ => Class::Unknown,
    }
}

impl Checker<'_> {
    /// The attributes of `attrs` that belong to a function's type; what belongs to the declaration is
    /// kept for it.
    pub(super) fn function_attributes(&mut self, attrs: &[Attr], params: &[QTy], into: &mut FnAttrs) {
        for attr in attrs {
            match class(attr.name.as_str()) {
                Class::FunctionType => self.function_attribute(attr, params, into),
                _ => {
                    let mut rest = std::mem::take(&mut self.decls.pending);
                    self.declaration_attribute(attr, &mut rest);
                    self.decls.pending = rest;
                }
            }
        }
    }

    fn function_attribute(&mut self, attr: &Attr, params: &[QTy], into: &mut FnAttrs) {
        match attr.name.as_str() {
            "noreturn" => into.noreturn = true,
            "pure" => into.pure = true,
            "const" => into.is_const = true,
            "no_throw" | "nothrow" => into.no_throw = true,
            "noheap" => into.no_heap = true,
            "single_threaded" => into.single_threaded = true,
            "sends" => into.sends.extend(self.parameter_attribute(attr, params).map(|(n, _)| n)),
            "shares" => into.shares.extend(self.pointer_attribute(attr, params, false)),
            "overwrites" => into.overwrites.extend(self.pointer_attribute(attr, params, false)),
            "runs" => into.runs.extend(self.pointer_attribute(attr, params, true)),
            "format" => {
                if let Some(format) = self.format_attribute(attr, params) {
                    into.format = Some(format);
                }
            }
            "noconsume" => self.report(errors::moves::old_noconsume(attr.span)),
            "consume" => into.consume.extend(self.consume_attribute(attr, params)),
            "noliveunique" => into.noliveunique.extend(self.consume_attribute(attr, params)),
            _ => {
                if let Some(n) = self.initializes_attribute(attr, params) {
                    into.initializes.push(n);
                }
            }
        }
    }

    /// `format(printf, i, j)`: kind, and the two 1-based indices.
    fn format_attribute(&mut self, attr: &Attr, params: &[QTy]) -> Option<(FormatKind, u32, u32)> {
        let kind = match attr.args.first().and_then(word).map(|w| w.as_str().trim_matches('_')) {
            Some("printf") => FormatKind::Printf,
            Some("scanf") => FormatKind::Scanf,
            Some(_) => return None, // strftime and the like: nothing to check
            None => {
                self.report(errors::types::bad_attribute_argument(attr.span, attr.name));
                return None;
            }
        };
        let index = |cx: &mut Self, i: usize| {
            attr.args.get(i).and_then(|e| cx.const_int(e)).and_then(|n| u32::try_from(n).ok())
        };
        let (format, first) = (index(self, 1), index(self, 2));
        match (format, first) {
            (Some(i), Some(j)) if i >= 1 && i as usize <= params.len() && (j == 0 || j > i) => Some((kind, i, j)),
            _ => {
                self.report(errors::types::bad_attribute_index(attr.span, attr.name, params.len()));
                None
            }
        }
    }

    /// The parameter that an attribute names, counted from 1.
    fn parameter_attribute(&mut self, attr: &Attr, params: &[QTy]) -> Option<(u32, QTy)> {
        let index = attr.args.first().and_then(|e| self.const_int(e)).and_then(|n| u32::try_from(n).ok());
        let found = index.and_then(|n| Some((n, *params.get((n as usize).checked_sub(1)?)?)));
        if found.is_none() {
            self.report(errors::types::bad_attribute_index(attr.span, attr.name, params.len()));
        }
        found
    }

    /// `shares(n)`, `overwrites(n)`, `runs(n)`: the parameter must be a pointer, to data or to a function.
    fn pointer_attribute(&mut self, attr: &Attr, params: &[QTy], to_function: bool) -> Option<u32> {
        let (n, qty) = self.parameter_attribute(attr, params)?;
        let types = &self.unit.types;
        let fits = types.as_pointer(qty.ty).is_some_and(|ptr| types.as_function(ptr.to.ty).is_some() == to_function);
        if fits || qty.ty == Ty::ERROR {
            return Some(n);
        }
        let shown = self.show_q(qty);
        self.report(errors::thread::not_such_a_pointer(attr.span, attr.name, &shown, to_function));
        None
    }

    /// `consume(n)`, `noliveunique(n)`: the parameter must be a pointer that is not to be copied (memory, section 4.9).
    fn consume_attribute(&mut self, attr: &Attr, params: &[QTy]) -> Option<u32> {
        let (index, qty) = self.parameter_attribute(attr, params)?;
        if qty.ty == Ty::ERROR || self.declared_restricted(qty.ty) {
            return Some(index);
        }
        let shown = self.show_q(qty);
        self.report(errors::moves::not_restricted(attr.span, attr.name, &shown));
        None
    }

    /// Must values of a parameter's type, whose variables its function binds, not be copied?
    fn declared_restricted(&self, ty: Ty) -> bool {
        match self.unit.types.kind(ty) {
            TyKind::Pointer(ptr) => ptr.aqual != Aqual::Aliasable,
            // What it stands for decides.
            TyKind::Var(_) => true,
            _ => false,
        }
    }

    /// `initializes(n)`: the parameter must be a non-null thin pointer to one object.
    fn initializes_attribute(&mut self, attr: &Attr, params: &[QTy]) -> Option<u32> {
        let index = attr.args.first().and_then(|e| self.const_int(e)).and_then(|n| u32::try_from(n).ok());
        let Some(qty) = index.filter(|n| *n >= 1).and_then(|n| params.get(n as usize - 1)) else {
            self.report(errors::types::bad_attribute_index(attr.span, attr.name, params.len()));
            return None;
        };
        match self.unit.types.as_pointer(qty.ty) {
            Some(p) if !p.nullable && p.bound == Bound::Thin(1) && !p.zeroterm => index,
            _ => {
                let shown = self.show_q(*qty);
                self.report(errors::types::bad_initializes(attr.span, &shown));
                None
            }
        }
    }

    /// The attributes of a declaration, `lists` in the order written; those of function types are for
    /// [`Checker::apply_function_attributes`].
    pub(crate) fn declaration_attributes(&mut self, lists: &[&[Attr]]) -> DeclAttrs {
        let mut found = std::mem::take(&mut self.decls.pending);
        for attr in lists.iter().copied().flatten() {
            if !matches!(class(attr.name.as_str()), Class::FunctionType) {
                self.declaration_attribute(attr, &mut found);
            }
        }
        found
    }

    fn declaration_attribute(&mut self, attr: &Attr, into: &mut DeclAttrs) {
        match class(attr.name.as_str()) {
            Class::Layout => self.layout_attribute(attr, into),
            Class::Struct => self.report(errors::thread::thread_safe_misplaced(attr.span)),
            Class::BackEnd => self.back_end_attribute(attr, into),
            Class::OnlyInC => self.report(errors::only_in_c(attr.span, &format!("the attribute `{}`", attr.name))),
            Class::Unknown if !self.decls.c_text && !self.source.in_system_header(attr.span) => {
                self.report(errors::types::unrecognized_attribute(attr.span, attr.name));
            }
            Class::OfOtherMachines if !self.decls.c_text && !self.source.in_system_header(attr.span) => {
                self.report(errors::types::attribute_of_other_machines(attr.span, attr.name));
            }
            Class::Unknown | Class::OfOtherMachines | Class::Ignored | Class::FunctionType => {}
        }
    }

    /// `__attribute__((thread_safe)) struct S;` in `extern "C"`: the type is C's, and its functions have locks. Takes the
    /// attribute out of those of the declaration.
    pub(crate) fn thread_safe_attribute(&mut self, attrs: &[Attr], declared: Option<AggrId>) -> Vec<Attr> {
        let (found, rest): (Vec<Attr>, Vec<Attr>) = attrs.iter().cloned().partition(|a| a.name.as_str() == THREAD_SAFE);
        for attr in found {
            match declared {
                Some(id) if self.decls.extern_c && self.unit.types.aggr(id).fields.is_none() => {
                    self.unit.types.aggr_mut(id).thread_safe = true;
                }
                _ => self.report(errors::thread::thread_safe_misplaced(attr.span)),
            }
        }
        rest
    }

    fn layout_attribute(&mut self, attr: &Attr, into: &mut DeclAttrs) {
        match attr.name.as_str() {
            "packed" => into.packed = true,
            "aligned" => {
                let bytes = match attr.args.first() {
                    None => Some(LARGEST_ALIGNMENT),
                    Some(e) => self
                        .const_int(e)
                        .and_then(|n| u32::try_from(n).ok())
                        .filter(|n| n.is_power_of_two() && *n <= GREATEST_ALIGNMENT),
                };
                match bytes {
                    Some(n) => into.align = Some(into.align.unwrap_or(1).max(n)),
                    None => self.report(errors::types::bad_alignment(attr.span)),
                }
            }
            _ => match attr.args.first().and_then(word).and_then(mode) {
                Some(ty) => into.mode = Some(ty),
                None => self.report(errors::types::bad_attribute_argument(attr.span, attr.name)),
            },
        }
    }

    /// The type with the function attributes of a declaration: of the function, or of the function
    /// that the declared pointer points to.
    pub(crate) fn apply_function_attributes(&mut self, ty: Ty, lists: &[&[Attr]]) -> Ty {
        let attrs: Vec<&Attr> =
            lists.iter().copied().flatten().filter(|a| matches!(class(a.name.as_str()), Class::FunctionType)).collect();
        if attrs.is_empty() {
            return ty;
        }
        match self.add_function_attributes(ty, &attrs) {
            Some(ty) => ty,
            None => {
                if !self.decls.c_text && ty != Ty::ERROR {
                    self.report(errors::types::attribute_not_on_function(attrs[0].span, attrs[0].name));
                }
                ty
            }
        }
    }

    fn add_function_attributes(&mut self, ty: Ty, attrs: &[&Attr]) -> Option<Ty> {
        match self.unit.types.kind(ty).clone() {
            TyKind::Function(function) => {
                let mut new = (*function).clone();
                for attr in attrs {
                    self.function_attribute(attr, &function.params, &mut new.attrs);
                }
                Some(self.unit.types.intern(TyKind::Function(Rc::new(new))))
            }
            TyKind::Pointer(mut ptr) => {
                ptr.to.ty = self.add_function_attributes(ptr.to.ty, attrs)?;
                Some(self.unit.types.pointer(ptr))
            }
            TyKind::Array { mut elem, len, zeroterm } => {
                elem.ty = self.add_function_attributes(elem.ty, attrs)?;
                Some(self.unit.types.intern(TyKind::Array { elem, len, zeroterm }))
            }
            _ => None,
        }
    }
}

/// A plain identifier as an attribute's argument.
fn word(e: &Expr) -> Option<Symbol> {
    match &e.kind {
        ExprKind::Name(name) => Some(name.name),
        _ => None,
    }
}

/// The integer type of a machine mode.
fn mode(name: Symbol) -> Option<Ty> {
    Some(match name.as_str().trim_matches('_') {
        "QI" | "byte" => Ty::SCHAR,
        "HI" => Ty::SHORT,
        "SI" => Ty::INT,
        "DI" | "word" | "pointer" | "unwind_word" => Ty::LONG,
        "SF" => Ty::FLOAT,
        "DF" => Ty::DOUBLE,
        _ => return None,
    })
}

impl Checker<'_> {
    /// `mode(…)` applied to the written type: of the same sign.
    pub(crate) fn apply_mode(&mut self, qty: QTy, mode: Option<Ty>) -> QTy {
        let Some(mode) = mode else { return qty };
        let unsigned = matches!(self.unit.types.kind(qty.ty), TyKind::Int(int) if !int.signed());
        let ty = match self.unit.types.kind(mode) {
            TyKind::Int(int) if unsigned => self.unit.types.int(match int {
                IntTy::SChar => IntTy::UChar,
                IntTy::Short => IntTy::UShort,
                IntTy::Int => IntTy::UInt,
                _ => IntTy::ULong,
            }),
            _ => mode,
        };
        QTy { ty, ..qty }
    }
}
