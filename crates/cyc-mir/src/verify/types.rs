//! Types: operands, places and instructions agree, once the conversions are instructions.
//!
//! Two types agree if they are the same in C: regions, nullability and bounds of thin pointers are the checker's matter.

use super::{At, Cx, Reads, Verdict, indices, written};
use crate::mir::*;
use crate::types::{PlaceTy, base_ty, int_shape, is_fat, operand_ty, place_ty, same_in_c, step};
use cyc_types::{Arg, FnTy, PtrTy, Ty, TyKind, Types, Varargs};

pub(super) fn check(cx: &Cx) -> Verdict {
    for (id, block) in cx.blocks() {
        for (index, stmt) in block.stmts.iter().enumerate() {
            Typing { cx, at: At { block: id, index: Some(index) } }.stmt(&stmt.kind)?;
        }
        Typing { cx, at: At { block: id, index: None } }.terminator(&block.term)?;
    }
    for (i, handler) in cx.body.handlers.iter().enumerate() {
        let at = At { block: handler.catch, index: None };
        if cx.unit.types.as_pointer(cx.local(handler.caught).qty.ty).is_none() {
            return cx.fail("an exception is a pointer", at, format!("what h{i} catches"));
        }
    }
    Ok(())
}

struct Typing<'c, 'a> {
    cx: &'c Cx<'a>,
    at: At,
}

impl Typing<'_, '_> {
    fn types(&self) -> &Types {
        &self.cx.unit.types
    }

    fn fail(&self, rule: &'static str, detail: impl Into<String>) -> Verdict {
        self.cx.fail(rule, self.at, detail)
    }

    fn text(&self, ty: Ty) -> String {
        self.types().show(ty.into(), &cyc_types::print::Plain)
    }

    fn require(&self, holds: bool, rule: &'static str, what: impl FnOnce() -> String) -> Verdict {
        if holds { Ok(()) } else { self.fail(rule, what()) }
    }

    fn ty(&self, operand: &Operand) -> Ty {
        operand_ty(self.cx.unit, &self.cx.body.locals, operand)
    }

    fn place_ty(&self, place: &Place) -> PlaceTy {
        place_ty(self.cx.unit, &self.cx.body.locals, place)
    }

    fn pointer(&self, ty: Ty) -> Option<PtrTy> {
        self.types().as_pointer(ty)
    }

    fn is_fat(&self, ty: Ty) -> bool {
        is_fat(self.types(), ty)
    }

    fn is_thin(&self, ty: Ty) -> bool {
        self.pointer(ty).is_some() && !self.is_fat(ty)
    }

    fn is_integer(&self, ty: Ty) -> bool {
        int_shape(self.types(), ty).is_some() || matches!(self.types().kind(ty), TyKind::Bool | TyKind::Tag(_))
    }

    fn is_arithmetic(&self, ty: Ty) -> bool {
        self.is_integer(ty) || matches!(self.types().kind(ty), TyKind::Float(_) | TyKind::Complex(_))
    }

    /// Do two types agree? An erroneous type is judged elsewhere: a bare variant has no type of its own.
    /// What a struct hides lies in it as a word; that a value is of a subset is the matter of checks.
    fn agree(&self, a: Ty, b: Ty) -> bool {
        let types = self.types();
        let (a, b) = (types.without_subset(a), types.without_subset(b));
        let word = |ty| types.as_pointer(ty).is_some_and(|ptr| ptr.to.ty == Ty::VOID);
        let hidden = |a, b| word(a) && matches!(types.kind(b), TyKind::Var(_));
        a == Ty::ERROR
            || b == Ty::ERROR
            || same_in_c(types, a, b)
            || same_in_c(types, types.erase(a), types.erase(b))
            || hidden(a, b)
            || hidden(b, a)
    }

    fn must_agree(&self, rule: &'static str, from: Ty, to: Ty) -> Verdict {
        self.require(self.agree(from, to), rule, || format!("`{}` is not `{}`", self.text(from), self.text(to)))
    }

