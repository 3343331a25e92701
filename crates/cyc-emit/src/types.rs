//! C's view of the types: declarators, and the definitions of structs, unions, tuples and variants in an
//! order in which C can read them.

use crate::debug::Debug;
use crate::tags::Tags;
use cyc_mir::tast::TypedUnit;
use cyc_mir::types::PlaceTy;
use cyc_types::{AggrId, Bound, DatatypeId, FloatTy, FnTy, IntTy, Kind, QTy, Ty, TyKind, Types, Varargs};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::fmt::Write;
use std::rc::Rc;

pub(crate) struct CTypes<'a> {
    unit: &'a TypedUnit,
    tags: Tags,
    pub(crate) debug: Debug,
    erased: RefCell<FxHashMap<AggrId, AggrId>>,
    texts: RefCell<FxHashMap<Ty, Rc<str>>>,
    /// Texts of pointers to types.
    pointers: RefCell<FxHashMap<Ty, Rc<str>>>,
    used: RefCell<Used>,
    /// Constant variants whose one object the output mentions.
    pub(crate) constants: RefCell<std::collections::BTreeSet<(DatatypeId, u32)>>,
}

/// Named types that the output mentions, in order of first mention.
#[derive(Default)]
struct Used {
    seen: FxHashSet<Named>,
    order: Vec<Named>,
    /// Tuples by the C text of their parts: tuples that C cannot tell apart are one struct.
    tuples: FxHashMap<Vec<Rc<str>>, u32>,
    tuple_parts: Vec<Vec<QTy>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Named {
    Aggr(AggrId),
    Tuple(u32),
    Variant(DatatypeId, u32),
    /// By the number of its definition.
    Datatype(u32),
}

impl<'a> CTypes<'a> {
    /// `debug`: types that C's own cannot tell get names.
    pub fn new(unit: &'a TypedUnit, debug: bool) -> CTypes<'a> {
        CTypes {
            unit,
            debug: Debug::new(debug),
            tags: Tags::new(&unit.types, !unit.c_texts.is_empty()),
            erased: RefCell::default(),
            texts: RefCell::default(),
            pointers: RefCell::default(),
            used: RefCell::default(),
            constants: RefCell::default(),
        }
    }

    pub fn types(&self) -> &'a Types {
        &self.unit.types
    }

    /// The type as in a cast.
    pub fn text(&self, ty: Ty) -> Rc<str> {
        if let Some(known) = self.texts.borrow().get(&ty) {
            return known.clone();
        }
        // The same wherever it is asked for first: tuples are told apart by it.
        let text: Rc<str> = self.nameless(|| self.without_names(ty.into(), "")).into();
        self.texts.borrow_mut().insert(ty, text.clone());
        text
    }

    /// The text before the name in a declaration that has nothing after the name.
    pub fn simple(&self, qty: QTy) -> Option<Rc<str>> {
        let mut ty = qty.ty;
        loop {
            match self.types().kind(ty) {
                TyKind::Pointer(ptr) if ptr.bound != Bound::Fat && !self.is_table(ptr.to.ty) => ty = ptr.to.ty,
                TyKind::Array { .. } | TyKind::Function(_) => return None,
                _ => break,
            }
        }
        let text = || if self.debug.on { self.declare(qty, "").into() } else { self.text(qty.ty) };
        (!qty.is_volatile).then(text)
    }

    /// A pointer to `to` as in a cast.
    pub fn pointer_to(&self, to: QTy) -> Rc<str> {
        if !to.is_volatile
            && let Some(known) = self.pointers.borrow().get(&to.ty)
        {
            return known.clone();
        }
        let text: Rc<str> = match self.types().kind(to.ty) {
            TyKind::Array { .. } | TyKind::Function(_) => self.without_names(to, "(*)").into(),
            _ => self.without_names(to, "*").into(),
        };
        if !to.is_volatile {
            self.pointers.borrow_mut().insert(to.ty, text.clone());
        }
        text
    }

