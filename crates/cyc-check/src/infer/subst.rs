//! Replaces type variables throughout a typed function.

use crate::cx::Checker;
use crate::tast::*;
use cyc_types::{AggrId, Args, DatatypeId, Ty, TyKind};

fn ty(cx: &mut Checker, ty: &mut Ty) {
    *ty = cx.final_type(*ty);
}

fn datatype(cx: &mut Checker, id: &mut DatatypeId) {
    let whole = cx.unit.types.intern(TyKind::Datatype(*id));
    let whole = cx.final_type(whole);
    if let TyKind::Datatype(found) = cx.unit.types.kind(whole) {
        *id = *found;
    }
}

fn aggr(cx: &mut Checker, id: &mut AggrId) {
    let whole = cx.unit.types.intern(TyKind::Aggr(*id));
    let whole = cx.final_type(whole);
    if let TyKind::Aggr(found) = cx.unit.types.kind(whole) {
        *id = *found;
    }
}

pub(super) fn block(cx: &mut Checker, block: &mut Block) {
    for s in &mut block.stmts {
        stmt(cx, s);
    }
}

fn stmt(cx: &mut Checker, s: &mut Stmt) {
    match &mut s.kind {
        StmtKind::Expr(e) => expr(cx, e),
        StmtKind::Local { init, .. } => init.iter_mut().for_each(|e| expr(cx, e)),
        StmtKind::Let { pattern: p, init, .. } => {
            pattern(cx, p);
            expr(cx, init);
        }
        StmtKind::Block(b) => block(cx, b),
        StmtKind::If { cond, then, otherwise } => {
            expr(cx, cond);
            block(cx, then);
            otherwise.iter_mut().for_each(|b| block(cx, b));
        }
        StmtKind::While { cond, body } | StmtKind::DoWhile { body, cond } => {
            expr(cx, cond);
            block(cx, body);
        }
        StmtKind::For { cond, step, body } => {
            cond.iter_mut().chain(step).for_each(|e| expr(cx, e));
            block(cx, body);
        }
        StmtKind::Switch(s) => switch(cx, s),
        StmtKind::Region { body, .. } => block(cx, body),
        StmtKind::Open { key, body, .. } => {
            place(cx, key);
            block(cx, body);
        }
        StmtKind::Try { body, handler } => {
            block(cx, body);
            switch(cx, handler);
        }
        StmtKind::Return(e) => e.iter_mut().for_each(|e| expr(cx, e)),
        StmtKind::Fallthru(es) => es.iter_mut().for_each(|e| expr(cx, e)),
        StmtKind::Label(_) | StmtKind::Goto(_) | StmtKind::Break | StmtKind::Continue => {}
    }
}

fn switch(cx: &mut Checker, s: &mut Switch) {
    s.on.iter_mut().for_each(|e| expr(cx, e));
    for clause in &mut s.clauses {
        pattern(cx, &mut clause.pattern);
        clause.guard.iter_mut().for_each(|e| expr(cx, e));
        block(cx, &mut clause.body);
    }
}

fn pattern(cx: &mut Checker, p: &mut Pattern) {
    ty(cx, &mut p.ty);
    match &mut p.kind {
        PatternKind::As(_, p) | PatternKind::Ref(_, p) | PatternKind::Pointer(p) => pattern(cx, p),
        PatternKind::Member(id, _, p) => {
            aggr(cx, id);
            pattern(cx, p);
        }
        PatternKind::Tuple(ps) => ps.iter_mut().for_each(|p| pattern(cx, p)),
        PatternKind::Variant { datatype: id, args: ps, .. } => {
            datatype(cx, id);
            ps.iter_mut().for_each(|p| pattern(cx, p));
        }
        PatternKind::Struct(id, ps) => {
            aggr(cx, id);
            ps.iter_mut().for_each(|(_, p)| pattern(cx, p));
        }
        PatternKind::Wild
        | PatternKind::Bind(_)
        | PatternKind::Alias(_)
        | PatternKind::Int(_)
        | PatternKind::Tag(_)
        | PatternKind::Float(_)
        | PatternKind::Null => {}
    }
}