    // ------------------------------------------------------------ places and operands

    /// Each step of a place fits what it starts from: `Deref` a pointer, `Element` an array, `Field` one of its fields,
    /// `Variant` the datatype; and what it is indexed by is an integer of at most 64 bits, which the emitter assumes.
    fn place(&self, place: &Place) -> Verdict {
        let mut ty = base_ty(self.cx.unit, &self.cx.body.locals, place.base);
        for proj in &place.proj {
            self.require(self.steps(ty, proj), "steps of a place fit its type", || {
                format!("in `{}`, from `{}`", self.cx.place_text(place), self.text(ty.ty()))
            })?;
            ty = step(self.types(), ty, proj);
        }
        indices(place).try_for_each(|index| {
            self.operand(index)?;
            self.index(index)
        })
    }

    fn steps(&self, from: PlaceTy, proj: &Proj) -> bool {
        let types = self.types();
        match (proj, from) {
            (Proj::Field(i), PlaceTy::Variant(datatype, variant)) => {
                types.variant_fields(datatype, variant).is_some_and(|fields| (*i as usize) < fields.len())
            }
            (_, PlaceTy::Variant(..)) => false,
            (Proj::Field(i), PlaceTy::Of(qty)) => self.fields(qty.ty) > *i as usize,
            (Proj::Deref(_), PlaceTy::Of(qty)) => self.pointer(qty.ty).is_some(),
            (Proj::Element(_), PlaceTy::Of(qty)) => {
                matches!(types.kind(qty.ty), TyKind::Array { .. } | TyKind::OpenArray { .. })
            }
            (Proj::Variant(datatype, variant), PlaceTy::Of(qty)) => {
                let known = (*variant as usize) < types.datatype(*datatype).variants.len();
                known && matches!(types.kind(qty.ty), TyKind::Datatype(of) if types.same_datatype_def(*of, *datatype))
            }
        }
    }

    /// How many fields values of the type have.
    fn fields(&self, ty: Ty) -> usize {
        match self.types().kind(ty) {
            TyKind::Aggr(id) => self.types().fields(*id).map_or(0, <[_]>::len),
            TyKind::Tuple(parts) => parts.len(),
            TyKind::Variant(datatype, variant) => {
                self.types().variant_fields(*datatype, *variant).map_or(0, <[_]>::len)
            }
            _ => 0,
        }
    }

    fn operand(&self, operand: &Operand) -> Verdict {
        match operand {
            Operand::Copy(place) => self.place(place),
            Operand::Const(constant) => self.constant(constant),
        }
    }

    /// A constant has a type that it can be of.
    fn constant(&self, constant: &Const) -> Verdict {
        let fits = match constant {
            Const::Int(_, ty) => self.is_arithmetic(*ty),
            Const::Float(_, ty) => matches!(self.types().kind(*ty), TyKind::Float(_) | TyKind::Complex(_)),
            Const::Null(ty)
            | Const::Str(_, ty)
            | Const::WideStr(_, ty)
            | Const::Function(_, _, ty)
            | Const::Variant(.., ty) => self.pointer(*ty).is_some(),
            Const::Global(place, ty) => {
                self.place(place)?;
                self.is_thin(*ty)
            }
            Const::SizeOf(_) | Const::AlignOf(_) | Const::Zero(_) => true,
        };
        self.require(fits, "a constant has a type that it can be of", || format!("{constant:?}"))
    }

    fn index(&self, index: &Operand) -> Verdict {
        let ty = self.ty(index);
        self.require(self.is_integer(ty), "an index is an integer", || self.text(ty))
    }

    fn fat(&self, operand: &Operand) -> Verdict {
        let ty = self.ty(operand);
        self.require(self.is_fat(ty), "the pointer is fat", || self.text(ty))
    }

    fn thin(&self, operand: &Operand) -> Verdict {
        let ty = self.ty(operand);
        self.require(self.is_thin(ty), "the pointer is thin", || self.text(ty))
    }