    /// A declaration of `name`; targets of pointers without `const`, which the output does not need.
    pub fn declare(&self, qty: QTy, name: &str) -> String {
        self.declaring(|| self.declarator(qty, name.to_owned(), false, false))
    }

    fn without_names(&self, qty: QTy, name: &str) -> String {
        self.declarator(qty, name.to_owned(), false, false)
    }

    /// The same with `const` targets, for prototypes of C functions.
    pub fn declare_const(&self, qty: QTy, name: &str) -> String {
        self.declaring(|| self.declarator(qty, name.to_owned(), true, false))
    }

    /// A declaration of an object that is never written.
    pub fn declare_constant(&self, qty: QTy, name: &str) -> String {
        self.declaring(|| self.declarator(qty, name.to_owned(), false, true))
    }

    /// `consts`: targets of pointers keep their `const`; `constant`: the declared object itself is `const`.
    fn declarator(&self, qty: QTy, inner: String, consts: bool, constant: bool) -> String {
        let types = self.types();
        let qualifiers = |inner: String| {
            let constant = if constant { "const " } else { "" };
            let volatile = if qty.is_volatile { "volatile " } else { "" };
            format!("{constant}{volatile}{inner}")
        };
        match types.kind(qty.ty) {
            TyKind::Pointer(ptr) if ptr.bound != Bound::Fat && self.is_table(ptr.to.ty) => {
                format!("const cyc_code *{}", qualifiers(inner))
            }
            TyKind::Abstract(id, _) if types.abstract_type(*id).kind == Kind::B => {
                self.declarator(QTy { ty: Ty::WORD, ..qty }, inner, consts, constant)
            }
            TyKind::Pointer(ptr) if ptr.bound != Bound::Fat => {
                let star = format!("*{}", qualifiers(inner));
                let star = match types.kind(ptr.to.ty) {
                    TyKind::Array { .. } | TyKind::Function(_) => format!("({star})"),
                    _ => star,
                };
                self.declarator(ptr.to, star, consts, consts && ptr.to.is_const)
            }
            TyKind::OpenArray { elem, .. } => self.declarator(*elem, format!("{inner}[]"), consts, constant),
            TyKind::Array { elem, len, .. } => {
                let len = len.map_or(String::new(), |len| len.to_string());
                let elem = QTy { is_volatile: elem.is_volatile || qty.is_volatile, ..*elem };
                self.declarator(elem, format!("{inner}[{len}]"), consts, constant)
            }
            TyKind::Function(function) => self.function_declarator(function, inner, consts, &[]),
            _ => {
                let base = qualifiers(self.named(qty.ty, self.base(qty.ty)));
                if inner.is_empty() { base } else { format!("{base} {inner}") }
            }
        }
    }

    /// A function declarator; `names` of the parameters where there is a body.
    pub fn function(&self, function: &FnTy, name: String, consts: bool, names: &[&str]) -> String {
        self.declaring(|| self.function_declarator(function, name, consts, names))
    }

    fn function_declarator(&self, function: &FnTy, name: String, consts: bool, names: &[&str]) -> String {
        let mut params = String::new();
        for (i, param) in function.params.iter().enumerate() {
            if i > 0 {
                params.push_str(", ");
            }
            let param = QTy { is_volatile: false, ..*param };
            let name = names.get(i).copied().unwrap_or("");
            match self.simple(param).filter(|_| !consts) {
                Some(text) if name.is_empty() => params.push_str(&text),
                Some(text) => {
                    CTypes::before_name(&text, &mut params);
                    params.push_str(name);
                }
                None => params += &self.declarator(param, name.to_owned(), consts, false),
            }
        }
        match &function.varargs {
            Varargs::C if params.is_empty() => {}
            Varargs::C => params.push_str(", ..."),
            Varargs::Typed { .. } => {
                params.push_str(if params.is_empty() { "cyc_fat" } else { ", cyc_fat" });
                if let Some(name) = names.get(function.params.len()) {
                    params.push(' ');
                    params.push_str(name);
                }
            }
            Varargs::None if params.is_empty() => params.push_str("void"),
            Varargs::None => {}
        }
        match self.simple(function.ret.into()).filter(|_| !consts) {
            Some(text) => {
                let mut out = String::with_capacity(text.len() + name.len() + params.len() + 3);
                CTypes::before_name(&text, &mut out);
                out.push_str(&name);
                out.push('(');
                out.push_str(&params);
                out.push(')');
                out
            }
            None => self.declarator(function.ret.into(), format!("{name}({params})"), consts, false),
        }
    }

