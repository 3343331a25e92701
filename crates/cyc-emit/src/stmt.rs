//! Instructions as C statements.

use crate::body::Function;
use crate::ctree::Expr;
use crate::fold::{Waiting, Writes};
use crate::literal;
use crate::profile::Event;
use cyc_base::Span;
use cyc_mir::types::{PlaceTy, base_ty, is_fat, place_ty, step};
use cyc_mir::*;
use cyc_types::{Aqual, QTy, Ty, TyKind};
use std::fmt::Write;

/// Expressions deeper than this get a variable.
const DEEPEST: u32 = 24;
/// More waiting expressions than this are written down.
const MOST_WAITING: usize = 48;

impl<'u, 'a> Function<'u, 'a> {
    pub(crate) fn stmt(&mut self, stmt: &StmtKind, span: Span) {
        match stmt {
            StmtKind::Assign(place, value) => self.assign(place, value, span),
            StmtKind::Uninit(local) => self.uninit(*local),
            StmtKind::Check(Check { kind: CheckKind::Assert(cond), why: CheckReason::Assumed }) => {
                self.operand(cond);
            }
            StmtKind::Check(check) => self.check(check),
            StmtKind::Call { dst, callee, args } => self.call(dst.as_ref(), callee, args),
            StmtKind::Alloc(alloc) => self.alloc(alloc),
            StmtKind::PopHandler(handler) => self.text(&format!("CYC_POP(_cycH{});", handler.0)),
            StmtKind::SetTag(place, member) => self.set_tag(place, *member),
            StmtKind::PushRegion { region, handle } => self.push_region(*region, *handle),
            StmtKind::PopRegion(region) => {
                // What lies in the region is read before it goes.
                self.settle(Writes::Memory);
                self.text(&format!("cyc_rgn_pop(&_cycR{});", region.0));
            }
            StmtKind::OpenKey { key, handle } => self.open_key(key, *handle),
            StmtKind::CloseKey(_) => {}
            StmtKind::Swap(a, b) => self.swap(a, b),
            StmtKind::Asm(asm) => self.asm(asm),
            StmtKind::EndLoan(_) | StmtKind::Dead(_) | StmtKind::Removed(..) => {}
        }
    }

    fn assign(&mut self, place: &Place, value: &Rvalue, span: Span) {
        if let Some(temp) = place.as_local() {
            if self.plan.is_dead(temp) && !self.is_volatile(value) {
                return;
            }
            if self.plan.folds(temp) && !matches!(value, Rvalue::Array(..) | Rvalue::Bytes(..) | Rvalue::Wides(..)) {
                let ty = self.body.locals[temp.0 as usize].qty.ty;
                let value = self.exact_rvalue(value, ty);
                let waits = !self.reads.volatile && self.reads.depth < DEEPEST;
                if waits {
                    let mut reads = std::mem::take(&mut self.reads);
                    reads.depth += 1;
                    self.waiting.push(Waiting { local: temp, value, reads, span });
                    if self.waiting.len() > MOST_WAITING {
                        let oldest = self.waiting.remove(0);
                        self.write_down(oldest);
                    }
                } else {
                    self.settle(Writes::Nothing);
                    self.store(&Expr::Local(temp.0), &value);
                }
                return;
            }
        }
        let dst = place_ty(self.cx.unit, &self.body.locals, place).ty();
        let (lvalue, _) = self.place(place);
        match value {
            Rvalue::Array(ty, elements) => {
                let values: Vec<Expr> = elements.iter().map(|e| self.relaxed(e)).collect();
                self.settle(self.writes_to(place));
                self.constant_array(lvalue, *ty, &values);
            }
            Rvalue::Bytes(_, bytes) => {
                self.settle(self.writes_to(place));
                // The literal's own terminator is one of the bytes, or one more that is not copied.
                let text = literal::string(bytes.strip_suffix(&[0]).unwrap_or(bytes));
                self.copy_in(lvalue, Expr::name(text), bytes.len());
            }
            Rvalue::Wides(_, chars) => {
                self.settle(self.writes_to(place));
                let text = literal::wide(chars.strip_suffix(&[0]).unwrap_or(chars));
                self.copy_in(lvalue, Expr::name(text), chars.len() * 4);
            }
            Rvalue::Use(operand) if matches!(self.types().kind(dst), TyKind::Array { .. }) => {
                let size = Expr::SizeOf(self.cx.types.text(dst));
                let call = match operand {
                    Operand::Const(_) => Expr::call("__builtin_memset", vec![lvalue, Expr::Number(0), size]),
                    Operand::Copy(_) => {
                        let from = self.operand(operand);
                        Expr::call("__builtin_memcpy", vec![lvalue, from, size])
                    }
                };
                self.settle(self.writes_to(place));
                self.expr_stmt(&call);
            }
            _ => {
                let update = self.update(place, value);
                let text = match update {
                    Some((op, b)) => (op, self.relaxed(b)),
                    None => ("", self.rvalue(value, dst)),
                };
                self.settle(self.writes_to(place));
                match text {
                    ("", value) => self.store(&lvalue, &value),
                    (op, b) => self.compound(&lvalue, op, &b),
                }
            }
        }
    }

