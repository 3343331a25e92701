//! `cargo xtask bench httpd`: the web server of the examples beside nginx with one process, a file of 1 KB on loopback.
//!
//! wrk asks both in turn, with few and with many connections that are kept; the median of the runs counts, and the processor time
//! of the server for a request, which depends less on what else the machine does. Then httpd alone answers a million requests: its
//! peak of resident memory after the first 100,000 is the peak at the end. nginx is told to do no more than httpd does: no log;
//! it sends some headers more (the date, when the file changed).

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use clap::Parser;
use serde::Serialize;

use super::measure::{Machine, geometric_mean, median, write_whole};
use super::table::Table;

const CONNECTIONS: &[usize] = &[1, 32, 256];
const FEW: u64 = 100_000;
const MANY: u64 = 1_000_000;

#[derive(Parser)]
#[command(name = "cargo xtask bench httpd", about = "The web server in Cyclone beside nginx")]
struct Options {
    /// Measured runs of each; the median counts.
    #[arg(long, default_value_t = 5)]
    runs: usize,
    /// Seconds of each.
    #[arg(long, default_value_t = 3)]
    seconds: u32,
    /// Leave out nginx.
    #[arg(long)]
    alone: bool,
    /// Leave out the million requests.
    #[arg(long)]
    no_memory: bool,
    /// Where the results go.
    #[arg(long)]
    results: Option<PathBuf>,
}

/// A server that is running. It is killed when it is dropped.
struct Server {
    child: Child,
    url: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    fn file(&self, name: &str) -> Result<String> {
        fs::read_to_string(format!("/proc/{}/{name}", self.child.id())).context("the server has ended")
    }

    /// Seconds of processor time so far.
    fn cpu(&self) -> Result<f64> {
        let stat = self.file("stat")?;
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        let ticks = |i: usize| fields.get(i).and_then(|f| f.parse::<f64>().ok());
        // User and system time are fields 14 and 15; the first of these is field 3. A tick is 10 ms on every Linux.
        Ok((ticks(11).context("no user time")? + ticks(12).context("no system time")?) / 100.0)
    }

    fn peak_kib(&self) -> Result<u64> {
        let status = self.file("status")?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).context("no peak")?;
        line.split_whitespace().next().and_then(|n| n.parse().ok()).context("no peak")
    }
}

/// A port that nobody has now.
fn free_port() -> Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

fn start_nginx(scratch: &Path) -> Result<Server> {
    let port = free_port()?;
    let at = scratch.display();
    let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|what| format!("  {what}_temp_path {at}/{what};\n"))
        .concat();
    let text = format!(
        "worker_processes 1;\nmaster_process off;\ndaemon off;\nerror_log stderr;\npid {at}/nginx.pid;\n\
         events {{ worker_connections 1024; }}\nhttp {{\n{temporary}  access_log off;\n  sendfile on;\n  \
         keepalive_requests 1000000000;\n  default_type text/plain;\n  \
         server {{ listen 127.0.0.1:{port}; root {at}/www; }}\n}}\n"
    );
    let config = scratch.join("nginx.conf");
    fs::write(&config, text)?;
    let program = ["nginx", "/usr/sbin/nginx"].into_iter().find(|p| Command::new(p).arg("-v").output().is_ok());
    let program = program.context("nginx is not installed (Debian: nginx-light)")?;
    let log = fs::File::create(scratch.join("nginx.log"))?;
    let child = Command::new(program).arg("-c").arg(&config).args(["-e", "stderr"]).stderr(log).spawn()?;
    let server = Server { child, url: format!("http://127.0.0.1:{port}/1k.txt") };
    let until = Instant::now() + Duration::from_secs(10);
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        ensure!(Instant::now() < until, "nginx does not answer: see {}", scratch.join("nginx.log").display());
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(server)
}

fn start_httpd(executable: &Path, scratch: &Path) -> Result<Server> {
    let mut child = Command::new(executable).arg(scratch.join("www")).stdout(Stdio::piped()).spawn()?;
    let mut line = String::new();
    BufReader::new(child.stdout.take().context("a pipe")?).read_line(&mut line)?;
    ensure!(line.starts_with("http://"), "httpd does not start: {line}");
    Ok(Server { child, url: format!("{}1k.txt", line.trim()) })
}

/// Builds httpd as its `cyc.toml` says.
fn build_httpd(scratch: &Path) -> Result<PathBuf> {
    let root = super::root()?;
    let cyc = super::cyc(&root)?;
    let folder = scratch.join("build");
    let mut cyc = Command::new(cyc);
    cyc.arg("build").arg("--build-dir").arg(&folder).current_dir(root.join("examples/projects/httpd"));
    super::build(&mut cyc)?;
    Ok(folder.join("bin/httpd"))
}

