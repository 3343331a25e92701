//! Operands, places and right sides as C expressions.

use crate::body::Function;
use crate::ctree::Expr;
use crate::literal;
use crate::types::has_deep_const;
use cyc_mir::tast::GlobalId;
use cyc_mir::types::{PlaceTy, base_ty, is_fat, operand_ty, same_in_c, step};
use cyc_mir::*;
use cyc_types::{Args, Bound, IntTy, QTy, Ty, TyKind};

impl Function<'_, '_> {
    pub(crate) fn ty_of(&self, operand: &Operand) -> Ty {
        operand_ty(self.cx.unit, &self.body.locals, operand)
    }

    pub(crate) fn is_integer(&self, ty: Ty) -> bool {
        matches!(self.types().kind(ty), TyKind::Int(_) | TyKind::Enum(_) | TyKind::Bool)
    }

    pub(crate) fn is_signed(&self, ty: Ty) -> bool {
        use cyc_types::IntTy::*;
        !matches!(literal::int_kind(self.types(), ty), UChar | UShort | UInt | ULong | ULongLong | UInt128)
    }

    // ------------------------------------------------------------ operands

    /// An operand whose literal has exactly its type.
    pub(crate) fn operand(&mut self, operand: &Operand) -> Expr {
        match operand {
            Operand::Copy(place) => {
                let (value, ty) = self.read(place);
                // In C a bit-field's own width decides its promoted type.
                if self.is_bit_field(place) { Expr::cast(self.cx.types.text(ty.ty()), value) } else { value }
            }
            Operand::Const(constant) => self.constant(constant, true),
        }
    }

    /// An operand where C converts by itself: plain literals.
    pub(crate) fn relaxed(&mut self, operand: &Operand) -> Expr {
        match operand {
            Operand::Copy(place) => self.read(place).0,
            Operand::Const(constant) => self.constant(constant, false),
        }
    }

    fn is_bit_field(&self, place: &Place) -> bool {
        let Some((Proj::Field(index), outer)) = place.proj.split_last() else { return false };
        let base = base_ty(self.cx.unit, &self.body.locals, place.base);
        let outer = outer.iter().fold(base, |ty, proj| step(self.types(), ty, proj));
        match self.types().kind(outer.ty()) {
            TyKind::Aggr(id) => self.types().fields(*id).is_some_and(|fields| fields[*index as usize].bits.is_some()),
            _ => false,
        }
    }

    fn constant(&mut self, constant: &Const, exact: bool) -> Expr {
        let types = self.types();
        match constant {
            Const::Int(value, ty) => literal::int(types, *value, *ty, exact),
            Const::Float(digits, ty) => literal::float(types, digits.as_str(), *ty),
            Const::Null(ty) if is_fat(types, *ty) => Expr::name("CYC_FAT_NULL"),
            Const::Null(_) if exact => Expr::cast("void *".into(), Expr::Number(0)),
            Const::Null(_) => Expr::Number(0),
            Const::Str(bytes, ty) => {
                let text = Expr::name(literal::string(bytes));
                match types.as_pointer(*ty) {
                    Some(ptr) if ptr.to.ty == Ty::CHAR => text,
                    _ => Expr::cast(self.cx.types.text(*ty), text),
                }
            }
            Const::WideStr(chars, ty) => Expr::cast(self.cx.types.text(*ty), Expr::name(literal::wide(chars))),
            Const::Function(global, args, ty) => self.function(*global, *args, *ty),
            Const::Global(place, ty) => {
                let (value, qty) = self.place(place);
                self.address(place, value, qty, *ty)
            }
            Const::SizeOf(ty) => Expr::SizeOf(self.cx.types.text(*ty)),
            Const::AlignOf(ty) => Expr::name(format!("_Alignof({})", self.cx.types.text(*ty))),
            Const::Zero(ty) => self.zero(*ty),
            Const::Variant(datatype, variant, ty) => {
                let object = Expr::name(self.cx.types.constant_variant(*datatype, *variant));
                Expr::cast(self.cx.types.text(*ty), object)
            }
        }
    }

    /// The address of a function, or of a polymorphic one's table, as a pointer of type `ty`.
    fn function(&mut self, global: GlobalId, args: Args, ty: Ty) -> Expr {
        let name = Expr::Atom(self.cx.function_name(global, args));
        let declared = self.cx.unit.global(global);
        let plain = declared.c_name.is_none() && !declared.from_c_text;
        let text = self.cx.types.text(ty);
        if plain && args == Args::NONE {
            let to = self.types().as_pointer(ty).map(|ptr| ptr.to.ty);
            let same = to.is_some_and(|to| same_in_c(self.types(), to, declared.qty.ty));
            return if same { name } else { Expr::cast(text, name) };
        }
        Expr::cast(text, Expr::cast("cyc_code".into(), name))
    }

