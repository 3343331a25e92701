//! Random mutations of the MIR of the tree's programs. Of each kind the verifier claims to catch every one; of others it is
//! reported how many it catches.

use crate::{bodies, verdict};
use cyc_mir::mir::*;
use cyc_mir::verify::Stage;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Programs under `tests` without headers, most of them; a program that needs one is not accepted without, and left out.
fn programs() -> Vec<String> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    let mut files = vec![];
    for folder in ["ui", "run"] {
        below(&tests.join(folder), &mut files);
    }
    files.sort();
    let text = |file: &PathBuf| std::fs::read_to_string(file).ok();
    let without_headers = |text: String| {
        let lines = text.lines().filter(|line| !line.starts_with("#include"));
        lines.map(|line| format!("{line}\n")).collect::<String>()
    };
    files.iter().filter_map(text).map(without_headers).filter(|text| !text.contains("\n#")).collect()
}

fn below(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the tests are there").flatten() {
        let path = entry.path();
        let name = path.to_string_lossy().into_owned();
        if path.is_dir() {
            below(&path, files);
        } else if name.ends_with(".ok.cyc") || name.contains("/run/") && name.ends_with(".cyc") {
            files.push(path);
        }
    }
}

/// Choices from a seed.
struct Dice(u64);

impl Dice {
    /// Below `n`.
    fn roll(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n.max(1)
    }
}

/// A kind of mutation: what it is called, at which stage, whether every one is claimed to be caught, and how it is made;
/// false if the body has no place for it.
struct Kind {
    name: &'static str,
    stage: Stage,
    claimed: bool,
    change: fn(&mut Body, &mut Dice) -> bool,
}

const KINDS: &[Kind] = &[
    Kind { name: "a target that does not exist", stage: Stage::Eliminated, claimed: true, change: wrong_target },
    Kind { name: "a local that does not exist", stage: Stage::Eliminated, claimed: true, change: wrong_local },
    Kind { name: "an index that is a pointer", stage: Stage::Eliminated, claimed: true, change: pointer_as_index },
    Kind { name: "an argument too few", stage: Stage::Eliminated, claimed: true, change: argument_missing },
    Kind { name: "a temporary's store dropped", stage: Stage::Eliminated, claimed: true, change: store_dropped },
    Kind { name: "a region left twice", stage: Stage::Eliminated, claimed: true, change: left_twice },
    Kind { name: "the ends of two frames exchanged", stage: Stage::Eliminated, claimed: true, change: exits_exchanged },
    Kind { name: "the entry of a region dropped", stage: Stage::Eliminated, claimed: true, change: entry_dropped },
    Kind { name: "a test turned round", stage: Stage::Eliminated, claimed: false, change: test_turned },
    Kind { name: "a move made twice", stage: Stage::Judged, claimed: true, change: moved_twice },
    Kind { name: "an argument read, not moved", stage: Stage::Judged, claimed: true, change: argument_copied },
    Kind { name: "a move turned into a copy", stage: Stage::Judged, claimed: false, change: move_copied },
    Kind { name: "a loan's end dropped", stage: Stage::Judged, claimed: false, change: end_dropped },
    Kind { name: "another target", stage: Stage::Eliminated, claimed: false, change: other_target },
    Kind { name: "operands exchanged", stage: Stage::Eliminated, claimed: false, change: operands_exchanged },
    Kind { name: "an operand from elsewhere", stage: Stage::Eliminated, claimed: false, change: other_operand },
    Kind { name: "any store dropped", stage: Stage::Eliminated, claimed: false, change: any_store_dropped },
];

/// The instructions for which `which` holds: block and number.
fn all(body: &Body, which: impl Fn(&StmtKind) -> bool) -> Vec<(usize, usize)> {
    let blocks = body.blocks.iter().enumerate();
    let each = blocks.flat_map(|(at, block)| block.stmts.iter().enumerate().map(move |(i, stmt)| (at, i, stmt)));
    each.filter(|(_, _, stmt)| which(&stmt.kind)).map(|(at, i, _)| (at, i)).collect()
}

fn any(body: &Body, dice: &mut Dice, which: impl Fn(&StmtKind) -> bool) -> Option<(usize, usize)> {
    let all = all(body, which);
    (!all.is_empty()).then(|| all[dice.roll(all.len())])
}

fn dropped(body: &mut Body, dice: &mut Dice, which: impl Fn(&StmtKind) -> bool) -> bool {
    let Some((at, i)) = any(body, dice, which) else { return false };
    body.blocks[at].stmts.remove(i);
    true
}

fn wrong_target(body: &mut Body, dice: &mut Dice) -> bool {
    let blocks = body.blocks.len() as u32;
    let at = dice.roll(body.blocks.len());
    let before = body.blocks[at].term.successors();
    body.blocks[at].term.retarget(|_| BlockId(blocks));
    !before.is_empty()
}

fn other_target(body: &mut Body, dice: &mut Dice) -> bool {
    let (at, to) = (dice.roll(body.blocks.len()), BlockId(dice.roll(body.blocks.len()) as u32));
    let before = body.blocks[at].term.successors();
    body.blocks[at].term.retarget(|_| to);
    before.iter().any(|old| *old != to)
}

