//! Tokens: what the lexer makes of the text, as plain data.

use cyc_base::Span;

/// One token. Equal spellings of identifiers and type variables have equal `name` numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub kind: TokenKind,
    /// For words (identifiers, keywords, type variables): index into the lexer's table of names.
    pub(crate) name: u32,
    pub span: Span,
}

macro_rules! token_kinds {
    (
        classes { $($class:ident = $what:literal,)* }
        fixed { $($fixed:ident = $text:literal,)* }
    ) => {
        /// The kinds of tokens. Keywords that only Cyclone has come last, from `FIRST_CYCLONE` on.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum TokenKind {
            $(#[doc = $what] $class,)*
            $(#[doc = $text] $fixed,)*
        }

        impl TokenKind {
            /// The kind as messages name it: `` `;` ``, "identifier".
            pub fn describe(self) -> &'static str {
                match self {
                    $(TokenKind::$class => $what,)*
                    $(TokenKind::$fixed => concat!("`", $text, "`"),)*
                }
            }

            /// The spelling of a token that has only one (for keywords the plainest), else "".
            pub fn text(self) -> &'static str {
                match self {
                    $(TokenKind::$class => "",)*
                    $(TokenKind::$fixed => $text,)*
                }
            }
        }
    };
}

token_kinds! {
    classes {
        Eof = "end of file",
        Error = "unreadable text",
        Identifier = "identifier",
        TypeVariable = "type variable",
        IntLit = "integer constant",
        FloatLit = "floating constant",
        CharLit = "character constant",
        WideCharLit = "wide character constant",
        StrLit = "string literal",
        WideStrLit = "wide string literal",
    }
    fixed {
        LParen = "(", RParen = ")", LBracket = "[", RBracket = "]", LBrace = "{", RBrace = "}",
        Semi = ";", Comma = ",", Dot = ".", Ellipsis = "...", Arrow = "->", Colon = ":", ColonColon = "::",
        Question = "?", At = "@", Dollar = "$",
        Plus = "+", Minus = "-", Star = "*", Slash = "/", Percent = "%", PlusPlus = "++", MinusMinus = "--",
        Amp = "&", AmpAmp = "&&", Pipe = "|", PipePipe = "||", Caret = "^", Tilde = "~", Bang = "!",
        Shl = "<<", Shr = ">>", Lt = "<", Gt = ">", Le = "<=", Ge = ">=", EqEq = "==", Ne = "!=",
        Assign = "=", StarAssign = "*=", SlashAssign = "/=", PercentAssign = "%=", PlusAssign = "+=",
        MinusAssign = "-=", ShlAssign = "<<=", ShrAssign = ">>=", AmpAssign = "&=", CaretAssign = "^=",
        PipeAssign = "|=", Swap = ":=:", Underscore = "_",

        BackA = "\\A", BackU = "\\U", BackT = "\\T", BackRc = "\\RC",

        AtThin = "@thin", AtFat = "@fat", AtNotnull = "@notnull", AtNullable = "@nullable",
        AtNumelts = "@numelts", AtZeroterm = "@zeroterm", AtNozeroterm = "@nozeroterm", AtRegion = "@region",
        AtEffect = "@effect", AtAqual = "@aqual", AtTagged = "@tagged", AtExtensible = "@extensible",
        AtAutoreleased = "@autoreleased", AtRequires = "@requires", AtEnsures = "@ensures", AtChecks = "@checks",
        AtThrows = "@throws", AtAssert = "@assert", AtAssertFalse = "@assert_false", AtSubset = "@subset",

        KwAuto = "auto", KwBreak = "break", KwCase = "case", KwChar = "char", KwConst = "const",
        KwContinue = "continue", KwDefault = "default", KwDo = "do", KwDouble = "double", KwElse = "else",
        KwEnum = "enum", KwExtern = "extern", KwFloat = "float", KwFor = "for", KwGoto = "goto", KwIf = "if",
        KwInt = "int", KwLong = "long", KwRegister = "register", KwReturn = "return", KwShort = "short",
        KwSigned = "signed", KwSizeof = "sizeof", KwStatic = "static", KwStruct = "struct", KwSwitch = "switch",
        KwTypedef = "typedef", KwUnion = "union", KwUnsigned = "unsigned", KwVoid = "void",
        KwVolatile = "volatile", KwWhile = "while", KwInline = "inline", KwRestrict = "restrict",

        KwAttribute = "__attribute__", KwAsm = "asm", KwVaList = "__builtin_va_list", KwComplex = "_Complex",
        KwExtension = "__extension__", KwTypeof = "typeof", KwBool = "_Bool", KwInt128 = "__int128",
        KwFloat16 = "_Float16", KwFloat32 = "_Float32", KwFloat64 = "_Float64", KwFloat128 = "_Float128",
        KwFloat32x = "_Float32x", KwFloat64x = "_Float64x", KwNoreturn = "_Noreturn", KwThreadLocal = "_Thread_local",
        KwAlignas = "_Alignas", KwAlignof = "_Alignof", KwAtomic = "_Atomic", KwGeneric = "_Generic",
        KwStaticAssert = "_Static_assert", KwBuiltinVaArg = "__builtin_va_arg",
        KwBuiltinOffsetof = "__builtin_offsetof", KwBuiltinTypesCompatible = "__builtin_types_compatible_p",
        KwReal = "__real__", KwImag = "__imag__",

        KwAliasable = "ALIASABLE", KwRefcnt = "REFCNT", KwRestricted = "RESTRICTED", KwUnique = "UNIQUE",
        KwNull = "NULL", KwAbstract = "abstract", KwAqualT = "aqual_t", KwAquals = "aquals", KwAssert = "assert",
        KwCalloc = "calloc", KwCatch = "catch", KwHide = "cyclone_hide", KwOverride = "cyclone_override",
        KwDatatype = "datatype", KwExport = "export", KwFallthru = "fallthru", KwLet = "let",
        KwMalloc = "malloc", KwNamespace = "namespace", KwNew = "new", KwNumelts = "numelts",
        KwOffsetof = "offsetof", KwQcalloc = "qcalloc", KwQmalloc = "qmalloc", KwQnew = "qnew",
        KwRcalloc = "rcalloc", KwRegion = "region", KwRegionT = "region_t", KwRegions = "regions",
        KwRmalloc = "rmalloc", KwRmallocInline = "rmalloc_inline", KwRnew = "rnew", KwRvmalloc = "rvmalloc",
        KwTagT = "tag_t", KwTagcheck = "tagcheck", KwTagof = "tagof", KwThrow = "throw", KwTry = "try",
        KwUsing = "using", KwValueof = "valueof", KwValueofT = "valueof_t",
        KwPortOff = "__cyclone_port_off__", KwPortOn = "__cyclone_port_on__", KwPragma = "__cyclone_pragma__",
        KwNoinference = "__noinference__", KwTempestOff = "__tempest_off__", KwTempestOn = "__tempest_on__",
    }
}

