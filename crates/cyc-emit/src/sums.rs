//! Datatypes in C (core, appendix D): a variant is a struct of its tag and components; a datatype is known by the
//! tag that all its variants begin with.

use crate::body::Function;
use crate::ctree::Expr;
use crate::fold::Writes;
use crate::names::in_c;
use crate::types::{CTypes, Named};
use crate::{Unit, literal};
use cyc_mir::Place;
use cyc_types::{
    BUILTIN_EXCEPTIONS, Bound, DatatypeId, EXN, Field, FloatTy, IntTy, QTy, Ty, TyKind, Types, VariantLinkage,
};
use std::fmt::Write;

impl Function<'_, '_> {
    /// The tag of a datatype object or tagged union.
    pub(crate) fn tag(&mut self, place: &Place) -> Expr {
        let (value, ty) = self.place(place);
        self.reads.memory = true;
        let tag = match self.types().kind(ty.ty()) {
            TyKind::Aggr(id) => value.member(format!("{}.tag", self.cx.types.member(*id, 0))),
            TyKind::Datatype(id) | TyKind::Variant(id, _) if self.types().datatype(*id).extensible => {
                Expr::cast("unsigned long".into(), value.member("tag"))
            }
            _ => value.member("tag"),
        };
        Expr::cast("unsigned".into(), tag)
    }

    pub(crate) fn set_tag(&mut self, place: &Place, member: u32) {
        let (value, ty) = self.place(place);
        let TyKind::Aggr(id) = self.types().kind(ty.ty()) else { unreachable!("only tagged unions are set a tag") };
        let tag = value.member(format!("{}.tag", self.cx.types.member(*id, member)));
        self.settle(Writes::Everything);
        self.store(&tag, &Expr::Number(u64::from(member) + 1));
    }
}

impl CTypes<'_> {
    /// `struct { int tag; T value; } name;`: a member of a tagged union (core, appendix D).
    pub(crate) fn tagged_member(&self, field: &Field, name: &str) -> String {
        format!("struct {{ int tag; {}; }} {name}", self.declare(field.qty, "value"))
    }

    /// The C type of a whole datatype, which only pointers have: its tag. All instances of a datatype share it.
    pub fn datatype_text(&self, datatype: DatatypeId) -> String {
        let sum = self.types().datatype(datatype);
        if sum.extensible {
            return "struct cyc_exn".into();
        }
        self.mention(Named::Datatype(self.types().datatype_def(datatype)));
        format!("struct _cycD{}_{}", self.types().datatype_def(datatype), in_c(sum.name.as_str()))
    }

    pub fn variant_text(&self, datatype: DatatypeId, variant: u32) -> String {
        let datatype = self.types().erased_datatype(datatype);
        self.mention(Named::Variant(datatype, variant));
        let sum = self.types().datatype(datatype);
        format!("struct _cycV{}_{variant}_{}", datatype.0, sum.variants[variant as usize].name)
    }

    /// A datatype as the last field of a struct is aligned as its strictest variant.
    pub fn tail_alignment(&self, ty: Ty) -> Option<u64> {
        match self.types().kind(ty) {
            TyKind::Datatype(id) => Some(self.types().datatype_align(*id)),
            _ => None,
        }
    }

    pub(crate) fn define_datatype(&self, def: u32) -> Option<String> {
        let id = self.types().datatype_ids().find(|id| self.types().datatype_def(*id) == def)?;
        Some(format!("{} {{ int tag; }};\n", self.datatype_text(id)))
    }

    /// `struct { tag; T1 f1; … }`; `part` is told each component before it is declared.
    pub(crate) fn define_variant(&self, datatype: DatatypeId, index: u32, mut part: impl FnMut(Ty)) -> String {
        let types = self.types();
        let sum = types.datatype(datatype);
        let tag = if sum.extensible { "const struct cyc_exn_tag *tag" } else { "int tag" };
        let mut text = format!("{} {{\n  {tag};\n", self.variant_text(datatype, index));
        for (i, field) in types.variant_fields(datatype, index).unwrap_or_default().iter().enumerate() {
            part(field.ty);
            let _ = writeln!(text, "  {};", self.declare(*field, &format!("f{}", i + 1)));
        }
        let align = types.datatype_align(datatype);
        let natural = if sum.extensible { 8 } else { 4 };
        match align > natural {
            true => _ = writeln!(text, "}} __attribute__((aligned({align})));"),
            false => text.push_str("};\n"),
        }
        text
    }

    /// The value of the tag in an object of a variant.
    pub fn tag_value(&self, datatype: DatatypeId, variant: u32) -> String {
        match self.types().datatype(datatype).extensible {
            true => format!("&{}", self.tag_object(datatype, variant)),
            false => variant.to_string(),
        }
    }

    /// The object that marks a variant of an extensible datatype. Its name tells the types of the components, so that
    /// units that disagree about them do not link.
    pub(crate) fn tag_object(&self, datatype: DatatypeId, variant: u32) -> String {
        let types = self.types();
        let sum = types.datatype(datatype);
        let shape = &sum.variants[variant as usize];
        if datatype == EXN && (variant as usize) < BUILTIN_EXCEPTIONS.len() {
            return format!("cyc_tag_{}", shape.name);
        }
        let in_namespace = format!("{}::{}", shape.namespace, shape.name);
        let (a, b) = (in_c(sum.name.as_str()), in_c(in_namespace.trim_start_matches("::")));
        let prefix = format!("_cycX{}{a}{}{b}", a.len(), b.len());
        match shape.fields.is_empty() {
            true => prefix,
            false => format!("{prefix}_{:08x}", self.signature(&shape.fields)),
        }
    }

    /// FNV-1a of the written types of a variant's components.
    fn signature(&self, fields: &[QTy]) -> u32 {
        let show = |field: &QTy| self.types().show(*field, &cyc_types::print::Plain) + ";";
        let text: String = fields.iter().map(show).collect();
        text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
    }

    /// The address of the one object of a constant variant.
    pub fn constant_variant(&self, datatype: DatatypeId, variant: u32) -> String {
        if datatype == EXN && (variant as usize) < BUILTIN_EXCEPTIONS.len() {
            return format!("&cyc_exn_builtin[{variant}]");
        }
        let datatype = self.types().erased_datatype(datatype);
        self.variant_text(datatype, variant);
        self.constants.borrow_mut().insert((datatype, variant));
        format!("&_cycK{}_{variant}", datatype.0)
    }
}

