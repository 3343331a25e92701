//! The verifier's own forward analysis: a state for the beginning of each block, joined over the ways there, those of
//! exceptions among them.

use super::{At, Cx, Failure, may_throw};
use crate::graph::successors;
use crate::mir::*;

/// What a rule carries along the ways through a body.
pub(super) trait Forward {
    type State: Clone + PartialEq;

    fn entry(&self, cx: &Cx) -> Self::State;
    /// What is known where both ways meet.
    fn join(&self, cx: &Cx, at: BlockId, into: &mut Self::State, from: &Self::State) -> Result<(), Failure>;
    /// The instruction keeps the rule in this state, and what it makes of it.
    fn stmt(&self, cx: &Cx, at: At, state: &mut Self::State, kind: &StmtKind) -> Result<(), Failure>;
    /// The terminator keeps the rule, and what holds after it.
    fn term(&self, cx: &Cx, at: At, state: &mut Self::State, term: &Terminator) -> Result<(), Failure>;
    /// What an exception carries to the handler.
    fn thrown(&self, cx: &Cx, state: &Self::State, to: HandlerId) -> Self::State;
    /// What holds on the way to successor number `edge`.
    fn edge(&self, _cx: &Cx, state: &Self::State, _block: BlockId, _edge: usize) -> Self::State {
        state.clone()
    }
}

/// The state at the beginning of every block that can be reached. The rules are asked while the states are still growing:
/// a state that breaks a rule breaks it for good, since ways are only added.
pub(super) fn run<F: Forward>(cx: &Cx, rule: &F) -> Result<Vec<Option<F::State>>, Failure> {
    let mut states: Vec<Option<F::State>> = vec![None; cx.body.blocks.len()];
    states[0] = Some(rule.entry(cx));
    let mut waiting = std::collections::BTreeSet::from([0u32]);
    while let Some(number) = waiting.pop_first() {
        let id = BlockId(number);
        let Some(mut state) = states[number as usize].clone() else { continue };
        let block = &cx.body.blocks[number as usize];
        let mut arrive = |to: BlockId, state: F::State| -> Result<(), Failure> {
            let slot = &mut states[to.0 as usize];
            match slot {
                None => {
                    *slot = Some(state);
                    waiting.insert(to.0);
                }
                Some(known) => {
                    let before = known.clone();
                    rule.join(cx, to, known, &state)?;
                    if *known != before {
                        waiting.insert(to.0);
                    }
                }
            }
            Ok(())
        };
        let catch = block.handler.map(|handler| (handler, cx.body.handlers[handler.0 as usize].catch));
        for (index, stmt) in block.stmts.iter().enumerate() {
            if let Some((handler, to)) = catch.filter(|_| may_throw(&stmt.kind)) {
                arrive(to, rule.thrown(cx, &state, handler))?;
            }
            rule.stmt(cx, At { block: id, index: Some(index) }, &mut state, &stmt.kind)?;
        }
        rule.term(cx, At { block: id, index: None }, &mut state, &block.term)?;
        if let (Some((handler, to)), Terminator::Throw(_) | Terminator::Rethrow(_)) = (catch, &block.term) {
            arrive(to, rule.thrown(cx, &state, handler))?;
        }
        for (edge, to) in successors(&block.term).into_iter().enumerate() {
            arrive(to, rule.edge(cx, &state, id, edge))?;
        }
    }
    Ok(states)
}
