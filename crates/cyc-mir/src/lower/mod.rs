//! Lowering: the typed tree to MIR.
//!
//! Operands are evaluated left to right (core, section 5.7). An operand is a place or a constant, not
//! a value already in hand; so whenever something that is evaluated later could change it, it is
//! copied into a temporary at the point where it was evaluated ([`Lower::protect`]).

mod aggregate;
mod alloc;
mod assign;
mod call;
mod cond;
mod contract;
mod decide;
mod expr;
mod handlers;
mod loan;
mod pattern;
mod place;
mod pointer;
mod reach;
mod region;
mod simplify;
mod stmt;
mod switch;
mod tagged;

use crate::mir::*;
use crate::types::{PlaceTy, place_ty};
use cyc_base::Span;
use cyc_check::tast::{self, Function, LocalId, TypedUnit};
use cyc_types::{PtrTy, QTy, ScopeId, Ty, Types};
use rustc_hash::FxHashMap;

/// The functions of a checked unit without errors, each as a graph.
pub fn lower(unit: &TypedUnit) -> Vec<Body> {
    unit.functions.iter().map(|function| Lower::new(unit, function).run()).collect()
}

/// What an instruction wrote: the log decides which operands must be copied early.
#[derive(Clone, Copy)]
enum Written {
    Local(Local),
    /// Through a pointer, to a global, or anywhere (a call).
    Memory,
}

/// A point between two instructions.
#[derive(Clone, Copy)]
struct Point {
    block: BlockId,
    index: usize,
    /// Length of the log of writes at that point.
    written: usize,
}

/// An operand and where it was evaluated.
struct Evaluated {
    operand: Operand,
    ty: Ty,
    at: Point,
}

/// Where `break` and `continue` go.
struct Target {
    on_break: BlockId,
    /// None for a `switch`: `continue` belongs to the loop around it.
    on_continue: Option<BlockId>,
    frame: Option<FrameId>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct FrameId(usize);

/// Something that is left, on the way out of a scope, by an instruction of its own.
struct Frame {
    outer: Option<FrameId>,
    left: Left,
}

#[derive(Clone)]
enum Left {
    Handler(HandlerId),
    Region(RegionId),
    /// The key of an open dynamic region.
    Key(Place),
    /// A value is given back.
    Loan(LoanId),
    /// Variables that hold values that must not be copied.
    Variables(Vec<Local>),
}

/// Where `fallthru` goes: the body of the next clause, with values for its variables.
struct NextClause {
    body: BlockId,
    variables: Vec<LocalId>,
    frame: Option<FrameId>,
}

struct PendingGoto {
    /// Ends where the pops of frames and the jump go.
    from: BlockId,
    label: usize,
    frame: Option<FrameId>,
    span: Span,
}

struct Lower<'a> {
    unit: &'a TypedUnit,
    function: &'a Function,
    body: Body,
    current: BlockId,
    /// Blocks in the order of their text.
    order: Vec<BlockId>,
    written: Vec<Written>,
    /// The innermost active handler: that of the innermost frame that is one.
    handler: Option<HandlerId>,
    frames: Vec<Frame>,
    frame: Option<FrameId>,
    targets: Vec<Target>,
    next_clauses: Vec<Option<NextClause>>,
    labels: Vec<Option<(BlockId, Option<FrameId>)>>,
    /// Temporaries with what fat pointers that must not be copied hold, and where these stand (`reach.rs`).
    looked_at: FxHashMap<Local, Place>,
    gotos: Vec<PendingGoto>,
    /// By block: its variables that hold values that must not be copied.
    restricted: FxHashMap<ScopeId, Vec<Local>>,
    /// The parameters as they were passed.
    passed: contract::Standing,
    /// While a condition of a contract is lowered, what stands for its variables.
    standing: Option<contract::Standing>,
}