impl TokenKind {
    const FIRST_KEYWORD: TokenKind = TokenKind::KwAuto;
    const FIRST_CYCLONE: TokenKind = TokenKind::KwAliasable;

    /// A keyword of C, GNU C or Cyclone.
    pub fn is_keyword(self) -> bool {
        self >= TokenKind::FIRST_KEYWORD
    }

    /// A keyword that is an ordinary identifier in C code.
    pub fn is_cyclone_keyword(self) -> bool {
        self >= TokenKind::FIRST_CYCLONE
    }
}

use TokenKind::*;

/// Is the word a keyword of C, GNU C or Cyclone?
pub fn is_keyword(word: &str) -> bool {
    KEYWORDS.iter().any(|(keyword, _)| *keyword == word)
}

/// Every keyword with every spelling it has. Their positions are the first numbers of the lexer's
/// table of names, so that one lookup tells an identifier from a keyword.
pub(crate) const KEYWORDS: &[(&str, TokenKind)] = &[
    ("auto", KwAuto),
    ("break", KwBreak),
    ("case", KwCase),
    ("char", KwChar),
    ("const", KwConst),
    ("__const", KwConst),
    ("__const__", KwConst),
    ("continue", KwContinue),
    ("default", KwDefault),
    ("do", KwDo),
    ("double", KwDouble),
    ("else", KwElse),
    ("enum", KwEnum),
    ("extern", KwExtern),
    ("float", KwFloat),
    ("for", KwFor),
    ("goto", KwGoto),
    ("if", KwIf),
    ("int", KwInt),
    ("long", KwLong),
    ("register", KwRegister),
    ("return", KwReturn),
    ("short", KwShort),
    ("signed", KwSigned),
    ("__signed", KwSigned),
    ("__signed__", KwSigned),
    ("sizeof", KwSizeof),
    ("static", KwStatic),
    ("struct", KwStruct),
    ("switch", KwSwitch),
    ("typedef", KwTypedef),
    ("union", KwUnion),
    ("unsigned", KwUnsigned),
    ("__unsigned__", KwUnsigned),
    ("void", KwVoid),
    ("volatile", KwVolatile),
    ("__volatile", KwVolatile),
    ("__volatile__", KwVolatile),
    ("while", KwWhile),
    ("inline", KwInline),
    ("__inline", KwInline),
    ("__inline__", KwInline),
    ("restrict", KwRestrict),
    ("__restrict", KwRestrict),
    ("__restrict__", KwRestrict),
    ("__attribute__", KwAttribute),
    ("__attribute", KwAttribute),
    ("asm", KwAsm),
    ("__asm", KwAsm),
    ("__asm__", KwAsm),
    ("__builtin_va_list", KwVaList),
    ("_Complex", KwComplex),
    ("__complex__", KwComplex),
    ("__extension__", KwExtension),
    ("typeof", KwTypeof),
    ("__typeof", KwTypeof),
    ("__typeof__", KwTypeof),
    ("_Bool", KwBool),
    ("__int128", KwInt128),
    ("__int128_t", KwInt128),
    ("_Float16", KwFloat16),
    ("_Float32", KwFloat32),
    ("_Float64", KwFloat64),
    ("_Float128", KwFloat128),
    ("__float128", KwFloat128),
    ("_Float32x", KwFloat32x),
    ("_Float64x", KwFloat64x),
    ("_Noreturn", KwNoreturn),
    ("_Thread_local", KwThreadLocal),
    ("__thread", KwThreadLocal),
    ("_Alignas", KwAlignas),
    ("_Alignof", KwAlignof),
    ("__alignof", KwAlignof),
    ("__alignof__", KwAlignof),
    ("_Atomic", KwAtomic),
    ("_Generic", KwGeneric),
    ("_Static_assert", KwStaticAssert),
    ("__builtin_va_arg", KwBuiltinVaArg),
    ("__builtin_offsetof", KwBuiltinOffsetof),
    ("__builtin_types_compatible_p", KwBuiltinTypesCompatible),
    ("__real__", KwReal),
    ("__imag__", KwImag),
    ("ALIASABLE", KwAliasable),
    ("REFCNT", KwRefcnt),
    ("RESTRICTED", KwRestricted),
    ("UNIQUE", KwUnique),
    ("NULL", KwNull),
    ("abstract", KwAbstract),
    ("aqual_t", KwAqualT),
    ("aquals", KwAquals),
    ("assert", KwAssert),
    ("calloc", KwCalloc),
    ("catch", KwCatch),
    ("cyclone_hide", KwHide),
    ("cyclone_override", KwOverride),
    ("datatype", KwDatatype),
    ("export", KwExport),
    ("fallthru", KwFallthru),
    ("let", KwLet),
    ("malloc", KwMalloc),
    ("namespace", KwNamespace),
    ("new", KwNew),
    ("numelts", KwNumelts),
    ("offsetof", KwOffsetof),
    ("qcalloc", KwQcalloc),
    ("qmalloc", KwQmalloc),
    ("qnew", KwQnew),
    ("rcalloc", KwRcalloc),
    ("region", KwRegion),
    ("region_t", KwRegionT),
    ("regions", KwRegions),
    ("rmalloc", KwRmalloc),
    ("rmalloc_inline", KwRmallocInline),
    ("rnew", KwRnew),
    ("rvmalloc", KwRvmalloc),
    ("tag_t", KwTagT),
    ("tagcheck", KwTagcheck),
    ("tagof", KwTagof),
    ("throw", KwThrow),
    ("try", KwTry),
    ("using", KwUsing),
    ("valueof", KwValueof),
    ("valueof_t", KwValueofT),
    ("__cyclone_port_off__", KwPortOff),
    ("__cyclone_port_on__", KwPortOn),
    ("__cyclone_pragma__", KwPragma),
    ("__noinference__", KwNoinference),
    ("__tempest_off__", KwTempestOff),
    ("__tempest_on__", KwTempestOn),
];

/// The words that make one token with an `@` before them; `@nonnull` is the papers' spelling.
pub(crate) const AT_WORDS: &[(&str, TokenKind)] = &[
    ("thin", AtThin),
    ("fat", AtFat),
    ("notnull", AtNotnull),
    ("nonnull", AtNotnull),
    ("nullable", AtNullable),
    ("numelts", AtNumelts),
    ("zeroterm", AtZeroterm),
    ("nozeroterm", AtNozeroterm),
    ("region", AtRegion),
    ("effect", AtEffect),
    ("aqual", AtAqual),
    ("tagged", AtTagged),
    ("extensible", AtExtensible),
    ("autoreleased", AtAutoreleased),
    ("requires", AtRequires),
    ("ensures", AtEnsures),
    ("checks", AtChecks),
    ("throws", AtThrows),
    ("assert", AtAssert),
    ("assert_false", AtAssertFalse),
    ("subset", AtSubset),
];