    fn pointers(&self, operands: &[&Operand]) -> Verdict {
        operands.iter().try_for_each(|operand| {
            let ty = self.ty(operand);
            self.require(self.pointer(ty).is_some(), "the operand is a pointer", || self.text(ty))
        })
    }

    // ------------------------------------------------------------ instructions

    fn stmt(&self, kind: &StmtKind) -> Verdict {
        let reads = Reads::of(kind);
        reads.operands.iter().try_for_each(|operand| self.operand(operand))?;
        reads.looked_at.iter().chain(&reads.reached).try_for_each(|place| self.place(place))?;
        written(kind).iter().try_for_each(|place| self.place(place))?;
        match kind {
            StmtKind::Assign(place, value) => {
                let to = self.place_ty(place).ty();
                let from = self.rvalue(value, to)?;
                self.must_agree("both sides of an assignment have one type", from, to)
            }
            StmtKind::Check(check) => self.check(&check.kind),
            StmtKind::Removed(inner, _) => self.stmt(inner),
            StmtKind::Call { dst, callee, args } => self.call(dst.as_ref(), callee, args),
            StmtKind::Alloc(alloc) => self.alloc(alloc),
            StmtKind::PushRegion { handle, .. } | StmtKind::OpenKey { handle, .. } => {
                let ty = self.cx.local(*handle).qty.ty;
                let is_handle = matches!(self.types().kind(ty), TyKind::Handle(_));
                self.require(is_handle, "a region gives a handle", || self.text(ty))
            }
            StmtKind::Swap(a, b) => {
                self.must_agree("what is swapped has one type", self.place_ty(a).ty(), self.place_ty(b).ty())
            }
            StmtKind::SetTag(place, member) => {
                let ty = self.place_ty(place).ty();
                let fits = self.is_tagged(ty) && self.fields(ty) > *member as usize;
                self.require(fits, "a tag is that of a member of a tagged union", || self.text(ty))
            }
            StmtKind::Uninit(_)
            | StmtKind::PopHandler(_)
            | StmtKind::PopRegion(_)
            | StmtKind::CloseKey(_)
            | StmtKind::EndLoan(_)
            | StmtKind::Dead(_)
            | StmtKind::Asm(_) => Ok(()),
        }
    }

    fn is_tagged(&self, ty: Ty) -> bool {
        matches!(self.types().kind(ty), TyKind::Aggr(id) if self.types().aggr(*id).tagged)
    }

    /// A handle is one, a count is an integer, and the result is a pointer to what is allocated, thin or fat.
    fn alloc(&self, alloc: &Alloc) -> Verdict {
        if let Some(region) = &alloc.region {
            let ty = self.ty(region);
            let is_handle = matches!(self.types().kind(ty), TyKind::Handle(_) | TyKind::Pointer(_));
            self.require(is_handle, "an allocation has a handle", || self.text(ty))?;
        }
        if let Some(owner) = &alloc.owner {
            let ty = self.ty(owner);
            let known = matches!(self.types().kind(ty), TyKind::AqualHandle(_)) || self.is_integer(ty);
            self.require(known, "a qualifier is one at run time", || self.text(ty))?;
        }
        alloc.count.iter().try_for_each(|count| self.index(count))?;
        let ty = self.place_ty(&alloc.dst).ty();
        self.require(self.pointer(ty).is_some(), "an allocation gives a pointer", || self.text(ty))
    }

