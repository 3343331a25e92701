//! The verifier: what every later crate takes for granted of a body is checked here.
//!
//! It runs after lowering and after each pass of `cyc-flow`, in debug builds always and in others where `--verify` asks
//! for it. Its rules are told apart by what they are about, one file each, and use none of the analyses that they judge.
//! What it finds is a mistake of this compiler, never of the program: a [`Failure`] says where and which rule.

mod defined;
mod eliminated;
mod forward;
mod nesting;
mod ownership;
mod structure;
mod types;

use crate::mir::*;
use crate::print;
use cyc_check::tast::TypedUnit;
use std::fmt;

/// What has been done to a body, and so what holds of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Lowered; variables may be used before they are initialised, and after they were moved away.
    Lowered,
    /// Flow analysis found no mistake of these kinds; moves and loans are still instructions.
    Judged,
    /// Moves and loans are gone. What is left of `Uninit` gives variables some value.
    Erased,
    /// Checks were removed.
    Eliminated,
}

/// A rule that a body breaks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    pub function: String,
    /// Where: the block, the number of the instruction (None: the terminator), and its text.
    pub block: BlockId,
    pub index: Option<usize>,
    pub instruction: String,
    /// The name of the rule.
    pub rule: &'static str,
    pub detail: String,
    pub stage: Stage,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.index.map_or("its end".to_string(), |index| format!("instruction {index}"));
        let (function, block, stage) = (&self.function, self.block.0, self.stage);
        writeln!(f, "in `{function}`, block b{block}, {at}, as it is when {}:", stage.text())?;
        writeln!(f, "    {}", self.instruction)?;
        write!(f, "rule `{}`: {}", self.rule, self.detail)
    }
}

impl Stage {
    fn text(self) -> &'static str {
        match self {
            Stage::Lowered => "lowered",
            Stage::Judged => "judged by flow analysis",
            Stage::Erased => "without moves and loans",
            Stage::Eliminated => "without needless checks",
        }
    }
}

/// Checks a body; the first rule that it breaks.
pub fn verify(unit: &TypedUnit, body: &Body, stage: Stage) -> Result<(), Failure> {
    let cx = Cx { unit, body, stage };
    structure::check(&cx)?;
    types::check(&cx)?;
    nesting::check(&cx)?;
    defined::check(&cx)?;
    match stage {
        Stage::Judged => ownership::check(&cx),
        Stage::Eliminated => eliminated::check(&cx),
        Stage::Lowered | Stage::Erased => Ok(()),
    }
}

/// What every rule looks at.
struct Cx<'a> {
    unit: &'a TypedUnit,
    body: &'a Body,
    stage: Stage,
}

/// An instruction of the body, or the terminator of the block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct At {
    block: BlockId,
    index: Option<usize>,
}

type Verdict = Result<(), Failure>;

impl<'a> Cx<'a> {
    fn fail(&self, rule: &'static str, at: At, detail: impl Into<String>) -> Verdict {
        let block = &self.body.blocks[at.block.0 as usize];
        let instruction = match at.index.and_then(|index| block.stmts.get(index)) {
            Some(stmt) => print::instruction(self.unit, self.body, &stmt.kind),
            None => print::terminator(self.unit, self.body, &block.term),
        };
        Err(Failure {
            function: self.unit.global(self.body.global).name.to_string(),
            block: at.block,
            index: at.index,
            instruction,
            rule,
            detail: detail.into(),
            stage: self.stage,
        })
    }

    fn place_text(&self, place: &Place) -> String {
        print::place(self.unit, self.body, place)
    }

    fn local_text(&self, local: Local) -> String {
        self.place_text(&Place::local(local))
    }

    fn local(&self, local: Local) -> &'a LocalDecl {
        &self.body.locals[local.0 as usize]
    }

    fn is_temp(&self, local: Local) -> bool {
        self.local(local).name.is_none()
    }

    fn blocks(&self) -> impl Iterator<Item = (BlockId, &'a Block)> {
        (0..).map(BlockId).zip(&self.body.blocks)
    }
}

/// May the instruction raise an exception?
fn may_throw(kind: &StmtKind) -> bool {
    match kind {
        StmtKind::Check(_) | StmtKind::Call { .. } | StmtKind::Alloc(_) => true,
        StmtKind::Assign(_, value) => matches!(value, Rvalue::FatToBytes(..)),
        StmtKind::Uninit(_)
        | StmtKind::PopHandler(_)
        | StmtKind::PushRegion { .. }
        | StmtKind::PopRegion(_)
        | StmtKind::OpenKey { .. }
        | StmtKind::CloseKey(_)
        | StmtKind::Swap(..)
        | StmtKind::SetTag(..)
        | StmtKind::EndLoan(_)
        | StmtKind::Dead(_)
        | StmtKind::Asm(_)
        | StmtKind::Removed(..) => false,
    }
}