/// Symbols of the collector in the executable.
fn collector_symbols(executable: &Path) -> Result<usize> {
    let output = Command::new("nm").arg(executable).output().context("cannot run nm")?;
    ensure!(output.status.success(), "nm: {}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8_lossy(&output.stdout).lines().filter(|line| line.contains("lowfat_gc")).count())
}

#[derive(Clone, Copy, Serialize)]
struct Load {
    requests: u64,
    per_second: f64,
    /// Processor time of the server for a request, microseconds.
    cpu_us: f64,
}

fn load(server: &Server, connections: usize, seconds: u32) -> Result<Load> {
    let before = server.cpu()?;
    let args = ["-t1".into(), format!("-c{connections}"), format!("-d{seconds}"), server.url.clone()];
    let output = Command::new("wrk").args(args).output().context("wrk is not installed (Debian: wrk)")?;
    let cpu = server.cpu()? - before;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() || said.contains("Non-2xx") || said.contains("Socket errors") {
        bail!("wrk {}: {said}", server.url);
    }
    let requests = said.lines().find_map(|l| l.trim().split_once(" requests in")?.0.parse::<u64>().ok());
    let rate = said.lines().find_map(|l| l.strip_prefix("Requests/sec:")?.trim().parse::<f64>().ok());
    let (requests, per_second) = (requests.context("no requests")?, rate.context("no rate")?);
    ensure!(requests > 0, "no request was answered: {said}");
    Ok(Load { requests, per_second, cpu_us: cpu * 1e6 / requests as f64 })
}

#[derive(Serialize)]
struct Case {
    connections: usize,
    httpd: Vec<Load>,
    nginx: Vec<Load>,
}

fn middle(loads: &[Load], what: fn(&Load) -> f64) -> f64 {
    median(&loads.iter().map(what).collect::<Vec<f64>>()).unwrap_or(f64::NAN)
}

#[derive(Serialize)]
struct Memory {
    requests: u64,
    peak_kib: u64,
}

/// The peak after each count of requests.
fn memory(server: &Server) -> Result<Vec<Memory>> {
    let (mut requests, mut found) = (0, vec![]);
    for enough in [FEW, MANY] {
        while requests < enough {
            requests += load(server, 32, 1)?.requests;
        }
        found.push(Memory { requests, peak_kib: server.peak_kib()? });
    }
    Ok(found)
}

#[derive(Serialize)]
struct Results {
    machine: Machine,
    nginx: String,
    seconds: u32,
    cases: Vec<Case>,
    memory: Vec<Memory>,
    collector_symbols: usize,
}

fn shown(results: &Results) -> String {
    let head = ["connections", "httpd /s", "nginx /s", "ratio", "httpd us", "nginx us", "ratio"];
    let title = "Requests per second, and processor time of the server for one (1 KB, kept connections, wrk, medians)";
    let mut table = Table::new(title, head);
    let (mut rates, mut times) = (vec![], vec![]);
    for case in &results.cases {
        let [h, n] = [&case.httpd, &case.nginx].map(|loads| middle(loads, |l| l.per_second));
        let [hc, nc] = [&case.httpd, &case.nginx].map(|loads| middle(loads, |l| l.cpu_us));
        rates.push(h / n);
        times.push(hc / nc);
        let figures = [format!("{h:.0}"), format!("{n:.0}"), format!("{:.2}", h / n)];
        let costs = [format!("{hc:.1}"), format!("{nc:.1}"), format!("{:.2}", hc / nc)];
        table.row([vec![case.connections.to_string()], figures.to_vec(), costs.to_vec()].concat());
    }
    table.rule();
    let mean = |values: &[f64]| geometric_mean(values).map_or("-".into(), |m| format!("{m:.2}"));
    let blank = String::new;
    table.row(["mean".into(), blank(), blank(), mean(&rates), blank(), blank(), mean(&times)]);
    let mut text = table.to_string();
    for Memory { requests, peak_kib } in &results.memory {
        text.push_str(&format!("httpd after {requests} requests: {peak_kib} KiB at most\n"));
    }
    text + &format!("httpd has {} symbols of the collector\n{}\n", results.collector_symbols, results.nginx)
}

pub fn run(args: &[String]) -> Result<()> {
    let name = ["cargo xtask bench httpd".to_string()];
    let options = Options::parse_from(name.iter().chain(args));
    let scratch = super::root()?.join("target/bench/httpd");
    fs::create_dir_all(scratch.join("www"))?;
    let kilobyte: String = ('a'..='z').cycle().take(1024).collect();
    fs::write(scratch.join("www/1k.txt"), kilobyte)?;
    let executable = build_httpd(&scratch)?;
    let collector_symbols = collector_symbols(&executable)?;
    let mut cases = vec![];
    {
        let httpd = start_httpd(&executable, &scratch)?;
        let nginx = if options.alone { None } else { Some(start_nginx(&scratch)?) };
        for &connections in CONNECTIONS {
            let mut case = Case { connections, httpd: vec![], nginx: vec![] };
            for _ in 0..options.runs {
                case.httpd.push(load(&httpd, connections, options.seconds)?);
                if let Some(nginx) = &nginx {
                    case.nginx.push(load(nginx, connections, options.seconds)?);
                }
            }
            cases.push(case);
        }
    }
    let memory = if options.no_memory { vec![] } else { memory(&start_httpd(&executable, &scratch)?)? };
    let version =
        Command::new("nginx").arg("-v").output().map(|o| String::from_utf8_lossy(&o.stderr).trim().to_string());
    let nginx = version.unwrap_or_else(|_| "nginx".into());
    let results =
        Results { machine: Machine::this(), nginx, seconds: options.seconds, cases, memory, collector_symbols };
    let text = shown(&results);
    print!("{text}");
    let folder = options.results.map_or_else(|| super::root().map(|r| r.join("bench/results")), Ok)?;
    write_whole(&folder.join("httpd.json"), &(serde_json::to_string_pretty(&results)? + "\n"))?;
    write_whole(&folder.join("httpd.txt"), &text)
}
