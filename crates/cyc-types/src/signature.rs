//! Types as text that separately compiled units can compare: equal exactly when the types are, by the measure of
//! [`Types::equivalent`], with everything that safety depends on (regions, qualifiers, bounds, attributes).
//!
//! Named types are written by name; the signature says which ones it mentions, so that their definitions can be
//! compared too.

use crate::kind::{Aqual, Arg, Args, Constraint, Size, SizeOp};
use crate::region::Region;
use crate::ty::*;
use std::collections::BTreeSet;
use std::fmt::Write;

/// A definition that a signature depends on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Mention {
    Aggr(AggrId),
    Enum(EnumId),
    Datatype(DatatypeId),
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Signature {
    pub text: String,
    pub mentions: BTreeSet<Mention>,
}

impl Types {
    /// The signature of a variable's or function's type.
    pub fn signature(&self, qty: QTy) -> Signature {
        let mut writer = Writer { types: self, out: Signature::default() };
        writer.place(qty);
        writer.out
    }

    /// The name under which a definition is compared: `struct S`, `enum E`, `datatype D`. An instance of a generic
    /// definition has the definition's.
    pub fn mention_name(&self, mention: Mention) -> String {
        match mention {
            Mention::Aggr(id) => {
                let aggr = self.aggr(id);
                format!("{} {}", if aggr.is_union { "union" } else { "struct" }, aggr.name)
            }
            Mention::Enum(id) => format!("enum {}", self.enumeration(id).name),
            Mention::Datatype(id) => format!("datatype {}", self.datatype(id).name),
        }
    }

    /// What a definition says; None while it is incomplete, and for an extensible datatype, to which every unit may
    /// add variants.
    pub fn definition_signature(&self, mention: Mention) -> Option<Signature> {
        let mut writer = Writer { types: self, out: Signature::default() };
        match mention {
            Mention::Aggr(id) => writer.aggr(self.aggr(id))?,
            Mention::Enum(id) => writer.enumeration(self.enumeration(id))?,
            Mention::Datatype(id) => writer.datatype(self.datatype(id))?,
        }
        Some(writer.out)
    }

    /// The components of a variant.
    pub fn variant_signature(&self, datatype: DatatypeId, variant: u32) -> Signature {
        let mut writer = Writer { types: self, out: Signature::default() };
        let fields = self.datatype(datatype).variants[variant as usize].fields.clone();
        fields.iter().for_each(|field| writer.place(*field));
        writer.out
    }
}

struct Writer<'a> {
    types: &'a Types,
    out: Signature,
}

