//! Loops in two copies: what the checks of an innermost loop need is tested once, before it; if the test succeeds, a
//! copy of the loop runs in which these checks are removed, else the loop as it was. So the program does the same,
//! exceptions included, in either case.
//!
//! The judgement: a check of element `i` of `p` in a loop can be replaced by the test `n + c <= numelts(p)` before the loop
//! if the loop changes neither `p` nor `n`, and if at the check the facts give `0 <= i` and `i + 1 <= n + c`.

use super::facts::Facts;
use super::terms::{Kind, Memory, Term, Terms, ZERO, stored};
use super::{Bounds, Private, remove};
use crate::place;
use cyc_base::Span;
use cyc_mir::graph::{self, Graph};
use cyc_mir::mir::*;
use cyc_mir::types::int_shape;
use cyc_types::Ty;

/// Larger loops (in instructions) are not copied.
const LARGEST: usize = 80;
/// More tests before a loop than this cost more than they save.
const MOST_TESTS: usize = 8;

/// `limit + offset <= room`, as 64-bit signed numbers.
#[derive(Clone, PartialEq)]
struct Test {
    /// A variable of an integer type; None: 0.
    limit: Option<(Place, Ty)>,
    offset: i64,
    room: Room,
}

#[derive(Clone, PartialEq)]
enum Room {
    Elements(Place),
    Constant(u64),
}

/// An innermost loop without `try` and without regions of its own.
struct Loop {
    header: u32,
    blocks: Vec<u32>,
    /// Locals that it writes.
    written: Vec<bool>,
    /// What it may change in memory.
    memory: Memory,
    tests: Vec<Test>,
    /// Checks that the tests replace: block and index.
    replaced: Vec<(usize, usize)>,
}

pub(super) struct Loops {
    all: Vec<Loop>,
    /// The loop of each block, as an index into `all`.
    of: Vec<Option<usize>>,
}

impl Loops {
    pub fn new(unit: &cyc_check::tast::TypedUnit, body: &Body) -> Loops {
        let mut loops = Loops { all: vec![], of: vec![None; body.blocks.len()] };
        let graph = Graph::new(body);
        let goes_back = |from: u32, to: u32| graph.number[to as usize] <= graph.number[from as usize];
        if !graph.order.iter().any(|&from| graph.succs.of(from).iter().any(|to| goes_back(from, *to))) {
            return loops;
        }
        let nest = graph::Loops::new(&graph, &graph.dominators());
        let mut blocks = vec![vec![]; body.blocks.len()];
        for &block in &graph.order {
            if let Some(inside) = blocks.get_mut(nest.of[block as usize] as usize) {
                inside.push(block);
            }
        }
        for (header, blocks) in blocks.into_iter().enumerate() {
            let is_outer = nest.around.contains(&(header as u32));
            if blocks.is_empty() || is_outer || header == 0 || !can_be_copied(body, &blocks) {
                continue;
            }
            blocks.iter().for_each(|block| loops.of[*block as usize] = Some(loops.all.len()));
            let (written, memory) = writes(unit, body, &blocks);
            let (tests, replaced) = (vec![], vec![]);
            loops.all.push(Loop { header: header as u32, blocks, written, memory, tests, replaced });
        }
        loops
    }

    /// A check that the facts do not prove: can a test before its loop replace it?
    pub fn consider(
        &mut self,
        analysis: &mut Bounds,
        body: &Body,
        facts: &Facts,
        (block, at): (usize, usize),
        check: &CheckKind,
    ) {
        let Some(around) = self.of[block].map(|at| &mut self.all[at]) else { return };
        let (room, index, count) = match check {
            CheckKind::FatBounds { ptr: Operand::Copy(ptr), index, count } => {
                match analysis.terms.get(body, Kind::High, ptr) {
                    Some(high) if around.keeps(&analysis.terms, high) && !ptr.through_pointer() => {
                        (Room::Elements(ptr.clone()), index, *count)
                    }
                    _ => return,
                }
            }
            CheckKind::Index { index, len } => (Room::Constant(*len), index, 1),
            _ => return,
        };
        let (Some((term, by)), Ok(count)) = (analysis.operand(body, index), i64::try_from(count)) else { return };
        if !analysis.at_most(facts, ZERO, term, by) {
            return;
        }
        let limits = facts.bounds_from(&analysis.terms, &mut analysis.search.borrow_mut(), term);
        let mut best: Option<Test> = None;
        for (limit, c) in limits {
            let Some(offset) = c.checked_add(by).and_then(|c| c.checked_add(count)) else { continue };
            let Some(test) = around.test(analysis, body, limit, offset, &room) else { continue };
            // A variable says more than the range of a type, and the nearest one says most.
            let worth = |test: &Test| (test.limit.is_none(), test.offset.unsigned_abs());
            if best.as_ref().is_none_or(|best| worth(&test) < worth(best)) {
                best = Some(test);
            }
        }
        let Some(test) = best else { return };
        if !around.tests.contains(&test) {
            if around.tests.len() == MOST_TESTS {
                return;
            }
            around.tests.push(test);
        }
        around.replaced.push((block, at));
    }