    pub(crate) fn zero(&self, ty: Ty) -> Expr {
        match self.types().kind(ty) {
            TyKind::Aggr(_) | TyKind::Tuple(_) | TyKind::Variant(..) | TyKind::Array { .. } => {
                Expr::Compound(self.cx.types.text(ty), vec![])
            }
            TyKind::Pointer(ptr) if ptr.bound == Bound::Fat => Expr::name("CYC_FAT_NULL"),
            _ => Expr::Number(0),
        }
    }

    // ------------------------------------------------------------ places

    /// The value of a place, noted as read.
    fn read(&mut self, place: &Place) -> (Expr, PlaceTy) {
        let (value, ty) = self.walk(place, true);
        match place.base {
            Base::Local(local) => {
                if self.body.locals[local.0 as usize].address_taken {
                    self.reads.memory = true;
                }
            }
            Base::Global(_) => self.reads.memory = true,
        }
        if place.through_pointer() {
            self.reads.memory = true;
        }
        if let PlaceTy::Of(QTy { is_volatile: true, .. }) = ty {
            self.reads.volatile = true;
        }
        (value, ty)
    }

    /// A place as an lvalue. The pointers and indices on the way are noted as read.
    pub(crate) fn place(&mut self, place: &Place) -> (Expr, PlaceTy) {
        self.walk(place, false)
    }

    /// `reading`: only the value is wanted.
    fn walk(&mut self, place: &Place, reading: bool) -> (Expr, PlaceTy) {
        let mut ty = base_ty(self.cx.unit, &self.body.locals, place.base);
        let mut value = match place.base {
            Base::Local(local) => self.local(local),
            Base::Global(global) => Expr::Atom(self.cx.names.global(global)),
        };
        for (i, proj) in place.proj.iter().enumerate() {
            let next = step(self.types(), ty, proj);
            if let PlaceTy::Of(QTy { is_volatile: true, .. }) = ty {
                self.reads.volatile = true;
            }
            value = match proj {
                Proj::Deref(index) => {
                    if !matches!(value, Expr::Local(_)) {
                        self.reads.memory = true;
                    }
                    self.deref(value, ty.ty(), next, index.as_ref())
                }
                Proj::Element(index) => Expr::Index(Box::new(value), Box::new(self.subscript(index))),
                Proj::Field(index) => {
                    let part = self.field(value, ty, *index);
                    let last = i + 1 == place.proj.len();
                    if reading && last {
                        self.read_part(part, ty, *index, next)
                    } else {
                        self.as_own(part, ty, *index, next)
                    }
                }
                Proj::Variant(datatype, variant) => {
                    let text = format!("{} *", self.cx.types.variant_text(*datatype, *variant));
                    Expr::unary("*", Expr::cast(text.into(), Expr::unary("&", value)))
                }
            };
            ty = next;
        }
        (value, ty)
    }

    fn deref(&mut self, pointer: Expr, ty: Ty, to: PlaceTy, index: Option<&Operand>) -> Expr {
        if !is_fat(self.types(), ty) {
            return match index {
                None => Expr::unary("*", pointer),
                Some(index) => Expr::Index(Box::new(pointer), Box::new(self.subscript(index))),
            };
        }
        let PlaceTy::Of(to) = to else { unreachable!("a pointer's target has a type") };
        let index = match index {
            None => Expr::Number(0),
            Some(index) => self.relaxed(index),
        };
        let size = Expr::SizeOf(self.cx.types.text(to.ty));
        let at = Expr::call("cyc_fat_at", vec![pointer, index, size]);
        Expr::unary("*", Expr::cast(self.cx.types.pointer_to(to), at))
    }

    /// The number of an element that a check has found within bounds, from the start of its array. An `int` is written as
    /// unsigned, for extending that to the width of an address costs the machine nothing; with `-fwrapv` the C compiler
    /// cannot tell by itself that a sum is not negative.
    fn subscript(&mut self, index: &Operand) -> Expr {
        let ty = self.ty_of(index);
        let value = self.relaxed(index);
        let is_int = self.is_integer(ty) && literal::int_kind(self.types(), ty) == IntTy::Int;
        let checked = !self.cx.options.no_bounds_checks;
        if is_int && checked && index.as_int().is_none() { Expr::cast("unsigned".into(), value) } else { value }
    }

