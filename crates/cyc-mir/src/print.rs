//! MIR as text, for `--emit=mir` and for people who debug a pass.

use crate::mir::*;
use cyc_base::Symbol;
use cyc_check::tast::{GlobalId, TypedUnit};
use cyc_types::print::Plain;
use cyc_types::{Args, QTy, Ty};
use std::fmt::Write;

/// All functions of a unit.
pub fn print(unit: &TypedUnit, bodies: &[Body]) -> String {
    let mut out = String::new();
    for (i, body) in bodies.iter().enumerate() {
        if i > 0 {
            out.push('\n');
        }
        Printer { unit, body, out: &mut out }.body();
    }
    out
}

/// One instruction of a body.
pub fn instruction(unit: &TypedUnit, body: &Body, kind: &StmtKind) -> String {
    Printer { unit, body, out: &mut String::new() }.stmt(kind)
}

pub fn terminator(unit: &TypedUnit, body: &Body, term: &Terminator) -> String {
    Printer { unit, body, out: &mut String::new() }.terminator(term)
}

pub fn place(unit: &TypedUnit, body: &Body, place: &Place) -> String {
    Printer { unit, body, out: &mut String::new() }.place(place)
}

struct Printer<'a> {
    unit: &'a TypedUnit,
    body: &'a Body,
    out: &'a mut String,
}

