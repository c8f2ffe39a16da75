// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Listen address of the metrics: parses `MF_METRICS` and picks the port of this process.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::ops::RangeInclusive;

use mf_base::os::{descriptor, interface};
use mf_base::{Error, Result};

const OP: &str = "metrics";

/// The address and the ports that may be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ListenAddress {
    host: IpAddr,
    ports: Ports,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Ports {
    /// Any that is free.
    Any,
    /// This one, and none else.
    One(u16),
    /// The first free one.
    FirstFree(RangeInclusive<u16>),
}

impl ListenAddress {
    /// Parses the value of the setting, for the process of this rank on its host.
    ///
    /// # Errors
    /// `InvalidParam` it is malformed, or the port of the local rank is out of range.
    pub(super) fn parse(setting: &'static str, text: &str, local_rank: u32) -> Result<Self> {
        let unusable = |what: &str| {
            Error::invalid(OP, what).with(setting, text).hint(
                "HOST:PORT, HOST:FIRST-LAST or HOST:0, as 127.0.0.1:9464; HOST is an address or localhost",
            )
        };
        let (host, ports) = text.trim().rsplit_once(':').ok_or_else(|| unusable("no port"))?;
        let host = match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
            _ if host == "localhost" => Ok(interface::loopback()),
            Some(host) => host.parse(),
            None => host.parse::<Ipv4Addr>().map(IpAddr::from),
        };
        let host = host.map_err(|_| unusable("invalid host address"))?;
        let port = |text: &str| text.parse::<u16>().map_err(|_| unusable("invalid port"));
        let ports = match ports.split_once('-') {
            Some((first, last)) => {
                let (first, last) = (port(first)?, port(last)?);
                if first == 0 || first > last {
                    return Err(unusable("the range of ports has none"));
                }
                Ports::FirstFree(first..=last)
            }
            None => match port(ports)? {
                0 => Ports::Any,
                port => {
                    let own = u32::from(port).checked_add(local_rank).and_then(|own| u16::try_from(own).ok());
                    let beyond = || {
                        unusable("invalid port: port plus local rank exceeds 65535")
                            .with("local_rank", local_rank)
                    };
                    Ports::One(own.ok_or_else(beyond)?)
                }
            },
        };
        Ok(Self { host, ports })
    }

    /// Returns true if only processes of this host reach it.
    pub(super) fn is_loopback(&self) -> bool {
        self.host.is_loopback()
    }

    /// Listens there.
    ///
    /// # Errors
    /// Of the last port that was tried.
    pub(super) fn listen(&self) -> std::io::Result<TcpListener> {
        let ports = match &self.ports {
            Ports::Any => 0..=0,
            Ports::One(port) => *port..=*port,
            Ports::FirstFree(ports) => ports.clone(),
        };
        let mut listened = Err(std::io::ErrorKind::AddrInUse.into());
        for port in ports {
            listened = descriptor::listen_tcp(SocketAddr::new(self.host, port));
            match &listened {
                Err(error) if error.kind() == std::io::ErrorKind::AddrInUse => {}
                _ => break,
            }
        }
        listened
    }

    /// Returns the remedy when no port is free.
    pub(super) fn remedy(&self) -> &'static str {
        match self.ports {
            Ports::FirstFree(_) => "give MF_METRICS a longer range",
            _ => {
                "give MF_METRICS another port, or a range HOST:FIRST-LAST of which each process takes the first free one"
            }
        }
    }
}

impl std::fmt::Display for ListenAddress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.ports {
            Ports::Any => write!(f, "{}", SocketAddr::new(self.host, 0)),
            Ports::One(port) => write!(f, "{}", SocketAddr::new(self.host, *port)),
            Ports::FirstFree(ports) => {
                write!(f, "{}-{}", SocketAddr::new(self.host, *ports.start()), ports.end())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn port_is_offset_by_local_rank_and_a_range_is_not() {
        let shown = |text, local_rank| {
            ListenAddress::parse("MF_METRICS", text, local_rank).map(|place| place.to_string())
        };
        assert_eq!(shown("127.0.0.1:9464", 0).unwrap(), "127.0.0.1:9464");
        assert_eq!(shown("localhost:9464", 3).unwrap(), "127.0.0.1:9467");
        assert_eq!(shown("[::1]:9464", 1).unwrap(), "[::1]:9465");
        assert_eq!(shown("0.0.0.0:9000-9009", 3).unwrap(), "0.0.0.0:9000-9009");
        assert_eq!(shown("127.0.0.1:0", 3).unwrap(), "127.0.0.1:0");
        for bad in [
            "",
            "9464",
            "host.example:1",
            "127.0.0.1",
            "127.0.0.1:x",
            "127.0.0.1:9-8",
            "127.0.0.1:0-5",
            "::1:5",
        ] {
            let error = shown(bad, 0).unwrap_err();
            assert!(error.to_string().contains("HOST:PORT"), "{bad}: {error}");
        }
        assert!(shown("127.0.0.1:65535", 1).unwrap_err().to_string().contains("local_rank"));
        assert!(!ListenAddress::parse("MF_METRICS", "0.0.0.0:1", 0).unwrap().is_loopback());
    }

    #[test]
    fn the_first_free_port_of_a_range_is_taken() {
        let taken = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = taken.local_addr().unwrap().port();
        let one = ListenAddress::parse("MF_METRICS", &format!("127.0.0.1:{port}"), 0).unwrap();
        assert_eq!(one.listen().unwrap_err().kind(), std::io::ErrorKind::AddrInUse);
        let range = ListenAddress::parse("MF_METRICS", &format!("127.0.0.1:{port}-65535"), 0).unwrap();
        assert!(range.listen().unwrap().local_addr().unwrap().port() > port);
    }
}
