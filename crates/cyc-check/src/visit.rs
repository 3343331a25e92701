//! Walks over typed trees, made of the table of their parts ([`crate::tast::operands`]): by those who look, and by those
//! who replace.

use crate::tast::operands::{Named, Way, parts, parts_mut};
use crate::tast::*;
use cyc_base::Span;
use cyc_types::{AggrId, Args, DatatypeId, SubsetId, Ty};

macro_rules! walk {
    ($(#[$doc:meta])* $name:ident, $parts:ident $(, $mutable:tt)?) => {
        $(#[$doc])*
        pub(crate) trait $name: Sized {
            fn ty(&mut self, _: & $($mutable)? Ty) {}

            fn args(&mut self, _: & $($mutable)? Args) {}

            fn aggr(&mut self, _: & $($mutable)? AggrId) {}

            fn datatype(&mut self, _: & $($mutable)? DatatypeId) {}

            fn subset(&mut self, _: & $($mutable)? SubsetId) {}

            /// A local that is declared, bound, or used as a place.
            fn local(&mut self, _: & $($mutable)? LocalId) {}

            fn global(&mut self, _: Named, _: & $($mutable)? GlobalId, _: Span) {}

            /// A place, what is done with it, and by what.
            fn place(&mut self, _: Way, place: & $($mutable)? Place, _: Span) {
                self.parts_of_place(place);
            }

            fn expr(&mut self, e: & $($mutable)? Expr) {
                self.parts_of_expr(e);
            }

            /// For those that have a [`Self::expr`] of their own.
            fn parts_of_expr(&mut self, e: & $($mutable)? Expr) {
                let span = e.span;
                $parts::expr(e, &mut |part| self.part(part, span));
            }

            /// For those that have a [`Self::place`] of their own.
            fn parts_of_place(&mut self, place: & $($mutable)? Place) {
                let span = place.span;
                $parts::place(place, &mut |part| self.part(part, span));
            }

            fn block(&mut self, block: & $($mutable)? Block) {
                let span = block.span;
                $parts::block(block, &mut |part| self.part(part, span));
            }

            /// A part of what stands at the span.
            fn part(&mut self, part: $parts::Part, at: Span) {
                use $parts::Part;
                match part {
                    Part::Expr(_, e) => self.expr(e),
                    Part::Place(way, place) => self.place(way, place, at),
                    Part::Stmt(stmt) => {
                        let span = stmt.span;
                        $parts::stmt(stmt, &mut |part| self.part(part, span));
                    }
                    Part::Block(block) => self.block(block),
                    Part::Pattern(pattern) => {
                        let span = pattern.span;
                        $parts::pattern(pattern, &mut |part| self.part(part, span));
                    }
                    Part::Local(local) => self.local(local),
                    Part::Global(named, id) => self.global(named, id, at),
                    Part::Ty(ty) => self.ty(ty),
                    Part::Args(args) => self.args(args),
                    Part::Aggr(id) => self.aggr(id),
                    Part::Datatype(id) => self.datatype(id),
                    Part::Subset(id) => self.subset(id),
                }
            }
        }
    };
}

walk!(
    /// Looks at each part.
    Visitor, parts
);
walk!(
    /// Replaces parts.
    Rewriter, parts_mut, mut
);
