//! Definitions: what is read has been written on every way there.
//!
//! Temporaries always, so that their definitions dominate their uses; variables once flow analysis has found nothing
//! wrong, where what is left of `Uninit` gives numbers some value. Structs and tuples are followed field by field. Arrays
//! are not: loops fill them, by elements. What an address is taken of is followed no longer; a temporary has been written
//! before.

use super::forward::{Forward, run};
use super::{At, Cx, Reads, Stage, Verdict, indices, written};
use crate::mir::*;
use cyc_types::{Ty, TyKind, Types};
use std::ops::Range;

/// A local of more parts than this is one.
const MOST_PARTS: usize = 64;

pub(super) fn check(cx: &Cx) -> Verdict {
    let parts = Parts::new(cx);
    run(cx, &parts).map(|_| ())
}

/// The parts of all locals, numbered; those that are bits only may be unwritten.
struct Parts {
    /// The parts of local `i` are `first[i]..first[i + 1]`.
    first: Vec<usize>,
    bits_only: Vec<bool>,
    arrays: Vec<bool>,
}

#[derive(Clone, PartialEq)]
struct Written(Vec<u64>);

impl Written {
    fn add(&mut self, parts: Range<usize>) {
        parts.for_each(|part| self.0[part / 64] |= 1 << (part % 64));
    }

    fn has(&self, part: usize) -> bool {
        self.0[part / 64] >> (part % 64) & 1 != 0
    }
}

/// The types of the fields that are followed one by one.
fn fields(types: &Types, ty: Ty) -> Option<Vec<Ty>> {
    match types.kind(ty) {
        TyKind::Aggr(id) if !types.aggr(*id).is_union => {
            Some(types.fields(types.packed_aggr(*id))?.iter().map(|field| field.qty.ty).collect())
        }
        TyKind::Tuple(parts) => Some(parts.iter().map(|part| part.ty).collect()),
        _ => None,
    }
}

fn leaves(types: &Types, ty: Ty, all: &mut Vec<Ty>) {
    match fields(types, ty) {
        Some(fields) if all.len() <= MOST_PARTS => fields.into_iter().for_each(|field| leaves(types, field, all)),
        _ => all.push(ty),
    }
}

/// The types of the parts of a local of this type.
fn parts_of(types: &Types, ty: Ty) -> Vec<Ty> {
    let mut all = vec![];
    leaves(types, ty, &mut all);
    if all.len() > MOST_PARTS { vec![ty] } else { all }
}

/// Is the part an array, or a union or a large struct with one?
fn holds_array(types: &Types, part: Ty) -> bool {
    let may = matches!(types.kind(part), TyKind::Array { .. } | TyKind::OpenArray { .. } | TyKind::Aggr(_));
    may && types.may_hold_array(part)
}

impl Parts {
    fn new(cx: &Cx) -> Parts {
        let types = &cx.unit.types;
        let mut parts = Parts { first: vec![], bits_only: vec![], arrays: vec![] };
        for local in &cx.body.locals {
            parts.first.push(parts.bits_only.len());
            let of = parts_of(types, local.qty.ty);
            parts.bits_only.extend(of.iter().map(|part| types.bits_only(*part)));
            parts.arrays.extend(of.iter().map(|part| holds_array(types, *part)));
        }
        parts.first.push(parts.bits_only.len());
        parts
    }

    fn all_of(&self, local: Local) -> Range<usize> {
        self.first[local.0 as usize]..self.first[local.0 as usize + 1]
    }

    /// The parts of a local that a way touches before it leaves the local through a pointer.
    fn of(&self, cx: &Cx, local: Local, proj: &[Proj]) -> Range<usize> {
        let types = &cx.unit.types;
        let mut range = self.all_of(local);
        let mut ty = cx.local(local).qty.ty;
        for step in proj {
            let (Proj::Field(i), Some(fields)) = (step, fields(types, ty)) else { break };
            if range.len() <= 1 && fields.len() != 1 {
                break;
            }
            let before: usize = fields[..*i as usize].iter().map(|field| parts_of(types, *field).len()).sum();
            ty = fields[*i as usize];
            let start = range.start + before;
            range = start..start + parts_of(types, ty).len();
        }
        range
    }

    fn is_followed(&self, cx: &Cx, local: Local) -> bool {
        cx.is_temp(local) || matches!(cx.stage, Stage::Erased | Stage::Eliminated)
    }

