//! Tidying the graph: unreachable blocks go, jumps to jumps are threaded, chains become one block.

use crate::mir::*;

/// Renumbers the blocks in the order of their text. Block 0 stays the entry.
pub(super) fn simplify(body: &mut Body, order: &[BlockId]) {
    let threaded: Vec<BlockId> = (0..body.blocks.len() as u32).map(|b| thread(body, BlockId(b))).collect();
    for block in &mut body.blocks {
        block.term.retarget(|b| threaded[b.0 as usize]);
    }
    for handler in &mut body.handlers {
        handler.catch = threaded[handler.catch.0 as usize];
    }
    let preds = predecessors(body);
    merge_chains(body, preds, order);
    let preds = predecessors(body);
    let mut numbers = vec![None; body.blocks.len()];
    let mut kept = vec![];
    for id in order {
        if preds[id.0 as usize] > 0 && numbers[id.0 as usize].is_none() {
            numbers[id.0 as usize] = Some(BlockId(kept.len() as u32));
            kept.push(*id);
        }
    }
    let number = |id: BlockId| numbers[id.0 as usize].unwrap_or(BlockId(0));
    let mut blocks: Vec<Option<Block>> = std::mem::take(&mut body.blocks).into_iter().map(Some).collect();
    body.blocks = kept.iter().filter_map(|id| blocks[id.0 as usize].take()).collect();
    for block in &mut body.blocks {
        block.term.retarget(number);
    }
    for handler in &mut body.handlers {
        handler.catch = number(handler.catch);
    }
}

/// The first block on the chain of empty jumping blocks that starts at `from`.
fn thread(body: &Body, from: BlockId) -> BlockId {
    let mut at = from;
    for _ in 0..body.blocks.len() {
        let block = &body.blocks[at.0 as usize];
        match block.term {
            Terminator::Goto(next) if block.stmts.is_empty() && next != at => at = next,
            _ => break,
        }
    }
    at
}

/// How many edges from reachable blocks enter each block; 0 for unreachable ones.
fn predecessors(body: &Body) -> Vec<u32> {
    let mut preds = vec![0; body.blocks.len()];
    preds[0] = 1;
    let mut work = vec![BlockId(0)];
    while let Some(id) = work.pop() {
        let term = &body.blocks[id.0 as usize].term;
        let mut enter = |next: BlockId| {
            preds[next.0 as usize] += 1;
            if preds[next.0 as usize] == 1 {
                work.push(next);
            }
        };
        term.for_each_successor(&mut enter);
        if let Terminator::Try { handler, .. } = term {
            enter(body.handlers[handler.0 as usize].catch);
        }
    }
    preds
}

/// A block that only one jump enters is appended to the block that jumps.
fn merge_chains(body: &mut Body, preds: Vec<u32>, order: &[BlockId]) {
    let catches: Vec<BlockId> = body.handlers.iter().map(|h| h.catch).collect();
    let mut gone = vec![false; body.blocks.len()];
    for &id in order {
        let at = id.0 as usize;
        if gone[at] || preds[at] == 0 {
            continue;
        }
        while let Terminator::Goto(next) = body.blocks[at].term {
            let n = next.0 as usize;
            let same_handler = body.blocks[n].handler == body.blocks[at].handler;
            if preds[n] != 1 || n == at || n == 0 || !same_handler || gone[n] || catches.contains(&next) {
                break;
            }
            gone[n] = true;
            let stmts = std::mem::take(&mut body.blocks[n].stmts);
            let term = std::mem::replace(&mut body.blocks[n].term, Terminator::Unreachable);
            let span = body.blocks[n].term_span;
            let block = &mut body.blocks[at];
            block.stmts.extend(stmts);
            block.term = term;
            block.term_span = span;
        }
    }
}