impl<'a> Lower<'a> {
    fn new(unit: &'a TypedUnit, function: &'a Function) -> Lower<'a> {
        let locals = function.locals.iter().map(|local| LocalDecl {
            name: Some(local.name),
            qty: local.qty,
            scope: Some(local.scope),
            address_taken: local.address_taken,
            survives_throw: false,
            attrs: local.attrs.clone(),
            span: local.span,
        });
        let body = Body {
            global: function.global,
            vars: function.vars.clone(),
            locals: locals.collect(),
            params: function.params,
            ret: function.ret,
            blocks: vec![],
            handlers: vec![],
            regions: 0,
            loans: vec![],
            borrowed: function.borrowed.clone(),
            span: function.span,
            open: Span::new(function.body.span.lo, function.body.span.lo),
            end: function.end,
        };
        let mut restricted: FxHashMap<ScopeId, Vec<Local>> = FxHashMap::default();
        for (i, local) in function.locals.iter().enumerate().skip(function.params as usize) {
            if unit.types.carries_restricted(local.qty.ty, &function.vars) {
                restricted.entry(local.scope).or_default().push(Local(i as u32));
            }
        }
        Lower {
            unit,
            restricted,
            function,
            body,
            current: BlockId(0),
            order: vec![],
            written: vec![],
            handler: None,
            frames: vec![],
            frame: None,
            targets: vec![],
            next_clauses: vec![],
            labels: vec![None; function.labels.len()],
            looked_at: FxHashMap::default(),
            gotos: vec![],
            passed: vec![],
            standing: None,
        }
    }

    fn run(mut self) -> Body {
        let entry = self.new_block();
        self.start(entry);
        let function = self.function;
        self.demands();
        self.block(&function.body);
        if function.ret == Ty::VOID {
            self.promises(None, function.end);
        }
        let end = if function.ret == Ty::VOID { Terminator::Return(None) } else { Terminator::MissingReturn };
        self.terminate(end, function.end);
        self.resolve_gotos();
        simplify::simplify(&mut self.body, &self.order);
        handlers::mark_survivors(&mut self.body);
        self.body
    }

    fn types(&self) -> &'a Types {
        &self.unit.types
    }

    fn pointer(&self, ty: Ty) -> Option<PtrTy> {
        self.types().as_pointer(ty)
    }

    // ------------------------------------------------------------ blocks and instructions

    /// A block that nothing reaches yet and whose place in the text is not decided yet.
    fn new_block(&mut self) -> BlockId {
        let id = BlockId(self.body.blocks.len() as u32);
        self.body.blocks.push(Block {
            stmts: vec![],
            term: Terminator::Unreachable,
            term_span: self.function.span,
            handler: None,
        });
        id
    }

    /// What follows goes into `block`.
    fn start(&mut self, block: BlockId) {
        self.body.blocks[block.0 as usize].handler = self.handler;
        self.order.push(block);
        self.current = block;
    }

    /// Ends the current block; what follows, up to the next [`Lower::start`], is unreachable.
    fn terminate(&mut self, term: Terminator, span: Span) {
        let block = &mut self.body.blocks[self.current.0 as usize];
        block.term = term;
        block.term_span = span;
        let dead = self.new_block();
        self.start(dead);
    }

    fn goto(&mut self, to: BlockId, span: Span) {
        self.terminate(Terminator::Goto(to), span);
    }

    /// Ends the current block with a jump to `next` and goes on there.
    fn flow_into(&mut self, next: BlockId, span: Span) {
        let block = &mut self.body.blocks[self.current.0 as usize];
        block.term = Terminator::Goto(next);
        block.term_span = span;
        self.start(next);
    }

    fn push(&mut self, kind: StmtKind, span: Span) {
        self.body.blocks[self.current.0 as usize].stmts.push(Stmt { kind, span });
    }

    fn check(&mut self, kind: CheckKind, why: CheckReason, span: Span) {
        self.push(StmtKind::Check(Check { kind, why }), span);
    }

    fn assign(&mut self, place: Place, value: Rvalue, span: Span) {
        self.note_write(&place);
        self.push(StmtKind::Assign(place, value), span);
    }

    fn is_temp(&self, local: Local) -> bool {
        local.0 as usize >= self.function.locals.len()
    }

    fn note_write(&mut self, place: &Place) {
        match place.within_local() {
            Some(local) if self.is_temp(local) => {}
            Some(local) => {
                self.written.push(Written::Local(local));
                if self.body.locals[local.0 as usize].address_taken {
                    self.written.push(Written::Memory);
                }
            }
            None => self.written.push(Written::Memory),
        }
    }

    // ------------------------------------------------------------ temporaries and protection

    fn temp(&mut self, qty: impl Into<QTy>, span: Span) -> Local {
        let mut qty = qty.into();
        qty.is_const = false;
        qty.is_volatile = false;
        let local = Local(self.body.locals.len() as u32);
        self.body.locals.push(LocalDecl {
            name: None,
            qty,
            scope: None,
            address_taken: false,
            survives_throw: false,
            attrs: vec![],
            span,
        });
        local
    }

    /// The value of `rvalue` in a fresh temporary.
    fn in_temp(&mut self, rvalue: Rvalue, ty: Ty, span: Span) -> Operand {
        let temp = self.temp(ty, span);
        self.push(StmtKind::Assign(Place::local(temp), rvalue), span);
        Operand::local(temp)
    }

    fn point(&self) -> Point {
        Point {
            block: self.current,
            index: self.body.blocks[self.current.0 as usize].stmts.len(),
            written: self.written.len(),
        }
    }

    /// Evaluates an operand and remembers where.
    fn evaluate(&mut self, expr: &tast::Expr) -> Evaluated {
        let operand = self.operand(expr);
        let ty = expr.ty;
        Evaluated { operand, ty, at: self.point() }
    }

    /// The operand as it was when it was evaluated: copied there into a temporary if a later write may change it.
    ///
    /// Several operands are protected last first, so that the points of the earlier ones stay valid.
    fn protect(&mut self, evaluated: Evaluated, span: Span) -> Operand {
        let Evaluated { operand, ty, at } = evaluated;
        if !self.operand_changes(&operand, at.written) {
            return operand;
        }
        let temp = self.temp(ty, span);
        self.insert(at, StmtKind::Assign(Place::local(temp), Rvalue::Use(operand)), span);
        Operand::local(temp)
    }

    fn insert(&mut self, at: Point, kind: StmtKind, span: Span) {
        self.body.blocks[at.block.0 as usize].stmts.insert(at.index, Stmt { kind, span });
    }

    fn operand_changes(&self, operand: &Operand, since: usize) -> bool {
        match operand {
            Operand::Copy(place) => self.place_changes(place.base, &place.proj, since),
            Operand::Const(_) => false,
        }
    }

    /// May a write logged since `since` change the value held by the place?
    fn place_changes(&self, base: Base, proj: &[Proj], since: usize) -> bool {
        let log = &self.written[since..];
        if log.is_empty() {
            return false;
        }
        if let Base::Local(local) = base
            && proj.is_empty()
            && self.is_temp(local)
        {
            return false;
        }
        const SCAN_AT_MOST: usize = 64;
        let reads_memory = match base {
            Base::Local(local) => self.body.locals[local.0 as usize].address_taken,
            Base::Global(_) => true,
        } || proj.iter().any(|step| matches!(step, Proj::Deref(_)));
        log.len() > SCAN_AT_MOST
            || log.iter().any(|written| match written {
                Written::Memory => reads_memory,
                Written::Local(local) => base == Base::Local(*local),
            })
            || proj.iter().any(|step| match step {
                Proj::Deref(Some(index)) | Proj::Element(index) => self.operand_changes(index, since),
                Proj::Deref(None) | Proj::Field(_) | Proj::Variant(..) => false,
            })
    }

    fn place_ty(&self, place: &Place) -> PlaceTy {
        place_ty(self.unit, &self.body.locals, place)
    }

    /// A right side as an operand.
    fn settled(&mut self, value: Rvalue, ty: Ty, span: Span) -> Operand {
        if let Rvalue::Use(operand) = value { operand } else { self.in_temp(value, ty, span) }
    }

    /// An operand as a place to go on from.
    fn as_place(&mut self, operand: Operand, ty: Ty, span: Span) -> Place {
        match operand {
            Operand::Copy(place) => place,
            constant @ Operand::Const(_) => {
                let temp = self.temp(ty, span);
                self.assign(Place::local(temp), Rvalue::Use(constant), span);
                Place::local(temp)
            }
        }
    }
}