fn place(cx: &mut Checker, p: &mut Place) {
    ty(cx, &mut p.qty.ty);
    match &mut p.kind {
        PlaceKind::Local(_) | PlaceKind::Global(_) => {}
        PlaceKind::Deref(e) | PlaceKind::Temp(e) => expr(cx, e),
        PlaceKind::Index(e, i) => {
            expr(cx, e);
            expr(cx, i);
        }
        PlaceKind::Element(p, i) => {
            place(cx, p);
            expr(cx, i);
        }
        PlaceKind::Field(p, _) | PlaceKind::Component(p, _) => place(cx, p),
    }
}

fn args(cx: &mut Checker, args: &mut Args) {
    *args = cx.final_args(*args);
}

fn array_for(cx: &mut Checker, a: &mut ArrayFor) {
    ty(cx, &mut a.elem.ty);
    expr(cx, &mut a.count);
    a.body.iter_mut().for_each(|e| expr(cx, e));
}

pub(super) fn expr(cx: &mut Checker, e: &mut Expr) {
    ty(cx, &mut e.ty);
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
        ExprKind::FunctionAddr(_, given) => args(cx, given),
        ExprKind::SizeOf(of) | ExprKind::AlignOf(of) => ty(cx, of),
        ExprKind::Coerce(how, e) => {
            if let Coercion::Instantiate(given) = how {
                args(cx, given);
            }
            expr(cx, e);
        }
        ExprKind::Read(p) | ExprKind::Move(p, _) | ExprKind::AddrOf(p) | ExprKind::Tagcheck(p, _) => place(cx, p),
        ExprKind::Unary(_, e)
        | ExprKind::Not(e)
        | ExprKind::Numelts(e)
        | ExprKind::Tagof(e)
        | ExprKind::Throw(e)
        | ExprKind::Assert(e) => expr(cx, e),
        ExprKind::Binary(_, a, b)
        | ExprKind::And(a, b)
        | ExprKind::Or(a, b)
        | ExprKind::PtrAdd { ptr: a, index: b, .. }
        | ExprKind::PtrDiff(a, b)
        | ExprKind::PtrCompare(_, a, b)
        | ExprKind::CondOrElse(a, b)
        | ExprKind::Comma(a, b) => {
            expr(cx, a);
            expr(cx, b);
        }
        ExprKind::Assign { place: p, value } => {
            place(cx, p);
            expr(cx, value);
        }
        ExprKind::AssignOp { place: p, value, at, .. } => {
            ty(cx, at);
            place(cx, p);
            expr(cx, value);
        }
        ExprKind::PtrStep { place: p, index, .. } => {
            place(cx, p);
            expr(cx, index);
        }
        ExprKind::Swap(a, b) => {
            place(cx, a);
            place(cx, b);
        }
        ExprKind::Cond(a, b, c) => [a, b, c].into_iter().for_each(|e| expr(cx, e)),
        ExprKind::Call { callee, args: values } => {
            match callee {
                Callee::Direct(_, given) => args(cx, given),
                Callee::Pointer(e) => expr(cx, e),
                Callee::Builtin(_) => {}
            }
            values.iter_mut().for_each(|e| expr(cx, e));
        }
        ExprKind::Aggregate(parts) => parts.iter_mut().for_each(|(_, e)| expr(cx, e)),
        ExprKind::Array(es) => es.iter_mut().for_each(|e| expr(cx, e)),
        ExprKind::Variant { datatype: id, args: es, .. } => {
            datatype(cx, id);
            es.iter_mut().for_each(|e| expr(cx, e));
        }
        ExprKind::ArrayFor(a) => array_for(cx, a),
        ExprKind::New(new) => {
            ty(cx, &mut new.elem.ty);
            new.region.iter_mut().for_each(|e| expr(cx, e));
            match &mut new.init {
                NewInit::Value(e) => expr(cx, e),
                NewInit::Array(es) => es.iter_mut().for_each(|e| expr(cx, e)),
                NewInit::For(a) => array_for(cx, a),
            }
        }
        ExprKind::Alloc(alloc) => {
            ty(cx, &mut alloc.elem.ty);
            alloc.region.iter_mut().for_each(|e| expr(cx, e));
            alloc.count.iter_mut().for_each(|e| expr(cx, e));
        }
        ExprKind::StmtExpr(b, e) => {
            block(cx, b);
            expr(cx, e);
        }
        ExprKind::Asm(asm) => {
            asm.outputs.iter_mut().for_each(|(_, _, p)| place(cx, p));
            asm.inputs.iter_mut().for_each(|(_, _, e)| expr(cx, e));
        }
    }
}
