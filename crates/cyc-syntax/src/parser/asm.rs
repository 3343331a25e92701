//! GNU `asm` (sections 2.6 and 5.17).

use super::*;

impl Parser<'_> {
    /// asm-body ::= [ 'volatile' ] '(' string [ ':' [ asm-io ] [ ':' [ asm-io ] [ ':' [ strings ] ] ] ] ')'
    /// `start` is the keyword, already read. GNU's `asm goto` has a fourth list, of labels.
    pub(super) fn asm_body(&mut self, start: Span) -> Parse<Asm> {
        let (mut volatile, mut is_goto) = (false, false);
        loop {
            match self.kind() {
                KwVolatile => volatile = true,
                KwGoto => is_goto = true,
                KwInline => {}
                _ => break,
            }
            self.bump();
        }
        let open = self.expect(LParen)?;
        let template = self.plain_string()?;
        let mut asm =
            Asm { volatile, is_goto, template, outputs: vec![], inputs: vec![], clobbers: vec![], span: start };
        let mut section = 0;
        while matches!(self.kind(), Colon | ColonColon) {
            section += 1;
            // `::` encloses an empty list: what remains is the colon behind it.
            if self.at(ColonColon) {
                let token = &mut self.tokens[self.pos];
                token.kind = Colon;
                token.span.lo += 1;
                continue;
            }
            self.bump();
            match section {
                1 => asm.outputs = self.asm_operands()?,
                2 => asm.inputs = self.asm_operands()?,
                3 => {
                    while self.at(StrLit) {
                        asm.clobbers.push(self.plain_string()?);
                        if !self.eat(Comma) {
                            break;
                        }
                    }
                }
                _ => {
                    while self.at(Identifier) {
                        self.bump();
                        if !self.eat(Comma) {
                            break;
                        }
                    }
                }
            }
        }
        self.close(RParen, open)?;
        asm.span = self.since(start);
        Ok(asm)
    }

    /// asm-io ::= { [ '[' identifier ']' ] string '(' expression ')' } separated by ','
    fn asm_operands(&mut self) -> Parse<Vec<AsmOperand>> {
        let mut operands = vec![];
        while matches!(self.kind(), StrLit | LBracket) {
            let mut name = None;
            if self.at(LBracket) {
                let open = self.bump().span;
                name = Some(self.ident("identifier")?);
                self.close(RBracket, open)?;
            }
            let constraint = self.plain_string()?;
            let open = self.expect(LParen)?;
            let expr = self.expression()?;
            self.close(RParen, open)?;
            operands.push(AsmOperand { name, constraint, expr });
            if !self.eat(Comma) {
                break;
            }
        }
        Ok(operands)
    }
}