    fn field(&mut self, value: Expr, ty: PlaceTy, index: u32) -> Expr {
        let name = match ty {
            PlaceTy::Variant(..) => format!("f{}", index + 1).into(),
            PlaceTy::Of(qty) => match self.types().kind(qty.ty) {
                TyKind::Aggr(id) => self.cx.types.field(*id, index),
                TyKind::Variant(..) => format!("f{}", index + 1).into(),
                _ => format!("f{index}").into(),
            },
        };
        value.member(name)
    }

    /// The address of a place as a pointer of type `to`.
    fn address(&mut self, place: &Place, value: Expr, qty: PlaceTy, to: Ty) -> Expr {
        let types = self.types();
        let target = types.as_pointer(to).map(|ptr| ptr.to);
        let constant = match place.base {
            Base::Global(global) if !place.through_pointer() => {
                let global = self.cx.unit.global(global);
                crate::globals::is_const_object(types, global.qty)
            }
            _ => false,
        };
        let exact = |a: Ty| target.is_some_and(|to| same_in_c(types, a, to.ty));
        let (address, same) = match types.kind(qty.ty()) {
            // An array decays by itself.
            TyKind::Array { elem, .. } | TyKind::OpenArray { elem, .. } if exact(elem.ty) => (value, true),
            _ => (Expr::unary("&", value), exact(qty.ty())),
        };
        if same && !constant { address } else { Expr::cast(self.cx.types.text(to), address) }
    }

    // ------------------------------------------------------------ right sides

    /// A right side of an assignment to something of type `dst`.
    pub(crate) fn rvalue(&mut self, value: &Rvalue, dst: Ty) -> Expr {
        match value {
            Rvalue::Use(operand) | Rvalue::Move(operand, _) => self.relaxed(operand),
            Rvalue::Unary(op, a, _) => {
                let a = self.operand(a);
                match op {
                    UnOp::Neg => Expr::unary("-", a),
                    UnOp::BitNot => Expr::unary("~", a),
                    UnOp::Not => a.negated(),
                }
            }
            Rvalue::Binary(op, a, b, at) => self.binary(*op, a, b, *at),
            Rvalue::Arith(a, from, to) => self.convert(a, *from, *to),
            Rvalue::PtrToInt(a, to) => {
                let a = self.operand(a);
                let wide = Expr::cast("unsigned long".into(), a);
                if self.bits(*to) == 64 && self.is_integer(*to) && !self.is_signed(*to) {
                    wide
                } else {
                    Expr::cast(self.cx.types.text(*to), wide)
                }
            }
            Rvalue::Retype(a, to) => {
                let fat = is_fat(self.types(), *to);
                let from = self.ty_of(a);
                let a = self.operand(a);
                match self.types().shape(from) {
                    _ if fat => a,
                    Some(_) if self.types().shape(*to).is_some() => self.cx.types.retyped(a, from, *to),
                    _ => Expr::cast(self.cx.types.text(*to), a),
                }
            }
            Rvalue::Instantiate(a, args, to) => self.instantiate(a, *args, *to),
            Rvalue::AddrOf(place, to) => {
                let (value, qty) = self.place(place);
                self.address(place, value, qty, *to)
            }
            Rvalue::ThinAdd { ptr, index, negate } => {
                let (ptr, index) = (self.operand(ptr), self.relaxed(index));
                Expr::binary(if *negate { "-" } else { "+" }, ptr, index)
            }
            Rvalue::FatAdd { ptr, index, negate } => {
                let (ptr, mut index) = (self.operand(ptr), self.relaxed(index));
                if *negate {
                    index = match index {
                        Expr::Number(n) => Expr::Negative(format!("-{n}").into()),
                        index => Expr::unary("-", Expr::cast("long".into(), index)),
                    };
                }
                Expr::call("cyc_fat_add", vec![ptr, index])
            }
            Rvalue::PtrDiff(a, b) => self.difference(a, b, dst),
            Rvalue::PtrCompare(op, a, b) => self.compare(*op, a, b),
            Rvalue::FatMake { ptr, len, .. } => {
                let sure = match ptr {
                    Operand::Const(_) => !matches!(ptr, Operand::Const(Const::Null(_))),
                    _ => self.types().as_pointer(self.ty_of(ptr)).is_some_and(|ptr| !ptr.nullable),
                };
                let make = if sure { "cyc_fat_make_nonnull" } else { "cyc_fat_make" };
                let (ptr, len) = (self.operand(ptr), self.relaxed(len));
                Expr::call(make, vec![ptr, len])
            }
            Rvalue::FatFromZeroterm(ptr, _) => {
                let suffix = self.zero_suffix(ptr);
                let ptr = self.operand(ptr);
                let count = Expr::call(numelts_of(suffix), vec![ptr.clone()]);
                Expr::call("cyc_fat_make", vec![ptr, count])
            }
            Rvalue::FatToThin(ptr, to) => {
                let address = self.fat_address(ptr);
                Expr::cast(self.cx.types.text(*to), address)
            }
            Rvalue::FatDropZero(ptr, _) => {
                let ptr = self.operand(ptr);
                Expr::call("cyc_fat_drop_zero", vec![ptr])
            }
            Rvalue::FatToBytes(ptr, _) => {
                let size = self.elem_size(ptr);
                let ptr = self.operand(ptr);
                let (file, line) = self.position();
                Expr::call("cyc_fat_to_bytes", vec![ptr, size, file, line])
            }
            Rvalue::IsNonNull(ptr) => self.non_null(ptr),
            Rvalue::FatNumelts(ptr) => {
                let ptr = self.operand(ptr);
                Expr::call("cyc_fat_numelts", vec![ptr])
            }
            Rvalue::ZeroNumelts(ptr) => self.zero_numelts(ptr),
            Rvalue::Aggregate(ty, fields) => self.aggregate(*ty, fields),
            Rvalue::Array(..) | Rvalue::Bytes(..) | Rvalue::Wides(..) => {
                unreachable!("array values are copied by the statement")
            }
            Rvalue::IsVariant(place, datatype, variant) => {
                let (value, _) = self.place(place);
                self.reads.memory = true;
                let tag = self.cx.types.tag_value(*datatype, *variant);
                Expr::binary("==", value.member("tag"), Expr::name(tag))
            }
            Rvalue::Tag(place) => self.tag(place),
        }
    }

