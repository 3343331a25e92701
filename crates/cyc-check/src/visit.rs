//! Walks over a typed function: what looks at, or replaces, its types, locals, places or expressions.

use crate::tast::*;
use cyc_types::{AggrId, Args, DatatypeId, Ty};

/// What is done at each part. Whoever overrides [`Visitor::place`] or [`Visitor::expr`] walks on by [`place`] and [`expr`].
pub(crate) trait Visitor: Sized {
    fn ty(&mut self, _: &mut Ty) {}

    fn args(&mut self, _: &mut Args) {}

    fn aggr(&mut self, _: &mut AggrId) {}

    fn datatype(&mut self, _: &mut DatatypeId) {}

    /// A local that is declared, bound, or used as a place.
    fn local(&mut self, _: &mut LocalId) {}

    fn place(&mut self, p: &mut Place) {
        place(self, p);
    }

    fn expr(&mut self, e: &mut Expr) {
        expr(self, e);
    }
}

pub(crate) fn block(cx: &mut impl Visitor, block: &mut Block) {
    for s in &mut block.stmts {
        stmt(cx, s);
    }
}

fn stmt(cx: &mut impl Visitor, s: &mut Stmt) {
    match &mut s.kind {
        StmtKind::Expr(e) => cx.expr(e),
        StmtKind::Local { local, init, .. } => {
            cx.local(local);
            init.iter_mut().for_each(|e| cx.expr(e));
        }
        StmtKind::Let { pattern: p, init, .. } => {
            pattern(cx, p);
            cx.expr(init);
        }
        StmtKind::Block(b) => block(cx, b),
        StmtKind::If { cond, then, otherwise } => {
            cx.expr(cond);
            block(cx, then);
            otherwise.iter_mut().for_each(|b| block(cx, b));
        }
        StmtKind::While { cond, body } | StmtKind::DoWhile { body, cond } => {
            cx.expr(cond);
            block(cx, body);
        }
        StmtKind::For { cond, step, body } => {
            cond.iter_mut().chain(step).for_each(|e| cx.expr(e));
            block(cx, body);
        }
        StmtKind::Switch(s) => switch(cx, s),
        StmtKind::Region { handle, body } => {
            cx.local(handle);
            block(cx, body);
        }
        StmtKind::Open { handle, key, body } => {
            cx.local(handle);
            cx.place(key);
            block(cx, body);
        }
        StmtKind::Try { body, handler } => {
            block(cx, body);
            switch(cx, handler);
        }
        StmtKind::Return(e) => e.iter_mut().for_each(|e| cx.expr(e)),
        StmtKind::Fallthru(es) => es.iter_mut().for_each(|e| cx.expr(e)),
        StmtKind::Label(_) | StmtKind::Goto(_) | StmtKind::Break | StmtKind::Continue => {}
    }
}

fn switch(cx: &mut impl Visitor, s: &mut Switch) {
    s.on.iter_mut().for_each(|e| cx.expr(e));
    s.caught.iter_mut().for_each(|local| cx.local(local));
    for clause in &mut s.clauses {
        pattern(cx, &mut clause.pattern);
        clause.guard.iter_mut().for_each(|e| cx.expr(e));
        block(cx, &mut clause.body);
    }
}

fn pattern(cx: &mut impl Visitor, p: &mut Pattern) {
    cx.ty(&mut p.ty);
    match &mut p.kind {
        PatternKind::As(local, p) | PatternKind::Ref(local, p) => {
            cx.local(local);
            pattern(cx, p);
        }
        PatternKind::Bind(local) | PatternKind::Alias(local) | PatternKind::Tag(local) => cx.local(local),
        PatternKind::Pointer(p) => pattern(cx, p),
        PatternKind::Member(id, _, p) => {
            cx.aggr(id);
            pattern(cx, p);
        }
        PatternKind::Tuple(ps) => ps.iter_mut().for_each(|p| pattern(cx, p)),
        PatternKind::Variant { datatype, args, .. } => {
            cx.datatype(datatype);
            args.iter_mut().for_each(|p| pattern(cx, p));
        }
        PatternKind::Struct(id, ps) => {
            cx.aggr(id);
            ps.iter_mut().for_each(|(_, p)| pattern(cx, p));
        }
        PatternKind::Wild | PatternKind::Int(_) | PatternKind::Float(_) | PatternKind::Null => {}
    }
}

