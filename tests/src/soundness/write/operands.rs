//! Operands with effects, at every place where an expression may stand: what an operand takes or frees is gone behind it.

use super::Writer;
use crate::soundness::state::{HEAP, Kind};

/// Statements with a place for an `int` that is evaluated exactly once, `%`; `#` makes names unique.
const PLACES: &[&str] = &[
    "note(%);",
    "int v# = %; note(v#);",
    "sum += %;",
    "sum = -% + 1;",
    "sum = ~% * 2;",
    "note(!%);",
    "note((char)%);",
    "note((int)(unsigned long)%);",
    "if (% > 1) note(1);",
    "note(% > 1 ? 2 : 3);",
    "note((%, 3));",
    "note(({ int t# = %; t#; }));",
    "note(% && sum > 1);",
    "note(% || sum > 1);",
    "for (int i# = %; i# < 0; i#++) note(i#);",
    "switch (%) { case 1: note(1); break; default: break; }",
    "switch (sum) { case 1: note(2); fallthru(%); case i#: note(i#); break; }",
    "note(hook(%));",
    "note((note(%), hook)(3));",
    "note((%, hook)(3));",
    "int a#[3] = {1, %, 3}; note(a#[1]);",
    "struct Cell<`H> e# = Cell{.v = %, .next = NULL, .p = NULL}; note(e#.v);",
    "let $(y#, z#) = $(%, 1); note(y# + z#);",
    "note($(%, 2)[0]);",
    "int ?q# = new {1, 2, 3}; note(q#[% & 1]);",
    "int ?q# = new {1, 2, 3}; q#[% & 1] = 2;",
    "int ?q# = new {1, 2, 3}; q#[% & 1] += 2;",
    "int ?q# = new {1, 2, 3}; q#[% & 1]++;",
    "int ?q# = new {1, 2, 3}; q# += % & 1; note(*q#);",
    "int ?q# = new {1, 2, 3}; note(*(q# + (% & 1)));",
    "int ?q# = new {1, 2, 3}; int ?r# = &q#[% & 1]; note(*r#);",
    "int a#[4] = {1, 2, 3, 4}; note(a#[% & 3]);",
    "int a#[4] = {1, 2, 3, 4}; a#[% & 3] = 4; note(a#[1]);",
    "int *`U w# = NULL; w# :=: slots[% & 1]; ufree(w#);",
    "int *`U w# = NULL; slots[% & 1] :=: w#; ufree(w#);",
    "int ?q# = new {for i# < (unsigned)(% & 3) : (int)i#}; note((int)numelts(q#));",
    "int ?q# = new {%, 2, 3}; note(q#[0]);",
    "int *`H q# = new %; note(*q#);",
    "int ?`RC q# = rcnew %; drop_refptr(q#);",
    "region h#; int *q# = rnew(through(h#, %)) 3; note(*q#);",
    "region h#; int *\\U `h# q# = rnew(through(h#, %), unique_qual) 3; rufree(through(h#, 1), q#);",
    "region h#; int *q# = rnew(h#, plain(%)) 3; note(*q#);",
    "int *`H q# = qnew(plain(%)) 3; note(*q#);",
    "region h#; int *q# = rnew(h#) %; note(*q#);",
    "region h#; struct Cell<`h#> *q# = rnew(h#) Cell{%, NULL, NULL}; note(q#->v);",
    "region h#; int ?q# = rnew(h#) {for i# < (unsigned)(% & 3) : 1}; note((int)numelts(q#));",
    "region h#; int *q# = rmalloc(through(h#, %), sizeof(int)); *q# = 3; note(*q#);",
    "region h#; int ?q# = rcalloc(through(h#, 1), (unsigned)(% & 3) + 1, sizeof(int)); note(q#[0]);",
    "int ?q# = calloc((unsigned)(% & 3) + 1, sizeof(int)); note(q#[0]);",
    "int ?q# = malloc(((unsigned)(% & 3) + 1) * sizeof(int)); q#[0] = 1; note(q#[0]);",
    "datatype Shape *`H s# = new Both(NULL, %); note(shape(s#));",
    "union Tag g# = Tag{.n = %}; switch (g#) { case {.n = i#}: note(i#); break; case {.p = u#}: note(peek(u#)); break; }",
    "try { throw new Stop(%); } catch { case &Stop(s#): note(s#); break; }",
    "try { stop(%); } catch { default: note(1); break; }",
    "struct Node *`U w# = push(%, NULL); drop(w#);",
    "struct Box<int *`U> b# = Box{unew %}; ufree(b#.v);",
    "let x# = %; note(x#);",
    "note(counted_sum(2, %, 3));",
];

/// Statements with two such places, of which `%1` is evaluated before `%2`.
const PAIRS: &[&str] = &[
    "note(%1 + %2);",
    "note(%1 * %2 - 1);",
    "note(%1 < %2);",
    "note((%1, %2));",
    "note(added(%1, %2));",
    "note(counted_sum(%1, %2, 3));",
    "note(counted_sum(2, %1, %2));",
    "let $(y#, z#) = $(%1, %2); note(y# + z#);",
    "int a#[2] = {%1, %2}; note(a#[1]);",
    "int ?q# = new {%1, %2}; note(q#[1]);",
    "struct Cell<`H> e# = Cell{%1, NULL, new %2}; note(e#.v);",
    "int ?q# = new {1, 2, 3}; q#[%2 & 1] = %1;",
    "int ?q# = new {1, 2, 3}; note(q#[%1 & 1] + q#[%2 & 1]);",
    "note(%1 > 1000 ? 1 : %2);",
    "note(({ note(%1); %2; }));",
    "region h#; int *q# = rnew(through(h#, %1)) %2; note(*q#);",
    "int *`H q# = qnew(plain(%1)) %2; note(*q#);",
    "region h#; int ?q# = rcalloc(through(h#, %1), (unsigned)(%2 & 3) + 1, sizeof(int)); note(q#[0]);",
    "int ?q# = new {for i# < (unsigned)(%1 & 3) : (int)i#}; note((int)numelts(q#) + %2);",
    "datatype Shape *`H s# = new Both(new Ring(new %1), %2); note(shape(s#));",
    "struct Node *`U w# = push(%1, push(%2, NULL)); drop(w#);",
    "if (%1 > 1000 || %2 > 3) note(1);",
    "switch (%1) { case 1000: note(1); break; default: note(%2); break; }",
    "for (int i# = %1; i# < 0; i#++) note(i#); note(%2);",
    "slots[%1 & 1] :=: slots[%2 & 1];",
];

