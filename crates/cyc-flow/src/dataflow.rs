//! The forward dataflow framework: a state for every block's entry, joined over its predecessors and
//! over the places where an exception may be raised.

use cyc_mir::graph::reverse_postorder;
pub use cyc_mir::graph::{reached, successors};
use cyc_mir::mir::*;

/// A forward analysis. States form a join semilattice, of finite height or with widening.
pub trait Analysis {
    type State: Clone;

    fn entry(&self, body: &Body) -> Self::State;
    /// Joins `from` into `into`; true if `into` changed.
    fn join(&self, into: &mut Self::State, from: &Self::State) -> bool;
    /// As `join`, where control goes back for another time (every cycle has such an edge): must reach an end in few steps
    /// even if the lattice is high. What is found the first time may stay: an index that the loop's own check bounds.
    fn widen(&self, into: &mut Self::State, from: &Self::State) -> bool {
        self.join(into, from)
    }
    /// Statement number `index` of the block. The statements of a block come in order.
    fn statement(&mut self, body: &Body, state: &mut Self::State, block: &Block, index: usize);
    /// The state on the edge to successor number `edge` of [`successors`]; None if it is never taken.
    fn edge(&mut self, body: &Body, state: &Self::State, block: &Block, edge: usize) -> Option<Self::State>;
    /// The state that an exception carries to a handler, raised in this state. Of a call two arrive, joined: the one before
    /// it, in which its result is not stored, and the one after.
    fn thrown(&mut self, _body: &Body, state: &Self::State, _to: HandlerId) -> Self::State {
        state.clone()
    }
}

/// The number of a block of the body.
pub fn block_id(body: &Body, block: &Block) -> BlockId {
    BlockId(((std::ptr::from_ref(block) as usize - body.blocks.as_ptr() as usize) / size_of::<Block>()) as u32)
}

/// May this instruction raise an exception?
pub fn may_throw(kind: &StmtKind) -> bool {
    match kind {
        StmtKind::Check(_) | StmtKind::Call { .. } | StmtKind::Alloc(_) => true,
        StmtKind::Assign(_, rvalue) => matches!(rvalue, Rvalue::FatToBytes(..)),
        StmtKind::Uninit(_)
        | StmtKind::Swap(..)
        | StmtKind::SetTag(..)
        | StmtKind::Asm(_)
        | StmtKind::PushRegion { .. }
        | StmtKind::PopRegion(_)
        | StmtKind::OpenKey { .. }
        | StmtKind::CloseKey(_)
        | StmtKind::EndLoan(_)
        | StmtKind::Dead(_)
        | StmtKind::PopHandler(_)
        | StmtKind::Removed(..) => false,
    }
}

/// The state at the entry of every block; None where it cannot be reached.
pub fn solve<A: Analysis>(analysis: &mut A, body: &Body) -> Vec<Option<A::State>> {
    let mut states: Vec<Option<A::State>> = vec![None; body.blocks.len()];
    if body.blocks.is_empty() {
        return states;
    }
    let rank = reverse_postorder(body);
    states[0] = Some(analysis.entry(body));
    let mut waiting = std::collections::BTreeSet::from([(rank[0], 0usize)]);
    let mut again = vec![false; body.blocks.len()];
    while let Some((_, at)) = waiting.pop_first() {
        let block = &body.blocks[at];
        let Some(mut state) = states[at].clone() else { continue };
        let catch = block.handler.map(|h| (h, body.handlers[h.0 as usize].catch.0 as usize));
        for (index, stmt) in block.stmts.iter().enumerate() {
            if let Some((handler, catch)) = catch.filter(|_| may_throw(&stmt.kind)) {
                let thrown = analysis.thrown(body, &state, handler);
                merge(analysis, &mut states, &mut waiting, &rank, &mut again, (at, catch), thrown);
            }
            analysis.statement(body, &mut state, block, index);
            // A call that raises may have done before all that it does.
            if let (Some((handler, catch)), StmtKind::Call { .. }) = (catch, &stmt.kind) {
                let thrown = analysis.thrown(body, &state, handler);
                merge(analysis, &mut states, &mut waiting, &rank, &mut again, (at, catch), thrown);
            }
        }
        if let (Some((handler, catch)), Terminator::Throw(_) | Terminator::Rethrow(_)) = (catch, &block.term) {
            let thrown = analysis.thrown(body, &state, handler);
            merge(analysis, &mut states, &mut waiting, &rank, &mut again, (at, catch), thrown);
        }
        for (edge, to) in successors(&block.term).into_iter().enumerate() {
            let Some(arriving) = analysis.edge(body, &state, block, edge) else { continue };
            merge(analysis, &mut states, &mut waiting, &rank, &mut again, (at, to.0 as usize), arriving);
        }
    }
    states
}

fn merge<A: Analysis>(
    analysis: &A,
    states: &mut [Option<A::State>],
    waiting: &mut std::collections::BTreeSet<(u32, usize)>,
    rank: &[u32],
    again: &mut [bool],
    (at, to): (usize, usize),
    state: A::State,
) {
    let changed = match &mut states[to] {
        Some(known) if rank[at] >= rank[to] && std::mem::replace(&mut again[to], true) => analysis.widen(known, &state),
        Some(known) => analysis.join(known, &state),
        slot => {
            *slot = Some(state);
            true
        }
    };
    if changed {
        waiting.insert((rank[to], to));
    }
}
