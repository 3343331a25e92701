//! Structure: what the rest of the verifier indexes by is there.

use super::{At, Cx, Reads, Verdict, indices, written};
use crate::mir::*;

/// Blocks, handlers, locals, regions and loans that are mentioned exist, and every block can be reached.
pub(super) fn check(cx: &Cx) -> Verdict {
    entry_exists(cx)?;
    for (id, block) in cx.blocks() {
        let at = At { block: id, index: None };
        targets(cx, at, block)?;
        for (index, stmt) in block.stmts.iter().enumerate() {
            numbers(cx, At { block: id, index: Some(index) }, &stmt.kind)?;
        }
        reads(cx, at, &Reads::at_end(&block.term))?;
    }
    reachable(cx)
}

/// There is an entry, the parameters are locals, and handlers lead to blocks and are nested in earlier ones.
fn entry_exists(cx: &Cx) -> Verdict {
    let body = cx.body;
    if body.blocks.is_empty() {
        return broken(cx, At { block: BlockId(0), index: None }, "the body has no entry".into());
    }
    let at = At { block: BlockId(0), index: None };
    if body.params as usize > body.locals.len() {
        return cx.fail("parameters are locals", at, format!("{} parameters", body.params));
    }
    for (i, handler) in body.handlers.iter().enumerate() {
        let outer = handler.outer.is_none_or(|outer| (outer.0 as usize) < i);
        if handler.catch.0 as usize >= body.blocks.len() || handler.caught.0 as usize >= body.locals.len() || !outer {
            return cx.fail("handlers exist", at, format!("handler h{i}"));
        }
    }
    Ok(())
}

/// A terminator goes to blocks of the body, and a `switch` to one block for each value.
fn targets(cx: &Cx, at: At, block: &Block) -> Verdict {
    let blocks = cx.body.blocks.len();
    if let Some(to) = block.term.successors().into_iter().find(|to| to.0 as usize >= blocks) {
        return broken(cx, at, format!("there is no block b{}", to.0));
    }
    if block.handler.is_some_and(|handler| handler.0 as usize >= cx.body.handlers.len()) {
        return broken(cx, at, "its handler does not exist".into());
    }
    match &block.term {
        Terminator::Try { handler, .. } if handler.0 as usize >= cx.body.handlers.len() => {
            broken(cx, at, format!("there is no handler h{}", handler.0))
        }
        Terminator::Switch { cases, .. } => {
            let mut values: Vec<i128> = cases.iter().map(|(value, _)| *value).collect();
            values.sort();
            match values.windows(2).find(|pair| pair[0] == pair[1]) {
                Some(pair) => cx.fail("cases differ", at, format!("two cases for {}", pair[0])),
                None => Ok(()),
            }
        }
        _ => Ok(()),
    }
}

fn broken(cx: &Cx, at: At, detail: String) -> Verdict {
    // The instruction cannot be printed: it names what is not there.
    Err(super::Failure {
        function: cx.unit.global(cx.body.global).name.to_string(),
        block: at.block,
        index: at.index,
        instruction: "…".into(),
        rule: "what is mentioned exists",
        detail,
        stage: cx.stage,
    })
}

/// Locals, handlers, regions and loans of an instruction exist.
fn numbers(cx: &Cx, at: At, kind: &StmtKind) -> Verdict {
    let body = cx.body;
    reads(cx, at, &Reads::of(kind))?;
    written(kind).iter().try_for_each(|written| place(cx, at, written))?;
    let missing = match kind {
        StmtKind::Uninit(local) | StmtKind::Dead(local) => local.0 as usize >= body.locals.len(),
        StmtKind::PopHandler(handler) => handler.0 as usize >= body.handlers.len(),
        StmtKind::PushRegion { region, .. } | StmtKind::PopRegion(region) => region.0 >= body.regions,
        StmtKind::EndLoan(loan) | StmtKind::Assign(_, Rvalue::Move(_, Some(loan))) => {
            loan.0 as usize >= body.loans.len()
        }
        StmtKind::Removed(inner, _) => return numbers(cx, at, inner),
        StmtKind::Assign(..)
        | StmtKind::Check(_)
        | StmtKind::Call { .. }
        | StmtKind::Alloc(_)
        | StmtKind::OpenKey { .. }
        | StmtKind::CloseKey(_)
        | StmtKind::Swap(..)
        | StmtKind::SetTag(..)
        | StmtKind::Asm(_) => false,
    };
    if missing { broken(cx, at, "a handler, region, loan or local does not exist".into()) } else { Ok(()) }
}

fn reads(cx: &Cx, at: At, reads: &Reads) -> Verdict {
    reads.operands.iter().try_for_each(|read| operand(cx, at, read))?;
    reads.looked_at.iter().chain(&reads.reached).try_for_each(|read| place(cx, at, read))
}

fn operand(cx: &Cx, at: At, read: &Operand) -> Verdict {
    match read {
        Operand::Copy(read) => place(cx, at, read),
        Operand::Const(_) => Ok(()),
    }
}

fn place(cx: &Cx, at: At, mentioned: &Place) -> Verdict {
    match mentioned.base {
        Base::Local(local) if local.0 as usize >= cx.body.locals.len() => {
            broken(cx, at, format!("there is no local {}", local.0))
        }
        Base::Local(_) | Base::Global(_) => indices(mentioned).try_for_each(|index| operand(cx, at, index)),
    }
}

/// A way leads from the entry to every block: by a jump, or as the handler of a `try`.
fn reachable(cx: &Cx) -> Verdict {
    let mut seen = vec![false; cx.body.blocks.len()];
    let mut waiting = vec![BlockId(0)];
    while let Some(id) = waiting.pop() {
        if std::mem::replace(&mut seen[id.0 as usize], true) {
            continue;
        }
        let term = &cx.body.blocks[id.0 as usize].term;
        term.for_each_successor(|to| waiting.push(to));
        if let Terminator::Try { handler, .. } = term {
            waiting.push(cx.body.handlers[handler.0 as usize].catch);
        }
    }
    match seen.iter().position(|seen| !seen) {
        Some(lost) => {
            let at = At { block: BlockId(lost as u32), index: None };
            cx.fail("every block can be reached", at, "no way leads to the block")
        }
        None => Ok(()),
    }
}