    /// An instance out of a polymorphic function's table; null stays null.
    fn instantiate(&mut self, table: &Operand, args: Args, to: Ty) -> Expr {
        let ptr = self.types().as_pointer(self.ty_of(table));
        let function = ptr.and_then(|ptr| self.types().as_function(ptr.to.ty));
        let (Some(ptr), Some(function)) = (ptr, function) else { unreachable!("functions are instantiated") };
        let text = self.cx.types.text(to);
        let table = self.operand(table);
        if !function.is_shaped() {
            return Expr::cast(text, table);
        }
        let index = Expr::Number(self.cx.table_index(&function.vars, args));
        if ptr.nullable {
            return Expr::cast(text, Expr::call("cyc_instance", vec![table, index]));
        }
        Expr::cast(text, Expr::Index(Box::new(table), Box::new(index)))
    }

    /// A right side whose C type must be exactly `ty`: folded into a larger expression.
    pub(crate) fn exact_rvalue(&mut self, value: &Rvalue, ty: Ty) -> Expr {
        match value {
            Rvalue::Use(operand) | Rvalue::Move(operand, _) => self.operand(operand),
            Rvalue::FatNumelts(_) | Rvalue::ZeroNumelts(_) if ty != Ty::ULONG => {
                let inner = self.rvalue(value, ty);
                Expr::cast(self.cx.types.text(ty), inner)
            }
            Rvalue::Arith(a, from, to) => {
                let converted = self.convert(a, *from, *to);
                match converted {
                    Expr::Cast(..) | Expr::Call(..) => converted,
                    plain => Expr::cast(self.cx.types.text(*to), plain),
                }
            }
            _ => self.rvalue(value, ty),
        }
    }

    pub(crate) fn address_number(&mut self, operand: &Operand, ty: &str) -> Expr {
        let ptr_ty = self.ty_of(operand);
        let address = if is_fat(self.types(), ptr_ty) { self.fat_address(operand) } else { self.operand(operand) };
        Expr::cast(ty.into(), address)
    }

    fn fat_address(&mut self, ptr: &Operand) -> Expr {
        let size = self.elem_size(ptr);
        let ptr = self.operand(ptr);
        Expr::call("cyc_fat_ptr", vec![ptr, size])
    }

