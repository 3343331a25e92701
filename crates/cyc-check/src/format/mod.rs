//! Formats of the `printf` and `scanf` families (core, section 11.2): a literal format is read at
//! compile time, and each argument converted to what its conversion asks for.

mod computed;
mod counted;
mod literal;
pub(crate) mod parse;

use crate::coerce::{KindExt, Want, Why};
use crate::cx::Checker;
use crate::errors;
use crate::expr::arith_promoted;
use crate::format::literal::LiteralMap;
use crate::format::parse::{Expect, Item, Mistake, Width};
use crate::tast::Expr;
use cyc_syntax::ast::{self, ExprKind as Ast};
use cyc_types::{Bound, FloatTy, FormatKind, IntTy, PtrTy, QTy, Region, Ty, TyKind};

impl Checker<'_> {
    /// The arguments after the fixed ones of a call with a format. `format` and `first` count from 1. What must not be
    /// copied is borrowed into the region `lent`.
    pub(crate) fn check_format_call(
        &mut self,
        kind: FormatKind,
        (format, first): (u32, u32),
        args: &[ast::Expr],
        typed: &mut Vec<Expr>,
        lent: Option<Region>,
    ) {
        let format = (format as usize).saturating_sub(1);
        let (Some(text), Some(value)) = (args.get(format), typed.get(format)) else { return };
        let known_bad = value.is_error();
        let extra = &args[typed.len()..];
        let Some(literals) = literals(text) else {
            if !known_bad {
                self.report(errors::format::not_literal(text.span));
            }
            typed.extend(extra.iter().map(|_| Expr::error(text.span)));
            return;
        };
        let mut items: Vec<Vec<Item>> = vec![];
        for literal in literals {
            let Some(found) = self.read_format(kind, literal) else {
                for arg in extra {
                    let value = self.check_expr(arg, Want::None);
                    typed.push(Expr::error(value.span));
                }
                return;
            };
            if items.first().is_some_and(|before| !ask_the_same(before, &found)) {
                self.report(errors::format::arms_differ(text.span));
                typed.extend(extra.iter().map(|_| Expr::error(text.span)));
                return;
            }
            items.push(found);
        }
        let map = LiteralMap::new(self.source, text);
        let first = first as usize - 1;
        let given = typed.len();
        for arg in &args[given..] {
            typed.push(self.check_extra_argument(arg, Want::None, lent));
        }
        let all = items.first().cloned().unwrap_or_default();
        for (value, item) in typed[given..].iter_mut().zip(all.get(given.saturating_sub(first)..).unwrap_or_default()) {
            let argument = std::mem::replace(value, Expr::error(text.span));
            *value = if argument.is_error() { argument } else { self.format_argument(kind, item, &map, argument) };
        }
        self.match_count(&all, &map, first, args);
        if kind == FormatKind::Printf {
            let counted = self.count_strings(&all, first, typed);
            typed[format] = counted::with_precisions(self, typed[format].clone(), &items, &counted);
        }
    }

    /// The arguments of a call that injects them: as for C, but they keep their types, and a format that is not a
    /// literal is the library's to check as it goes.
    pub(crate) fn check_injected_format(
        &mut self,
        kind: FormatKind,
        format: u32,
        args: &[ast::Expr],
        typed: &[Expr],
        given: &[Expr],
    ) {
        let format = (format as usize).saturating_sub(1);
        let Some(text) = args.get(format).filter(|_| typed.get(format).is_some_and(|v| !v.is_error())) else { return };
        let Some(found) = literals(text) else { return };
        for literal in found {
            let Some(items) = self.read_format(kind, literal) else { return };
            let map = LiteralMap::new(self.source, literal);
            for (item, value) in items.iter().zip(given).filter(|(_, value)| !value.is_error()) {
                self.format_argument(kind, item, &map, value.clone());
            }
            self.match_count(&items, &map, typed.len(), args);
        }
    }

    /// The arguments that a literal format asks for; None when the format itself is wrong.
    fn read_format(&mut self, kind: FormatKind, literal: &ast::Expr) -> Option<Vec<Item>> {
        let Ast::Str(bytes) = &literal.kind else { return None };
        let map = LiteralMap::new(self.source, literal);
        let end = bytes.iter().position(|b| *b == 0);
        if let Some(at) = end {
            self.report(errors::format::embedded_zero(map.span(at, at + 1)));
            return None;
        }
        let (items, mistakes) = parse(kind, bytes);
        for (mistake, at) in &mistakes {
            self.report(errors::format::bad_format(map.span(at.0, at.1), mistake));
        }
        mistakes.is_empty().then_some(items)
    }

    /// Can the arguments be checked here? By a literal they can, and by some that ask for the same.
    fn known_format(&self, kind: FormatKind, text: &ast::Expr) -> bool {
        let Some(literals) = literals(text) else { return false };
        let asked = literals.iter().filter_map(|literal| match &literal.kind {
            Ast::Str(bytes) => Some(parse(kind, bytes)),
            _ => None,
        });
        let asked: Vec<(Vec<Item>, Vec<Mistake>)> = asked.collect();
        let wrong = asked.iter().any(|(_, mistakes)| !mistakes.is_empty());
        wrong || asked.windows(2).all(|two| ask_the_same(&two[0].0, &two[1].0))
    }

    /// As many arguments from `first` on as the format asks for.
    fn match_count(&mut self, items: &[Item], map: &LiteralMap, first: usize, args: &[ast::Expr]) {
        let given = args.len().saturating_sub(first);
        if given < items.len() {
            let item = &items[given];
            let at = map.span(item.at.0, item.at.1);
            self.report(errors::format::too_few(at, &item.text, items.len(), given));
        } else if given > items.len() {
            let extra = args[first + items.len()].span.to(args[args.len() - 1].span);
            self.report(errors::format::too_many(extra, map.whole(), items.len(), given));
        }
    }

    /// One argument, converted to what its conversion asks for.
    fn format_argument(&mut self, kind: FormatKind, item: &Item, map: &LiteralMap, value: Expr) -> Expr {
        let converted = match item.expect {
            Expect::Int(width) => self.int_argument(width, value),
            Expect::Star => self.int_argument(Width::Int, value),
            Expect::Double => self.float_argument(FloatTy::Double, value),
            Expect::LongDouble => self.float_argument(FloatTy::LongDouble, value),
            Expect::Str { wide } => self.string_argument(wide, value),
            Expect::Address => self.address_argument(value),
            Expect::IntTarget(width) => self
                .target_argument(value, |cx, ty| matches!(cx.kind_of(ty), TyKind::Int(int) if same_width(width, *int))),
            Expect::FloatTarget(float) => {
                self.target_argument(value, |cx, ty| matches!(cx.kind_of(ty), TyKind::Float(f) if *f == float))
            }
            Expect::CharBuffer => self.buffer_argument(value),
            Expect::PointerTarget => Err(value),
        };
        match converted {
            Ok(value) => value,
            Err(value) => {
                let found = self.show(value.ty);
                let at = map.span(item.at.0, item.at.1);
                if kind == FormatKind::Printf
                    && let Some(number) = self.number_asked_for(item.expect, &value)
                {
                    let better = self.better_conversion(kind, item, value.ty);
                    self.report(errors::format::converted(at, item, value.span, &found, better));
                    return self.coerce(value, number, Why::Cast);
                }
                let better = self.better_conversion(kind, item, value.ty);
                let zeroterm = self.pointer_of(value.ty).is_some_and(|p| p.zeroterm);
                self.report(errors::format::mismatch(at, item, value.span, &found, better, zeroterm));
                Expr::error(value.span)
            }
        }
    }

    /// The type of a printed number that is asked for, where an integer of another one is given: it can be converted.
    fn number_asked_for(&self, expect: Expect, value: &Expr) -> Option<Ty> {
        let TyKind::Int(int) = *self.kind_of(value.ty) else { return None };
        match (expect, int.signed()) {
            (Expect::Int(Width::Char | Width::Short | Width::Int), true) => Some(Ty::INT),
            (Expect::Int(Width::Char | Width::Short | Width::Int), false) => Some(Ty::UINT),
            (Expect::Int(Width::LongLong), true) => Some(Ty::LONGLONG),
            (Expect::Int(Width::LongLong), false) => Some(Ty::ULONGLONG),
            (Expect::Int(Width::Long | Width::Max | Width::Size | Width::Diff), true) => Some(Ty::LONG),
            (Expect::Int(Width::Long | Width::Max | Width::Size | Width::Diff), false) => Some(Ty::ULONG),
            (Expect::Double, _) => Some(Ty::DOUBLE),
            _ => None,
        }
    }

    /// An integer passed at its width; the sign does not matter. `sizeof` and `numelts` fit everywhere.
    fn int_argument(&mut self, width: Width, value: Expr) -> Result<Expr, Expr> {
        if !self.kind_of(value.ty).is_integral() {
            return Err(value);
        }
        let value = self.promote(value);
        let count = matches!(value.kind, crate::tast::ExprKind::Numelts(_))
            || value.as_int().is_some_and(|v| i32::try_from(v).is_ok());
        let TyKind::Int(int) = *self.kind_of(value.ty) else { return Err(value) };
        let (signed, unsigned) = match width {
            Width::Char | Width::Short | Width::Int => (Ty::INT, Ty::UINT),
            Width::LongLong => (Ty::LONGLONG, Ty::ULONGLONG),
            Width::Long | Width::Max | Width::Size | Width::Diff => (Ty::LONG, Ty::ULONG),
        };
        let bits = match width {
            Width::Char | Width::Short | Width::Int => 32,
            _ => 64,
        };
        if int.bits() != bits && !(count && value.ty == Ty::ULONG) {
            return Err(value);
        }
        Ok(self.coerce(value, if int.signed() { signed } else { unsigned }, Why::Format))
    }

    fn float_argument(&mut self, float: FloatTy, value: Expr) -> Result<Expr, Expr> {
        match self.kind_of(value.ty) {
            TyKind::Float(f) if *f == float || (float == FloatTy::Double && *f == FloatTy::Float) => {
                let ty = self.unit.types.intern(TyKind::Float(float));
                Ok(self.coerce(value, ty, Why::Format))
            }
            _ => Err(value),
        }
    }

    /// `%s`: any string; null is caught by the check that a non-null pointer implies. One that no zero ends is made fat,
    /// and gets a precision ([`counted`]).
    fn string_argument(&mut self, wide: bool, value: Expr) -> Result<Expr, Expr> {
        let Some(ptr) = self.pointer_of(value.ty) else { return Err(value) };
        let fits = match wide {
            true => self.is_wide_char(ptr.to.ty),
            false => self.unit.types.is_char(self.resolve(ptr.to.ty)),
        };
        if !fits || wide && !ptr.zeroterm {
            return Err(value);
        }
        let to = QTy { is_const: true, ..ptr.to };
        if !ptr.zeroterm {
            let fat = self.unit.types.pointer(PtrTy { to, nullable: true, bound: Bound::Fat, ..ptr });
            return Ok(self.coerce(value, fat, Why::Format));
        }
        let thin = PtrTy { to, nullable: false, bound: Bound::Thin(1), ..ptr };
        let thin = self.unit.types.pointer(thin);
        Ok(self.coerce(value, thin, Why::Format))
    }

    /// `%p`: a thin pointer, a fat one's address, or an integer of a word.
    fn address_argument(&mut self, value: Expr) -> Result<Expr, Expr> {
        let Some(ptr) = self.pointer_of(value.ty) else {
            return match self.kind_of(value.ty) {
                TyKind::Int(int) if int.bits() == 64 => Ok(value),
                _ => Err(value),
            };
        };
        if matches!(value.kind, crate::tast::ExprKind::Null) || ptr.bound != Bound::Fat {
            return Ok(value);
        }
        let thin = self.unit.types.pointer(PtrTy { bound: Bound::Thin(0), ..ptr });
        Ok(self.coerce(value, thin, Why::Format))
    }

    /// A place to store one number: a pointer made thin and non-null. One with a condition (`@subset`) is none: what the
    /// library stores there is not checked.
    fn target_argument(&mut self, value: Expr, fits: impl Fn(&Self, Ty) -> bool) -> Result<Expr, Expr> {
        let Some(ptr) = self.pointer_of(value.ty) else { return Err(value) };
        let restricted = self.is_subset(ptr.to.ty) || ptr.to.is_const;
        if restricted || !fits(self, ptr.to.ty) || matches!(value.kind, crate::tast::ExprKind::Null) {
            return Err(value);
        }
        let thin = PtrTy { nullable: false, bound: Bound::Thin(1), zeroterm: false, ..ptr };
        let thin = self.unit.types.pointer(thin);
        Ok(self.coerce(value, thin, Why::Format))
    }

    /// A buffer for `%s`, `%c` and `%[`: fat, so that the library knows its room.
    fn buffer_argument(&mut self, value: Expr) -> Result<Expr, Expr> {
        let Some(ptr) = self.pointer_of(value.ty) else { return Err(value) };
        let one = ptr.bound == Bound::Thin(1) && ptr.zeroterm;
        if !self.unit.types.is_char(self.resolve(ptr.to.ty)) || ptr.to.is_const || one && !ptr.zeroterm {
            return Err(value);
        }
        let to = QTy { ty: Ty::CHAR, ..ptr.to };
        let fat = PtrTy { to, nullable: true, bound: Bound::Fat, zeroterm: false, ..ptr };
        let fat = self.unit.types.pointer(fat);
        Ok(self.coerce(value, fat, Why::Format))
    }

    /// Has the type a condition that each of its values meets?
    fn is_subset(&self, ty: Ty) -> bool {
        self.unit.types.subset_of(self.resolve(ty)).is_some()
    }

    /// The conversion that would take a value of this type, for the help of an error.
    fn better_conversion(&self, kind: FormatKind, item: &Item, ty: Ty) -> Option<String> {
        let scan = kind == FormatKind::Scanf;
        let place = self.pointer_of(ty);
        if item.expect.is_target() && place.is_some_and(|p| self.is_subset(p.to.ty)) {
            return None;
        }
        let ty = match (scan, place) {
            (true, Some(p)) => self.resolve(p.to.ty),
            (true, None) => return None,
            (false, _) => self.resolve(ty),
        };
        let letter = match self.kind_of(ty) {
            TyKind::Float(FloatTy::Float) if scan => "f",
            TyKind::Float(FloatTy::Double) if scan => "lf",
            TyKind::Float(FloatTy::LongDouble) => "Lf",
            TyKind::Float(_) => "g",
            kind if kind.is_integral() => {
                let ty = if scan { ty } else { arith_promoted(&self.unit.types, ty) };
                match self.kind_of(ty) {
                    TyKind::Int(IntTy::UInt) => "u",
                    TyKind::Int(IntTy::Long) => "ld",
                    TyKind::Int(IntTy::ULong) => "lu",
                    TyKind::Int(IntTy::LongLong) => "lld",
                    TyKind::Int(IntTy::ULongLong) => "llu",
                    TyKind::Int(IntTy::Short) => "hd",
                    TyKind::Int(IntTy::UShort) => "hu",
                    TyKind::Int(int) if int.bits() == 8 => "hhd",
                    _ => "d",
                }
            }
            TyKind::Pointer(p) if p.zeroterm && self.unit.types.is_char(self.resolve(p.to.ty)) => "s",
            TyKind::Pointer(_) => "p",
            _ => return None,
        };
        // Flags and width are kept, the letter and its modifier replaced.
        let kept = item.text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        (!item.text.contains('[')).then(|| format!("{kept}{letter}"))
    }
}

fn same_width(width: Width, int: IntTy) -> bool {
    int.bits()
        == match width {
            Width::Char => 8,
            Width::Short => 16,
            Width::Int => 32,
            _ => 64,
        }
}

fn ask_the_same(a: &[Item], b: &[Item]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(x, y)| x.expect == y.expect)
}

/// What a format asks for, or what is wrong with it, and where.
fn parse(kind: FormatKind, bytes: &[u8]) -> (Vec<Item>, Vec<Mistake>) {
    match kind {
        FormatKind::Printf => parse::printf(bytes),
        FormatKind::Scanf => parse::scanf(bytes),
    }
}

/// The literals that an expression may be: one, or the arms of `?:`.
fn literals(e: &ast::Expr) -> Option<Vec<&ast::Expr>> {
    match &e.kind {
        Ast::Str(_) => Some(vec![e]),
        Ast::Cond(_, Some(a), b) => {
            let mut all = literals(a)?;
            all.extend(literals(b)?);
            Some(all)
        }
        _ => None,
    }
}