    /// Arguments have the types of the parameters at the call's type arguments, the result that of where it goes.
    fn call(&self, dst: Option<&Place>, callee: &Callee, args: &[Operand]) -> Verdict {
        let function = match callee {
            Callee::Builtin(_) => return Ok(()),
            Callee::Direct(global, targs) => {
                let ty = self.cx.unit.global(*global).qty.ty;
                self.at_arguments(ty, self.types().args(*targs))
            }
            Callee::Pointer(pointer) => {
                self.thin(pointer)?;
                self.pointer(self.ty(pointer)).and_then(|ptr| self.types().as_function(ptr.to.ty).cloned())
            }
        };
        let Some(function) = function else { return self.fail("what is called is a function", "its type is another") };
        let enough = match function.varargs {
            Varargs::C => args.len() >= function.params.len(),
            Varargs::None => args.len() == function.params.len(),
            // The further arguments are one, a fat pointer to them.
            Varargs::Typed { .. } => args.len() == function.params.len() + 1,
        };
        self.require(enough, "a call has as many arguments as parameters", || {
            format!("{} for {}", args.len(), function.params.len())
        })?;
        for (arg, param) in args.iter().zip(&function.params) {
            self.must_agree("an argument has its parameter's type", self.ty(arg), param.ty)?;
        }
        match dst {
            Some(dst) => {
                self.must_agree("a call's result has the type of its place", function.ret, self.place_ty(dst).ty())
            }
            None => Ok(()),
        }
    }

    fn at_arguments(&self, ty: Ty, args: &[Arg]) -> Option<std::rc::Rc<FnTy>> {
        let ty = if args.is_empty() { ty } else { self.types().substitute_bound(ty, args) };
        self.types().as_function(ty).cloned()
    }

    // ------------------------------------------------------------ values

    /// The type of a value that is stored where `to` is expected; what it is made of fits.
    fn rvalue(&self, value: &Rvalue, to: Ty) -> Result<Ty, super::Failure> {
        Ok(match value {
            Rvalue::Use(a) | Rvalue::Move(a, _) => match value {
                // A loan may be seen as a pointer that can be copied, in another region.
                Rvalue::Move(_, Some(_)) => to,
                _ => self.ty(a),
            },
            Rvalue::Unary(op, a, ty) => {
                let fits = match op {
                    UnOp::Not => self.is_arithmetic(self.ty(a)),
                    UnOp::Neg | UnOp::BitNot => self.is_arithmetic(*ty) && self.agree(self.ty(a), *ty),
                };
                self.require(fits, "an operator has operands of its type", || self.text(self.ty(a)))?;
                *ty
            }
            Rvalue::Binary(op, a, b, at) => self.binary(*op, a, b, *at)?,
            Rvalue::Arith(a, from, ty) => {
                self.must_agree("a conversion starts from its operand's type", self.ty(a), *from)?;
                let fits = self.is_arithmetic(*from) && self.is_arithmetic(*ty);
                self.require(fits, "a conversion is between arithmetic types", || self.text(*from))?;
                *ty
            }
            Rvalue::Retype(a, ty) | Rvalue::Instantiate(a, _, ty) => {
                let from = self.ty(a);
                let same = self.pointer(from).is_none()
                    || self.pointer(*ty).is_none()
                    || self.is_fat(from) == self.is_fat(*ty);
                self.require(same, "another type has the same representation", || self.text(from))?;
                *ty
            }
            Rvalue::AddrOf(_, ty) => {
                self.require(self.is_thin(*ty), "an address is a thin pointer", || self.text(*ty))?;
                *ty
            }
            Rvalue::PtrToInt(..)
            | Rvalue::ThinAdd { .. }
            | Rvalue::FatAdd { .. }
            | Rvalue::PtrDiff(..)
            | Rvalue::PtrCompare(..)
            | Rvalue::FatMake { .. }
            | Rvalue::FatFromZeroterm(..)
            | Rvalue::FatDropZero(..)
            | Rvalue::FatToBytes(..)
            | Rvalue::FatToThin(..)
            | Rvalue::IsNonNull(_)
            | Rvalue::FatNumelts(_)
            | Rvalue::ZeroNumelts(_) => self.of_pointers(value, to)?,
            Rvalue::Aggregate(ty, fields) => {
                self.aggregate(*ty, fields)?;
                *ty
            }
            Rvalue::Array(ty, elements) => {
                let TyKind::Array { elem, .. } = *self.types().kind(*ty) else {
                    self.fail("elements make an array", self.text(*ty))?;
                    return Ok(*ty);
                };
                for element in elements {
                    self.must_agree("an element has its array's type", self.ty(element), elem.ty)?;
                }
                *ty
            }
            Rvalue::Bytes(ty, _) | Rvalue::Wides(ty, _) => {
                let is_array = matches!(self.types().kind(*ty), TyKind::Array { .. });
                self.require(is_array, "characters make an array", || self.text(*ty))?;
                *ty
            }
            Rvalue::IsVariant(place, datatype, variant) => {
                let known = (*variant as usize) < self.types().datatype(*datatype).variants.len();
                let of = self.place_ty(place).ty();
                let is_sum = matches!(self.types().kind(of), TyKind::Datatype(_) | TyKind::Variant(..));
                self.require(known && is_sum, "a variant is asked of its datatype", || self.text(of))?;
                Ty::INT
            }
            Rvalue::Tag(place) => {
                let of = self.place_ty(place).ty();
                let is_sum = matches!(self.types().kind(of), TyKind::Datatype(_) | TyKind::Variant(..));
                let has_tag = is_sum || self.is_tagged(of);
                self.require(has_tag, "a tag is asked of what has one", || self.text(of))?;
                Ty::UINT
            }
        })
    }

