//! `--memory-profile`: figures of small programs are known to the byte; pictures are looked at by a browser.

use eyewall_tests::builds::under_sanitizers;
use eyewall_tests::tools::{Job, Ran, cyc, need, root};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

struct Scratch(tempfile::TempDir);

impl Scratch {
    fn new(files: &[(&str, &str)]) -> Scratch {
        let folder = tempfile::tempdir().expect("a scratch directory");
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).expect("the scratch directory is writable");
            fs::write(path, text).expect("the scratch directory is writable");
        }
        Scratch(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn cyc(&self, args: &[&str]) -> Job {
        Job::cyc().args(args).dir(self.0.path()).env("NO_COLOR", "1").seconds(300)
    }

    fn profile(&self, name: &str) -> Value {
        let text = fs::read_to_string(self.path(name)).expect("the profile was written");
        serde_json::from_str(&text).expect("a profile is JSON")
    }

    /// What is in the folder beside the sources, in order.
    fn made(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = entries.map(|name| name.to_string_lossy().into_owned()).collect();
        names.retain(|name| !name.ends_with(".cyc") && !name.ends_with(".c"));
        names.sort();
        names
    }
}

/// Runs a program of one file and reads its profile.
fn profiled(text: &str, more: &[&str]) -> (Scratch, Ran, Value) {
    let s = Scratch::new(&[("p.cyc", text)]);
    let args = [&["run", "--memory-profile=out.json", "p.cyc"], more].concat();
    let ran = under_sanitizers(s.cyc(&args)).run();
    assert!(s.path("out.json").exists(), "status {}\n{}{}", ran.status, ran.out(), ran.err());
    let profile = s.profile("out.json");
    (s, ran, profile)
}

/// `[allocated bytes, allocated objects, live bytes, live objects]`.
fn figures(row: &Value) -> [u64; 4] {
    ["allocated_bytes", "allocated_objects", "live_bytes", "live_objects"].map(|key| row[key].as_u64().unwrap())
}

#[track_caller]
fn kind(profile: &Value, name: &str) -> [u64; 4] {
    figures(profile["kinds"].as_array().unwrap().iter().find(|k| k["kind"] == name).expect("all kinds are listed"))
}

/// The row of a list that stands at a line, made by `via`.
#[track_caller]
fn row<'a>(profile: &'a Value, list: &str, line: u64, via: Option<&str>) -> &'a Value {
    let rows = profile[list].as_array().unwrap();
    let mut found =
        rows.iter().filter(|row| row["line"] == line && via.is_none_or(|via| row["via"]["function"] == via));
    let row = found.next().unwrap_or_else(|| panic!("nothing at line {line} in {rows:#?}"));
    assert!(found.next().is_none(), "several rows for line {line}");
    row
}