impl Writer<'_> {
    fn put(&mut self, text: &str) {
        self.out.text.push_str(text);
    }

    fn show(&mut self, value: impl std::fmt::Debug) {
        let _ = write!(self.out.text, "{value:?};");
    }

    fn place(&mut self, qty: QTy) {
        self.put(if qty.is_const { "k" } else { "" });
        self.put(if qty.is_volatile { "q" } else { "" });
        self.ty(qty.ty);
    }

    fn ty(&mut self, ty: Ty) {
        match self.types.kind(ty).clone() {
            TyKind::Pointer(p) => {
                self.put(if p.nullable { "*" } else { "@" });
                match p.bound {
                    Bound::Thin(n) => self.show(n),
                    Bound::Sized(size) => self.size(size),
                    Bound::Fat => self.put("?"),
                }
                self.put(if p.zeroterm { "z" } else { "" });
                self.region(p.region);
                self.aqual(p.aqual);
                self.place(p.to);
            }
            TyKind::Array { elem, len, zeroterm } => {
                self.put("[");
                self.show(len);
                self.put(if zeroterm { "z]" } else { "]" });
                self.place(elem);
            }
            TyKind::OpenArray { elem, len } => {
                self.put("[");
                self.size(len);
                self.put("]");
                self.place(elem);
            }
            TyKind::Tuple(parts) => {
                self.put("(");
                parts.iter().for_each(|part| self.place(*part));
                self.put(")");
            }
            TyKind::Aggr(id) => self.named_aggr(id),
            TyKind::Enum(id) if self.types.enumeration(id).anonymous => {
                let _ = self.enumeration(self.types.enumeration(id));
            }
            TyKind::Enum(id) => self.mention(Mention::Enum(id), Args::NONE),
            TyKind::Datatype(id) => self.mention(Mention::Datatype(id), self.types.datatype_args(id)),
            TyKind::Variant(id, variant) => {
                self.mention(Mention::Datatype(id), self.types.datatype_args(id));
                let name = self.types.datatype(id).variants[variant as usize].name;
                self.show(name.as_str());
            }
            TyKind::Function(function) => self.function(&function),
            TyKind::Abstract(id, args) => {
                self.show(self.types.abstract_type(id).name.as_str());
                self.args(args);
            }
            TyKind::Tag(size) => {
                self.put("tag ");
                self.size(size);
            }
            TyKind::Handle(region) => {
                self.put("handle ");
                self.region(region);
            }
            TyKind::AqualHandle(aqual) => {
                self.put("aqual ");
                self.aqual(aqual);
            }
            // What is left holds no table's index.
            kind => self.show(kind),
        }
    }

    fn named_aggr(&mut self, id: AggrId) {
        let aggr = self.types.aggr(id);
        if aggr.anonymous {
            // By structure; a definition without name cannot contain itself.
            let _ = self.aggr(aggr);
        } else {
            self.mention(Mention::Aggr(id), self.types.aggr_args(id));
        }
    }

    fn mention(&mut self, mention: Mention, args: Args) {
        let name = self.types.mention_name(mention);
        self.put(&name);
        self.args(args);
        self.out.mentions.insert(mention);
    }

    fn function(&mut self, function: &FnTy) {
        self.put("fn<");
        self.params(&function.vars);
        self.put(">(");
        // Qualifiers of parameters are the body's business.
        function.params.iter().for_each(|param| self.ty(param.ty));
        match &function.varargs {
            Varargs::None => {}
            Varargs::C => self.put("..."),
            Varargs::Typed { elem, inject } => {
                self.put(if *inject { "...inject " } else { "...of " });
                self.place(*elem);
            }
        }
        self.put(")");
        match function.effect {
            Some(effect) => self.region(effect),
            None => self.put("_"),
        }
        self.constraints(&function.constraints);
        if function.attrs != FnAttrs::default() {
            self.show(&function.attrs);
        }
        self.ty(function.ret);
    }

    fn params(&mut self, params: &[crate::TyParam]) {
        for param in params {
            self.put(param.kind.name());
            self.aqual(param.bound);
        }
    }

    fn constraints(&mut self, constraints: &[Constraint]) {
        for constraint in constraints {
            match *constraint {
                Constraint::Outlives(a, b) => self.regions("<=", &[a, b]),
                Constraint::Disjoint(a, b) => self.regions("|", &[a, b]),
                Constraint::Single(a) => self.regions("single", &[a]),
                Constraint::Bound { bound, of } => {
                    self.put(">=");
                    self.aqual(bound);
                    self.aqual(of);
                }
            }
        }
    }

    fn regions(&mut self, word: &str, regions: &[Region]) {
        self.put(word);
        regions.iter().for_each(|region| self.region(*region));
    }

    fn region(&mut self, region: Region) {
        match region {
            Region::Heap => self.put("`H"),
            Region::App(id, args) => {
                self.show(self.types.abstract_type(id).name.as_str());
                self.args(args);
            }
            Region::Of(ty) => {
                self.put("regions ");
                self.ty(ty);
            }
            Region::Set(_) => {
                // Their order in the table is that of the unit.
                let atom = |atom: Region| {
                    let mut writer = Writer { types: self.types, out: Signature::default() };
                    writer.region(atom);
                    writer.out.text
                };
                let atoms: BTreeSet<String> = self.types.atoms(region).into_iter().map(atom).collect();
                self.show(atoms);
            }
            region => self.show(region),
        }
    }

    fn aqual(&mut self, aqual: Aqual) {
        match aqual {
            Aqual::Aliasable => {}
            Aqual::Of(ty) => {
                self.put("aquals ");
                self.ty(ty);
            }
            aqual => self.show(aqual),
        }
    }

    fn size(&mut self, size: Size) {
        match size {
            Size::SizeOf(ty) => {
                self.put("sizeof ");
                self.ty(ty);
            }
            Size::Op(id) => {
                let (word, a, b) = match self.types.size_op_of(id) {
                    SizeOp::Add(a, b) => ("+", a, b),
                    SizeOp::Sub(a, b) => ("-", a, b),
                    SizeOp::Mul(a, b) => ("x", a, b),
                };
                self.put(word);
                self.size(a);
                self.size(b);
            }
            size => self.show(size),
        }
    }

    fn args(&mut self, args: Args) {
        for arg in self.types.args(args) {
            match *arg {
                Arg::Type(ty) => self.ty(ty),
                Arg::Region(region) => self.region(region),
                Arg::Size(size) => self.size(size),
                Arg::Aqual(aqual) => {
                    self.put("q");
                    self.aqual(aqual);
                }
            }
            self.put(",");
        }
    }

    fn aggr(&mut self, aggr: &Aggr) -> Option<()> {
        if aggr.thread_safe {
            self.put("thread_safe"); // unlike every definition
            return Some(());
        }
        let fields = aggr.fields.as_ref()?;
        self.put(if aggr.is_union { "union<" } else { "struct<" });
        self.params(&aggr.params);
        self.put(";");
        self.params(&aggr.exists);
        self.constraints(&aggr.constraints);
        self.show((aggr.tagged, aggr.packed, aggr.align));
        self.put("{");
        for field in fields {
            self.show((field.name.map(|name| name.as_str()), field.bits, field.align, field.packed));
            self.place(field.qty);
        }
        self.put("}");
        Some(())
    }

    fn enumeration(&mut self, enumeration: &Enum) -> Option<()> {
        let items = enumeration.items.as_ref()?;
        let items: Vec<(&str, i64)> = items.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        self.put("enum");
        self.show((enumeration.underlying, items));
        Some(())
    }

    fn datatype(&mut self, datatype: &Datatype) -> Option<()> {
        if datatype.extensible || datatype.variants.is_empty() {
            return None;
        }
        self.put("datatype<");
        self.params(&datatype.params);
        self.put(">{");
        for variant in &datatype.variants {
            self.show(variant.name.as_str());
            variant.fields.iter().for_each(|field| self.place(*field));
            self.put("|");
        }
        self.put("}");
        Some(())
    }
}
