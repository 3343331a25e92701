//! `examples/projects/httpd`, driven by curl, wrk and by clients that do not behave.

use crate::programs::{Program, contents};
use eyewall_tests::tools::{Job, need, root};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A server that is running; it is stopped by SIGTERM, and has to end well.
struct Server {
    child: Child,
    address: SocketAddr,
}

impl Server {
    fn start(executable: &Path, args: &[&str], folder: &Path) -> Server {
        let mut child = Command::new(executable)
            .args(args)
            .arg(folder)
            .env("ASAN_OPTIONS", "detect_leaks=0:exitcode=99")
            .env("UBSAN_OPTIONS", "exitcode=99")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe"))
            .read_line(&mut line)
            .expect("the server prints its address");
        let address = line.trim().trim_start_matches("http://").trim_end_matches('/');
        Server { child, address: address.parse().unwrap_or_else(|e| panic!("{line:?}: {e}")) }
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// curl's output, for instance the status of the answer.
    fn curl(&self, args: &[&str], path: &str) -> Vec<u8> {
        Job::new("curl").args(["-s", "--path-as-is", "--max-time", "20"]).args(args).arg(self.url(path)).run().stdout
    }

    fn status(&self, args: &[&str], path: &str) -> String {
        let out = self.curl(&[&["-o", "/dev/null", "-w", "%{http_code}"], args].concat(), path);
        String::from_utf8_lossy(&out).into_owned()
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).expect("the server listens");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout can be set");
        stream
    }

