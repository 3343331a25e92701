//! Regions (memory, sections 2.10 and 8.3), and the frames that every way out of a scope has to leave: handlers of
//! `try`, lexical regions, opened keys.

use super::{Frame, FrameId, Left, Lower};
use crate::mir::*;
use cyc_base::Span;
use cyc_check::tast;
use cyc_types::Ty;

impl<'a> Lower<'a> {
    /// `region h;` and what follows it in its block.
    pub(super) fn region_stmt(&mut self, handle: Local, body: &tast::Block, span: Span) {
        let region = RegionId(self.body.regions);
        self.body.regions += 1;
        self.push(StmtKind::PushRegion { region, handle }, span);
        self.enter(Left::Region(region));
        self.block(body);
        self.leave_frame(end_of(body));
    }

    /// `region h = open(k);` and what follows it in its block.
    pub(super) fn open_stmt(&mut self, handle: Local, key: &tast::Place, body: &tast::Block, span: Span) {
        let key = self.place(key);
        self.push(StmtKind::OpenKey { key: key.clone(), handle }, span);
        self.enter(Left::Key(key));
        self.block(body);
        self.leave_frame(end_of(body));
    }

    /// What follows runs inside a new frame.
    pub(super) fn enter(&mut self, left: Left) {
        self.frames.push(Frame { outer: self.frame, left });
        self.at_frame(Some(FrameId(self.frames.len() - 1)));
    }

    /// The end of the innermost frame, in the normal way.
    pub(super) fn leave_frame(&mut self, span: Span) {
        let Some(frame) = self.frame else { return };
        let outer = self.frames[frame.0].outer;
        self.pop_frames(outer, span);
        self.at_frame(outer);
    }

    pub(super) fn at_frame(&mut self, frame: Option<FrameId>) {
        self.frame = frame;
        let mut at = frame;
        self.handler = loop {
            match at.map(|frame| &self.frames[frame.0]) {
                Some(Frame { left: Left::Handler(id), .. }) => break Some(*id),
                Some(frame) => at = frame.outer,
                None => break None,
            }
        };
    }

    /// Leaves the frames between here and a place where `until` is the innermost, innermost first.
    pub(super) fn pop_frames(&mut self, until: Option<FrameId>, span: Span) {
        let mut at = self.frame;
        while at != until {
            let Some(FrameId(frame)) = at else { break };
            let pop = match &self.frames[frame].left {
                Left::Handler(handler) => vec![StmtKind::PopHandler(*handler)],
                Left::Region(region) => vec![StmtKind::PopRegion(*region)],
                Left::Key(key) => vec![StmtKind::CloseKey(key.clone())],
                Left::Loan(loan) => vec![StmtKind::EndLoan(*loan)],
                Left::Variables(locals) => locals.iter().rev().map(|local| StmtKind::Dead(*local)).collect(),
            };
            pop.into_iter().for_each(|kind| self.push(kind, span));
            at = self.frames[frame].outer;
        }
    }

    /// A value that is used after all frames were left: read now, if it may lie in a region that is freed by then.
    pub(super) fn before_leaving(&mut self, value: Operand, ty: Ty, span: Span) -> Operand {
        let regions = self.frames_here().any(|frame| matches!(frame.left, Left::Region(_)));
        match &value {
            Operand::Copy(place) if regions && place.through_pointer() => self.in_temp(Rvalue::Use(value), ty, span),
            Operand::Copy(_) | Operand::Const(_) => value,
        }
    }

    fn frames_here(&self) -> impl Iterator<Item = &Frame> {
        std::iter::successors(self.frame.map(|f| &self.frames[f.0]), |frame| frame.outer.map(|f| &self.frames[f.0]))
    }
}

/// The end of a block's text: where it is left when it falls through.
pub(super) fn end_of(block: &tast::Block) -> Span {
    Span::new(block.span.hi.saturating_sub(1).max(block.span.lo), block.span.hi)
}
