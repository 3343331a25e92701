//! Which temporaries need no variable of their own: assigned once, used once, in one block. Their
//! expression is written where they are used, as long as nothing in between changes what it reads.

use crate::ctree::Expr;
use cyc_mir::*;
use cyc_types::TyKind;

#[derive(Clone, Copy)]
struct Temp {
    defs: u32,
    uses: u32,
    block: u32,
    ok: bool,
}

/// For each local: may it be folded into its one use; how often is it used at all.
pub(crate) struct Plan {
    temps: Vec<Temp>,
}

/// An expression that waits for its use.
pub(crate) struct Waiting {
    pub local: Local,
    pub value: Expr,
    pub reads: Reads,
    pub span: cyc_base::Span,
}

/// Distinct locals that [`Reads`] remembers one by one.
const FEW: usize = 8;

/// What an expression reads.
#[derive(Clone, Copy, Default)]
pub(crate) struct Reads {
    locals: [Local; FEW],
    len: u8,
    /// More locals than there is room for: any.
    many: bool,
    /// Through a pointer, a global, or a local whose address is taken.
    pub memory: bool,
    pub volatile: bool,
    /// Depth of the expression.
    pub depth: u32,
}

impl Reads {
    pub fn note(&mut self, local: Local) {
        if self.reads(local) {
            return;
        }
        match self.locals.get_mut(self.len as usize) {
            Some(slot) => {
                *slot = local;
                self.len += 1;
            }
            None => self.many = true,
        }
    }

    /// Adds what a part of the expression reads.
    pub fn include(&mut self, part: &Reads) {
        part.locals[..part.len as usize].iter().for_each(|local| self.note(*local));
        self.many |= part.many;
        self.memory |= part.memory;
        self.depth = self.depth.max(part.depth);
    }

    fn reads(&self, local: Local) -> bool {
        self.many || self.locals[..self.len as usize].contains(&local)
    }
}

/// What an instruction writes.
pub(crate) enum Writes {
    Nothing,
    Local { local: Local, taken: bool },
    Memory,
    Everything,
}

impl Writes {
    pub fn change(&self, reads: &Reads) -> bool {
        match self {
            Writes::Nothing => false,
            Writes::Local { local, taken } => reads.reads(*local) || *taken && reads.memory,
            Writes::Memory => reads.memory,
            Writes::Everything => true,
        }
    }
}

impl Plan {
    pub fn new(types: &cyc_types::Types, body: &Body) -> Plan {
        let fresh = Temp { defs: 0, uses: 0, block: 0, ok: true };
        let mut plan = Plan { temps: vec![fresh; body.locals.len()] };
        for (temp, decl) in plan.temps.iter_mut().zip(&body.locals) {
            let array = matches!(types.kind(decl.qty.ty), TyKind::Array { .. });
            temp.ok = decl.name.is_none() && !decl.address_taken && !decl.survives_throw && !array;
        }
        for handler in &body.handlers {
            plan.temps[handler.caught.0 as usize].ok = false;
        }
        for (i, block) in body.blocks.iter().enumerate() {
            for stmt in &block.stmts {
                plan.stmt(&stmt.kind, i as u32);
            }
            plan.term(&block.term, i as u32);
        }
        plan
    }

    pub fn folds(&self, local: Local) -> bool {
        let temp = &self.temps[local.0 as usize];
        temp.ok && temp.defs == 1 && temp.uses == 1
    }

    /// A temporary nobody reads.
    pub fn is_dead(&self, local: Local) -> bool {
        let temp = &self.temps[local.0 as usize];
        temp.ok && temp.uses == 0
    }

    fn seen(&mut self, local: Local, block: u32, def: bool) {
        let temp = &mut self.temps[local.0 as usize];
        if temp.defs + temp.uses > 0 && temp.block != block {
            temp.ok = false;
        }
        temp.block = block;
        if def {
            temp.defs += 1;
        } else {
            temp.uses += 1;
        }
    }