pub(crate) fn place(cx: &mut impl Visitor, p: &mut Place) {
    cx.ty(&mut p.qty.ty);
    match &mut p.kind {
        PlaceKind::Local(local) => cx.local(local),
        PlaceKind::Global(_) => {}
        PlaceKind::Deref(e) | PlaceKind::Temp(e) => cx.expr(e),
        PlaceKind::Index(e, i) => {
            cx.expr(e);
            cx.expr(i);
        }
        PlaceKind::Element(p, i) => {
            cx.place(p);
            cx.expr(i);
        }
        PlaceKind::Field(p, _) | PlaceKind::Component(p, _) => cx.place(p),
    }
}

fn array_for(cx: &mut impl Visitor, a: &mut ArrayFor) {
    cx.local(&mut a.var);
    cx.ty(&mut a.elem.ty);
    cx.expr(&mut a.count);
    a.body.iter_mut().for_each(|e| cx.expr(e));
}

pub(crate) fn expr(cx: &mut impl Visitor, e: &mut Expr) {
    cx.ty(&mut e.ty);
    match &mut e.kind {
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Null
        | ExprKind::Str(_)
        | ExprKind::WideStr(_)
        | ExprKind::StrArray(_)
        | ExprKind::WideStrArray(_)
        | ExprKind::Zero
        | ExprKind::Error => {}
        ExprKind::FunctionAddr(_, given) => cx.args(given),
        ExprKind::SizeOf(of) | ExprKind::AlignOf(of) => cx.ty(of),
        ExprKind::Coerce(how, e) => {
            if let Coercion::Instantiate(given) = how {
                cx.args(given);
            }
            cx.expr(e);
        }
        ExprKind::Read(p) | ExprKind::Move(p, _) | ExprKind::AddrOf(p) | ExprKind::Tagcheck(p, _) => cx.place(p),
        ExprKind::Unary(_, e)
        | ExprKind::Not(e)
        | ExprKind::Numelts(e)
        | ExprKind::Tagof(e)
        | ExprKind::Throw(e)
        | ExprKind::Assert(e)
        | ExprKind::StaticAssert(e, _) => cx.expr(e),
        ExprKind::Binary(_, a, b)
        | ExprKind::And(a, b)
        | ExprKind::Or(a, b)
        | ExprKind::PtrAdd { ptr: a, index: b, .. }
        | ExprKind::PtrDiff(a, b)
        | ExprKind::Counted(a, b)
        | ExprKind::PtrCompare(_, a, b)
        | ExprKind::CondOrElse(a, b)
        | ExprKind::Comma(a, b) => {
            cx.expr(a);
            cx.expr(b);
        }
        ExprKind::Assign { place: p, value } => {
            cx.place(p);
            cx.expr(value);
        }
        ExprKind::AssignOp { place: p, value, at, .. } => {
            cx.ty(at);
            cx.place(p);
            cx.expr(value);
        }
        ExprKind::PtrStep { place: p, index, .. } => {
            cx.place(p);
            cx.expr(index);
        }
        ExprKind::Swap(a, b) => {
            cx.place(a);
            cx.place(b);
        }
        ExprKind::Cond(a, b, c) => [a, b, c].into_iter().for_each(|e| cx.expr(e)),
        ExprKind::Call { callee, args: values } => {
            match callee {
                Callee::Direct(_, given) => cx.args(given),
                Callee::Pointer(e) => cx.expr(e),
                Callee::Builtin(_) => {}
            }
            values.iter_mut().for_each(|e| cx.expr(e));
        }
        ExprKind::Aggregate(parts) => parts.iter_mut().for_each(|(_, e)| cx.expr(e)),
        ExprKind::Array(es) => es.iter_mut().for_each(|e| cx.expr(e)),
        ExprKind::Variant { datatype, args, .. } => {
            cx.datatype(datatype);
            args.iter_mut().for_each(|e| cx.expr(e));
        }
        ExprKind::ArrayFor(a) => array_for(cx, a),
        ExprKind::New(new) => {
            cx.ty(&mut new.elem.ty);
            new.region.iter_mut().chain(&mut new.aqual).for_each(|e| cx.expr(e));
            match &mut new.init {
                NewInit::Value(e) => cx.expr(e),
                NewInit::Array(es) => es.iter_mut().for_each(|e| cx.expr(e)),
                NewInit::For(a) => array_for(cx, a),
            }
        }
        ExprKind::Alloc(alloc) => {
            cx.ty(&mut alloc.elem.ty);
            alloc.region.iter_mut().chain(&mut alloc.aqual).for_each(|e| cx.expr(e));
            alloc.count.iter_mut().for_each(|e| cx.expr(e));
        }
        ExprKind::StmtExpr(b, e) => {
            block(cx, b);
            cx.expr(e);
        }
        ExprKind::Asm(asm) => {
            asm.outputs.iter_mut().for_each(|(_, _, p)| cx.place(p));
            asm.inputs.iter_mut().for_each(|(_, _, e)| cx.expr(e));
        }
    }
}
