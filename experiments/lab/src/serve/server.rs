//! Accepts connections and handles each one on a separate thread. The number of open connections is limited.

use super::{App, Gate, Method, Refused, Request, Response, read_request};
use crate::run::spawn;
use std::io::{self, Read};
use std::net::{IpAddr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const MAX_CONNECTIONS: usize = 256;
const TRANSFER_TIME: Duration = Duration::from_secs(10);
/// The time for which the rest of a refused request is still read, so that the client gets to see the reason.
const REST_TIME: Duration = Duration::from_millis(500);
/// The time that open connections get to finish after the server has been stopped.
const LAST_WAIT: Duration = Duration::from_secs(2);
/// The interval at which the server checks its stop flag and its jobs.
const TICK: Duration = Duration::from_millis(50);

struct Timed<'a> {
    stream: &'a TcpStream,
    end: Instant,
}

impl Read for Timed<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.stream.set_read_timeout(Some(left))?;
        self.stream.read(buffer)
    }
}

pub fn serve(listener: TcpListener, app: App, stop: &AtomicBool) -> io::Result<()> {
    let (app, gate) = (Arc::new(app), Arc::new(Gate::new(MAX_CONNECTIONS)));
    let ended = Arc::new(AtomicBool::new(false));
    let address = listener.local_addr()?;
    let accept = {
        let (app, gate, ended) = (Arc::clone(&app), Arc::clone(&gate), Arc::clone(&ended));
        spawn(move || accept_all(&listener, address, &app, &gate, &ended))?
    };
    while !stop.load(Ordering::SeqCst) {
        thread::sleep(TICK);
        app.tick();
    }
    ended.store(true, Ordering::SeqCst);
    app.end();
    wake(address);
    // If the thread has panicked, the panic has already been reported.
    let _ = accept.join();
    let end = Instant::now() + LAST_WAIT;
    // All connections have ended when all permits are free.
    let left = || gate.enter(end.saturating_duration_since(Instant::now()));
    let _permits: Vec<_> = (0..MAX_CONNECTIONS).map_while(|_| left()).collect();
    Ok(())
}

/// Wakes up a listener by connecting to it, so that its thread notices that the server has ended.
fn wake(mut address: SocketAddr) {
    if address.ip().is_unspecified() {
        address.set_ip(match address {
            SocketAddr::V4(_) => std::net::Ipv4Addr::LOCALHOST.into(),
            SocketAddr::V6(_) => std::net::Ipv6Addr::LOCALHOST.into(),
        });
    }
    let _ = TcpStream::connect_timeout(&address, LAST_WAIT);
}

fn accept_all(listener: &TcpListener, address: SocketAddr, app: &Arc<App>, gate: &Arc<Gate>, ended: &AtomicBool) {
    for stream in listener.incoming() {
        if ended.load(Ordering::SeqCst) {
            return;
        }
        let Ok(stream) = stream else {
            // There are probably too many open files. Try again when some of them have been closed.
            thread::sleep(TICK);
            continue;
        };
        let Some(permit) = gate.enter(Duration::ZERO) else {
            let reason = format!("{MAX_CONNECTIONS} connections are already open; try again later");
            send(&stream, &Response::error(503, &reason), false);
            continue;
        };
        let app = Arc::clone(app);
        // If the thread can't be started, the connection is dropped and thereby closed.
        let _ = spawn(move || {
            let _permit = permit;
            answer(&stream, address, &app);
        });
    }
}

fn answer(stream: &TcpStream, address: SocketAddr, app: &App) {
    let request = read_request(&mut Timed { stream, end: Instant::now() + TRANSFER_TIME });
    match request {
        Ok(None) => {}
        Ok(Some(request)) => send(stream, &app.respond(&request, address), request.head_only),
        Err(Refused(status, reason)) => {
            send(stream, &Response::error(status, &reason), false);
            // Closing the connection while there are unread bytes would discard the response.
            let _ = stream.shutdown(Shutdown::Write);
            let mut rest = Timed { stream, end: Instant::now() + REST_TIME };
            let _ = io::copy(&mut rest, &mut io::sink());
        }
    }
}

fn send(stream: &TcpStream, response: &Response, head_only: bool) {
    // If sending fails, there is nobody left to report the error to.
    let _ = stream.set_write_timeout(Some(TRANSFER_TIME)).and_then(|()| response.write(head_only, &mut &*stream));
}