    /// All that is answered to these bytes, until the server ends the connection.
    fn raw(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect();
        // The server may end the connection before it has read everything.
        let _ = stream.write_all(bytes);
        let mut answer = vec![];
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    #[track_caller]
    fn ends_well(mut self, signal: Option<&str>) {
        if let Some(signal) = signal {
            let killed = Job::new("kill").args([&format!("-{signal}"), &self.child.id().to_string()]).run();
            assert_eq!(killed.status, 0, "{}", killed.err());
        }
        let mut said = String::new();
        let _ = self.child.stderr.take().expect("a pipe").read_to_string(&mut said);
        let status = self.child.wait().expect("the server ends");
        assert!(status.success() && said.is_empty(), "{status}: {said}");
    }
}

fn both(work: impl Fn(&Path)) {
    need("curl", "curl").unwrap();
    Program::build("httpd").executables().iter().for_each(|executable| work(executable));
}

#[test]
fn curl_gets_files() {
    both(|executable| {
        let server = Server::start(executable, &[], root());
        for file in ["README.md", "examples/data/menu.json.gz", "lib/README.md", "Cargo.lock"] {
            assert!(server.curl(&[], &format!("/{file}")) == contents(file), "{file}");
        }
        let head = String::from_utf8(server.curl(&["-I"], "/README.md?query")).unwrap();
        for line in ["HTTP/1.1 200 OK\r\n", "Content-Type: text/markdown", "Connection: keep-alive\r\n"] {
            assert!(head.contains(line), "{line:?} is not in:\n{head}");
        }
        assert!(head.contains(&format!("Content-Length: {}\r\n", contents("README.md").len())), "{head}");
        let date = head.lines().find_map(|line| line.strip_prefix("Date: ")).expect("the head has a date");
        let said = Job::new("date").args(["-u", "+%s", "-d", date]).run();
        let said: u64 = said.out().trim().parse().expect("GNU date reads the date");
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
        assert!(now.abs_diff(said) < 30 && date.ends_with(" GMT") && date.len() == 29, "{date:?} at {now}");
        // Two files over one connection.
        let urls = [server.url("/README.md"), server.url("/CHANGELOG.md")];
        let ran = Job::new("curl").args(["-sv", "-o", "/dev/null", "-o", "/dev/null"]).args(&urls).run();
        assert!(ran.err().contains("Re-using existing connection"), "{}", ran.err());
        for (path, status) in [
            ("/no/such/file", "404"),
            ("/lib", "404"),
            ("/", "404"),
            ("/../README.md", "403"),
            ("/lib/../../etc/passwd", "403"),
            ("/%2e%2e/etc/passwd", "403"),
            ("/lib/%2e%2E%2f..%2fetc/passwd", "403"),
            ("/..", "403"),
            ("/a%00b", "400"),
            ("/%zz", "400"),
        ] {
            assert_eq!(server.status(&[], path), status, "{path}");
        }
        assert_eq!(server.status(&["-X", "DELETE"], "/README.md"), "501");
        assert_eq!(server.status(&["-d", "body"], "/README.md"), "501");
        assert_eq!(server.status(&["-X", "GET", "-d", "body"], "/README.md"), "413");
        assert_eq!(server.status(&["-0"], "/README.md"), "200");
        assert_eq!(server.status(&["-H", &format!("X: {}", "x".repeat(9000))], "/README.md"), "431");
        server.ends_well(Some("TERM"));
    });
}

#[test]
fn no_collector_is_linked() {
    let executable = &Program::build("httpd").executables()[0];
    let symbols = Job::new("nm").arg(executable).run();
    assert!(symbols.out().contains("Cyc_main") && !symbols.out().contains("lowfat_gc"), "{}", symbols.err());
}

#[test]
fn clients_that_do_not_behave() {
    both(|executable| {
        let server = Server::start(executable, &[], root());
        let host = "Host: x\r\n";
        for (request, status) in [
            ("GARBAGE\r\n\r\n", 400),
            ("GET /README.md\r\n\r\n", 400),
            ("GET  /README.md HTTP/1.1\r\nHost: x\r\n\r\n", 400),
            ("GET README.md HTTP/1.1\r\nHost: x\r\n\r\n", 400),
            ("GET /README.md HTTP/1.1\r\n\r\n", 400),
            ("GET /README.md HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", 400),
            ("GET /README.md HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n", 400),
            ("GET /README.md HTTP/1.1\r\nHost : x\r\n\r\n", 400),
            ("GET /README.md HTTP/1.1\r\nHost: x\r\n folded: y\r\n\r\n", 400),
            ("GET /README.md HTTP/1.1\r\nHost: x\nX: y\r\n\r\n", 400),
            ("GET /README.md HTTP/2.0\r\nHost: x\r\n\r\n", 505),
            ("GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 413),
            ("\0\u{1}\u{2}\r\n\r\n", 400),
        ] {
            let answer = server.raw(request.as_bytes());
            assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{request:?}: {answer:?}");
        }
        // Headers without end, by length and by number.
        let endless = format!("GET / HTTP/1.1\r\n{}", "X: yyyyyyyyyyyyyyyy\r\n".repeat(100_000));
        assert!(server.raw(endless.as_bytes()).starts_with("HTTP/1.1 431 "));
        let many = format!("GET / HTTP/1.1\r\n{host}{}\r\n", "X: y\r\n".repeat(200));
        assert!(server.raw(many.as_bytes()).starts_with("HTTP/1.1 431 "));
        // A request byte by byte; two at once; one that is never finished.
        let mut slow = server.connect();
        for byte in b"GET /LICENSE-MIT HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n" {
            slow.write_all(&[*byte]).unwrap();
        }
        let mut answer = vec![];
        slow.read_to_end(&mut answer).unwrap();
        assert!(answer.ends_with(&contents("LICENSE-MIT")));
        let two = format!("GET /LICENSE-MIT HTTP/1.1\r\n{host}\r\nGET /rust-toolchain.toml HTTP/1.0\r\n\r\n");
        let answer = server.raw(two.as_bytes());
        assert_eq!(answer.matches("HTTP/1.1 200 OK").count(), 2, "{answer}");
        let mut unfinished: Vec<TcpStream> = (0..50).map(|_| server.connect()).collect();
        unfinished.iter_mut().for_each(|stream| stream.write_all(b"GET / HTT").unwrap());
        assert_eq!(server.status(&[], "/README.md"), "200");
        server.ends_well(Some("INT"));
    });
}

#[test]
fn wrk_is_answered_and_the_count_of_requests_ends_the_server() {
    need("wrk", "wrk").unwrap();
    both(|executable| {
        let server = Server::start(executable, &[], root());
        let wrk = Job::new("wrk").args(["-t1", "-c50", "-d1", &server.url("/LICENSE-MIT")]).run();
        assert_eq!(wrk.status, 0, "{}", wrk.err());
        for wrong in ["Non-2xx", "Socket errors"] {
            assert!(!wrk.out().contains(wrong), "{}", wrk.out());
        }
        assert!(wrk.out().contains("Requests/sec"), "{}", wrk.out());
        server.ends_well(Some("TERM"));
        let server = Server::start(executable, &["-n", "3"], root());
        for _ in 0..3 {
            assert_eq!(server.status(&[], "/README.md"), "200");
        }
        server.ends_well(None);
    });
    let p = Program::build("httpd");
    for wrong in [&[] as &[&str], &["a", "b"], &["-p", "99999", "."], &["-q", "."]] {
        assert_eq!(p.run(wrong, b"").status, 2, "{wrong:?}");
    }
}