    /// Is the assignment one that C can write `place op= operand`?
    fn update<'m>(&self, place: &Place, value: &'m Rvalue) -> Option<(&'static str, &'m Operand)> {
        let Rvalue::Binary(op, Operand::Copy(left), b, _) = value else { return None };
        if left != place || matches!(b, Operand::Copy(right) if right == place) {
            return None;
        }
        // Division and shifts are guarded, so they are more than an operator.
        let (BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::BitAnd | BinOp::BitOr | BinOp::BitXor) = op else {
            return None;
        };
        // A place with an index that waits for its use can be written once only.
        let simple = place.proj.iter().all(|step| match step {
            Proj::Deref(Some(index)) | Proj::Element(index) => match index {
                Operand::Const(_) => true,
                Operand::Copy(p) => p.as_local().is_some_and(|l| !self.plan.folds(l)),
            },
            _ => true,
        });
        let base = match place.base {
            Base::Local(local) => !self.plan.folds(local),
            Base::Global(_) => true,
        };
        (simple && base).then_some((op.text(), b))
    }

    fn compound(&mut self, place: &Expr, op: &str, b: &Expr) {
        self.begin();
        let step = match (op, b) {
            ("+", Expr::Number(1)) => Some("++"),
            ("-", Expr::Number(1)) => Some("--"),
            _ => None,
        };
        match step {
            Some(step) => {
                self.printer().postfix_operand(place);
                self.out.push_str(step);
            }
            None => {
                self.write(place);
                let _ = write!(self.out, " {op}= ");
                self.write(b);
            }
        }
        self.out.push(';');
        self.end();
    }

    /// Would the right side wait for its use, if its temporary folds?
    pub(crate) fn can_wait(&self, value: &Rvalue) -> bool {
        let mut steps = 0;
        value.for_each_operand(&mut |operand| {
            if let Operand::Copy(place) = operand {
                steps += place.proj.len();
            }
        });
        let copied = matches!(value, Rvalue::Array(..) | Rvalue::Bytes(..) | Rvalue::Wides(..) | Rvalue::Aggregate(..));
        steps < 4 && !copied && !self.is_volatile(value)
    }

    fn is_volatile(&self, value: &Rvalue) -> bool {
        let mut volatile = false;
        value.for_each_operand(&mut |operand| {
            if let Operand::Copy(place) = operand {
                // A part of something volatile is volatile.
                let mut ty = base_ty(self.cx.unit, &self.body.locals, place.base);
                let is_volatile = |ty| matches!(ty, PlaceTy::Of(QTy { is_volatile: true, .. }));
                volatile |= is_volatile(ty);
                for proj in &place.proj {
                    ty = step(self.types(), ty, proj);
                    volatile |= is_volatile(ty);
                }
            }
        });
        volatile
    }

    fn copy_in(&mut self, dst: Expr, from: Expr, bytes: usize) {
        let size = Expr::Number(bytes as u64);
        self.expr_stmt(&Expr::call("__builtin_memcpy", vec![dst, from, size]));
    }

    /// An array of constants: copied from a static one.
    fn constant_array(&mut self, dst: Expr, ty: Ty, values: &[Expr]) {
        let table = self.cx.types.declare(ty.into(), "_cycK");
        self.begin();
        let _ = write!(self.out, "{{ static const {table} = {{");
        for (i, value) in values.iter().enumerate() {
            if i > 0 {
                self.out.push_str(", ");
            }
            self.write(value);
        }
        self.out.push_str("}; __builtin_memcpy(");
        self.write(&dst);
        self.out.push_str(", _cycK, sizeof _cycK); }");
        self.end();
    }

    /// Storage without initialiser gets *some* value: zero where that is cheap (and dead where it is
    /// overwritten), whatever lies there where it is large.
    fn uninit(&mut self, local: Local) {
        let decl = &self.body.locals[local.0 as usize];
        let taken = decl.address_taken;
        self.settle(Writes::Local { local, taken });
        let variable = Expr::Local(local.0);
        match self.types().kind(decl.qty.ty) {
            TyKind::Bool | TyKind::Int(_) | TyKind::Enum(_) | TyKind::Float(_) | TyKind::Complex(_) => {
                self.store(&variable, &Expr::Number(0));
            }
            // Flow analysis has proved that pointers are set before they are read.
            TyKind::Pointer(_) => {}
            _ => self.expr_stmt(&Expr::call("CYC_UNSET", vec![variable])),
        }
    }

    /// `a :=: b`. What other threads may reach is exchanged at once: two of them never get the same value (memory, section
    /// 14.2).
    fn swap(&mut self, a: &Place, b: &Place) {
        // The places are written more than once: what they read on the way is kept as it is now.
        self.settle(Writes::Everything);
        let (left, right) = (self.place(a).0, self.place(b).0);
        let global = |place: &Place| matches!(place.base, Base::Global(_));
        let (exchange, places) = match (self.is_shared(a), self.is_shared(b)) {
            (false, false) => ("CYC_SWAP", [left, right]),
            (false, true) => ("CYC_SWAP_WITH_OWN", [left, right]),
            (true, false) => ("CYC_SWAP_WITH_OWN", [right, left]),
            (true, true) if global(a) || global(b) => ("CYC_SWAP_SHARED", [left, right]),
            // What two pointers of this function lead to was not sent to another thread, or waits for it (ADR 5).
            (true, true) => ("CYC_SWAP", [left, right]),
        };
        self.expr_stmt(&Expr::call(exchange, places.into()));
    }

    /// Can another thread reach the place: is it global, or behind a pointer that need not be the only one? A counted object
    /// belongs to one thread: its count is not atomic either. (A word of a packed struct may lie where no processor
    /// exchanges it at once.)
    fn is_shared(&self, place: &Place) -> bool {
        let (unit, types) = (self.cx.unit, self.types());
        let mut ty = base_ty(unit, &self.body.locals, place.base);
        let mut shared = match place.base {
            Base::Global(global) => !unit.global(global).thread_local,
            Base::Local(_) => false,
        };
        for proj in &place.proj {
            match (types.kind(ty.ty()), proj) {
                (TyKind::Pointer(ptr), Proj::Deref(_)) => match types.aqual_bound(ptr.aqual, &self.body.vars) {
                    Aqual::Unique => {}
                    Aqual::Refcnt => shared = false,
                    _ => shared = true,
                },
                (TyKind::Aggr(id), _) if types.aggr(*id).packed => return false,
                _ => {}
            }
            ty = step(types, ty, proj);
        }
        shared
    }

    fn alloc(&mut self, alloc: &Alloc) {
        let fat = is_fat(self.types(), place_ty(self.cx.unit, &self.body.locals, &alloc.dst).ty());
        let value = match self.types().strict_alignment(alloc.elem.ty) {
            None => self.usual_alloc(alloc, fat),
            Some(alignment) => self.strict_alloc(alloc, alignment, fat),
        };
        let (place, _) = self.place(&alloc.dst);
        self.settle(self.writes_to(&alloc.dst));
        self.profiled(Event::Allocation);
        self.store(&place, &value);
    }

    fn usual_alloc(&mut self, alloc: &Alloc, fat: bool) -> Expr {
        let size = Expr::SizeOf(self.cx.types.text(alloc.elem.ty));
        let (file, line) = self.position();
        let mut args: Vec<Expr> = alloc.region.iter().map(|region| self.operand(region)).collect();
        let unique = alloc.is_unique_of_heap();
        if let Some(owner) = alloc.owner.as_ref().filter(|_| !unique) {
            if args.is_empty() {
                args.push(Expr::name("&cyc_rgn_heap"));
            }
            args.push(self.operand(owner));
        }
        if !unique {
            args.push(Expr::name(self.cx.maps.shape(&self.cx.types, alloc.elem.ty, alloc.count.is_some())));
        }
        let name = allocator(alloc);
        match &alloc.count {
            None => {
                args.extend([size, file, line]);
                Expr::call(name, args)
            }
            Some(count) => {
                let count = self.operand(count);
                let again = fat.then(|| count.clone());
                args.extend([count, size, file, line]);
                let memory = Expr::call(name, args);
                match again {
                    Some(count) => Expr::call("cyc_fat_make_nonnull", vec![memory, count]),
                    None => memory,
                }
            }
        }
    }

    /// An object whose alignment is stricter than what the allocators keep. (Which ones cannot be had, flow analysis has said.)
    fn strict_alloc(&mut self, alloc: &Alloc, alignment: u64, fat: bool) -> Expr {
        let size = Expr::SizeOf(self.cx.types.text(alloc.elem.ty));
        let (file, line) = self.position();
        let alignment = Expr::name(alignment.to_string());
        let mut args: Vec<Expr> = alloc.region.iter().map(|region| self.operand(region)).collect();
        let count = alloc.count.as_ref().map_or(Expr::name("1"), |count| self.operand(count));
        let memory = if alloc.is_unique_of_heap() {
            let zero = Expr::name(u8::from(alloc.zero).to_string());
            Expr::call("cyc_unique_strict", vec![count.clone(), size, alignment, zero, file, line])
        } else {
            // Where the object begins is not known, so neither is where its pointers are.
            let shape = self.cx.maps.shape(&self.cx.types, alloc.elem.ty, true);
            let shape = if shape == "CYC_BITS" { shape } else { "CYC_ANY".into() };
            let asked = vec![count.clone(), size, alignment.clone(), file.clone(), line.clone()];
            args.extend([Expr::name(shape), Expr::call("cyc_strict_bytes", asked), file, line]);
            let one = Alloc { count: None, owner: None, ..alloc.clone() };
            Expr::call("cyc_strict", vec![Expr::call(allocator(&one), args), alignment])
        };
        if fat { Expr::call("cyc_fat_make_nonnull", vec![memory, count]) } else { memory }
    }

    /// The region is empty, the handle its address.
    fn push_region(&mut self, region: RegionId, handle: Local) {
        self.settle(Writes::Memory);
        self.profiled(Event::Region(self.body.locals[handle.0 as usize].name));
        self.text(&format!("cyc_rgn_push(&_cycR{});", region.0));
        self.settle(self.writes_to(&Place::local(handle)));
        let address = Expr::name(format!("&_cycR{}", region.0));
        self.store(&Expr::Local(handle.0), &address);
    }

    /// The handle lies in the key.
    fn open_key(&mut self, key: &Place, handle: Local) {
        let key = self.operand(&Operand::Copy(key.clone()));
        self.settle(self.writes_to(&Place::local(handle)));
        self.store(&Expr::Local(handle.0), &Expr::call("cyc_rgn_of_key", vec![key]));
    }

    fn call(&mut self, dst: Option<&Place>, callee: &Callee, args: &[Operand]) {
        let types = self.types();
        let (function, signature, global) = match callee {
            Callee::Direct(id, args) => {
                let global = self.cx.unit.global(*id);
                (Expr::Atom(self.cx.function_name(*id, *args)), Some(self.cx.callee_type(*id, *args)), Some(global))
            }
            Callee::Builtin(name) => (Expr::name(name.as_str()), None, None),
            Callee::Pointer(pointer) => {
                let ty = self.ty_of(pointer);
                let signature = types.as_pointer(ty).and_then(|ptr| types.as_function(ptr.to.ty).cloned());
                (self.operand(pointer), signature, None)
            }
        };
        let c_function = global.is_some_and(|g| g.c_name.is_some() || g.from_c_text);
        // Parameters and results whose types have variables are representatives of what is passed.
        let retype = global
            .is_some_and(|g| types.as_function(g.qty.ty).is_some_and(|f| f.vars.iter().any(|v| v.kind.is_type())));
        let mut values = Vec::with_capacity(args.len());
        for (i, arg) in args.iter().enumerate() {
            let param = signature.as_ref().and_then(|s| s.params.get(i)).map(|param| param.ty);
            let mut value = self.argument(arg, param, c_function);
            if let Some(param) = param.filter(|_| retype) {
                value = self.cx.types.retyped(value, self.ty_of(arg), param);
            }
            values.push(value);
        }
        let mut call = Expr::Call(Box::new(function), values);
        let place = dst.map(|dst| self.place(dst).0);
        self.settle(Writes::Memory);
        if let Some(dst) = dst {
            self.settle(self.writes_to(dst));
        }
        self.profiled(Event::Call);
        match place {
            None => self.expr_stmt(&call),
            Some(_) if dst.and_then(Place::as_local).is_some_and(|temp| self.plan.is_dead(temp)) => {
                self.expr_stmt(&call);
            }
            Some(place) => {
                let ret = signature.as_ref().map(|s| s.ret);
                if let (true, Some(ret), Some(dst)) = (retype, ret, dst) {
                    let wanted = place_ty(self.cx.unit, &self.body.locals, dst).ty();
                    call = self.cx.types.retyped(call, ret, wanted);
                }
                if let Some(ret) = ret.filter(|ret| c_function && crate::types::has_const(types, *ret)) {
                    call = Expr::cast(self.cx.types.text(ret), call);
                }
                self.store(&place, &call);
            }
        }
    }

    fn asm(&mut self, asm: &Asm) {
        let outputs: Vec<_> = asm.outputs.iter().map(|(n, c, place)| (*n, c, self.place(place).0)).collect();
        let inputs: Vec<_> = asm.inputs.iter().map(|(n, c, op)| (*n, c, self.operand(op))).collect();
        self.settle(Writes::Everything);
        self.begin();
        let volatile = if asm.volatile { " volatile" } else { "" };
        let _ = write!(self.out, "__asm__{volatile}({}", literal::string(&asm.template));
        if !(outputs.is_empty() && inputs.is_empty() && asm.clobbers.is_empty()) {
            for list in [outputs, inputs] {
                self.out.push_str(" : ");
                for (i, (name, constraint, value)) in list.iter().enumerate() {
                    if i > 0 {
                        self.out.push_str(", ");
                    }
                    if let Some(name) = name {
                        let _ = write!(self.out, "[{name}] ");
                    }
                    let _ = write!(self.out, "{}(", literal::string(constraint));
                    self.write(value);
                    self.out.push(')');
                }
            }
            self.out.push_str(" : ");
            let clobbers: Vec<String> = asm.clobbers.iter().map(|c| literal::string(c)).collect();
            self.out.push_str(&clobbers.join(", "));
        }
        self.out.push_str(");");
        self.end();
    }
}