    /// Makes the copies.
    pub fn hoist(self, body: &mut Body, private: &[Vec<Private>]) {
        for one in self.all {
            if !one.tests.is_empty() {
                one.copy(body, private);
            }
        }
    }
}

fn can_be_copied(body: &Body, blocks: &[u32]) -> bool {
    let size: usize = blocks.iter().map(|block| body.blocks[*block as usize].stmts.len() + 1).sum();
    let handler = body.blocks[blocks[0] as usize].handler;
    let plain = |block: &u32| {
        let block = &body.blocks[*block as usize];
        let opens = |stmt: &Stmt| matches!(stmt.kind, StmtKind::PushRegion { .. } | StmtKind::OpenKey { .. });
        block.handler == handler && !matches!(block.term, Terminator::Try { .. }) && !block.stmts.iter().any(opens)
    };
    let is_catch = |block: &u32| body.handlers.iter().any(|handler| handler.catch.0 == *block);
    size <= LARGEST && blocks.iter().all(plain) && !blocks.iter().any(is_catch)
}

/// What the blocks write: which locals, and what in memory.
fn writes(unit: &cyc_check::tast::TypedUnit, body: &Body, blocks: &[u32]) -> (Vec<bool>, Memory) {
    let mut written = vec![false; body.locals.len()];
    let mut memory = Memory::default();
    let mut write = |place: &Place| {
        let in_memory = match place.within_local() {
            Some(local) => {
                written[local.0 as usize] = true;
                body.locals[local.0 as usize].address_taken
            }
            None => true,
        };
        if in_memory {
            let changed = stored(unit, place::type_of(unit, body, place), true);
            memory.numbers |= changed.numbers;
            memory.pointers |= changed.pointers;
        }
    };
    let mut anything = false;
    for stmt in blocks.iter().flat_map(|block| &body.blocks[*block as usize].stmts) {
        match &stmt.kind {
            StmtKind::Assign(place, _) => write(place),
            StmtKind::Uninit(local) => write(&Place::local(*local)),
            StmtKind::SetTag(place, _) => write(place),
            StmtKind::Call { dst, .. } => {
                dst.iter().for_each(&mut write);
                anything = true;
            }
            StmtKind::Alloc(alloc) => write(&alloc.dst),
            StmtKind::Swap(a, b) => {
                write(a);
                write(b);
            }
            StmtKind::Asm(asm) => {
                asm.outputs.iter().for_each(|(_, _, place)| write(place));
                anything = true;
            }
            StmtKind::PushRegion { handle, .. } | StmtKind::OpenKey { handle, .. } => write(&Place::local(*handle)),
            StmtKind::Check(_)
            | StmtKind::EndLoan(_)
            | StmtKind::Dead(_)
            | StmtKind::Removed(..)
            | StmtKind::PopHandler(_)
            | StmtKind::PopRegion(_)
            | StmtKind::CloseKey(_) => {}
        }
    }
    (written, if anything { Memory::ALL } else { memory })
}

impl Loop {
    /// Does the loop leave the term's number alone?
    fn keeps(&self, terms: &Terms, term: Term) -> bool {
        let Some(place) = terms.place(term) else { return term == ZERO };
        let of_local = match place.base {
            Base::Local(local) => !self.written[local.0 as usize],
            Base::Global(_) => true,
        };
        of_local && !terms.memory(term).meets(self.memory)
    }

    /// The test that makes `limit + offset` elements sure.
    fn test(&self, analysis: &Bounds, body: &Body, limit: Term, offset: i64, room: &Room) -> Option<Test> {
        let terms = &analysis.terms;
        // Nobody has so many elements: the distance comes from the ranges of types.
        if offset.unsigned_abs() > 1 << 24 {
            return None;
        }
        if limit == ZERO {
            return matches!(room, Room::Elements(_)).then(|| Test { limit: None, offset, room: room.clone() });
        }
        if terms.kind(limit) != Kind::Value || !self.keeps(terms, limit) {
            return None;
        }
        // The place can be read before the loop: it goes through no pointer, which the loop may check first.
        let place = terms.place(limit).filter(|place| !place.through_pointer())?;
        let ty = place::type_of(terms.unit, body, place);
        let (bits, signed) = int_shape(&terms.unit.types, ty)?;
        // The sum must not wrap.
        (bits < 64 || bits == 64 && signed && offset == 0).then(|| Test {
            limit: Some((place.clone(), ty)),
            offset,
            room: room.clone(),
        })
    }