    /// What a place holds is read: all its parts have been written.
    fn read(&self, cx: &Cx, at: At, state: &Written, place: &Place) -> Verdict {
        indices(place).try_for_each(|index| self.operand(cx, at, state, index))?;
        let Base::Local(local) = place.base else { return Ok(()) };
        if !self.is_followed(cx, local) {
            return Ok(());
        }
        let missing = self.of(cx, local, &place.proj).any(|part| !state.has(part));
        match missing {
            true => cx.fail("what is read has been written", at, format!("`{}`, on some way", cx.place_text(place))),
            false => Ok(()),
        }
    }

    fn operand(&self, cx: &Cx, at: At, state: &Written, operand: &Operand) -> Verdict {
        match operand {
            Operand::Copy(place) => self.read(cx, at, state, place),
            Operand::Const(_) => Ok(()),
        }
    }

    /// The way to a place: its indices, and the first pointer that it goes through.
    fn way(&self, cx: &Cx, at: At, state: &Written, place: &Place) -> Verdict {
        match place.proj.iter().position(|step| matches!(step, Proj::Deref(_))) {
            Some(pointer) => {
                indices(place).try_for_each(|index| self.operand(cx, at, state, index))?;
                self.read(cx, at, state, &Place { base: place.base, proj: place.proj[..pointer].to_vec() })
            }
            None => indices(place).try_for_each(|index| self.operand(cx, at, state, index)),
        }
    }

    fn reads(&self, cx: &Cx, at: At, state: &Written, reads: &Reads) -> Verdict {
        reads.operands.iter().try_for_each(|operand| self.operand(cx, at, state, operand))?;
        reads.looked_at.iter().try_for_each(|place| self.read(cx, at, state, place))?;
        reads.reached.iter().try_for_each(|place| self.way(cx, at, state, place))
    }
}

impl Forward for Parts {
    type State = Written;

    /// Parameters come written; arrays are taken to be.
    fn entry(&self, cx: &Cx) -> Written {
        let mut written = Written(vec![0; self.bits_only.len() / 64 + 1]);
        written.add(0..self.first[cx.body.params as usize]);
        let arrays = (0..self.arrays.len()).filter(|part| self.arrays[*part]);
        arrays.for_each(|part| written.add(part..part + 1));
        written
    }

    fn join(&self, _: &Cx, _: BlockId, into: &mut Written, from: &Written) -> Verdict {
        into.0.iter_mut().zip(&from.0).for_each(|(a, b)| *a &= b);
        Ok(())
    }

    fn stmt(&self, cx: &Cx, at: At, state: &mut Written, kind: &StmtKind) -> Verdict {
        // `int *p = p;`, never used: what is there stays there, be it a value or not.
        if matches!(kind, StmtKind::Assign(to, Rvalue::Use(Operand::Copy(from))) if to == from) {
            return Ok(());
        }
        match kind {
            // Between two places of which neither need hold anything.
            StmtKind::Swap(a, b) => {
                self.way(cx, at, state, a)?;
                self.way(cx, at, state, b)?;
            }
            kind => self.reads(cx, at, state, &Reads::of(kind))?,
        }
        match kind {
            // Some value, which only numbers can have.
            StmtKind::Uninit(local) => {
                let bits = self.all_of(*local).filter(|part| self.bits_only[*part]);
                bits.for_each(|part| state.add(part..part + 1));
            }
            StmtKind::Assign(_, Rvalue::AddrOf(place, _)) => {
                if let Some(local) = place.within_local() {
                    if cx.is_temp(local) {
                        self.read(cx, at, state, place)?;
                    }
                    state.add(self.of(cx, local, &place.proj));
                }
            }
            _ => {}
        }
        for place in written(kind) {
            if let Some(local) = place.within_local() {
                state.add(self.of(cx, local, &place.proj));
            }
        }
        Ok(())
    }

    fn term(&self, cx: &Cx, at: At, state: &mut Written, term: &Terminator) -> Verdict {
        self.reads(cx, at, state, &Reads::at_end(term))
    }

    fn thrown(&self, cx: &Cx, state: &Written, to: HandlerId) -> Written {
        let mut state = state.clone();
        state.add(self.all_of(cx.body.handlers[to.0 as usize].caught));
        state
    }
}