    /// Writes a [`CTypes::simple`] type, ready for a name.
    pub fn before_name(text: &str, out: &mut String) {
        out.push_str(text);
        if !text.ends_with('*') {
            out.push(' ');
        }
    }

    fn base(&self, ty: Ty) -> String {
        match self.types().kind(ty) {
            TyKind::Void | TyKind::Error | TyKind::Infer(_) | TyKind::Var(_) | TyKind::Abstract(..) => "void".into(),
            TyKind::Tag(_) => "unsigned long".into(),
            TyKind::Handle(_) => "cyc_handle".into(),
            TyKind::AqualHandle(_) => "long".into(),
            TyKind::Bool => "_Bool".into(),
            TyKind::Int(int) => int_name(*int).into(),
            TyKind::Float(float) => float_name(*float).into(),
            TyKind::Complex(float) => format!("_Complex {}", float_name(*float)),
            TyKind::VaList => "__builtin_va_list".into(),
            TyKind::Enum(id) => int_name(self.types().enumeration(*id).underlying).into(),
            TyKind::Pointer(_) => "cyc_fat".into(),
            TyKind::Aggr(id) => {
                let id = self.erased(*id);
                self.mention(Named::Aggr(id));
                self.aggr_text(id)
            }
            TyKind::Tuple(parts) => format!("struct _cycT{}", self.tuple(parts)),
            TyKind::Datatype(datatype) => self.datatype_text(*datatype),
            TyKind::Variant(datatype, variant) => self.variant_text(*datatype, *variant),
            TyKind::Array { .. } | TyKind::OpenArray { .. } | TyKind::Function(_) => {
                unreachable!("declarators, not bases")
            }
        }
    }

    /// The instance whose definition in C the given one shares.
    pub fn erased(&self, id: AggrId) -> AggrId {
        if let Some(known) = self.erased.borrow().get(&id) {
            return *known;
        }
        let erased = self.types().erased_aggr(id);
        self.erased.borrow_mut().insert(id, erased);
        erased
    }

    /// The type that a field, component or part of a variant has in its C definition, if that may differ from its own.
    pub fn declared_field(&self, of: PlaceTy, index: u32) -> Option<Ty> {
        let types = self.types();
        let in_variant = |id, variant| {
            let erased = types.erased_datatype(id);
            (erased != id).then(|| types.variant_fields(erased, variant)?.get(index as usize).map(|f| f.ty)).flatten()
        };
        match of {
            PlaceTy::Variant(id, variant) => in_variant(id, variant),
            PlaceTy::Of(qty) => match types.kind(qty.ty) {
                TyKind::Aggr(id) => {
                    let erased = self.erased(*id);
                    (erased != *id).then(|| types.fields(erased)?.get(index as usize).map(|f| f.qty.ty)).flatten()
                }
                TyKind::Tuple(parts) => parts.get(index as usize).map(|part| types.erase(part.ty)),
                TyKind::Variant(id, variant) => in_variant(*id, *variant),
                _ => None,
            },
        }
    }

    /// Are pointers to the type tables of a polymorphic function's instances?
    fn is_table(&self, ty: Ty) -> bool {
        self.types().as_function(ty).is_some_and(|function| function.is_shaped())
    }

    fn aggr_text(&self, id: AggrId) -> String {
        let aggr = self.types().aggr(id);
        // Without a tag in C text, a typedef is its only name.
        if let Some(name) = aggr.c_typedef {
            return name.to_string();
        }
        format!("{} {}", if aggr.is_union { "union" } else { "struct" }, self.tags.get(self.types(), id))
    }