/// Each operand of an instruction, and each place that it reads without copying its value: the way to what it writes, what
/// an address is taken of, what a tag is asked of. Places that are written are not among them, but the way there is.
struct Reads<'m> {
    operands: Vec<&'m Operand>,
    looked_at: Vec<&'m Place>,
    /// Only the way to these is read.
    reached: Vec<&'m Place>,
}

impl<'m> Reads<'m> {
    fn new() -> Reads<'m> {
        Reads { operands: vec![], looked_at: vec![], reached: vec![] }
    }

    fn of(kind: &'m StmtKind) -> Reads<'m> {
        let mut reads = Reads::new();
        match kind {
            StmtKind::Assign(place, value) => {
                reads.rvalue(value);
                reads.reached.push(place);
            }
            StmtKind::Check(check) => check.kind.for_each_operand(&mut |operand| reads.operands.push(operand)),
            StmtKind::Call { dst, callee, args } => {
                if let Callee::Pointer(pointer) = callee {
                    reads.operands.push(pointer);
                }
                reads.operands.extend(args);
                reads.reached.extend(dst);
            }
            StmtKind::Alloc(alloc) => {
                reads.operands.extend(alloc.region.iter().chain(&alloc.owner).chain(&alloc.count));
                reads.reached.push(&alloc.dst);
            }
            StmtKind::Swap(a, b) => reads.looked_at.extend([a, b]),
            StmtKind::OpenKey { key, .. } => reads.looked_at.push(key),
            StmtKind::CloseKey(place) | StmtKind::SetTag(place, _) => reads.reached.push(place),
            StmtKind::Asm(asm) => {
                reads.operands.extend(asm.inputs.iter().map(|(_, _, operand)| operand));
                reads.reached.extend(asm.outputs.iter().map(|(_, _, place)| place));
            }
            StmtKind::Uninit(_)
            | StmtKind::PopHandler(_)
            | StmtKind::PushRegion { .. }
            | StmtKind::PopRegion(_)
            | StmtKind::EndLoan(_)
            | StmtKind::Dead(_)
            | StmtKind::Removed(..) => {}
        }
        reads
    }

    fn rvalue(&mut self, value: &'m Rvalue) {
        value.for_each_operand(&mut |operand| self.operands.push(operand));
        match value {
            Rvalue::AddrOf(place, _) => self.reached.push(place),
            Rvalue::IsVariant(place, ..) | Rvalue::Tag(place) => self.looked_at.push(place),
            _ => {}
        }
    }

    /// What a terminator reads.
    fn at_end(term: &'m Terminator) -> Reads<'m> {
        let mut reads = Reads::new();
        match term {
            Terminator::If { cond: operand, .. }
            | Terminator::Switch { on: operand, .. }
            | Terminator::Throw(operand)
            | Terminator::Rethrow(operand)
            | Terminator::Return(Some(operand)) => reads.operands.push(operand),
            Terminator::Goto(_)
            | Terminator::Try { .. }
            | Terminator::Return(None)
            | Terminator::MissingReturn
            | Terminator::Unreachable => {}
        }
        reads
    }
}

/// The places that an instruction writes; a local that it defines is a place.
fn written(kind: &StmtKind) -> Vec<Place> {
    match kind {
        StmtKind::Assign(place, _) | StmtKind::SetTag(place, _) => vec![place.clone()],
        StmtKind::Call { dst, .. } => dst.iter().cloned().collect(),
        StmtKind::Alloc(alloc) => vec![alloc.dst.clone()],
        StmtKind::Swap(a, b) => vec![a.clone(), b.clone()],
        StmtKind::PushRegion { handle, .. } | StmtKind::OpenKey { handle, .. } => vec![Place::local(*handle)],
        StmtKind::Asm(asm) => asm.outputs.iter().map(|(_, _, place)| place.clone()).collect(),
        StmtKind::Uninit(_)
        | StmtKind::Check(_)
        | StmtKind::PopHandler(_)
        | StmtKind::PopRegion(_)
        | StmtKind::CloseKey(_)
        | StmtKind::EndLoan(_)
        | StmtKind::Dead(_)
        | StmtKind::Removed(..) => vec![],
    }
}

/// The operands that the way to a place reads.
fn indices(place: &Place) -> impl Iterator<Item = &Operand> {
    place.proj.iter().filter_map(|step| match step {
        Proj::Deref(Some(index)) | Proj::Element(index) => Some(index),
        Proj::Deref(None) | Proj::Field(_) | Proj::Variant(..) => None,
    })
}

/// Does the place mention the local, as its base or in an index?
fn mentions(place: &Place, local: Local) -> bool {
    place.base == Base::Local(local)
        || indices(place).any(|index| matches!(index, Operand::Copy(index) if mentions(index, local)))
}