impl Printer<'_> {
    fn body(&mut self) {
        let params: Vec<String> = (0..self.body.params).map(|i| self.declaration(Local(i))).collect();
        let name = self.global(self.body.global);
        let _ = writeln!(self.out, "fn {name}({}): {} {{", params.join(", "), self.ty(self.body.ret));
        for i in self.body.params as usize..self.body.locals.len() {
            let declaration = self.declaration(Local(i as u32));
            let survives = if self.body.locals[i].survives_throw { "  // survives a throw" } else { "" };
            let _ = writeln!(self.out, "  let {declaration};{survives}");
        }
        for (i, handler) in self.body.handlers.iter().enumerate() {
            let (catch, caught) = (handler.catch.0, self.local(handler.caught));
            let _ = writeln!(self.out, "  handler h{i}: catch {caught} in b{catch}");
        }
        for (i, block) in self.body.blocks.iter().enumerate() {
            let handler = block.handler.map_or(String::new(), |h| format!("  // in h{}", h.0));
            let _ = writeln!(self.out, " b{i}:{handler}");
            for stmt in &block.stmts {
                let text = self.stmt(&stmt.kind);
                let _ = writeln!(self.out, "  {text};");
            }
            let term = self.terminator(&block.term);
            let _ = writeln!(self.out, "  {term};");
        }
        self.out.push_str("}\n");
    }

    fn ty(&self, ty: Ty) -> String {
        self.unit.types.show(QTy::from(ty), &Plain)
    }

    fn args(&self, args: Args) -> String {
        self.unit.types.show_args(args, &Plain)
    }

    fn declaration(&self, local: Local) -> String {
        self.unit.types.declaration(self.body.locals[local.0 as usize].qty, &self.local(local), &Plain)
    }

    fn local(&self, local: Local) -> String {
        match self.body.locals[local.0 as usize].name {
            Some(name) => format!("{name}.{}", local.0),
            None => format!("t{}", local.0),
        }
    }

    fn global(&self, global: GlobalId) -> Symbol {
        self.unit.global(global).name
    }

    fn place(&self, place: &Place) -> String {
        let mut out = match place.base {
            Base::Local(local) => self.local(local),
            Base::Global(global) => self.global(global).to_string(),
        };
        for step in &place.proj {
            match step {
                Proj::Deref(None) => out = format!("(*{out})"),
                Proj::Deref(Some(index)) => out = format!("(*({out} + {}))", self.operand(index)),
                Proj::Field(index) => {
                    let _ = write!(out, ".{index}");
                }
                Proj::Element(index) => {
                    let _ = write!(out, "[{}]", self.operand(index));
                }
                Proj::Variant(datatype, variant) => {
                    let datatype = self.unit.types.datatype(*datatype);
                    let _ = write!(out, " as {}.{}", datatype.name, datatype.variants[*variant as usize].name);
                }
            }
        }
        out
    }

    fn operand(&self, operand: &Operand) -> String {
        match operand {
            Operand::Copy(place) => self.place(place),
            Operand::Const(constant) => match constant {
                Const::Int(value, _) => value.to_string(),
                Const::Float(digits, _) => digits.to_string(),
                Const::Null(_) => "null".into(),
                Const::Str(bytes, _) => format!("{:?}", String::from_utf8_lossy(bytes)),
                Const::WideStr(chars, _) => {
                    let text: String = chars.iter().map(|c| char::from_u32(*c).unwrap_or('\u{fffd}')).collect();
                    format!("L{text:?}")
                }
                Const::Function(global, args, _) => format!("fn {}{}", self.global(*global), self.args(*args)),
                Const::SizeOf(ty) => format!("sizeof {}", self.ty(*ty)),
                Const::AlignOf(ty) => format!("alignof {}", self.ty(*ty)),
                Const::Global(place, _) => format!("&{}", self.place(place)),
                Const::Zero(ty) => format!("zero {}", self.ty(*ty)),
                Const::Variant(datatype, variant, _) => format!("&{}", self.variant(*datatype, *variant)),
            },
        }
    }

    fn variant(&self, datatype: cyc_types::DatatypeId, variant: u32) -> String {
        let datatype = self.unit.types.datatype(datatype);
        format!("{}.{}", datatype.name, datatype.variants[variant as usize].name)
    }

    fn list(&self, operands: &[Operand]) -> String {
        operands.iter().map(|op| self.operand(op)).collect::<Vec<_>>().join(", ")
    }

    fn rvalue(&self, value: &Rvalue) -> String {
        let op = |operand: &Operand| self.operand(operand);
        match value {
            Rvalue::Use(a) => op(a),
            Rvalue::Move(a, None) => format!("move {}", op(a)),
            Rvalue::Move(a, Some(loan)) => format!("lend {} by l{}", op(a), loan.0),
            Rvalue::Unary(UnOp::Neg, a, _) => format!("-{}", op(a)),
            Rvalue::Unary(UnOp::BitNot, a, _) => format!("~{}", op(a)),
            Rvalue::Unary(UnOp::Not, a, _) => format!("!{}", op(a)),
            Rvalue::Binary(sign, a, b, at) => format!("{} {} {} at {}", op(a), sign.text(), op(b), self.ty(*at)),
            Rvalue::Arith(a, _, to) => format!("{} to {}", op(a), self.ty(*to)),
            Rvalue::PtrToInt(a, to) => format!("bits {} to {}", op(a), self.ty(*to)),
            Rvalue::Retype(a, to) => format!("{} as {}", op(a), self.ty(*to)),
            Rvalue::Instantiate(a, args, _) => format!("{}{}", op(a), self.args(*args)),
            Rvalue::AddrOf(place, _) => format!("&{}", self.place(place)),
            Rvalue::ThinAdd { ptr, index, negate } | Rvalue::FatAdd { ptr, index, negate } => {
                let kind = if matches!(value, Rvalue::FatAdd { .. }) { "fat" } else { "thin" };
                format!("{kind} {} {} {}", op(ptr), if *negate { '-' } else { '+' }, op(index))
            }
            Rvalue::PtrDiff(a, b) => format!("pointers {} - {}", op(a), op(b)),
            Rvalue::PtrCompare(sign, a, b) => format!("pointers {} {} {}", op(a), sign.text(), op(b)),
            Rvalue::FatMake { ptr, len, .. } => format!("fat({}, {})", op(ptr), op(len)),
            Rvalue::FatFromZeroterm(a, _) => format!("fat({}, scan)", op(a)),
            Rvalue::FatToThin(a, _) => format!("thin({})", op(a)),
            Rvalue::FatDropZero(a, _) => format!("drop_zero({})", op(a)),
            Rvalue::FatToBytes(a, _) => format!("bytes({})", op(a)),
            Rvalue::IsNonNull(a) => format!("{} != null", op(a)),
            Rvalue::FatNumelts(a) | Rvalue::ZeroNumelts(a) => format!("numelts({})", op(a)),
            Rvalue::Aggregate(ty, fields) => {
                let fields: Vec<_> = fields.iter().map(|(i, value)| format!(".{i} = {}", op(value))).collect();
                format!("{}{{{}}}", self.ty(*ty), fields.join(", "))
            }
            Rvalue::Array(_, elements) => format!("{{{}}}", self.list(elements)),
            Rvalue::Bytes(_, bytes) => format!("bytes {:?}", String::from_utf8_lossy(bytes)),
            Rvalue::Wides(_, chars) => format!("wides {chars:?}"),
            Rvalue::IsVariant(place, datatype, variant) => {
                format!("{} is {}", self.place(place), self.variant(*datatype, *variant))
            }
            Rvalue::Tag(place) => format!("tag {}", self.place(place)),
        }
    }

    fn stmt(&self, stmt: &StmtKind) -> String {
        match stmt {
            StmtKind::Assign(place, value) => format!("{} = {}", self.place(place), self.rvalue(value)),
            StmtKind::Uninit(local) => format!("{} = anything", self.local(*local)),
            StmtKind::Check(check) => format!("check {}", self.check(&check.kind)),
            StmtKind::Call { dst, callee, args } => {
                let dst = dst.as_ref().map_or(String::new(), |dst| format!("{} = ", self.place(dst)));
                let callee = match callee {
                    Callee::Direct(global, args) => format!("{}{}", self.global(*global), self.args(*args)),
                    Callee::Pointer(pointer) => format!("(*{})", self.operand(pointer)),
                    Callee::Builtin(name) => name.to_string(),
                };
                format!("{dst}{callee}({})", self.list(args))
            }
            StmtKind::Alloc(alloc) => {
                let count = alloc.count.as_ref().map_or(String::new(), |count| format!("{} of ", self.operand(count)));
                let zero = if alloc.zero { "zeroed " } else { "" };
                let at = alloc.region.as_ref().map_or(String::new(), |region| format!(" in {}", self.operand(region)));
                let owner = alloc.owner.as_ref().map_or(String::new(), |owner| format!(" for {}", self.operand(owner)));
                format!("{} = alloc {count}{zero}{}{at}{owner}", self.place(&alloc.dst), self.ty(alloc.elem.ty))
            }
            StmtKind::SetTag(place, member) => format!("tag {} = {}", self.place(place), member + 1),
            StmtKind::PopHandler(handler) => format!("pop h{}", handler.0),
            StmtKind::PushRegion { region, handle } => format!("{} = push r{}", self.local(*handle), region.0),
            StmtKind::PopRegion(region) => format!("pop r{}", region.0),
            StmtKind::OpenKey { key, handle } => format!("{} = open {}", self.local(*handle), self.place(key)),
            StmtKind::CloseKey(key) => format!("close {}", self.place(key)),
            StmtKind::EndLoan(loan) => format!("end l{}", loan.0),
            StmtKind::Dead(local) => format!("dead {}", self.local(*local)),
            StmtKind::Swap(a, b) => format!("swap {}, {}", self.place(a), self.place(b)),
            StmtKind::Asm(asm) => format!("asm {:?}", String::from_utf8_lossy(&asm.template)),
            StmtKind::Removed(stmt, fact) => format!("// removed, {}: {}", fact.text(), self.stmt(stmt)),
        }
    }

    fn check(&self, check: &CheckKind) -> String {
        let op = |operand: &Operand| self.operand(operand);
        match check {
            CheckKind::NonNull(ptr) => format!("{} not null", op(ptr)),
            CheckKind::Index { index, len } => format!("{} < {len}", op(index)),
            CheckKind::FatBounds { ptr, index, count } => format!("{} has {count} at {}", op(ptr), op(index)),
            CheckKind::AtBase(ptr) => format!("{} at its object's start", op(ptr)),
            CheckKind::FatOrNull { ptr, count } => format!("{} null or has {count}", op(ptr)),
            CheckKind::ZeroScan { ptr, index } => format!("{} reaches {}", op(ptr), op(index)),
            CheckKind::ZeroStep { ptr } => format!("{} not at its zero", op(ptr)),
            CheckKind::ZeroWrite { ptr, index, value } => {
                format!("{}[{}] = {} keeps the final zero", op(ptr), op(index), op(value))
            }
            CheckKind::ZeroLast { index, len, value } => {
                format!("[{}] = {} keeps the final zero of {len}", op(index), op(value))
            }
            CheckKind::Assert(cond) => format!("assert {}", op(cond)),
            CheckKind::Member(cond) => format!("member {}", op(cond)),
            CheckKind::Match => "match".into(),
        }
    }

    fn terminator(&self, term: &Terminator) -> String {
        match term {
            Terminator::Goto(to) => format!("goto b{}", to.0),
            Terminator::If { cond, then, otherwise } => {
                format!("if {} goto b{} else b{}", self.operand(cond), then.0, otherwise.0)
            }
            Terminator::Switch { on, cases, default } => {
                let cases: Vec<_> = cases.iter().map(|(value, to)| format!("{value}: b{}", to.0)).collect();
                format!("switch {} {{{}, default: b{}}}", self.operand(on), cases.join(", "), default.0)
            }
            Terminator::Try { handler, body } => format!("try h{} in b{}", handler.0, body.0),
            Terminator::Throw(exception) => format!("throw {}", self.operand(exception)),
            Terminator::Rethrow(exception) => format!("rethrow {}", self.operand(exception)),
            Terminator::Return(Some(value)) => format!("return {}", self.operand(value)),
            Terminator::Return(None) => "return".into(),
            Terminator::MissingReturn => "missing return".into(),
            Terminator::Unreachable => "unreachable".into(),
        }
    }
}