/// Checks that a request comes from this site.
///
/// Pages on other sites can send requests to this computer, and other sites can make their own host names point to it
/// (DNS rebinding). The first kind of request is recognized by its origin and the second kind by its host, which must be
/// an address of this server or one of the given names.
pub fn check_origin(request: &Request, address: SocketAddr, names: &[String]) -> Result<(), Refused> {
    let host = request.host.as_deref().ok_or_else(|| Refused(400, "missing Host header".to_owned()))?;
    let name = name_of(host);
    let is_named = name.is_some_and(|name| names.iter().any(|known| known.eq_ignore_ascii_case(name)));
    if !is_named && !name.is_some_and(|name| is_own(name, address)) {
        let reason = format!(
            "unknown host {}; use http://{address} instead, or start the server with --allow-host NAME",
            shown(host)
        );
        return Err(Refused(421, reason));
    }
    // A proxy in front of a named server may add encryption.
    let site_of = |origin: &str| {
        let secure = origin.strip_prefix("https://").filter(|_| is_named);
        origin.strip_prefix("http://").or(secure).map(str::to_owned)
    };
    let is_same = |origin: &str| site_of(origin).is_some_and(|site| site.eq_ignore_ascii_case(host));
    let foreign = request.origin.as_deref().is_some_and(|origin| !is_same(origin));
    // Links from other sites to a page are harmless, but requests that ask for data or change something are not.
    let fetched = matches!(request.fetch_site.as_deref(), Some("cross-site" | "same-site"));
    if foreign || fetched && (request.is_api() || request.method != Method::Get) {
        return Err(Refused(403, "the request comes from a page on another site".to_owned()));
    }
    Ok(())
}

/// Returns a host without its port. The port can be any, because it may be forwarded, and other sites can't choose it.
fn name_of(host: &str) -> Option<&str> {
    match host.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => port.parse::<u16>().ok().map(|_| name),
        _ => Some(host),
    }
}

/// Returns `true` if a host's name is `localhost` or an IP address. If the server listens on a loopback address, only
/// loopback addresses are accepted.
fn is_own(name: &str, address: SocketAddr) -> bool {
    let allowed = |ip: IpAddr| ip.is_loopback() || !address.ip().is_loopback();
    let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    name.eq_ignore_ascii_case("localhost") || bare.parse().is_ok_and(allowed)
}

fn shown(host: &str) -> String {
    host.chars().take(60).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(address: &str, host: &str, origin: Option<&str>, site: Option<&str>, path: &str) -> u16 {
        let [origin, site] = [origin, site].map(|text| text.map(str::to_owned));
        let request = Request {
            method: if path == "/post" { Method::Post } else { Method::Get },
            head_only: false,
            path: path.to_owned(),
            query: vec![],
            host: Some(host.to_owned()),
            origin,
            fetch_site: site,
            body: vec![],
        };
        check_origin(&request, address.parse().unwrap(), &["lab.example".to_owned()])
            .err()
            .map_or(200, |Refused(status, _)| status)
    }

    #[test]
    fn hosts_are_addresses_of_this_server() {
        let local = |host: &str| status("127.0.0.1:7777", host, None, None, "/");
        for host in ["127.0.0.1:7777", "localhost:7777", "LOCALHOST:7777", "[::1]:7777", "127.0.0.2:7777"] {
            assert_eq!(local(host), 200, "{host}");
        }
        // A port can be forwarded, as by `ssh -L 8080:localhost:7777`.
        for host in ["localhost:8080", "127.0.0.1:7778", "127.0.0.1", "[::1]"] {
            assert_eq!(local(host), 200, "{host}");
        }
        for host in [
            "evil.example:7777",
            "127.0.0.1.evil.example:7777",
            "192.168.1.2:7777",
            "",
            ":7777",
            "a@b:7777",
            "localhost:x",
        ] {
            assert_eq!(local(host), 421, "{host}");
        }
        assert_eq!(status("0.0.0.0:7777", "192.168.1.2:7777", None, None, "/"), 200);
        assert_eq!(status("0.0.0.0:7777", "evil.example:7777", None, None, "/"), 421);
        assert_eq!(status("127.0.0.1:80", "localhost", None, None, "/"), 200);
        for (host, expected) in [
            ("lab.example", 200),
            ("LAB.example:8443", 200),
            ("lab.example.evil.example", 421),
            ("evil.lab.example", 421),
            ("lab.example:x", 421),
        ] {
            assert_eq!(local(host), expected, "{host}");
        }
        let posted = |origin| status("127.0.0.1:7777", "lab.example", Some(origin), None, "/post");
        assert_eq!((posted("https://lab.example"), posted("http://lab.example")), (200, 200));
        assert_eq!((posted("https://evil.example"), posted("http://localhost")), (403, 403));
    }

    #[test]
    fn pages_of_other_sites_cannot_ask_for_data() {
        let from = |origin, site, path| status("127.0.0.1:7777", "127.0.0.1:7777", origin, site, path);
        assert_eq!(from(Some("http://127.0.0.1:7777"), Some("same-origin"), "/post"), 200);
        for origin in
            ["http://evil.example", "null", "https://127.0.0.1:7777", "http://127.0.0.1:7778", "http://localhost:7777"]
        {
            assert_eq!(from(Some(origin), None, "/post"), 403, "{origin}");
        }
        assert_eq!(from(None, Some("cross-site"), "/api/ev"), 403);
        assert_eq!(from(None, Some("cross-site"), "/post"), 403);
        assert_eq!(from(None, Some("cross-site"), "/"), 200);
    }
}
