//! Nesting: handlers of `try`, lexical regions and open keys are left in the reverse order in which they were entered, on
//! every way, and handles are used only while their regions are open.

use super::forward::{Forward, run};
use super::{At, Cx, Reads, Verdict, written};
use crate::mir::*;
use std::collections::BTreeMap;

/// What has been entered and not left.
#[derive(Clone, PartialEq, Debug)]
enum Frame {
    Handler(HandlerId),
    Region(RegionId),
    Key(Place),
}

#[derive(Clone, PartialEq)]
struct Open {
    /// Innermost last.
    frames: Vec<Frame>,
    /// The variables and temporaries that hold handles of regions that were entered: which region.
    handles: BTreeMap<Local, RegionId>,
}

struct Nesting;

pub(super) fn check(cx: &Cx) -> Verdict {
    run(cx, &Nesting).map(|_| ())
}

impl Open {
    fn is_open(&self, region: RegionId) -> bool {
        self.frames.contains(&Frame::Region(region))
    }

    fn handler(&self) -> Option<HandlerId> {
        self.frames.iter().rev().find_map(|frame| match frame {
            Frame::Handler(handler) => Some(*handler),
            Frame::Region(_) | Frame::Key(_) => None,
        })
    }
}

impl Nesting {
    /// What is left is what was entered last.
    fn leave(&self, cx: &Cx, at: At, state: &mut Open, frame: &Frame) -> Verdict {
        match state.frames.pop() {
            Some(last) if last == *frame => Ok(()),
            Some(last) => cx.fail("what is entered last is left first", at, format!("the last is {last:?}")),
            None => cx.fail("what is entered last is left first", at, "nothing has been entered"),
        }
    }

    /// A handle that is read is that of an open region.
    fn handles(&self, cx: &Cx, at: At, state: &Open, reads: &Reads) -> Verdict {
        for operand in &reads.operands {
            if let Operand::Copy(Place { base: Base::Local(local), .. }) = operand
                && let Some(region) = state.handles.get(local)
                && !state.is_open(*region)
            {
                let detail = format!("`{}` is the handle of r{}", cx.local_text(*local), region.0);
                return cx.fail("a handle is used while its region is open", at, detail);
            }
        }
        Ok(())
    }
}

impl Forward for Nesting {
    type State = Open;

    fn entry(&self, _: &Cx) -> Open {
        Open { frames: vec![], handles: BTreeMap::new() }
    }

    /// Where ways meet, the same is open on both.
    fn join(&self, cx: &Cx, to: BlockId, into: &mut Open, from: &Open) -> Verdict {
        if into.frames != from.frames {
            let detail = format!("{:?} and {:?}", into.frames, from.frames);
            return cx.fail("ways that meet have entered the same", At { block: to, index: Some(0) }, detail);
        }
        into.handles.extend(&from.handles);
        Ok(())
    }

    fn stmt(&self, cx: &Cx, at: At, state: &mut Open, kind: &StmtKind) -> Verdict {
        self.in_its_handler(cx, at, state)?;
        self.handles(cx, at, state, &Reads::of(kind))?;
        let handle = match kind {
            StmtKind::Assign(_, Rvalue::Use(Operand::Copy(from))) => {
                from.as_local().and_then(|local| state.handles.get(&local)).copied()
            }
            _ => None,
        };
        for place in written(kind) {
            if let Some(local) = place.as_local() {
                state.handles.remove(&local);
                state.handles.extend(handle.map(|region| (local, region)));
            }
        }
        match kind {
            StmtKind::PopHandler(handler) => self.leave(cx, at, state, &Frame::Handler(*handler)),
            StmtKind::PushRegion { region, handle } => {
                if state.is_open(*region) {
                    return cx.fail("a region is entered once at a time", at, format!("r{} is open", region.0));
                }
                state.frames.push(Frame::Region(*region));
                state.handles.insert(*handle, *region);
                Ok(())
            }
            StmtKind::PopRegion(region) => self.leave(cx, at, state, &Frame::Region(*region)),
            StmtKind::OpenKey { key, .. } => {
                state.frames.push(Frame::Key(key.clone()));
                Ok(())
            }
            StmtKind::CloseKey(key) => self.leave(cx, at, state, &Frame::Key(key.clone())),
            StmtKind::Assign(..)
            | StmtKind::Uninit(_)
            | StmtKind::Check(_)
            | StmtKind::Call { .. }
            | StmtKind::Alloc(_)
            | StmtKind::Swap(..)
            | StmtKind::SetTag(..)
            | StmtKind::EndLoan(_)
            | StmtKind::Dead(_)
            | StmtKind::Asm(_)
            | StmtKind::Removed(..) => Ok(()),
        }
    }

    /// A function that returns has left everything.
    fn term(&self, cx: &Cx, at: At, state: &mut Open, term: &Terminator) -> Verdict {
        self.in_its_handler(cx, at, state)?;
        self.handles(cx, at, state, &Reads::at_end(term))?;
        match term {
            Terminator::Try { handler, .. } => {
                if cx.body.handlers[handler.0 as usize].outer != state.handler() {
                    return cx.fail("a handler lies in the one outside of it", at, format!("h{}", handler.0));
                }
                state.frames.push(Frame::Handler(*handler));
                Ok(())
            }
            Terminator::Return(_) if !state.frames.is_empty() => {
                cx.fail("a function that returns has left everything", at, format!("{:?} is left", state.frames))
            }
            Terminator::Goto(_)
            | Terminator::If { .. }
            | Terminator::Switch { .. }
            | Terminator::Throw(_)
            | Terminator::Rethrow(_)
            | Terminator::Return(_)
            | Terminator::MissingReturn
            | Terminator::Unreachable => Ok(()),
        }
    }

    /// An exception leaves what was entered since the `try`, and the `try`.
    fn thrown(&self, _: &Cx, state: &Open, to: HandlerId) -> Open {
        let mut state = state.clone();
        let entered = state.frames.iter().rposition(|frame| *frame == Frame::Handler(to));
        state.frames.truncate(entered.unwrap_or(0));
        state
    }
}

impl Nesting {
    /// The innermost handler that was entered is that of the block.
    fn in_its_handler(&self, cx: &Cx, at: At, state: &Open) -> Verdict {
        let of_block = cx.body.blocks[at.block.0 as usize].handler;
        // The instruction that leaves the handler stands in a block within it; so may what follows there without
        // raising anything: a way out of several scopes.
        let block = &cx.body.blocks[at.block.0 as usize];
        let leaving = at.index.unwrap_or(block.stmts.len());
        let has_left = block.stmts[..leaving].iter().any(|stmt| matches!(stmt.kind, StmtKind::PopHandler(_)));
        let throws = match at.index {
            Some(index) => super::may_throw(&block.stmts[index].kind),
            None => matches!(block.term, Terminator::Throw(_) | Terminator::Rethrow(_)),
        };
        if of_block == state.handler() || has_left && !throws {
            return Ok(());
        }
        let detail = format!("the block says {of_block:?}, entered is {:?}", state.handler());
        cx.fail("a block lies in its handler", at, detail)
    }
}
