//! Which test leads to the place where a value was moved away: for messages only.

use cyc_base::Span;
use cyc_mir::graph::{Graph, NONE};
use cyc_mir::{Block, Body, Terminator};

/// A test on the way, and the outcome that leads there.
pub struct Branch {
    pub test: Span,
    pub outcome: bool,
}

/// The last test before `at` from which `used` is also reached without passing `at`.
pub(super) fn branch_to(body: &Body, at: Span, used: Span) -> Option<Branch> {
    let (moved, used) = (block_of(body, at)?, block_of(body, used)?);
    let graph = Graph::new(body);
    let dominators = graph.dominators();
    let mut here = moved;
    loop {
        let above = *dominators.parent.get(here as usize)?;
        if above == NONE || above == here {
            return None;
        }
        let avoids = |to: &u32| reaches(&graph, *to, used, moved);
        if graph.succs.of(above).iter().any(avoids) {
            return decision(&graph, &body.blocks[above as usize], moved, above);
        }
        here = above;
    }
}

fn decision(graph: &Graph, block: &Block, to: u32, above: u32) -> Option<Branch> {
    let Terminator::If { then, otherwise, .. } = &block.term else { return None };
    let [outcome, otherwise] = [then.0, otherwise.0].map(|side| reaches(graph, side, to, above));
    (outcome != otherwise).then_some(Branch { test: block.term_span, outcome })
}

/// Is there a way from one block to another that does not enter a third?
fn reaches(graph: &Graph, from: u32, to: u32, without: u32) -> bool {
    let mut seen = vec![false; graph.number.len()];
    let mut work = vec![from];
    while let Some(block) = work.pop() {
        if block == without && block != to || std::mem::replace(&mut seen[block as usize], true) {
            continue;
        }
        if block == to {
            return true;
        }
        work.extend(graph.succs.of(block));
    }
    false
}

/// The block of the smallest statement that encloses the span.
fn block_of(body: &Body, span: Span) -> Option<u32> {
    let encloses = |s: Span| s.lo <= span.lo && span.hi <= s.hi;
    let spans = |block: &Block| block.stmts.iter().map(|stmt| stmt.span).chain([block.term_span]).collect::<Vec<_>>();
    let all =
        body.blocks.iter().enumerate().flat_map(|(i, block)| spans(block).into_iter().map(move |s| (s, i as u32)));
    all.filter(|(s, _)| encloses(*s)).min_by_key(|(s, _)| s.hi - s.lo).map(|(_, block)| block)
}