    fn tuple(&self, parts: &[QTy]) -> u32 {
        let parts: Vec<QTy> = parts.iter().map(|part| QTy { ty: self.types().erase(part.ty), ..*part }).collect();
        let key: Vec<Rc<str>> = parts.iter().map(|part| self.text(part.ty)).collect();
        let mut used = self.used.borrow_mut();
        if let Some(known) = used.tuples.get(&key) {
            return *known;
        }
        let id = used.tuple_parts.len() as u32;
        used.tuples.insert(key, id);
        used.tuple_parts.push(parts);
        drop(used);
        self.mention(Named::Tuple(id));
        id
    }

    pub(crate) fn mention(&self, named: Named) {
        let mut used = self.used.borrow_mut();
        if used.seen.insert(named) {
            used.order.push(named);
        }
    }

    /// The C name of a field; of a tagged union's member the way to its value.
    pub fn field(&self, id: AggrId, index: u32) -> crate::ctree::Text {
        let name = self.member(id, index);
        if self.types().aggr(id).tagged { format!("{name}.value").into() } else { name }
    }

    /// The C name of a field or member itself.
    pub fn member(&self, id: AggrId, index: u32) -> crate::ctree::Text {
        match self.types().fields(id).and_then(|fields| fields[index as usize].name) {
            Some(name) => name.as_str().into(),
            None => format!("_cycM{index}").into(),
        }
    }

    /// Definitions of everything the output has mentioned so far, and of what these mention.
    pub fn definitions(&self) -> String {
        let mut bodies = String::new();
        let mut views = if self.debug.on { self.extensible_views() } else { String::new() };
        let mut done = FxHashSet::default();
        let (mut next, mut next_view) = (0, 0);
        // Defining one type may mention others: the lists grow.
        loop {
            let named = self.used.borrow().order.get(next).copied();
            if let Some(named) = named {
                self.define(named, &mut done, &mut bodies);
                next += 1;
            } else if next_view < self.names_given() {
                views += &self.view(next_view);
                next_view += 1;
            } else {
                break;
            }
        }
        let mut out = String::new();
        for named in &self.used.borrow().order {
            if let Named::Aggr(id) = named
                && !self.types().aggr(*id).from_c_text
            {
                let _ = writeln!(out, "{};", self.aggr_text(*id));
            }
        }
        out + &self.type_names() + &bodies + &views
    }

    fn define(&self, named: Named, done: &mut FxHashSet<Named>, out: &mut String) {
        if !done.insert(named) {
            return;
        }
        let mut text = String::new();
        match named {
            Named::Aggr(id) => {
                let aggr = self.types().aggr(id);
                if aggr.from_c_text || aggr.fields.is_none() {
                    return;
                }
                text = self.fields(id, &self.aggr_text(id), |part| self.define_parts(part, done, out));
            }
            Named::Tuple(id) => {
                let parts = self.used.borrow().tuple_parts[id as usize].clone();
                let _ = writeln!(text, "struct _cycT{id} {{");
                for (i, part) in parts.iter().enumerate() {
                    self.define_parts(part.ty, done, out);
                    let _ = writeln!(text, "  {};", self.declare(*part, &format!("f{i}")));
                }
                text.push_str("};\n");
            }
            Named::Variant(datatype, index) => {
                text = self.define_variant(datatype, index, |part| self.define_parts(part, done, out));
            }
            Named::Datatype(def) => text = self.define_datatype(def).unwrap_or_default(),
        }
        out.push_str(&text);
    }

