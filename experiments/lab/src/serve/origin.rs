//! Checks that requests come from this site.
//!
//! Pages on other sites can send requests to this computer, and other sites can make their own host names point to it
//! (DNS rebinding). The first kind of request is recognized by its origin and the second kind by its host.

use super::http::{Method, Refused, Request};
use std::net::{IpAddr, SocketAddr};

/// Checks the host and the origin of a request that was sent to the given address.
pub(super) fn check(request: &Request, address: SocketAddr) -> Result<(), Refused> {
    let host = request.host.as_deref().ok_or_else(|| Refused(400, "missing Host header".to_owned()))?;
    if !is_own(host, address) {
        let reason = format!("unknown host {}; use http://{address} instead", shown(host));
        return Err(Refused(421, reason));
    }
    let is_same = |origin: &str| origin.strip_prefix("http://").is_some_and(|site| site.eq_ignore_ascii_case(host));
    let foreign = request.origin.as_deref().is_some_and(|origin| !is_same(origin));
    // Links from other sites to a page are harmless, but requests that ask for data or change something are not.
    let fetched = matches!(request.fetch_site.as_deref(), Some("cross-site" | "same-site"));
    if foreign || fetched && (request.is_api() || request.method != Method::Get) {
        return Err(Refused(403, "the request comes from a page on another site".to_owned()));
    }
    Ok(())
}

/// Returns `true` if the host is `localhost` or an IP address. If the server listens on a loopback address, only loopback
/// addresses are accepted. The port can be another one, because it may be forwarded, and other sites can't choose it.
fn is_own(host: &str, address: SocketAddr) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => match port.parse::<u16>() {
            Ok(_) => name,
            Err(_) => return false,
        },
        _ => host,
    };
    let allowed = |ip: IpAddr| ip.is_loopback() || !address.ip().is_loopback();
    let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    name.eq_ignore_ascii_case("localhost") || bare.parse().is_ok_and(allowed)
}

/// Truncates a host name so that it can be shown in a message.
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
            query_text: String::new(),
            query: vec![],
            host: Some(host.to_owned()),
            origin,
            fetch_site: site,
            body: vec![],
        };
        check(&request, address.parse().unwrap()).err().map_or(200, |Refused(status, _)| status)
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