const KINDS: &str = "#include <core.h>
#include <pool.h>
using Core;
struct T { long a; long b; };
struct T *kept = NULL;
int main() {
  for (int i = 0; i < 10; i++) kept = new T{1, 2};
  int ?list = new {for i < 250 : 7};
  for (int i = 0; i < 20; i++) { struct T *`U u = unew T{3, 4}; if (i != 7) ufree(u); }
  int @`RC c = rcnew 5;
  { region r;
    for (int i = 0; i < 30; i++) { int *`r p = rnew(r) i; }
    { region s; double *`s d = rnew(s) 1.5; }
  }
  let NewDynamicRegion{<`d> k} = new_ukey();
  { region h = open(k); long *`d p = rnew(h) 7L; long *\\U `d q = rnew(h, unique_qual) 8L; rufree(h, q); }
  let NewDynamicRegion{<`q> pool} = Pool::new_pool(65536, 4096);
  { region h = open(pool); long *\\U `q p = rnew(h, unique_qual) 7L; rufree(h, p); long *`q z = rnew(h) 5L; }
  free_ukey(pool);
  return list[9] - 7;
}
";

#[test]
fn figures_are_exact_for_each_kind() {
    for flags in [&["-O2"][..], &["-O0"], &["-O1", "-fsanitize=address,undefined"]] {
        let (_, ran, p) = profiled(KINDS, flags);
        assert_eq!(ran.status, 0, "{}", ran.err());
        assert_eq!(kind(&p, "heap"), [10 * 16 + 1000, 11, 10 * 16 + 1000, 11], "{flags:?}");
        assert_eq!(kind(&p, "unique"), [20 * 16, 20, 16, 1]);
        assert_eq!(kind(&p, "counted"), [4, 1, 4, 1]);
        assert_eq!(kind(&p, "region"), [30 * 4 + 8 + 16, 33, 8, 1]);
        assert_eq!(kind(&p, "pool"), [16, 2, 0, 0]);
        assert_eq!(figures(row(&p, "sites", 9, None)), [320, 20, 16, 1]);
        assert_eq!(row(&p, "sites", 9, None)["most_bytes"], 32);
        assert_eq!(row(&p, "sites", 9, None)["function"], "main");
        assert_eq!(row(&p, "regions", 11, None)["name"], "r");
        assert_eq!(row(&p, "regions", 11, None)["largest_bytes"], 120);
        assert_eq!(row(&p, "regions", 13, None)["opened"], 1);
        assert_eq!(row(&p, "regions", 15, Some("new_ukey"))["open"], 1);
        let pool = row(&p, "regions", 17, Some("new_pool"));
        assert_eq!((&pool["kind"], &pool["open"]), (&"pool".into(), &0.into()));
        let leaks = "memory: 2 objects were never freed, 20 bytes
          16 bytes in 1 unique: p.cyc:9 in main
           4 bytes in 1 counted: p.cyc:10 in main
memory: 1 dynamic region with 8 bytes never ended: p.cyc:15 in main, by new_ukey
";
        assert_eq!(ran.err(), leaks);
    }
}

/// The peak is what was live at the moment of most bytes, by kind and by site.
#[test]
fn the_peak_is_that_of_one_moment() {
    let text = "#include <core.h>
using Core;
int main() {
  int ?`U a = unew {for i < 125 : 1};
  { region r; int ?`r b = rnew(r) {for i < 250 : 2}; }
  ufree((int *`U)a);
  int ?c = new {for i < 300 : 3};
  for (int i = 0; i < 3000; i++) { region r; int ?`r b = rnew(r) {for j < 5 : 4}; }
  return 0;
}
";
    let (_, ran, p) = profiled(text, &[]);
    assert_eq!(ran.status, 0, "{}", ran.err());
    assert_eq!(p["peak"]["live_bytes"], 1500);
    let at_peak = |line| row(&p, "sites", line, None)["at_peak_bytes"].as_u64().unwrap();
    assert_eq!([at_peak(4), at_peak(5), at_peak(7), at_peak(8)], [500, 1000, 0, 0]);
    let samples = p["samples"].as_array().unwrap();
    let all = |s: &Value| s.as_array().unwrap()[2..].iter().map(|n| n.as_u64().unwrap()).sum::<u64>();
    assert_eq!(samples.iter().map(all).max(), Some(1500), "no peak is lost when samples become fewer");
    assert!((100..=1026).contains(&samples.len()), "{} samples", samples.len());
    assert_eq!(all(&samples[0]), 0);
    assert_eq!(all(samples.last().unwrap()), 1200);
    let ordered = |column: usize| samples.windows(2).all(|w| w[0][column].as_u64() <= w[1][column].as_u64());
    assert!(ordered(0) && ordered(1), "samples are in order of time and of bytes allocated");
}

#[test]
fn what_the_library_allocates_is_its_callers() {
    let text = "#include <core.h>
#include <list.h>
#include <string.h>
using List;
namespace A { int twice(int x) { let unused = aprintf(\"%d\", x); return 2 * x; } }
static list_t<int> all() { return list(1, 2, 3, 4); }
int main() {
  let l = all();
  let m = map(A::twice, l);
  let t = (A::twice)(5);
  return length(m) - 4;
}
";
    let text = text.replace("#include <list.h>", "#include <list.h>\n#include <stdio.h>");
    let (_, ran, p) = profiled(&text, &[]);
    assert_eq!(ran.status, 0, "{}", ran.err());
    assert_eq!(figures(row(&p, "sites", 7, None)), [4 * 16, 4, 4 * 16, 4]);
    // Called back by the library, a function is its own caller; afterwards `main` is again.
    let inner = row(&p, "sites", 6, Some("aprintf"));
    assert_eq!((&inner["function"], figures(inner)), (&"A::twice".into(), [4 * 2 + 2, 5, 4 * 2 + 2, 5]));
    let outer = row(&p, "sites", 10, None);
    assert_eq!((&outer["function"], figures(outer)), (&"main".into(), [4 * 16, 4, 4 * 16, 4]));
    assert_eq!(outer["via"]["file"], "list.cyc");
}

const EXCEPTIONS: &str = "#include <core.h>
using Core;
static void deep(int n) {
  region r;
  int ?`r list = rnew(r) {for i < 25 : 5};
  if (n == 0) throw new Failure(\"bottom\");
  deep(n - 1);
}
int main(int argc, char ??argv) {
  try deep(9); catch { case &Failure(_): break; }
  { region r; int *`r p = rnew(r) 1; }
  if (argc > 1) deep(4);
  return 0;
}
";

#[test]
fn exceptions_end_regions() {
    let (_, ran, p) = profiled(EXCEPTIONS, &[]);
    assert_eq!(ran.status, 0, "{}", ran.err());
    assert_eq!(kind(&p, "region"), [1000 + 4, 11, 0, 0]);
    let region = row(&p, "regions", 4, None);
    assert_eq!((&region["opened"], &region["open"], &region["largest_bytes"]), (&10.into(), &0.into(), &100.into()));
    // One that nobody catches ends the program, and the profile is written.
    let (_, ran, p) = profiled(EXCEPTIONS, &["--", "x"]);
    assert_eq!(ran.status, 1);
    assert!(ran.err().contains("Uncaught exception"), "{}", ran.err());
    assert_eq!(kind(&p, "region"), [1504, 16, 500, 5]);
}

const WORKERS: &str = "extern \"C\" { int in_threads(int n, int f(int)); }
#include <core.h>
using Core;
int work(int n) {
  for (int i = 0; i < n; i++) {
    region r;
    int *`r p = rnew(r) i;
    long *`U u = unew 5L;
    if (i % 100) ufree(u);
    int *waste = new i;
  }
  return 0;
}
int main() { return in_threads(2000, work); }
";
const IN_THREADS: &str = "#include <pthread.h>
static int count, (*work)(int);
static void *begin(void *unused) { (void)unused; work(count); return 0; }
int in_threads(int n, int (*f)(int)) {
  pthread_t threads[4];
  count = n, work = f;
  for (int i = 0; i < 4; i++) if (pthread_create(&threads[i], 0, begin, 0)) return 1;
  for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
  return 0;
}
";

#[test]
fn threads_are_counted_together() {
    let s = Scratch::new(&[("p.cyc", WORKERS), ("threads.c", IN_THREADS)]);
    for environment in [("NOTHING", "0"), ("LOWFAT_GC_OPTIONS", "start=20000"), ("CYC_HOSTILE", "1")] {
        let run =
            s.cyc(&["run", "--memory-profile=out.json", "p.cyc", "threads.c"]).env(environment.0, environment.1).run();
        assert_eq!(run.status, 0, "{environment:?}: {}", run.err());
        let p = s.profile("out.json");
        assert_eq!(kind(&p, "region"), [4 * 2000 * 4, 8000, 0, 0], "{environment:?}");
        assert_eq!(kind(&p, "heap")[..2], [32000, 8000], "{environment:?}");
        assert_eq!(kind(&p, "unique")[..2], [64000, 8000], "{environment:?}");
        let unique = row(&p, "sites", 8, None);
        assert_eq!(kind(&p, "unique")[3] + unique["lost_objects"].as_u64().unwrap(), 80, "{environment:?}");
    }
}

/// Threads, channels and locks of the library give back what they took, and what they were given.
#[test]
fn the_library_of_threads_leaks_nothing() {
    let text = fs::read_to_string(root().join("tests/run/thread_stress.cyc")).unwrap();
    let (_, ran, p) = profiled(&text, &[]);
    assert_eq!((ran.status, ran.err()), (0, String::new()));
    let unique = kind(&p, "unique");
    assert!(unique[1] > 1000 && unique[3] == 0, "{unique:?}");
}

#[test]
fn what_a_collection_finds_dead_is_live_no_more() {
    let text = "#include <core.h>
#include <heap.h>
static void waste(int n) { if (n > 0) { int *p = new n; long *`U u = unew (long)n; waste(n - 1); } }
static void clear(int n) { char room[4096]; for (int i = 0; i < 4096; i++) room[i] = 'x'; if (n > 0) clear(n - 1); }
int main() {
  waste(1000);
  clear(100);
  for (int i = 0; i < 3; i++) Heap::collect();
  return 0;
}
";
    let (_, ran, p) = profiled(text, &[]);
    assert_eq!(ran.status, 0, "{}", ran.err());
    let heap = kind(&p, "heap");
    assert_eq!(heap[..2], [4000, 1000]);
    assert!(heap[3] <= 20, "{} objects are still live", heap[3]);
    let sites = p["sites"].as_array().unwrap();
    let unique = sites.iter().find(|row| row["kind"] == "unique").expect("unique objects were made");
    let number = |key: &str| unique[key].as_u64().unwrap();
    assert_eq!(number("lost_objects") + number("live_objects"), 1000);
    assert!(number("lost_objects") >= 980, "{} lost objects were found", number("lost_objects"));
    assert!(ran.err().starts_with("memory: 1000 objects were never freed, 8000 bytes\n"), "{}", ran.err());
}

/// What a browser makes of the page, after its scripts ran; `more` is one more of them.
fn browse(s: &Scratch, page: &str, more: &str) -> String {
    need("chromium", "chromium").unwrap_or_else(|why| panic!("{why}"));
    let text = fs::read_to_string(s.path(page)).unwrap();
    fs::write(s.path("seen.html"), text.replace("</body>", &format!("<script>{more}</script></body>"))).unwrap();
    let ran = chromium(s, &["--dump-dom", "seen.html"]);
    assert_eq!(ran.status, 0, "{}", ran.err());
    ran.out()
}

fn chromium(s: &Scratch, args: &[&str]) -> Ran {
    let own = tempfile::tempdir().unwrap();
    let flags = ["--headless", "--no-sandbox", "--disable-gpu", "--window-size=1200,1400"];
    let data = format!("--user-data-dir={}", own.path().display());
    let page = format!("file://{}", s.path(args[args.len() - 1]).display());
    Job::new("chromium").args(flags).arg(data).args(&args[..args.len() - 1]).arg(page).dir(s.0.path()).run()
}

/// The rows of a table of the page, as text: cells with `|` between.
fn rows(dom: &str, section: &str) -> Vec<String> {
    let section = dom.split(&format!("id=\"{section}\"")).nth(1).expect("the section is there");
    let body = section.split("<tbody>").nth(1).and_then(|rest| rest.split("</tbody>").next()).expect("a table");
    body.split("<tr").skip(1).map(|row| row.split("<td").skip(1).map(text).collect::<Vec<_>>().join("|")).collect()
}

/// The text of a piece of HTML that begins inside of a tag.
fn text(html: &str) -> String {
    let parts = html.split('>').skip(1).map(|part| part.split('<').next().unwrap_or_default());
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_page_shows_the_figures() {
    let s = Scratch::new(&[("p.cyc", KINDS)]);
    let ran = s.cyc(&["run", "--memory-profile=out.html", "p.cyc"]).run();
    assert_eq!((ran.status, s.made()), (0, vec!["out.html".to_string()]), "{}", ran.err());
    let page = fs::read_to_string(s.path("out.html")).unwrap();
    assert!(!page.contains("http://") && !page.contains("https://") && !page.contains("src="), "nothing from outside");
    let dom = browse(&s, "out.html", "");
    let sites = rows(&dom, "sites");
    assert_eq!(sites.len(), 8, "{sites:#?}");
    assert_eq!(sites[0], "p.cyc:8 main|heap|1000 B|1000 B|1|1000 B");
    assert!(sites.contains(&"p.cyc:9 main|unique|16 B|320 B|20|16 B".to_string()), "{sites:#?}");
    assert_eq!(rows(&dom, "leaks"), ["p.cyc:9 main|unique|16 B|1|0 B", "p.cyc:10 main|counted|4 B|1|0 B"]);
    let regions = rows(&dom, "regions");
    assert_eq!(regions[0], "p.cyc:11 main, region r|region|120 B|120 B|30|1|0", "{regions:#?}");
    assert_eq!(regions.len(), 4);
    assert!(dom.contains("<b>20 B</b><span>never freed, in 2 objects</span>"), "{dom}");
    assert_eq!(dom.matches("class=\"layer ").count(), 2 * 5, "a layer for each kind, by time and by bytes");
}

#[test]
fn the_page_sorts_filters_and_points() {
    let s = Scratch::new(&[("p.cyc", KINDS)]);
    assert_eq!(s.cyc(&["run", "--memory-profile=out.html", "p.cyc"]).run().status, 0);
    let search = "const i = document.querySelector('#sites input'); i.value = 'unique main'; i.dispatchEvent(new Event('input'));";
    assert_eq!(rows(&browse(&s, "out.html", search), "sites"), ["p.cyc:9 main|unique|16 B|320 B|20|16 B"]);
    let nothing = search.replace("unique main", "nowhere");
    assert_eq!(rows(&browse(&s, "out.html", &nothing), "sites"), ["nothing fits"]);
    let sort = "const b = document.querySelectorAll('#sites th button')[4]; b.click();";
    let objects = |script: &str| -> Vec<u64> {
        let rows = rows(&browse(&s, "out.html", script), "sites");
        rows.iter().map(|row| row.split('|').nth(4).unwrap().parse().unwrap()).collect()
    };
    let down = objects(sort);
    assert!(down.is_sorted_by(|a, b| a >= b) && down[0] == 30, "{down:?}");
    let up = objects(&format!("{sort} b.click();"));
    assert!(up.is_sorted() && up[0] == 1, "{up:?}");
    let hover = "const c = document.querySelector('.chart'), f = c.getBoundingClientRect();
      c.dispatchEvent(new MouseEvent('mousemove', {clientX: f.left + f.width * 0.98, clientY: f.top + 40}));";
    let dom = browse(&s, "out.html", hover);
    let tip = dom.split("id=\"tip\"").nth(1).unwrap().split("<ul").next().unwrap();
    assert!(tip.contains("allocated") && tip.contains("class=\"sum\""), "{tip}");
    let switch = "document.querySelector('.switch [data-axis=allocated]').click();";
    let dom = browse(&s, "out.html", switch);
    assert!(dom.contains("data-axis=\"allocated\" aria-pressed=\"true\""), "{dom}");
    let ran = chromium(&s, &["--screenshot=seen.png", "out.html"]);
    let picture = fs::read(s.path("seen.png")).unwrap_or_default();
    assert!(picture.starts_with(b"\x89PNG") && picture.len() > 20_000, "{} bytes\n{}", picture.len(), ran.err());
}

#[test]
fn the_chart_is_an_svg() {
    let s = Scratch::new(&[("p<&.cyc", KINDS)]);
    assert_eq!(s.cyc(&["run", "--memory-profile=out.svg", "p<&.cyc"]).run().status, 0);
    let svg = fs::read_to_string(s.path("out.svg")).unwrap();
    assert!(svg.starts_with("<svg xmlns=") && svg.contains("Memory of p&lt;&amp;"), "{svg}");
    let ran = chromium(&s, &["--dump-dom", "out.svg"]);
    // A browser that cannot parse it says so in the document.
    assert!(
        !ran.out().contains("parsererror") && ran.out().matches("<path class=\"layer").count() == 5,
        "{}",
        ran.out()
    );
    // The page of such a program as well.
    assert_eq!(s.cyc(&["run", "--memory-profile=out.html", "p<&.cyc"]).run().status, 0);
    assert_eq!(rows(&browse(&s, "out.html", ""), "sites")[0], "p&lt;&amp;.cyc:8 main|heap|1000 B|1000 B|1|1000 B");
}

#[track_caller]
fn fails(ran: &Ran, status: i32, said: &str) {
    assert!(ran.status == status && ran.err().contains(said), "status {}:\n{}", ran.status, ran.err());
}

#[test]
fn bad_outputs_are_refused_before_the_program_runs() {
    let s = Scratch::new(&[("p.cyc", "#include <stdio.h>\nint main() { printf(\"ran\\n\"); return 0; }\n")]);
    for (out, said) in [
        ("out.pdf", "error[E0079]: a memory profile cannot become `out.pdf`"),
        ("out", "E0079"),
        ("nowhere/out.html", "error[E0091]: cannot write `nowhere/out.html`: no such file"),
        ("/proc/out.html", "E0091"),
    ] {
        let ran = s.cyc(&["run", &format!("--memory-profile={out}"), "p.cyc"]).run();
        fails(&ran, 2, said);
        assert_eq!((ran.out(), s.made()), (String::new(), vec![]));
    }
    fs::create_dir(s.path("folder.html")).unwrap();
    fails(&s.cyc(&["run", "--memory-profile=folder.html", "p.cyc"]).run(), 2, "E0091");
    fs::write(s.path("junk.json"), "{\"format\": 3}").unwrap();
    fails(&s.cyc(&["profile", "junk.json", "-o", "out.html"]).run(), 2, "`junk.json` is not a memory profile");
    fails(&s.cyc(&["profile", "p.cyc", "-o", "out.html"]).run(), 2, "`p.cyc` is not a memory profile");
    fails(&s.cyc(&["profile", "missing.json", "-o", "out.html"]).run(), 2, "E0090");
    assert_eq!(s.made(), ["folder.html", "junk.json"]);
}

#[test]
fn a_program_that_is_cut_off_leaves_no_picture_and_says_so() {
    let ends = "extern \"C\" { void abort(void); void _exit(int); int raise(int); }
int main(int argc, char ??argv) {
  int *p = new 5;
  if (argc == 1) abort();
  if (argc == 2) _exit(0);
  if (argc == 3) raise(9);
  return 7;
}
";
    let s = Scratch::new(&[("p.cyc", ends)]);
    fs::write(s.path("out.html"), "what was there").unwrap();
    let run = |args: &[&str]| s.cyc(&[&["run", "--memory-profile=out.html", "p.cyc", "--"], args].concat()).run();
    for (args, status) in [(&[][..], 134), (&["a"], 2), (&["a", "b"], 137)] {
        fails(&run(args), status, "error[E0079]: the program left no memory profile");
        assert_eq!(fs::read_to_string(s.path("out.html")).unwrap(), "what was there");
        assert_eq!(s.made(), ["out.html"]);
    }
    assert_eq!(run(&["a", "b", "c"]).status, 7);
    assert!(fs::read_to_string(s.path("out.html")).unwrap().contains("Memory of p"));
}

fn built(text: &str) -> Scratch {
    let s = Scratch::new(&[("p.cyc", text)]);
    let ran = s.cyc(&["build", "--memory-profile", "p.cyc", "-o", "p"]).run();
    assert_eq!(ran.status, 0, "{}", ran.err());
    s
}

#[test]
fn a_built_program_obeys_the_environment() {
    let s = built(KINDS);
    let run = |out: &str, path: &str| {
        Job::new(s.path("p")).dir(s.0.path()).env("CYC_MEMORY_PROFILE", out).env("PATH", path).run()
    };
    let quiet = Job::new(s.path("p")).dir(s.0.path()).run();
    assert_eq!((quiet.status, quiet.err(), s.made()), (0, String::new(), vec!["p".to_string()]));
    let system = "/usr/bin:/bin";
    let path = &format!("{}:{system}", cyc().parent().unwrap().display());
    assert_eq!(run("a.json", system).status, 0);
    assert_eq!(run("b.html", path).status, 0);
    assert_eq!(run("c.svg", path).status, 0);
    assert_eq!(s.made(), ["a.json", "b.html", "c.svg", "p"]);
    assert_eq!(kind(&s.profile("a.json"), "unique"), [320, 20, 16, 1]);
    assert_eq!(rows(&browse(&s, "b.html", ""), "sites").len(), 8);
    fs::remove_file(s.path("seen.html")).unwrap();
    // Without the command the figures are kept, and there is no picture.
    fails(&run("d.html", system), 0, "`cyc` is needed to draw");
    assert_eq!(s.made(), ["a.json", "b.html", "c.svg", "d.html.json", "p"]);
    assert_eq!(s.cyc(&["profile", "d.html.json", "-o", "d.html"]).run().status, 0);
    fails(&run("e.txt", system), 0, "must end in .html, .svg or .json");
    fails(&run("nowhere/e.json", system), 0, "cannot write `");
    fails(&run("/dev/full", system), 0, "cannot write `/dev/full`: No space left on device");
    let printed = run("/dev/stdout", system);
    assert_eq!(serde_json::from_str::<Value>(&printed.out()).unwrap()["version"], 1);
    assert_eq!(s.made(), ["a.json", "b.html", "c.svg", "d.html", "d.html.json", "p"]);
}

#[test]
fn children_keep_out_of_it() {
    let text = "extern \"C\" { int fork(void); int wait(int *); int system(const char *); }
int main() {
  long *p = new 5L;
  if (fork() == 0) { for (int i = 0; i < 10; i++) p = new 6L; return 0; }
  wait(NULL);
  return system(\"test -z \\\"$CYC_MEMORY_PROFILE\\\"\");
}
";
    let (_, ran, p) = profiled(text, &[]);
    assert_eq!(ran.status, 0, "{}", ran.err());
    assert_eq!(kind(&p, "heap"), [8, 1, 8, 1]);
}

#[test]
fn without_the_option_nothing_is_there() {
    let s = Scratch::new(&[("p.cyc", KINDS)]);
    let c = s.cyc(&["check", "--emit=c", "p.cyc"]).run();
    assert!(c.status == 0 && !c.out().contains("profile") && !c.out().contains("_cycP"), "{}", c.out());
    assert_eq!(s.cyc(&["build", "p.cyc", "-o", "p"]).run().status, 0);
    let symbols = Job::new("nm").arg(s.path("p")).run().out();
    assert!(symbols.contains("cyc_user_main") && !symbols.contains("cyc_profile"), "{symbols}");
    // An object that was compiled with it and is linked without.
    assert_eq!(s.cyc(&["build", "--memory-profile", "-c", "p.cyc"]).run().status, 0);
    fails(&s.cyc(&["build", "p.o", "-o", "q"]).run(), 2, "compiled with `--memory-profile`: link with it as well");
    assert_eq!(s.cyc(&["build", "--memory-profile", "p.o", "-o", "q"]).run().status, 0);
    // The other way around works, and knows what the library and the run time know.
    assert_eq!(s.cyc(&["build", "-c", "p.cyc"]).run().status, 0);
    assert_eq!(s.cyc(&["build", "--memory-profile", "p.o", "-o", "r"]).run().status, 0);
    let ran = Job::new(s.path("r")).env("CYC_MEMORY_PROFILE", s.path("r.json")).run();
    assert_eq!((ran.status, kind(&s.profile("r.json"), "heap")[1]), (0, 11), "{}", ran.err());
}

#[test]
fn projects_are_profiled_too() {
    let s = Scratch::new(&[
        ("cyc.toml", "[project]\nname = \"demo\"\nversion = \"0.1.0\"\n"),
        ("src/main.cyc", "int main() { long *p = new 5L; return 0; }\n"),
        ("tests/one.cyc", "#include <core.h>\nint main() { int *`U p = unew 5; return 0; }\n"),
        ("tests/two.cyc", "int main() { short *p = new (short)5; return 0; }\n"),
    ]);
    assert_eq!(s.cyc(&["run", "--memory-profile=out.json"]).run().status, 0);
    assert_eq!(kind(&s.profile("out.json"), "heap"), [8, 1, 8, 1]);
    let ran = s.cyc(&["test", "--memory-profile=t.json"]).run();
    assert_eq!(ran.status, 0, "{}{}", ran.out(), ran.err());
    assert_eq!(kind(&s.profile("t-one.json"), "unique"), [4, 1, 4, 1]);
    assert_eq!(kind(&s.profile("t-two.json"), "heap"), [2, 1, 2, 1]);
    assert_eq!(s.cyc(&["build", "--memory-profile"]).run().status, 0);
    let program = Job::new(s.path("build/bin/demo")).env("CYC_MEMORY_PROFILE", s.path("b.json"));
    assert!(program.run().status == 0 && Path::new(&s.path("b.json")).exists());
}