fn wrong_local(body: &mut Body, dice: &mut Dice) -> bool {
    let missing = Local(body.locals.len() as u32);
    let at = dice.roll(body.blocks.len());
    let mut left = dice.roll(4);
    let mut changed = false;
    cyc_mir::visit::each_local(&mut body.blocks[at], &mut |local| {
        if left == 0 && !changed {
            *local = missing;
            changed = true;
        }
        left = left.saturating_sub(1);
    });
    changed
}

fn pointer_as_index(body: &mut Body, dice: &mut Dice) -> bool {
    let checks = |kind: &StmtKind| matches!(kind, StmtKind::Check(Check { kind: CheckKind::FatBounds { .. }, .. }));
    let Some((at, i)) = any(body, dice, checks) else { return false };
    let StmtKind::Check(check) = &mut body.blocks[at].stmts[i].kind else { return false };
    let CheckKind::FatBounds { ptr, index, .. } = &mut check.kind else { return false };
    *index = ptr.clone();
    true
}

fn argument_missing(body: &mut Body, dice: &mut Dice) -> bool {
    let fixed =
        |kind: &StmtKind| matches!(kind, StmtKind::Call { callee: Callee::Direct(..), args, .. } if args.len() == 1);
    let Some((at, i)) = any(body, dice, fixed) else { return false };
    let StmtKind::Call { args, .. } = &mut body.blocks[at].stmts[i].kind else { return false };
    args.pop();
    true
}

/// How often a block mentions a local.
fn mentions(body: &Body, at: usize, of: Local) -> usize {
    let mut count = 0;
    cyc_mir::visit::each_local(&mut body.blocks[at].clone(), &mut |local| count += usize::from(*local == of));
    count
}

/// The only store of a temporary that its block reads. (Arrays are not followed.)
fn store_dropped(body: &mut Body, dice: &mut Dice) -> bool {
    let temp = |kind: &StmtKind| match kind {
        StmtKind::Assign(_, Rvalue::Array(..) | Rvalue::Bytes(..) | Rvalue::Wides(..)) => None,
        StmtKind::Assign(place, _) => place.as_local(),
        _ => None,
    };
    let stores = all(body, |kind| temp(kind).is_some_and(|local| body.locals[local.0 as usize].name.is_none()));
    let only = |(at, i): &(usize, usize)| {
        let local = temp(&body.blocks[*at].stmts[*i].kind);
        local.is_some_and(|local| {
            let all: usize = (0..body.blocks.len()).map(|at| mentions(body, at, local)).sum();
            let reads_later = body.blocks[*at].stmts[*i + 1..].iter().any(|stmt| {
                let mut found = false;
                let mut kind = stmt.kind.clone();
                if !matches!(kind, StmtKind::Removed(..)) {
                    cyc_mir::visit::each_local_of(&mut kind, &mut |mentioned| found |= *mentioned == local);
                }
                found
            });
            all == 2 && reads_later
        })
    };
    let stores: Vec<_> = stores.into_iter().filter(only).collect();
    if stores.is_empty() {
        return false;
    }
    let (at, i) = stores[dice.roll(stores.len())];
    body.blocks[at].stmts.remove(i);
    true
}

fn any_store_dropped(body: &mut Body, dice: &mut Dice) -> bool {
    dropped(body, dice, |kind| matches!(kind, StmtKind::Assign(..)))
}

fn left_twice(body: &mut Body, dice: &mut Dice) -> bool {
    let Some((at, i)) = any(body, dice, |kind| matches!(kind, StmtKind::PopRegion(_))) else { return false };
    let again = body.blocks[at].stmts[i].clone();
    body.blocks[at].stmts.insert(i, again);
    true
}

fn entry_dropped(body: &mut Body, dice: &mut Dice) -> bool {
    let left = all(body, |kind| matches!(kind, StmtKind::PopRegion(_)));
    !left.is_empty() && dropped(body, dice, |kind| matches!(kind, StmtKind::PushRegion { .. }))
}

fn exits_exchanged(body: &mut Body, dice: &mut Dice) -> bool {
    let exit =
        |kind: &StmtKind| matches!(kind, StmtKind::PopRegion(_) | StmtKind::PopHandler(_) | StmtKind::CloseKey(_));
    let pairs: Vec<(usize, usize)> = all(body, exit)
        .into_iter()
        .filter(|(at, i)| body.blocks[*at].stmts.get(i + 1).is_some_and(|next| exit(&next.kind)))
        .collect();
    if pairs.is_empty() {
        return false;
    }
    let (at, i) = pairs[dice.roll(pairs.len())];
    body.blocks[at].stmts.swap(i, i + 1);
    true
}

/// The two ways of a branch, in a function from which null checks were removed.
fn test_turned(body: &mut Body, dice: &mut Dice) -> bool {
    let by_test = all(body, |kind| matches!(kind, StmtKind::Removed(_, Fact::NonNull)));
    let branches: Vec<usize> =
        (0..body.blocks.len()).filter(|at| matches!(body.blocks[*at].term, Terminator::If { .. })).collect();
    if by_test.is_empty() || branches.is_empty() {
        return false;
    }
    let at = branches[dice.roll(branches.len())];
    let Terminator::If { then, otherwise, .. } = &mut body.blocks[at].term else { return false };
    std::mem::swap(then, otherwise);
    true
}

