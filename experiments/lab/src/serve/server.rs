//! Accepts connections and handles each one on a separate thread. The number of open connections is limited.

use super::app::App;
use super::http::{self, Refused, Response};
use std::io::{self, Read};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The maximum number of open connections.
const MAX_CONNECTIONS: usize = 256;
/// The maximum time for receiving a request and for sending a response.
const TRANSFER_TIME: Duration = Duration::from_secs(10);
/// The time for which the rest of a refused request is still read, so that the client gets to see the reason.
const REST_TIME: Duration = Duration::from_millis(500);
/// The time that open connections get to finish after the server has been stopped.
const LAST_WAIT: Duration = Duration::from_secs(2);
/// The interval at which the server checks its stop flag and its jobs.
const TICK: Duration = Duration::from_millis(50);

/// A server that is listening for connections.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
}

/// A stream with a deadline for reading.
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

/// A guard that counts a connection as long as it is open.
struct Open(Arc<AtomicUsize>);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Server {
    /// Starts listening on an address. If the port is 0, the system chooses a free port.
    pub fn bind(address: SocketAddr) -> io::Result<Server> {
        let listener = TcpListener::bind(address)?;
        let address = listener.local_addr()?;
        Ok(Server { listener, address })
    }

    /// Returns the address that the server is listening on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Runs the server until `stop` is set.
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
        // If the thread has panicked, the panic has already been reported.
        let _ = accept.join();
        let end = Instant::now() + LAST_WAIT;
        while open.load(Ordering::SeqCst) > 0 && Instant::now() < end {
            thread::sleep(TICK / 5);
        }
        Ok(())
    }
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
            // There are probably too many open files. Try again when some of them have been closed.
            thread::sleep(TICK);
            continue;
        };
        let connection = Open(Arc::clone(open));
        if open.fetch_add(1, Ordering::SeqCst) >= MAX_CONNECTIONS {
            let reason = format!("{MAX_CONNECTIONS} connections are already open; try again later");
            send(&stream, &Response::error(503, &reason), false);
            continue;
        }
        let app = Arc::clone(app);
        // If the thread can't be started, the connection is dropped and thereby closed.
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
