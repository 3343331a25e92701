//! Each rule: a body that keeps it, and what it says when an instruction is changed.

use crate::{bodies, verdict};
use cyc_mir::mir::*;
use cyc_mir::verify::Stage;
use cyc_types::Ty;

/// The first body of the program at the stage keeps all rules; changed, it breaks the one named.
#[track_caller]
fn refuses(rule: &str, program: &str, stage: Stage, change: impl Fn(&mut Body)) {
    let (typed, all) = bodies(program).expect("the program is accepted");
    let (_, body) = all.iter().rfind(|(at, _)| *at == stage).expect("the stage is reached");
    if let Err(failure) = verdict(&typed, body, stage) {
        panic!("unchanged, it is refused:\n{failure}");
    }
    let mut body = body.clone();
    change(&mut body);
    match verdict(&typed, &body, stage) {
        Ok(()) => panic!("nothing is said about `{rule}`:\n{}", cyc_mir::print(&typed, &[body])),
        Err(failure) => assert_eq!(failure.rule, rule, "{failure}"),
    }
}

fn stmts(body: &mut Body) -> impl Iterator<Item = &mut StmtKind> {
    body.blocks.iter_mut().flat_map(|block| &mut block.stmts).map(|stmt| &mut stmt.kind)
}

/// Takes the first instruction away of which that holds.
fn drop_first(body: &mut Body, which: impl Fn(&StmtKind) -> bool) {
    for block in &mut body.blocks {
        if let Some(at) = block.stmts.iter().position(|stmt| which(&stmt.kind)) {
            block.stmts.remove(at);
            return;
        }
    }
    panic!("there is no such instruction");
}

fn first_value(body: &mut Body, which: impl Fn(&Rvalue) -> bool) -> &mut Rvalue {
    let value = stmts(body).find_map(|kind| match kind {
        StmtKind::Assign(_, value) if which(value) => Some(value),
        _ => None,
    });
    value.expect("there is such a value")
}

const BRANCH: &str = "int f(int i) { if (i > 3) return 1; return i + 2; }";

#[test]
fn what_is_mentioned_exists() {
    refuses("what is mentioned exists", BRANCH, Stage::Lowered, |body| {
        let Terminator::If { then, .. } = &mut body.blocks[0].term else { panic!("it branches") };
        *then = BlockId(99);
    });
    refuses("what is mentioned exists", BRANCH, Stage::Lowered, |body| {
        let Rvalue::Binary(_, left, ..) = first_value(body, |v| matches!(v, Rvalue::Binary(..))) else { return };
        *left = Operand::local(Local(99));
    });
    refuses("what is mentioned exists", BRANCH, Stage::Lowered, |body| {
        body.blocks[0].stmts.push(Stmt { kind: StmtKind::PopRegion(RegionId(0)), span: body.span });
    });
}

#[test]
fn every_block_can_be_reached() {
    refuses("every block can be reached", BRANCH, Stage::Lowered, |body| {
        let Terminator::If { then, otherwise, .. } = body.blocks[0].term.clone() else { panic!("it branches") };
        assert_ne!(then, otherwise);
        body.blocks[0].term = Terminator::Goto(then);
    });
}

#[test]
fn cases_differ() {
    let program = "int f(int i) { switch (i) { case 1: return 5; case 2: return 7; default: return 0; } }";
    refuses("cases differ", program, Stage::Lowered, |body| {
        let Terminator::Switch { cases, .. } = &mut body.blocks[0].term else { panic!("it switches") };
        cases[1].0 = cases[0].0;
    });
}

#[test]
fn types_agree() {
    let values = "struct S { int a; long b; }; long f(struct S s, int i, char ?p) { s.b = i; return s.b + p[i]; }";
    refuses("an operator has operands of its type", values, Stage::Lowered, |body| {
        let Rvalue::Binary(_, left, ..) = first_value(body, |v| matches!(v, Rvalue::Binary(..))) else { return };
        *left = Operand::int(1, Ty::INT);
    });
    refuses("a conversion starts from its operand's type", values, Stage::Lowered, |body| {
        let Rvalue::Arith(value, ..) = first_value(body, |v| matches!(v, Rvalue::Arith(..))) else { return };
        *value = Operand::int(1, Ty::UCHAR);
    });
    refuses("both sides of an assignment have one type", values, Stage::Lowered, |body| {
        *first_value(body, |v| matches!(v, Rvalue::Arith(..))) = Rvalue::Use(Operand::local(Local(1)));
    });
    refuses("what is returned has the function's type", values, Stage::Lowered, |body| {
        for block in &mut body.blocks {
            if let Terminator::Return(value) = &mut block.term {
                *value = Some(Operand::local(Local(1)));
            }
        }
    });
    refuses("steps of a place fit its type", values, Stage::Lowered, |body| {
        for kind in stmts(body) {
            if let StmtKind::Assign(place, Rvalue::Arith(..)) = kind {
                place.proj = vec![Proj::Field(7)];
                return;
            }
        }
    });
    refuses("the pointer is fat", values, Stage::Lowered, |body| {
        let check = stmts(body).find_map(|kind| match kind {
            StmtKind::Check(Check { kind: CheckKind::FatBounds { ptr, .. }, .. }) => Some(ptr),
            _ => None,
        });
        *check.expect("bounds are checked") = Operand::local(Local(1));
    });
    refuses("an index is an integer", values, Stage::Lowered, |body| {
        let check = stmts(body).find_map(|kind| match kind {
            StmtKind::Check(Check { kind: CheckKind::FatBounds { index, .. }, .. }) => Some(index),
            _ => None,
        });
        *check.expect("bounds are checked") = Operand::local(Local(2));
    });
}