    /// The truth of a pointer.
    pub(crate) fn non_null(&mut self, ptr: &Operand) -> Expr {
        if is_fat(self.types(), self.ty_of(ptr)) {
            let size = self.elem_size(ptr);
            let ptr = self.operand(ptr);
            return Expr::call("cyc_fat_nonnull", vec![ptr, size]);
        }
        let ptr = self.operand(ptr);
        Expr::binary("!=", ptr, Expr::Number(0))
    }

    /// `sizeof` of a pointer's target.
    pub(crate) fn elem_size(&self, ptr: &Operand) -> Expr {
        let target = self.types().as_pointer(self.ty_of(ptr)).map(|ptr| ptr.to.ty);
        match target.map(|ty| (ty, self.types().kind(ty))) {
            // Of what has no size only the start of an object is ever pointed to.
            Some((_, TyKind::Void | TyKind::Function(_) | TyKind::Datatype(_))) | None => Expr::Number(1),
            Some((_, TyKind::Aggr(id))) if self.types().fields(*id).is_none() => Expr::Number(1),
            Some((ty, _)) => Expr::SizeOf(self.cx.types.text(ty)),
        }
    }

    /// The suffix of the header's functions on zero-terminated sequences.
    pub(crate) fn zero_suffix(&self, ptr: &Operand) -> &'static str {
        use cyc_types::{FloatTy, IntTy};
        let Some(ptr) = self.types().as_pointer(self.ty_of(ptr)) else { return "8" };
        match self.types().kind(ptr.to.ty) {
            TyKind::Float(FloatTy::Float) => "f",
            TyKind::Float(FloatTy::Double) => "d",
            TyKind::Float(_) => "ld",
            TyKind::Pointer(_) => "64",
            TyKind::Bool => "8",
            _ => match literal::int_kind(self.types(), ptr.to.ty) {
                IntTy::Char | IntTy::SChar | IntTy::UChar => "8",
                IntTy::Short | IntTy::UShort => "16",
                IntTy::Int | IntTy::UInt => "32",
                _ => "64",
            },
        }
    }

    fn zero_numelts(&mut self, ptr: &Operand) -> Expr {
        let suffix = self.zero_suffix(ptr);
        let ptr = self.operand(ptr);
        Expr::call(numelts_of(suffix), vec![ptr])
    }

    fn aggregate(&mut self, ty: Ty, fields: &[(u32, Operand)]) -> Expr {
        let types = self.types();
        let mut parts = vec![];
        if let TyKind::Variant(datatype, variant) = *types.kind(ty) {
            let tag = self.cx.types.tag_value(datatype, variant);
            parts.push((Some("tag".into()), Expr::name(tag)));
        }
        if let (TyKind::Aggr(id), [(member, _)]) = (types.kind(ty), fields)
            && types.aggr(*id).tagged
        {
            let tag = format!("{}.tag", self.cx.types.member(*id, *member));
            parts.push((Some(tag.into()), Expr::Number(u64::from(*member) + 1)));
        }
        for (index, value) in fields {
            let name = match types.kind(ty) {
                TyKind::Aggr(id) => self.cx.types.field(*id, *index),
                TyKind::Variant(..) => format!("f{}", index + 1).into(),
                _ => format!("f{index}").into(),
            };
            let from = self.ty_of(value);
            let value = self.relaxed(value);
            parts.push((Some(name), self.part_of(value, from, ty, *index)));
        }
        Expr::Compound(self.cx.types.text(ty), parts)
    }

    /// An argument of a call: `const` below the first level needs a cast in C.
    pub(crate) fn argument(&mut self, operand: &Operand, param: Option<Ty>, c_function: bool) -> Expr {
        let value = match param {
            Some(_) => self.relaxed(operand),
            None => self.operand(operand),
        };
        match param {
            Some(ty) if c_function && has_deep_const(self.types(), ty) => {
                Expr::cast(self.cx.types.declare_const(ty.into(), "").into(), value)
            }
            _ => value,
        }
    }
}

/// The header's function that counts a zero-terminated sequence of elements of one kind.
fn numelts_of(suffix: &str) -> &'static str {
    match suffix {
        "8" => "cyc_zero_numelts_8",
        "16" => "cyc_zero_numelts_16",
        "32" => "cyc_zero_numelts_32",
        "f" => "cyc_zero_numelts_f",
        "d" => "cyc_zero_numelts_d",
        "ld" => "cyc_zero_numelts_ld",
        _ => "cyc_zero_numelts_64",
    }
}