    fn copy(self, body: &mut Body, private: &[Vec<Private>]) {
        let first = body.blocks.len() as u32;
        let copy_of = |block: BlockId| match self.blocks.iter().position(|b| *b == block.0) {
            Some(at) => BlockId(first + at as u32),
            None => block,
        };
        let fast = copy_of(BlockId(self.header));
        for &block in &self.blocks {
            let mut copy = body.blocks[block as usize].clone();
            copy.term.retarget(copy_of);
            for (index, stmt) in copy.stmts.iter_mut().enumerate() {
                if self.replaced.contains(&(block as usize, index)) {
                    remove(stmt, Fact::BeforeLoop);
                }
            }
            rename(body, &mut copy, &private[block as usize]);
            body.blocks.push(copy);
        }
        let entrance = BlockId(body.blocks.len() as u32);
        let header = &body.blocks[self.header as usize];
        let (span, handler) = (header.stmts.first().map_or(header.term_span, |stmt| stmt.span), header.handler);
        let mut guard = Block { stmts: vec![], term: Terminator::Unreachable, term_span: span, handler };
        let mut cond: Option<Operand> = None;
        for test in &self.tests {
            let holds = test.lower(body, &mut guard.stmts, span);
            cond = Some(match cond {
                None => holds,
                Some(others) => {
                    assign(body, &mut guard.stmts, Rvalue::Binary(BinOp::BitAnd, others, holds, Ty::INT), Ty::INT, span)
                }
            });
        }
        guard.term = match cond {
            Some(cond) => Terminator::If { cond, then: fast, otherwise: BlockId(self.header) },
            None => Terminator::Goto(fast),
        };
        // All ways into the loop from outside lead through the tests.
        for (at, block) in body.blocks.iter_mut().enumerate() {
            let inside = self.blocks.contains(&(at as u32)) || at as u32 >= first;
            if !inside {
                block.term.retarget(|to| if to.0 == self.header { entrance } else { to });
            }
        }
        body.blocks.push(guard);
    }
}

/// Gives the temporaries that occur in no other block names of their own, so that each keeps its one definition.
fn rename(body: &mut Body, copy: &mut Block, private: &[Private]) {
    let first = body.locals.len();
    for Private { local, .. } in private {
        let decl = body.locals[local.0 as usize].clone();
        body.locals.push(decl);
    }
    cyc_mir::visit::each_local(copy, &mut |local| {
        if let Some(at) = private.iter().position(|old| old.local == *local) {
            *local = Local((first + at) as u32);
        }
    });
}

/// A fresh temporary that holds `value`.
fn assign(body: &mut Body, stmts: &mut Vec<Stmt>, value: Rvalue, ty: Ty, span: Span) -> Operand {
    let temp = Local(body.locals.len() as u32);
    body.locals.push(LocalDecl {
        name: None,
        qty: ty.into(),
        scope: None,
        address_taken: false,
        survives_throw: false,
        attrs: vec![],
        span,
    });
    stmts.push(Stmt { kind: StmtKind::Assign(Place::local(temp), value), span });
    Operand::local(temp)
}

impl Test {
    /// Its outcome, 0 or 1, computed by the last of `stmts`.
    fn lower(&self, body: &mut Body, stmts: &mut Vec<Stmt>, span: Span) -> Operand {
        let limit = match &self.limit {
            None => Operand::int(i128::from(self.offset), Ty::LONG),
            Some((place, from)) => {
                let mut limit = Operand::Copy(place.clone());
                if *from != Ty::LONG {
                    limit = assign(body, stmts, Rvalue::Arith(limit, *from, Ty::LONG), Ty::LONG, span);
                }
                if self.offset != 0 {
                    let offset = Operand::int(i128::from(self.offset), Ty::LONG);
                    limit = assign(body, stmts, Rvalue::Binary(BinOp::Add, limit, offset, Ty::LONG), Ty::LONG, span);
                }
                limit
            }
        };
        let room = match &self.room {
            Room::Constant(len) => Operand::int(i128::from(*len), Ty::LONG),
            Room::Elements(ptr) => {
                let count = Rvalue::FatNumelts(Operand::Copy(ptr.clone()));
                let count = assign(body, stmts, count, Ty::ULONG, span);
                assign(body, stmts, Rvalue::Arith(count, Ty::ULONG, Ty::LONG), Ty::LONG, span)
            }
        };
        assign(body, stmts, Rvalue::Binary(BinOp::Le, limit, room, Ty::LONG), Ty::INT, span)
    }
}