/// An operand that ends the value of a variable, and one that only looks at it.
struct Operands {
    ends: String,
    looks: String,
}

impl Writer {
    /// A variable whose value can end in an operand.
    fn operand_variable(&mut self) -> Option<usize> {
        let fits = |kind| matches!(kind, Kind::Unique(HEAP) | Kind::Node | Kind::Counted(HEAP) | Kind::Wide);
        self.some(|var| fits(var.kind) && !var.fixed)
    }

    fn operands(&mut self, i: usize) -> Operands {
        let (name, t) = (self.var(i), self.name('t'));
        let (end, looks) = match self.state.vars[i].kind {
            Kind::Node => ("drop", format!("({name} == NULL ? 0 : {name}->v)")),
            Kind::Counted(_) => ("drop_refptr", format!("({name} == NULL ? 0 : *{name})")),
            Kind::Wide => ("spent", format!("(int)numelts({name})")),
            _ => (["ufree", "eat"][self.rng.usize(..2)], format!("({name} != NULL ? *{name} : 1)")),
        };
        let ends = match self.rng.u32(..3) {
            0 => format!("({{ {end}({name}); 1; }})"),
            1 => format!("({end}({name}), 3)"),
            _ => format!("({{ let {t} = 2; {end}({name}); {t}; }})"),
        };
        Operands { ends, looks }
    }

    /// An `int` that changes what is behind globals, or may not come back.
    fn disturbing(&mut self) -> String {
        let n = self.int();
        match self.rng.u32(..5) {
            0 => format!("end_wide({n})"),
            1 => format!("end_nodes({n})"),
            2 => format!("halted({n})"),
            3 => "take()".into(),
            _ => format!("collected({n})"),
        }
    }

    fn place(&mut self, templates: &[&str]) -> String {
        self.next += 1;
        templates[self.rng.usize(..templates.len())].replace('#', &self.next.to_string())
    }

    fn in_block(&mut self, statement: &str) {
        self.line("{");
        self.line(statement);
        self.line("}");
    }

    /// An operand with an effect somewhere, and no use behind it of what it ended.
    pub(super) fn operand(&mut self) -> Option<()> {
        let own = self.operand_variable().filter(|i| self.loops.last().is_none_or(|outer| *i >= outer.len()));
        let Some(i) = own.filter(|_| self.rng.u32(..3) > 0) else {
            let (statement, effect) = (self.place(PLACES), self.disturbing());
            self.in_block(&statement.replace('%', &effect));
            return Some(());
        };
        let Operands { ends, looks } = self.operands(i);
        let statement = match self.rng.bool() {
            true => self.place(PLACES).replace('%', &ends),
            false => self.place(PAIRS).replace("%1", &looks).replace("%2", &ends),
        };
        self.in_block(&statement);
        self.consume(i);
        Some(())
    }

    /// A value that an operand ended is looked at behind it.
    pub(super) fn uses_behind_operand(&mut self) -> Option<()> {
        let i = self.operand_variable()?;
        let Operands { ends, looks } = self.operands(i);
        let statement = self.place(PLACES).replace('%', &ends);
        self.in_block(&statement);
        self.line(format!("note({looks});"));
        Some(())
    }

    /// The same within one expression.
    pub(super) fn uses_in_later_operand(&mut self) -> Option<()> {
        let i = self.operand_variable()?;
        let Operands { ends, looks } = self.operands(i);
        let statement = self.place(PAIRS).replace("%1", &ends).replace("%2", &looks);
        self.in_block(&statement);
        Some(())
    }
}

/// A program for each place: with an operand that ends a value and no use of it behind, which is well-typed, and with a use,
/// which is not.
pub(in crate::soundness) fn programs() -> Vec<[Vec<String>; 2]> {
    let program = |statement: &str, behind: &str| {
        let lines = ["void run() {", "int *`U p = unew 1;", "{", statement, "}", behind, "}"];
        lines.into_iter().map(|line| line.replace('#', "1")).collect::<Vec<_>>()
    };
    let (ends, looks) = ("({ ufree(p); 1; })", "(p == NULL ? 0 : *p)");
    let places = PLACES.iter().map(|text| {
        let statement = text.replace('%', ends);
        [program(&statement, ""), program(&statement, "note(*p);")]
    });
    let pairs = PAIRS.iter().map(|text| {
        let in_order = |one: &str, other: &str| program(&text.replace("%1", one).replace("%2", other), "");
        [in_order(looks, ends), in_order(ends, looks)]
    });
    places.chain(pairs).collect()
}

#[cfg(test)]
mod tests {
    use super::{PAIRS, PLACES};

    #[test]
    fn every_statement_has_its_places() {
        assert!(PLACES.iter().all(|text| text.matches('%').count() == 1));
        assert!(PAIRS.iter().all(|text| text.matches("%1").count() == 1 && text.matches("%2").count() == 1));
    }
}