    /// `head { fields };`; `part` is told the type of each field before it is declared.
    pub(crate) fn fields(&self, id: AggrId, head: &str, mut part: impl FnMut(Ty)) -> String {
        let aggr = self.types().aggr(id);
        let mut text = format!("{head} {{\n");
        for (i, field) in self.types().fields(id).unwrap_or_default().iter().enumerate() {
            // Of unknown size: the last one, which only code that knows the type can reach.
            if matches!(self.types().kind(field.qty.ty), TyKind::Void | TyKind::Var(_)) {
                continue;
            }
            part(field.qty.ty);
            let name = match (field.name, field.bits) {
                (None, Some(_)) => String::new(),
                _ => self.member(id, i as u32).into_owned(),
            };
            let mut line = match aggr.tagged {
                true => self.tagged_member(field, &name),
                false => self.declare(field.qty, &name),
            };
            if let Some(bits) = field.bits {
                let _ = write!(line, " : {bits}");
            }
            let tail = self.tail_alignment(field.qty.ty).map(|n| n as u32);
            line += &layout_attributes(field.packed, field.align.max(tail));
            let _ = writeln!(text, "  {line};");
        }
        let _ = writeln!(text, "}}{};", layout_attributes(aggr.packed, aggr.align));
        text
    }

    /// What must be complete before a member of type `ty` can be declared.
    fn define_parts(&self, ty: Ty, done: &mut FxHashSet<Named>, out: &mut String) {
        match self.types().kind(ty) {
            TyKind::Array { elem, .. } | TyKind::OpenArray { elem, .. } => self.define_parts(elem.ty, done, out),
            TyKind::Aggr(id) => {
                let id = self.erased(*id);
                self.mention(Named::Aggr(id));
                self.define(Named::Aggr(id), done, out);
            }
            TyKind::Tuple(parts) => {
                let id = self.tuple(parts);
                self.define(Named::Tuple(id), done, out);
            }
            TyKind::Datatype(id) if !self.types().datatype(*id).extensible => {
                let named = Named::Datatype(self.types().datatype_def(*id));
                self.mention(named);
                self.define(named, done, out);
            }
            TyKind::Variant(datatype, variant) => {
                let datatype = self.types().erased_datatype(*datatype);
                self.mention(Named::Variant(datatype, *variant));
                self.define(Named::Variant(datatype, *variant), done, out);
            }
            _ => {}
        }
    }
}

fn layout_attributes(packed: bool, align: Option<u32>) -> String {
    match (packed, align) {
        (false, None) => String::new(),
        (true, None) => " __attribute__((packed))".into(),
        (false, Some(n)) => format!(" __attribute__((aligned({n})))"),
        (true, Some(n)) => format!(" __attribute__((packed, aligned({n})))"),
    }
}

fn int_name(int: IntTy) -> &'static str {
    match int {
        IntTy::Char => "char",
        IntTy::SChar => "signed char",
        IntTy::UChar => "unsigned char",
        IntTy::Short => "short",
        IntTy::UShort => "unsigned short",
        IntTy::Int => "int",
        IntTy::UInt => "unsigned",
        IntTy::Long => "long",
        IntTy::ULong => "unsigned long",
        IntTy::LongLong => "long long",
        IntTy::ULongLong => "unsigned long long",
        IntTy::Int128 => "__int128",
        IntTy::UInt128 => "unsigned __int128",
    }
}

fn float_name(float: FloatTy) -> &'static str {
    match float {
        FloatTy::Float => "float",
        FloatTy::Double => "double",
        FloatTy::LongDouble => "long double",
        FloatTy::Float128 => "__float128",
    }
}

/// Does a type have a `const` target below its first pointer, so that C asks for a cast?
pub(crate) fn has_deep_const(types: &Types, ty: Ty) -> bool {
    fn inside(types: &Types, ty: Ty, below: bool) -> bool {
        match types.kind(ty) {
            TyKind::Pointer(ptr) if ptr.bound != Bound::Fat => {
                (below && ptr.to.is_const) || inside(types, ptr.to.ty, true)
            }
            TyKind::Array { elem, .. } | TyKind::OpenArray { elem, .. } => inside(types, elem.ty, true),
            TyKind::Function(f) => {
                inside(types, f.ret, true) || f.params.iter().any(|param| inside(types, param.ty, true))
            }
            _ => false,
        }
    }
    inside(types, ty, false)
}

/// Does a type print differently with its `const`?
pub(crate) fn has_const(types: &Types, ty: Ty) -> bool {
    matches!(types.kind(ty), TyKind::Pointer(ptr) if ptr.bound != Bound::Fat && ptr.to.is_const)
        || has_deep_const(types, ty)
}
