//! Types as the user writes them: C's declarator syntax with Cyclone's pointers.

use crate::kind::*;
use crate::region::Region;
use crate::ty::*;

/// How the names that only the checker knows are shown.
pub trait Show {
    /// `` `r ``; None where the region is not worth telling.
    fn region(&self, region: Region) -> Option<String>;
    /// The name of a variable that is not bound by a function type within the type shown.
    fn variable(&self, var: Var) -> Option<String>;
    /// What an inference variable stands for, itself if that is not known.
    fn infer(&self, var: Ty) -> Option<Ty>;
}

/// Tells no regions and leaves inference variables as `_`.
pub struct Plain;

impl Show for Plain {
    fn region(&self, _: Region) -> Option<String> {
        None
    }
    fn variable(&self, _: Var) -> Option<String> {
        None
    }
    fn infer(&self, _: Ty) -> Option<Ty> {
        None
    }
}

impl IntTy {
    pub fn name(self) -> &'static str {
        match self {
            IntTy::Char => "char",
            IntTy::SChar => "signed char",
            IntTy::UChar => "unsigned char",
            IntTy::Short => "short",
            IntTy::UShort => "unsigned short",
            IntTy::Int => "int",
            IntTy::UInt => "unsigned int",
            IntTy::Long => "long",
            IntTy::ULong => "unsigned long",
            IntTy::LongLong => "long long",
            IntTy::ULongLong => "unsigned long long",
            IntTy::Int128 => "__int128",
            IntTy::UInt128 => "unsigned __int128",
        }
    }
}

impl FloatTy {
    pub fn name(self) -> &'static str {
        match self {
            FloatTy::Float => "float",
            FloatTy::Double => "double",
            FloatTy::LongDouble => "long double",
            FloatTy::Float128 => "_Float128",
        }
    }
}

impl Types {
    pub fn show(&self, qty: QTy, how: &dyn Show) -> String {
        self.declaration(qty, "", how)
    }

    /// `name` declared with the type: `int (*name)(char)`.
    pub fn declaration(&self, qty: QTy, name: &str, how: &dyn Show) -> String {
        Printer { types: self, how, bound: vec![] }.declare(qty, name.into())
    }

    /// `<int, `r>`; nothing for no arguments.
    pub fn show_args(&self, args: Args, how: &dyn Show) -> String {
        Printer { types: self, how, bound: vec![] }.args(args)
    }
}

impl FnAttrs {
    /// As they are written in `__attribute__((…))`, one by one.
    pub fn shown(&self) -> Vec<String> {
        let flags = [
            ("noreturn", self.noreturn),
            ("pure", self.pure),
            ("const", self.is_const),
            ("no_throw", self.no_throw),
            ("noheap", self.no_heap),
            ("single_threaded", self.single_threaded),
        ];
        let numbered = [
            ("initializes", &self.initializes),
            ("consume", &self.consume),
            ("noliveunique", &self.noliveunique),
            ("sends", &self.sends),
            ("shares", &self.shares),
            ("runs", &self.runs),
            ("overwrites", &self.overwrites),
        ];
        let flags = flags.into_iter().filter(|(_, on)| *on).map(|(name, _)| name.to_string());
        let format = self.format.map(|(kind, at, first)| {
            let kind = if kind == FormatKind::Printf { "printf" } else { "scanf" };
            format!("format({kind}, {at}, {first})")
        });
        let numbered = numbered.into_iter().flat_map(|(name, all)| all.iter().map(move |n| format!("{name}({n})")));
        flags.chain(format).chain(numbered).collect()
    }
}

struct Printer<'a> {
    types: &'a Types,
    how: &'a dyn Show,
    /// Region names of the function types around, innermost last.
    bound: Vec<Vec<TyParam>>,
}

/// The elements of an array with these qualifiers.
fn element(elem: QTy, array: QTy) -> QTy {
    let (is_const, is_volatile) = (elem.is_const | array.is_const, elem.is_volatile | array.is_volatile);
    QTy { is_const, is_volatile, ..elem }
}