    /// The same of what is computed from pointers; other values are not asked for.
    fn of_pointers(&self, value: &Rvalue, to: Ty) -> Result<Ty, super::Failure> {
        Ok(match value {
            Rvalue::PtrToInt(a, ty) => {
                // What a type variable stands for is a word.
                if !matches!(self.types().kind(self.ty(a)), TyKind::Var(_)) {
                    self.thin(a)?;
                }
                self.require(self.is_integer(*ty), "a pointer's bits are an integer", || self.text(*ty))?;
                *ty
            }
            Rvalue::ThinAdd { ptr, index, .. } => {
                self.thin(ptr)?;
                self.index(index)?;
                self.ty(ptr)
            }
            Rvalue::FatAdd { ptr, index, .. } => {
                self.fat(ptr)?;
                self.index(index)?;
                self.ty(ptr)
            }
            Rvalue::PtrDiff(a, b) => {
                self.pointers(&[a, b])?;
                self.require(self.is_integer(to), "a distance is an integer", || self.text(to))?;
                to
            }
            Rvalue::PtrCompare(_, a, b) => {
                self.pointers(&[a, b])?;
                Ty::INT
            }
            Rvalue::FatMake { ptr, len, ty } => {
                self.thin(ptr)?;
                self.index(len)?;
                self.made_fat(*ty)?
            }
            Rvalue::FatFromZeroterm(a, ty) => {
                self.thin(a)?;
                self.made_fat(*ty)?
            }
            Rvalue::FatDropZero(a, ty) | Rvalue::FatToBytes(a, ty) => {
                self.fat(a)?;
                self.made_fat(*ty)?
            }
            Rvalue::FatToThin(a, ty) => {
                self.fat(a)?;
                self.require(self.is_thin(*ty), "a thin pointer is made", || self.text(*ty))?;
                *ty
            }
            Rvalue::IsNonNull(a) => {
                self.pointers(&[a])?;
                Ty::INT
            }
            Rvalue::FatNumelts(a) => {
                self.fat(a)?;
                Ty::ULONG
            }
            Rvalue::ZeroNumelts(a) => {
                self.thin(a)?;
                Ty::ULONG
            }
            _ => Ty::ERROR,
        })
    }

    fn made_fat(&self, ty: Ty) -> Result<Ty, super::Failure> {
        self.require(self.is_fat(ty), "a fat pointer is made", || self.text(ty))?;
        Ok(ty)
    }

