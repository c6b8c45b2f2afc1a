//! Connections: one thread for each, of which there is a limited number.

use super::app::App;
use super::http::{self, Refused, Response};
use std::io::{self, Read};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Maximum number of open connections.
const MAX_CONNECTIONS: usize = 256;
/// Time for a request to arrive, and for a response to leave.
const TRANSFER_TIME: Duration = Duration::from_secs(10);
/// Time for which the rest of a refused request is read, so that its sender sees the reason.
const REST_TIME: Duration = Duration::from_millis(500);
/// Time for open connections to end after the server was stopped.
const LAST_WAIT: Duration = Duration::from_secs(2);
/// Interval at which the server looks at its flag and its jobs.
const TICK: Duration = Duration::from_millis(50);

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
}

/// A stream whose reads end at a point in time.
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

/// A connection, counted while it is open.
struct Open(Arc<AtomicUsize>);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Server {
    /// Listens at an address; port 0 is any free one.
    ///
    /// # Errors
    /// If the address cannot be used.
    pub fn bind(address: SocketAddr) -> io::Result<Server> {
        let listener = TcpListener::bind(address)?;
        let address = listener.local_addr()?;
        Ok(Server { listener, address })
    }

    /// Returns the address.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until the flag is set.
    ///
    /// # Errors
    /// If no thread can be started.
    pub fn run(self, app: App, stop: &AtomicBool) -> io::Result<()> {
        let (app, open) = (Arc::new(app), Arc::new(AtomicUsize::new(0)));
        let ended = Arc::new(AtomicBool::new(false));
        let Server { listener, address } = self;
        let accept = {
            let (app, open, ended) = (Arc::clone(&app), Arc::clone(&open), Arc::clone(&ended));
            thread::Builder::new().spawn(move || accept_all(&listener, address, &app, &open, &ended))?
        };
        while !stop.load(Ordering::SeqCst) {
            thread::sleep(TICK);
            app.tick();
        }
        ended.store(true, Ordering::SeqCst);
        app.end();
        wake(address);
        // A panic of the thread was reported when it happened.
        let _ = accept.join();
        let end = Instant::now() + LAST_WAIT;
        while open.load(Ordering::SeqCst) > 0 && Instant::now() < end {
            thread::sleep(TICK / 5);
        }
        Ok(())
    }
}

/// Connects to a listener, so that it stops waiting.
fn wake(mut address: SocketAddr) {
    if address.ip().is_unspecified() {
        address.set_ip(match address {
            SocketAddr::V4(_) => std::net::Ipv4Addr::LOCALHOST.into(),
            SocketAddr::V6(_) => std::net::Ipv6Addr::LOCALHOST.into(),
        });
    }
    let _ = TcpStream::connect_timeout(&address, LAST_WAIT);
}

fn accept_all(
    listener: &TcpListener,
    address: SocketAddr,
    app: &Arc<App>,
    open: &Arc<AtomicUsize>,
    ended: &AtomicBool,
) {
    for stream in listener.incoming() {
        if ended.load(Ordering::SeqCst) {
            return;
        }
        let Ok(stream) = stream else {
            // Too many open files, most likely: they are closed before long.
            thread::sleep(TICK);
            continue;
        };
        let connection = Open(Arc::clone(open));
        if open.fetch_add(1, Ordering::SeqCst) >= MAX_CONNECTIONS {
            let reason = format!("{MAX_CONNECTIONS} connections are open already; try again soon");
            send(&stream, &Response::error(503, &reason), false);
            continue;
        }
        let app = Arc::clone(app);
        // Without a thread the connection is closed.
        let _ = thread::Builder::new().spawn(move || {
            let _connection = connection;
            serve(&stream, address, &app);
        });
    }
}

fn serve(stream: &TcpStream, address: SocketAddr, app: &App) {
    let request = http::read(&mut Timed { stream, end: Instant::now() + TRANSFER_TIME });
    match request {
        Ok(None) => {}
        Ok(Some(request)) => send(stream, &app.respond(&request, address), request.head_only),
        Err(Refused(status, reason)) => {
            send(stream, &Response::error(status, &reason), false);
            // Closing a connection with unread bytes would discard the response.
            let _ = stream.shutdown(Shutdown::Write);
            let mut rest = Timed { stream, end: Instant::now() + REST_TIME };
            let _ = io::copy(&mut rest, &mut io::sink());
        }
    }
}

fn send(stream: &TcpStream, response: &Response, head_only: bool) {
    // Without a reader there is no one to report to.
    let _ = stream.set_write_timeout(Some(TRANSFER_TIME)).and_then(|()| response.write(head_only, &mut &*stream));
}
