//! Sizes, alignments and offsets are those of the C compiler: for structs of the system's headers, and
//! for random ones.

use cyc_base::SourceMap;
use cyc_check::tast::TypedUnit;
use std::fmt::Write;
use std::process::Command;

/// Headers whose structs other programs share with C.
const HEADERS: &str = "arpa/inet dirent dlfcn errno fcntl fenv ftw glob grp inttypes limits locale math mqueue netdb \
    netinet/in netinet/tcp poll pthread pwd regex sched search semaphore setjmp signal spawn stdio stdlib string sys/ipc \
    sys/mman sys/msg sys/resource sys/select sys/sem sys/shm sys/socket sys/stat sys/statvfs sys/time sys/times sys/types \
    sys/uio sys/un sys/utsname sys/wait syslog termios time unistd utime utmpx wchar wctype wordexp";

/// What the checker says about every struct and union of a C text, as C assertions.
fn assertions(unit: &TypedUnit) -> String {
    let mut text = String::new();
    for id in unit.types.aggr_ids() {
        let aggr = unit.types.aggr(id);
        let (Some(fields), false) = (unit.types.fields(id), aggr.anonymous) else { continue };
        let name = format!("{} {}", if aggr.is_union { "union" } else { "struct" }, aggr.name);
        let layout = unit.types.aggr_layout(id).unwrap_or_else(|| panic!("no layout of {name}"));
        let (size, align) = (layout.whole.size, layout.whole.align);
        writeln!(text, "_Static_assert(sizeof({name}) == {size} && _Alignof({name}) == {align}, \"{name}\");").unwrap();
        for (j, field) in fields.iter().enumerate() {
            if let (Some(field), None) = (field.name, field.bits) {
                let offset = layout.offsets[j].0;
                writeln!(text, "_Static_assert(__builtin_offsetof({name}, {field}) == {offset}, \"{name}.{field}\");")
                    .unwrap();
            }
        }
    }
    text
}

fn cc(args: &[&str]) -> String {
    let out = Command::new("cc").args(args).output().expect("needs a C compiler: Debian package gcc");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8_lossy(&out.stdout).into_owned()
}

/// Checks the declarations of `c`, a C text, and lets the C compiler judge what was found. How many facts.
fn compare(name: &str, c: &str) -> usize {
    let file = |suffix: &str| format!("{}/{name}.{suffix}", env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(file("c"), c).unwrap();
    let preprocessed = cc(&["-E", &file("c")]);
    let text = format!("extern \"C include\" {{\n{preprocessed}\n}}\n");
    let source = SourceMap::new("layouts.cyc", text);
    let (unit, syntax) = cyc_syntax::parse(source.text(), &cyc_syntax::Options::default());
    let (typed, diags) = cyc_check::check(&unit, &source);
    assert!(!syntax.has_errors() && !diags.has_errors(), "{syntax:?} {diags:?}");
    let facts = assertions(&typed);
    std::fs::write(file("facts.c"), format!("{c}\n{facts}")).unwrap();
    cc(&["-fsyntax-only", &file("facts.c")]);
    facts.lines().count()
}

#[test]
fn structs_of_system_headers() {
    let includes: String = HEADERS.split_whitespace().map(|h| format!("#include <{h}.h>\n")).collect();
    let facts = compare("headers", &includes);
    assert!(facts > 500, "only {facts} facts were compared");
}

/// A linear congruential generator: the same programs every time.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len() as u64) as usize]
    }
}

#[test]
fn random_structs() {
    const PLAIN: &[&str] =
        &["char", "short", "int", "long", "float", "double", "long double", "void *", "_Bool", "__int128"];
    const INTEGERS: &[(&str, u64)] =
        &[("char", 8), ("unsigned short", 16), ("int", 32), ("unsigned", 32), ("long", 64), ("_Bool", 1)];
    let mut random = Random(20);
    let mut c = String::new();
    for i in 0..400 {
        let keyword = if random.below(5) == 0 { "union" } else { "struct" };
        writeln!(c, "{keyword} s{i} {{").unwrap();
        for j in 0..1 + random.below(7) {
            let aligned = if random.below(12) == 0 {
                random.pick(&[" __attribute__((aligned(16)))", " __attribute__((packed))"])
            } else {
                ""
            };
            match random.below(6) {
                0 | 1 => {
                    let (ty, bits) = INTEGERS[random.below(INTEGERS.len() as u64) as usize];
                    match random.below(8) {
                        0 => writeln!(c, "  {ty} : {};", random.below(bits + 1)).unwrap(),
                        _ => writeln!(c, "  {ty} f{j} : {};", 1 + random.below(bits)).unwrap(),
                    }
                }
                2 => writeln!(c, "  {} f{j}[{}]{aligned};", random.pick(PLAIN), random.below(5)).unwrap(),
                3 if i > 0 => {
                    let inner = random.below(i);
                    let keyword = if c.contains(&format!("union s{inner} ")) { "union" } else { "struct" };
                    writeln!(c, "  {keyword} s{inner} f{j}{aligned};").unwrap();
                }
                _ => writeln!(c, "  {} f{j}{aligned};", random.pick(PLAIN)).unwrap(),
            }
        }
        let attribute =
            if random.below(6) == 0 { random.pick(&["aligned(32)", "packed", "packed, aligned(2)"]) } else { "" };
        writeln!(c, "}} __attribute__(({attribute}));").unwrap();
    }
    let facts = compare("random", &c);
    assert!(facts > 1000, "only {facts} facts were compared");
}