    fn spoil(&mut self, place: &Place) {
        if let Some(local) = place.within_local() {
            let temp = &mut self.temps[local.0 as usize];
            temp.ok = false;
            temp.uses += 1;
        }
    }

    fn operand(&mut self, operand: &Operand, block: u32) {
        if let Operand::Copy(place) = operand {
            self.read(place, block);
        }
    }

    fn read(&mut self, place: &Place, block: u32) {
        if let Base::Local(local) = place.base {
            self.seen(local, block, false);
            let first = place.proj.iter().find(|step| !matches!(step, Proj::Field(_)));
            if let Some(Proj::Element(_)) = first {
                self.spoil(place);
            }
        }
        self.steps(place, block);
    }

    fn steps(&mut self, place: &Place, block: u32) {
        for step in &place.proj {
            if let Proj::Deref(Some(index)) | Proj::Element(index) = step {
                self.operand(index, block);
            }
        }
    }

    fn write(&mut self, place: &Place, block: u32) {
        match place.as_local() {
            Some(local) => self.seen(local, block, true),
            None => {
                self.spoil(place);
                self.read(place, block);
            }
        }
    }

    fn stmt(&mut self, stmt: &StmtKind, block: u32) {
        match stmt {
            StmtKind::Assign(place, value) => {
                value.for_each_operand(&mut |op| self.operand(op, block));
                if let Rvalue::AddrOf(place, _) | Rvalue::IsVariant(place, ..) | Rvalue::Tag(place) = value {
                    self.spoil(place);
                    self.read(place, block);
                }
                self.write(place, block);
            }
            StmtKind::Uninit(local) => self.temps[local.0 as usize].ok = false,
            StmtKind::Check(check) => check.kind.for_each_operand(&mut |op| self.operand(op, block)),
            StmtKind::Call { dst, callee, args } => {
                if let Callee::Pointer(op) = callee {
                    self.operand(op, block);
                }
                args.iter().for_each(|op| self.operand(op, block));
                if let Some(dst) = dst {
                    self.write(dst, block);
                }
            }
            StmtKind::Alloc(alloc) => {
                alloc.count.iter().chain(&alloc.region).chain(&alloc.owner).for_each(|op| self.operand(op, block));
                self.write(&alloc.dst, block);
            }
            StmtKind::SetTag(place, _) => {
                self.spoil(place);
                self.read(place, block);
            }
            StmtKind::Swap(a, b) => {
                for place in [a, b] {
                    self.spoil(place);
                    self.read(place, block);
                }
            }
            StmtKind::Asm(asm) => {
                for (_, _, place) in &asm.outputs {
                    self.spoil(place);
                    self.read(place, block);
                }
                asm.inputs.iter().for_each(|(_, _, op)| self.operand(op, block));
            }
            StmtKind::OpenKey { key, handle } => {
                self.read(key, block);
                self.write(&Place::local(*handle), block);
            }
            StmtKind::PushRegion { handle, .. } => self.write(&Place::local(*handle), block),
            // The key is not read here: nothing happens at run time.
            StmtKind::CloseKey(_) => {}
            StmtKind::PopHandler(_)
            | StmtKind::PopRegion(_)
            | StmtKind::EndLoan(_)
            | StmtKind::Dead(_)
            | StmtKind::Removed(..) => {}
        }
    }

    fn term(&mut self, term: &Terminator, block: u32) {
        match term {
            Terminator::If { cond: op, .. }
            | Terminator::Switch { on: op, .. }
            | Terminator::Throw(op)
            | Terminator::Rethrow(op)
            | Terminator::Return(Some(op)) => self.operand(op, block),
            Terminator::Goto(_)
            | Terminator::Try { .. }
            | Terminator::Return(None)
            | Terminator::MissingReturn
            | Terminator::Unreachable => {}
        }
    }
}
