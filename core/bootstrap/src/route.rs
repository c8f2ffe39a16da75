// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Which of its addresses this machine uses to reach another.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use mf_base::os::descriptor;

/// The address of this machine on the route to `target`. Sends nothing: connecting a datagram socket only
/// chooses the route.
pub(crate) fn towards(target: SocketAddr) -> io::Result<IpAddr> {
    let any: IpAddr =
        if target.is_ipv4() { Ipv4Addr::UNSPECIFIED.into() } else { Ipv6Addr::UNSPECIFIED.into() };
    let socket = descriptor::bind_udp((any, 0))?;
    socket.connect(target)?;
    Ok(socket.local_addr()?.ip())
}