    /// Both operands have the operation's type, a shift's left one; comparisons give `int`.
    fn binary(&self, op: BinOp, a: &Operand, b: &Operand, at: Ty) -> Result<Ty, super::Failure> {
        let shift = matches!(op, BinOp::Shl | BinOp::Shr);
        let (left, right) = (self.ty(a), self.ty(b));
        let compares = matches!(op, BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge | BinOp::Eq | BinOp::Ne);
        // Words of a type that is not known can be compared for equality.
        let words = matches!(op, BinOp::Eq | BinOp::Ne)
            && matches!(self.types().kind(at), TyKind::Var(_) | TyKind::Abstract(..));
        let fits = (self.is_arithmetic(at) || words)
            && self.agree(left, at)
            && if shift { self.is_integer(right) } else { self.agree(right, at) };
        self.require(fits, "an operator has operands of its type", || {
            format!("`{}` and `{}` at `{}`", self.text(left), self.text(right), self.text(at))
        })?;
        Ok(if compares { Ty::INT } else { at })
    }

    fn aggregate(&self, ty: Ty, fields: &[(u32, Operand)]) -> Verdict {
        for (i, value) in fields {
            let of = match self.types().kind(ty) {
                TyKind::Aggr(id) => self.types().fields(*id).and_then(|all| all.get(*i as usize)).map(|f| f.qty.ty),
                TyKind::Tuple(parts) => parts.get(*i as usize).map(|part| part.ty),
                TyKind::Variant(datatype, variant) => {
                    self.types().variant_fields(*datatype, *variant).and_then(|all| all.get(*i as usize)).map(|f| f.ty)
                }
                _ => None,
            };
            let Some(of) = of else { return self.fail("a value's fields are its type's", format!("field {i}")) };
            self.must_agree("a value's fields have their types", self.ty(value), of)?;
        }
        Ok(())
    }

    // ------------------------------------------------------------ checks and ends

    /// A check asks fat pointers for bounds, thin ones for zeros, and integers as conditions.
    fn check(&self, check: &CheckKind) -> Verdict {
        match check {
            CheckKind::NonNull(ptr) => self.pointers(&[ptr]),
            CheckKind::Index { index, .. } => self.index(index),
            CheckKind::FatBounds { ptr, index, .. } => {
                self.fat(ptr)?;
                self.index(index)
            }
            CheckKind::FatOrNull { ptr, .. } | CheckKind::AtBase(ptr) => self.fat(ptr),
            CheckKind::ZeroScan { ptr, index } => {
                self.thin(ptr)?;
                self.index(index)
            }
            CheckKind::ZeroStep { ptr } => self.thin(ptr),
            CheckKind::ZeroWrite { ptr, index, .. } => {
                self.pointers(&[ptr])?;
                self.index(index)
            }
            CheckKind::ZeroLast { index, .. } => self.index(index),
            CheckKind::Assert(cond) | CheckKind::Member(cond) => self.condition(cond),
            CheckKind::Match => Ok(()),
        }
    }

    fn condition(&self, cond: &Operand) -> Verdict {
        let ty = self.ty(cond);
        self.require(self.is_arithmetic(ty), "a condition is a number", || self.text(ty))
    }

    /// Conditions are numbers, a `switch` is on an integer, and what is returned has the function's type.
    fn terminator(&self, term: &Terminator) -> Verdict {
        Reads::at_end(term).operands.iter().try_for_each(|operand| self.operand(operand))?;
        match term {
            Terminator::If { cond, .. } => self.condition(cond),
            Terminator::Switch { on, .. } => {
                let ty = self.ty(on);
                self.require(self.is_integer(ty), "a switch is on an integer", || self.text(ty))
            }
            Terminator::Throw(exception) | Terminator::Rethrow(exception) => self.pointers(&[exception]),
            Terminator::Return(Some(value)) => {
                self.must_agree("what is returned has the function's type", self.ty(value), self.cx.body.ret)
            }
            Terminator::Return(None) => {
                self.require(self.cx.body.ret == Ty::VOID, "a function returns a value", || self.text(self.cx.body.ret))
            }
            Terminator::Goto(_) | Terminator::Try { .. } | Terminator::MissingReturn | Terminator::Unreachable => {
                Ok(())
            }
        }
    }
}