/// The function of the run time that allocates so.
fn allocator(alloc: &Alloc) -> &'static str {
    if alloc.is_unique_of_heap() {
        return match (alloc.count.is_some(), alloc.zero) {
            (false, false) => "cyc_unique",
            (false, true) => "cyc_unique_zero",
            (true, false) => "cyc_unique_array",
            (true, true) => "cyc_unique_array_zero",
        };
    }
    if alloc.owner.is_some() {
        return match (alloc.count.is_some(), alloc.zero) {
            (false, false) => "cyc_own_alloc",
            (false, true) => "cyc_own_alloc_zero",
            (true, false) => "cyc_own_alloc_array",
            (true, true) => "cyc_own_alloc_array_zero",
        };
    }
    match (alloc.region.is_some(), alloc.count.is_some(), alloc.zero) {
        (false, false, false) => "cyc_alloc",
        (false, false, true) => "cyc_alloc_zero",
        (false, true, false) => "cyc_alloc_array",
        (false, true, true) => "cyc_alloc_array_zero",
        (true, false, false) => "cyc_rgn_alloc",
        (true, false, true) => "cyc_rgn_alloc_zero",
        (true, true, false) => "cyc_rgn_alloc_array",
        (true, true, true) => "cyc_rgn_alloc_array_zero",
    }
}