#[test]
fn calls_fit_their_functions() {
    let program = "int g(int a, char ?b); int f(char ?p) { return g(3, p); }";
    let args = |body: &mut Body, change: fn(&mut Vec<Operand>)| {
        for kind in stmts(body) {
            if let StmtKind::Call { args, .. } = kind {
                change(args);
            }
        }
    };
    refuses("an argument has its parameter's type", program, Stage::Lowered, |body| args(body, |args| args.swap(0, 1)));
    refuses("a call has as many arguments as parameters", program, Stage::Lowered, |body| {
        args(body, |args| drop(args.pop()));
    });
}

#[test]
fn conditions_are_numbers() {
    let program = "int f(char ?p, int i) { if (i) return 1; return 2; }";
    refuses("a condition is a number", program, Stage::Lowered, |body| {
        let Terminator::If { cond, .. } = &mut body.blocks[0].term else { panic!("it branches") };
        *cond = Operand::local(Local(0));
    });
}

#[test]
fn what_is_read_has_been_written() {
    let rule = "what is read has been written";
    refuses(rule, BRANCH, Stage::Lowered, |body| drop_first(body, |kind| matches!(kind, StmtKind::Assign(..))));
    let variable = "int *`r f(int *`r p, int i) { int *`r q; if (i) q = p; else q = 0; return q; }";
    refuses(rule, variable, Stage::Erased, |body| {
        drop_first(body, |kind| matches!(kind, StmtKind::Assign(place, _) if place.as_local() == Some(Local(2))));
    });
    let parts =
        "struct P<`r> { int *`r a; int *`r b; }; int *`r f(int *`r p) { struct P s; s.a = p; s.b = p; return s.b; }";
    refuses(rule, parts, Stage::Erased, |body| {
        drop_first(body, |kind| matches!(kind, StmtKind::Assign(place, _) if place.proj == [Proj::Field(1)]));
    });
}

const REGION: &str = "int f(int i) { region r; int *`r p = rnew(r) i; if (i) return *p; return 2; }";

#[test]
fn what_is_entered_is_left() {
    refuses("a function that returns has left everything", REGION, Stage::Lowered, |body| {
        drop_first(body, |kind| matches!(kind, StmtKind::PopRegion(_)));
    });
    refuses("what is entered last is left first", REGION, Stage::Lowered, |body| {
        drop_first(body, |kind| matches!(kind, StmtKind::PushRegion { .. }));
    });
    let nested =
        "int f(int i) { try { region r; int *`r p = rnew(r) i; i = *p; } catch { default: i = 3; break; } return i; }";
    refuses("what is entered last is left first", nested, Stage::Lowered, |body| {
        for block in &mut body.blocks {
            let region = block.stmts.iter().position(|stmt| matches!(stmt.kind, StmtKind::PopRegion(_)));
            let handler = block.stmts.iter().position(|stmt| matches!(stmt.kind, StmtKind::PopHandler(_)));
            if let (Some(region), Some(handler)) = (region, handler) {
                block.stmts.swap(region, handler);
            }
        }
    });
}

#[test]
fn ways_that_meet_have_entered_the_same() {
    let program = "int f(int i) { { region r; if (i) i = 2; else i = 3; } return i; }";
    refuses("ways that meet have entered the same", program, Stage::Lowered, |body| {
        let Terminator::If { then, .. } = body.blocks[0].term else { panic!("it branches") };
        let span = body.span;
        body.blocks[then.0 as usize].stmts.push(Stmt { kind: StmtKind::PopRegion(RegionId(0)), span });
    });
}

#[test]
fn a_block_lies_in_its_handler() {
    let program = "int g(int); int f(int i) { try i = g(i); catch { default: i = 3; break; } return i; }";
    refuses("a block lies in its handler", program, Stage::Lowered, |body| {
        body.blocks.iter_mut().for_each(|block| block.handler = None);
    });
}