fn is_move(kind: &StmtKind) -> bool {
    matches!(kind, StmtKind::Assign(_, Rvalue::Move(..)))
}

fn moved_twice(body: &mut Body, dice: &mut Dice) -> bool {
    let Some((at, i)) = any(body, dice, is_move) else { return false };
    let again = body.blocks[at].stmts[i].clone();
    body.blocks[at].stmts.insert(i, again);
    true
}

fn move_copied(body: &mut Body, dice: &mut Dice) -> bool {
    let Some((at, i)) = any(body, dice, is_move) else { return false };
    let StmtKind::Assign(_, value) = &mut body.blocks[at].stmts[i].kind else { return false };
    let Rvalue::Move(operand, _) = value.clone() else { return false };
    *value = Rvalue::Use(operand);
    true
}

/// An argument that was moved into a temporary of its own is the place itself, as where the move was forgotten.
fn argument_copied(body: &mut Body, dice: &mut Dice) -> bool {
    let passed = |kind: &StmtKind| match kind {
        StmtKind::Assign(to, Rvalue::Move(Operand::Copy(_), loan)) => {
            let alias = loan.is_some_and(|loan| body.loans[loan.0 as usize].kind.is_alias());
            let is_arg = |kind: &StmtKind| matches!(kind, StmtKind::Call { args, .. } if args.contains(&Operand::Copy(to.clone())));
            !alias && to.as_local().is_some() && !all(body, is_arg).is_empty()
        }
        _ => false,
    };
    let Some((at, i)) = any(body, dice, passed) else { return false };
    let StmtKind::Assign(to, Rvalue::Move(from, _)) = body.blocks[at].stmts[i].kind.clone() else { return false };
    body.blocks[at].stmts.remove(i);
    for stmt in body.blocks.iter_mut().flat_map(|block| &mut block.stmts) {
        if let StmtKind::Call { args, .. } = &mut stmt.kind {
            let moved = args.iter_mut().filter(|arg| **arg == Operand::Copy(to.clone()));
            moved.for_each(|arg| *arg = from.clone());
        }
    }
    true
}

fn end_dropped(body: &mut Body, dice: &mut Dice) -> bool {
    dropped(body, dice, |kind| matches!(kind, StmtKind::EndLoan(_)))
}

fn operands_exchanged(body: &mut Body, dice: &mut Dice) -> bool {
    let two = |kind: &StmtKind| matches!(kind, StmtKind::Call { args, .. } if args.len() > 1 && args[0] != args[1]);
    let Some((at, i)) = any(body, dice, two) else { return false };
    let StmtKind::Call { args, .. } = &mut body.blocks[at].stmts[i].kind else { return false };
    args.swap(0, 1);
    true
}

fn other_operand(body: &mut Body, dice: &mut Dice) -> bool {
    let other = Operand::local(Local(dice.roll(body.locals.len()) as u32));
    let uses = |kind: &StmtKind| matches!(kind, StmtKind::Assign(_, Rvalue::Use(old)) if *old != other);
    let Some((at, i)) = any(body, dice, uses) else { return false };
    let StmtKind::Assign(_, value) = &mut body.blocks[at].stmts[i].kind else { return false };
    *value = Rvalue::Use(other);
    true
}

#[test]
fn mutations_are_caught() {
    const EACH: usize = 2;
    let mut dice = Dice(16);
    let mut tally: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut missed = vec![];
    let mut accepted = 0;
    for program in programs() {
        let Some((typed, all)) = bodies(&program) else { continue };
        accepted += 1;
        for (stage, body) in &all {
            if let Err(failure) = verdict(&typed, body, *stage) {
                panic!("refused as it is:\n{program}\n{failure}");
            }
            for kind in KINDS.iter().filter(|kind| kind.stage == *stage) {
                for _ in 0..EACH {
                    let mut mutant = body.clone();
                    if !(kind.change)(&mut mutant, &mut dice) {
                        continue;
                    }
                    let caught = verdict(&typed, &mutant, *stage).is_err();
                    let (tried, found) = tally.entry(kind.name).or_default();
                    *tried += 1;
                    *found += usize::from(caught);
                    if !caught && kind.claimed && missed.len() < 4 {
                        missed.push(format!("{}:\n{}", kind.name, cyc_mir::print(&typed, &[mutant])));
                    }
                }
            }
        }
    }
    for kind in KINDS {
        let (tried, caught) = tally.get(kind.name).copied().unwrap_or_default();
        println!("{:36} {caught:6} of {tried:6}{}", kind.name, if kind.claimed { ", all claimed" } else { "" });
        assert!(tried > 0 && caught > 0, "{}: nothing was tried, or nothing caught", kind.name);
    }
    assert!(accepted >= 300, "{accepted} programs");
    assert!(missed.is_empty(), "not caught:\n{}", missed.join("\n"));
}