/// The objects that mark variants of extensible datatypes. A variant is defined by one unit; others refer to it.
pub(crate) fn tags(cx: &Unit, out: &mut String) {
    let sums = cx.unit.types.datatype_ids().map(|id| (id, cx.unit.types.datatype(id)));
    for (id, sum) in sums.filter(|(_, sum)| sum.extensible) {
        let builtin = if id == EXN { BUILTIN_EXCEPTIONS.len() } else { 0 };
        for (v, variant) in sum.variants.iter().enumerate().skip(builtin) {
            let tag = cx.types.tag_object(id, v as u32);
            let name = literal::string(variant.name.as_str().as_bytes());
            let name = format!("{name}, {}", letters(&cx.unit.types, &variant.fields));
            let _ = match variant.linkage {
                VariantLinkage::Public => writeln!(out, "const struct cyc_exn_tag {tag} = {{{name}}};"),
                VariantLinkage::Extern => writeln!(out, "extern const struct cyc_exn_tag {tag};"),
                VariantLinkage::Internal => {
                    writeln!(out, "static const struct cyc_exn_tag {tag} __attribute__((unused)) = {{{name}}};")
                }
            };
        }
    }
}

/// What the run time may show of a variant's components: a letter for each, up to the first whose type has none.
fn letters(types: &Types, fields: &[QTy]) -> String {
    if fields.is_empty() {
        return "0".into();
    }
    let mut text = String::new();
    for field in fields {
        let letter = letter(types, field.ty);
        text.push(letter.unwrap_or('?'));
        if letter.is_none() {
            break;
        }
    }
    format!("\"{text}\"")
}

fn letter(types: &Types, ty: Ty) -> Option<char> {
    let is_char = |ty: Ty| matches!(types.kind(ty), TyKind::Int(IntTy::Char));
    Some(match types.kind(ty) {
        TyKind::Int(IntTy::Char | IntTy::SChar) => 'c',
        TyKind::Int(IntTy::UChar) => 'C',
        TyKind::Int(IntTy::Short) => 'h',
        TyKind::Int(IntTy::UShort) => 'H',
        TyKind::Int(IntTy::Int) => 'i',
        TyKind::Int(IntTy::UInt) => 'I',
        TyKind::Int(IntTy::Long | IntTy::LongLong) => 'l',
        TyKind::Int(IntTy::ULong | IntTy::ULongLong) => 'L',
        TyKind::Float(FloatTy::Float) => 'f',
        TyKind::Float(FloatTy::Double) => 'd',
        TyKind::Pointer(ptr) => match (ptr.bound == Bound::Fat, is_char(ptr.to.ty) && ptr.zeroterm) {
            (false, true) => 's',
            (true, true) => 't',
            (false, false) => 'p',
            (true, false) => 'q',
        },
        _ => return None,
    })
}

/// The objects of constant variants that `new` has given out.
pub(crate) fn constants(cx: &Unit) -> String {
    let mut out = String::new();
    for (datatype, variant) in cx.types.constants.borrow().iter() {
        let ty = cx.types.variant_text(*datatype, *variant);
        let tag = cx.types.tag_value(*datatype, *variant);
        let _ = writeln!(out, "static {ty} _cycK{}_{variant} = {{{tag}}};", datatype.0);
    }
    out
}