#[test]
fn a_handle_is_used_while_its_region_is_open() {
    let program = "int f(int i) { { region r; int *`r p = rnew(r) i; i = *p; } return i; }";
    refuses("a handle is used while its region is open", program, Stage::Lowered, |body| {
        let block = &mut body.blocks[0];
        let alloc = block.stmts.iter().find(|stmt| matches!(stmt.kind, StmtKind::Alloc(_))).cloned();
        block.stmts.extend(alloc);
    });
}

// ------------------------------------------------------------ removed checks

const TESTED: &str = "int f(int *p, int *q, int ?r) { if (p == 0) return 0; return *p + *q + r[0]; }";

#[test]
fn a_removed_null_check_holds() {
    refuses("a removed null check holds", TESTED, Stage::Eliminated, |body| {
        // The other check, of what was not tested.
        let left = stmts(body).find(|kind| {
            matches!(kind, StmtKind::Check(Check { kind: CheckKind::NonNull(Operand::Copy(place)), .. })
                if place.as_local() == Some(Local(1)))
        });
        let left = left.expect("one check is left");
        *left = StmtKind::Removed(Box::new(left.clone()), Fact::NonNull);
    });
    refuses("a removed null check holds", TESTED, Stage::Eliminated, |body| {
        // The test comes out the other way.
        let Terminator::If { then, otherwise, .. } = &mut body.blocks[0].term else { panic!("it branches") };
        std::mem::swap(then, otherwise);
    });
}

#[test]
fn a_check_is_removed_by_a_fact_about_it() {
    refuses("a check is removed by a fact about what it checks", TESTED, Stage::Eliminated, |body| {
        let removed = stmts(body).find_map(|kind| match kind {
            StmtKind::Removed(_, fact) => Some(fact),
            _ => None,
        });
        *removed.expect("a check was removed") = Fact::InBounds;
    });
    refuses("only checks are removed", TESTED, Stage::Eliminated, |body| {
        let kind = StmtKind::Removed(Box::new(StmtKind::Uninit(Local(0))), Fact::Holds);
        body.blocks[0].stmts.push(Stmt { kind, span: body.span });
    });
}

// ------------------------------------------------------------ ownership

/// A function that consumes a pointer, one that looks at it, and their user.
fn owner(text: &str) -> String {
    format!("void gone(int *`U p) __attribute__((consume(1))); int look(int *`U p); {text}")
}

/// The program that a walk over allocations forgot: the handle consumes `p`, and no move was written for it.
#[test]
fn a_call_that_consumes_gets_what_was_moved() {
    let program = owner(
        "region_t<`H> h(int *`U p) __attribute__((consume(1)));\n\
         int *f(int *`U p) __attribute__((consume(1))) { return rnew(h(p)) 3; }\n",
    );
    let without_the_move = |body: &mut Body| {
        // As lowering made it of a plain read: the place itself is the argument.
        let moved = stmts(body).find_map(|kind| match kind {
            StmtKind::Assign(to, Rvalue::Move(Operand::Copy(from), _)) => Some((to.clone(), from.clone())),
            _ => None,
        });
        let Some((to, from)) = moved else { return };
        stmts(body).for_each(|kind| {
            if let StmtKind::Call { args, .. } = kind {
                let moved = args.iter_mut().filter(|arg| **arg == Operand::Copy(to.clone()));
                moved.for_each(|arg| *arg = Operand::Copy(from.clone()));
            }
        });
        drop_first(body, |kind| matches!(kind, StmtKind::Assign(_, Rvalue::Move(..))));
    };
    refuses("what must not be copied is moved or lent", &program, Stage::Judged, without_the_move);
}

#[test]
fn a_value_that_must_not_be_copied_is_moved() {
    let rule = "what must not be copied is moved or lent";
    let program = owner("void f(int *`U p) __attribute__((consume(1))) { int *`U q = p; gone(q); }");
    refuses(rule, &program, Stage::Judged, |body| {
        let value = first_value(body, |value| matches!(value, Rvalue::Move(..)));
        let Rvalue::Move(operand, _) = value.clone() else { return };
        *value = Rvalue::Use(operand);
    });
}

#[test]
fn what_was_moved_is_not_used() {
    let program = owner("int f(int *`U p) __attribute__((consume(1))) { int v = look(p); gone(p); return v; }");
    refuses("what was moved away or lent is not used", &program, Stage::Judged, |body| {
        let block = &mut body.blocks[0];
        let consuming = block.stmts.iter().rposition(|stmt| matches!(stmt.kind, StmtKind::Call { .. }));
        let end = consuming.expect("it is called") - 1;
        // The last call and the move before it come first.
        let moved: Vec<Stmt> = block.stmts.drain(end..=end + 1).collect();
        block.stmts.splice(0..0, moved);
    });
    refuses("what was moved away or lent is not used", &program, Stage::Judged, |body| {
        drop_first(body, |kind| matches!(kind, StmtKind::EndLoan(_)));
    });
}