impl Printer<'_> {
    /// Wraps the declarator `inner` into the type, from the inside out.
    fn declare(&mut self, qty: QTy, inner: String) -> String {
        if let Some(text) = self.types.subset_text(qty.ty) {
            return self.base(qty, text, inner);
        }
        match self.types.kind(qty.ty) {
            TyKind::Pointer(ptr) => {
                let mut star = self.pointer(ptr);
                self.qualify_pointer(&mut star, qty);
                if !inner.is_empty() && !inner.starts_with(['*', '@', '?', '[', '(']) {
                    // Keep `*@nozeroterm s` and `*const s` readable; `*s` as C has it.
                    if star.len() > 1 {
                        star.push(' ');
                    }
                }
                star += &inner;
                let target = self.types.kind(ptr.to.ty);
                if matches!(target, TyKind::Function(_) | TyKind::Array { .. }) {
                    star = format!("({star})");
                }
                self.declare(ptr.to, star)
            }
            TyKind::Array { elem, len, zeroterm } => {
                let len = len.map_or(String::new(), |n| n.to_string());
                let mark = if *zeroterm { "@zeroterm" } else { "" };
                self.declare(element(*elem, qty), format!("{inner}[{len}]{mark}"))
            }
            TyKind::OpenArray { elem, len } => {
                let len = self.size(*len);
                self.declare(element(*elem, qty), format!("{inner}[valueof({len})]"))
            }
            TyKind::Function(function) => {
                self.bound.push(function.vars.clone());
                let mut params: Vec<String> = function.params.iter().map(|p| self.declare(*p, String::new())).collect();
                match &function.varargs {
                    Varargs::C => params.push("...".into()),
                    Varargs::Typed { elem, inject } => {
                        let inject = if *inject { "inject " } else { "" };
                        params.push(format!("... {inject}{}", self.declare(*elem, String::new())));
                    }
                    Varargs::None if params.is_empty() => params.push("void".into()),
                    Varargs::None => {}
                }
                let text = self.declare(function.ret.into(), format!("{inner}({})", params.join(", ")));
                self.bound.pop();
                text
            }
            TyKind::Infer(_) => match self.how.infer(qty.ty) {
                Some(ty) if ty != qty.ty => self.declare(QTy { ty, ..qty }, inner),
                _ => self.base(qty, "_".into(), inner),
            },
            kind => {
                let name = self.base_name(kind);
                self.base(qty, name, inner)
            }
        }
    }

    fn base(&self, qty: QTy, name: String, inner: String) -> String {
        let quals = match (qty.is_const, qty.is_volatile) {
            (false, false) => "",
            (true, false) => "const ",
            (false, true) => "volatile ",
            (true, true) => "const volatile ",
        };
        let space = if inner.is_empty() { "" } else { " " };
        format!("{quals}{name}{space}{inner}")
    }

    fn base_name(&mut self, kind: &TyKind) -> String {
        match kind {
            TyKind::Void => "void".into(),
            TyKind::Bool => "_Bool".into(),
            TyKind::Int(int) => int.name().into(),
            TyKind::Float(float) => float.name().into(),
            TyKind::Complex(float) => format!("{} _Complex", float.name()),
            TyKind::VaList => "__builtin_va_list".into(),
            TyKind::Enum(id) => {
                let e = self.types.enumeration(*id);
                if e.anonymous { "enum {…}".into() } else { format!("enum {}", e.name) }
            }
            TyKind::Aggr(id) => {
                let aggr = self.types.aggr(*id);
                let word = if aggr.is_union { "union" } else { "struct" };
                let tagged = if aggr.tagged { "@tagged " } else { "" };
                if aggr.anonymous {
                    return format!("{tagged}{word} {{…}}");
                }
                format!("{tagged}{word} {}{}", aggr.name, self.args(self.types.aggr_args(*id)))
            }
            TyKind::Datatype(id) => {
                format!("datatype {}{}", self.types.datatype(*id).name, self.args(self.types.datatype_args(*id)))
            }
            TyKind::Variant(id, variant) => {
                let datatype = self.types.datatype(*id);
                let variant = datatype.variants.get(*variant as usize).map_or("?", |v| v.name.as_str());
                format!("datatype {}.{variant}{}", datatype.name, self.args(self.types.datatype_args(*id)))
            }
            TyKind::Tuple(parts) => {
                let parts: Vec<String> = parts.iter().map(|p| self.declare(*p, String::new())).collect();
                format!("$({})", parts.join(", "))
            }
            TyKind::Var(var) => self.variable(*var),
            TyKind::Abstract(id, args) => format!("{}{}", self.types.abstract_type(*id).name, self.args(*args)),
            TyKind::Tag(size) => format!("tag_t<{}>", self.arg(Arg::Size(*size))),
            TyKind::Handle(region) => match self.region(*region) {
                Some(region) => format!("region_t<{region}>"),
                None => "region_t".into(),
            },
            TyKind::AqualHandle(aqual) => format!("aqual_t<{}>", self.aqual(*aqual)),
            TyKind::Error => "<error>".into(),
            TyKind::Pointer(_)
            | TyKind::Array { .. }
            | TyKind::OpenArray { .. }
            | TyKind::Function(_)
            | TyKind::Infer(_) => "_".into(),
        }
    }

    /// The name of a variable, where it has one.
    fn known(&self, var: Var) -> Option<String> {
        match var {
            Var::Bound { depth, index } => {
                let printed = self.bound.len();
                match printed.checked_sub(depth as usize + 1) {
                    Some(i) => self.bound[i].get(index as usize).map(|param| param.name.to_string()),
                    // Of a function type around what is printed.
                    None => self.how.variable(Var::Bound { depth: depth - printed as u32, index }),
                }
            }
            var => self.how.variable(var),
        }
    }

    fn variable(&self, var: Var) -> String {
        self.known(var).unwrap_or_else(|| "`_".into())
    }

    /// `<int, `r>`; nothing where there are no arguments.
    fn args(&mut self, args: Args) -> String {
        if args == Args::NONE {
            return String::new();
        }
        let shown: Vec<String> = self.types.args(args).iter().map(|arg| self.arg(*arg)).collect();
        format!("<{}>", shown.join(", "))
    }

    fn arg(&mut self, arg: Arg) -> String {
        match arg {
            Arg::Type(ty) => self.declare(ty.into(), String::new()),
            Arg::Region(region) => self.region(region).unwrap_or_else(|| "_".into()),
            Arg::Size(size) => self.size(size),
            Arg::Aqual(aqual) => self.aqual(aqual),
        }
    }

    fn size(&mut self, size: Size) -> String {
        match size {
            Size::Const(n) => format!("valueof_t({n})"),
            Size::Var(var) => self.variable(var),
            Size::SizeOf(ty) => format!("sizeof({})", self.declare(ty.into(), String::new())),
            Size::Op(id) => match self.types.size_op_of(id) {
                SizeOp::Add(a, b) => format!("({} + {})", self.size(a), self.size(b)),
                SizeOp::Sub(a, b) => format!("({} - {})", self.size(a), self.size(b)),
                SizeOp::Mul(a, b) => format!("({} * {})", self.size(a), self.size(b)),
            },
            Size::Infer(_) | Size::Error => "_".into(),
        }
    }

    fn aqual(&mut self, aqual: Aqual) -> String {
        match aqual {
            Aqual::Aliasable => "ALIASABLE".into(),
            Aqual::Unique => "UNIQUE".into(),
            Aqual::Refcnt => "REFCNT".into(),
            Aqual::Restricted => "RESTRICTED".into(),
            Aqual::Autoreleased => "@autoreleased".into(),
            Aqual::Var(var) => self.variable(var),
            Aqual::Of(ty) => format!("aquals({})", self.declare(ty.into(), String::new())),
            Aqual::Infer(_) | Aqual::Error => "_".into(),
        }
    }

    /// A region or effect; None where it is not worth telling.
    fn region(&mut self, region: Region) -> Option<String> {
        Some(match region {
            Region::Bound { .. } | Region::Own(_) => return self.known(region.var()?),
            Region::App(id, args) => format!("{}{}", self.types.abstract_type(id).name, self.args(args)),
            Region::Of(ty) => format!("regions({})", self.declare(ty.into(), String::new())),
            Region::Set(_) => {
                let atoms: Vec<String> =
                    self.types.atoms(region).into_iter().filter_map(|atom| self.region(atom)).collect();
                format!("{{{}}}", atoms.join(", "))
            }
            region => return self.how.region(region),
        })
    }

    /// The pointer constructor itself: `*`, `@{3}`, `?@nozeroterm`, with its qualifier and region.
    fn pointer(&mut self, ptr: &PtrTy) -> String {
        let mut text = match (ptr.bound, ptr.nullable) {
            (Bound::Fat, true) => "?".to_string(),
            (Bound::Fat, false) => "*@fat@notnull".into(),
            (Bound::Thin(1), nullable) => if nullable { "*" } else { "@" }.into(),
            (Bound::Thin(n), nullable) => format!("{}{{{n}}}", if nullable { '*' } else { '@' }),
            (Bound::Sized(size), nullable) => {
                format!("{}{{valueof({})}}", if nullable { '*' } else { '@' }, self.size(size))
            }
        };
        if ptr.zeroterm != self.types.is_char(ptr.to.ty) {
            text += if ptr.zeroterm { "@zeroterm" } else { "@nozeroterm" };
        }
        match (ptr.aqual, ptr.region) {
            (Aqual::Aliasable | Aqual::Infer(_) | Aqual::Error, _) => {}
            (Aqual::Unique, Region::Heap) => return text + "`U",
            (Aqual::Refcnt, Region::Heap) => return text + "`RC",
            (Aqual::Unique, _) => text += "\\U",
            (Aqual::Refcnt, _) => text += "\\RC",
            (Aqual::Restricted, _) => text += "\\T",
            (Aqual::Autoreleased, _) => text += "@autoreleased",
            (aqual, _) => text += &format!("@aqual({})", self.aqual(aqual)),
        }
        match ptr.region {
            Region::Set(_) => {
                let atoms: Vec<String> =
                    self.types.atoms(ptr.region).into_iter().filter_map(|atom| self.region(atom)).collect();
                text + &atoms.join("+")
            }
            region => text + &self.region(region).unwrap_or_default(),
        }
    }

    fn qualify_pointer(&self, star: &mut String, qty: QTy) {
        let mut add = |word: &str| {
            if star.len() > 1 {
                star.push(' ');
            }
            *star += word;
        };
        if qty.is_const {
            add("const");
        }
        if qty.is_volatile {
            add("volatile");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::rc::Rc;

    fn pointer(types: &mut Types, to: QTy, nullable: bool, bound: Bound) -> Ty {
        let zeroterm = types.is_char(to.ty);
        types.pointer(PtrTy { to, nullable, bound, zeroterm, region: Region::Heap, aqual: Aqual::Aliasable })
    }

    #[test]
    fn declarators_turn_inside_out() {
        let mut types = Types::default();
        let text = pointer(&mut types, QTy { is_const: true, ..Ty::CHAR.into() }, true, Bound::Fat);
        assert_eq!(types.show(text.into(), &Plain), "const char ?");
        assert_eq!(types.declaration(text.into(), "s", &Plain), "const char ?s");
        let three = pointer(&mut types, Ty::INT.into(), false, Bound::Thin(3));
        assert_eq!(types.show(three.into(), &Plain), "int @{3}");
        let function = types.intern(TyKind::Function(Rc::new(FnTy {
            vars: vec![],
            ret: Ty::INT,
            params: vec![text.into()],
            varargs: Varargs::None,
            effect: None,
            constraints: vec![],
            attrs: FnAttrs::default(),
        })));
        let to_function = pointer(&mut types, function.into(), true, Bound::Thin(1));
        assert_eq!(types.declaration(to_function.into(), "f", &Plain), "int (*f)(const char ?)");
        let table = types.intern(TyKind::Array { elem: to_function.into(), len: Some(4), zeroterm: false });
        assert_eq!(types.declaration(table.into(), "t", &Plain), "int (*t[4])(const char ?)");
    }
}
