// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Which devices reach which, and over what.
//!
//! `ASCEND_SIM_TOPOLOGY` is a list of groups, `FIRST-LAST:LINK` or `DEVICE:LINK`, separated by commas:
//! devices of one group reach each other over that link. Numbers are those on a server, and every server
//! has the same links. Groups may overlap; the first that holds both devices counts, and devices that share
//! no group do not reach each other. Two servers reach each other over `servers:LINK`, and not at all with
//! `servers:none`.
//!
//! ```text
//! 0-7:hccs,8-15:hccs,0-15:phb    two meshes of eight, and the host between them
//! 0-3:hccs,4-7:hccs              two halves that know nothing of each other
//! ```
//!
//! Links are `hccs`, `pix`, `pib`, `phb`, `sys`, `sio`, `hccs_sw`. By default all devices reach each other:
//! over HCCS on A2, where servers do not reach each other; on A3 the two dies of a board over SIO and all
//! others over the switch.

use super::refuse;
use crate::device_ids::DEVICES_OF_A_SERVER;
use crate::fault::Outcome;
use crate::product::Line;

/// Link between two devices; the number is the bit of `aclrtGetDevicesTopo`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
#[allow(missing_docs, reason = "the names are CANN's")]
pub enum Link {
    Hccs = 0x1,
    Pix = 0x2,
    Pib = 0x4,
    Phb = 0x8,
    Sys = 0x10,
    Sio = 0x20,
    HccsSwitch = 0x40,
}

impl Link {
    pub(super) const NAMES: [(&str, Self); 7] = [
        ("hccs", Self::Hccs),
        ("pix", Self::Pix),
        ("pib", Self::Pib),
        ("phb", Self::Phb),
        ("sys", Self::Sys),
        ("sio", Self::Sio),
        ("hccs_sw", Self::HccsSwitch),
    ];

    fn named(name: &str) -> Option<Self> {
        Self::NAMES.into_iter().find(|(known, _)| *known == name).map(|(_, link)| link)
    }
}

#[derive(Clone, Debug)]
struct Group {
    first: u32,
    last: u32,
    link: Link,
}

/// See the module. Devices are numbered over the whole machine.
#[derive(Clone, Debug)]
pub struct Topology {
    text: String,
    line: Line,
    /// None: as the product has it.
    groups: Option<Vec<Group>>,
    servers: Option<Link>,
}

impl Topology {
    /// Parses `text` for a machine of that line.
    ///
    /// # Errors
    /// 100000 for an invalid topology.
    pub fn parse(text: &str, line: Line) -> Outcome<Self> {
        let mut groups = Vec::new();
        let mut servers = between_servers(line);
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let wrong = || {
                let links = Link::NAMES.map(|(name, _)| name).join(", ");
                refuse("TOPOLOGY", text, format_args!("{part} is not FIRST-LAST:LINK with a link of {links}"))
            };
            let (who, link) = part.split_once(':').ok_or_else(wrong)?;
            if who == "servers" && link == "none" {
                servers = None;
                continue;
            }
            let link = Link::named(link).ok_or_else(wrong)?;
            if who == "servers" {
                servers = Some(link);
                continue;
            }
            let (first, last) = who.split_once('-').unwrap_or((who, who));
            match (first.parse(), last.parse()) {
                (Ok(first), Ok(last)) if first <= last => groups.push(Group { first, last, link }),
                _ => return Err(wrong()),
            }
        }
        Ok(Self { text: text.to_owned(), line, groups: (!groups.is_empty()).then_some(groups), servers })
    }

    /// As written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the link between two devices, or `None` if they do not reach each other. A device reaches
    /// itself over every link.
    pub fn link(&self, one: u32, other: u32) -> Option<Link> {
        let place = |device: u32| (device / DEVICES_OF_A_SERVER, device % DEVICES_OF_A_SERVER);
        let ((server, one), (other_server, other)) = (place(one), place(other));
        if server != other_server {
            return self.servers;
        }
        match &self.groups {
            _ if one == other => Some(inside_a_server(self.line, one, other)),
            None => Some(inside_a_server(self.line, one, other)),
            Some(groups) => {
                let holds = |group: &&Group| {
                    (group.first..=group.last).contains(&one) && (group.first..=group.last).contains(&other)
                };
                groups.iter().find(holds).map(|group| group.link)
            }
        }
    }

    /// Returns true if one device reaches the other.
    pub fn reaches(&self, one: u32, other: u32) -> bool {
        self.link(one, other).is_some()
    }
}

/// Assumed: what connects the devices of one server.
fn inside_a_server(line: Line, one: u32, other: u32) -> Link {
    match line {
        Line::A2 => Link::Hccs,
        Line::A3 if one / 2 == other / 2 => Link::Sio,
        Line::A3 | Line::A5 => Link::HccsSwitch,
    }
}

/// Assumed: what connects devices of different servers.
fn between_servers(line: Line) -> Option<Link> {
    match line {
        Line::A2 => None,
        Line::A3 | Line::A5 => Some(Link::HccsSwitch),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_topology_follows_the_product() {
        let a2 = Topology::parse("", Line::A2).unwrap();
        assert_eq!((a2.link(0, 7), a2.link(0, DEVICES_OF_A_SERVER)), (Some(Link::Hccs), None));
        let a3 = Topology::parse("", Line::A3).unwrap();
        assert_eq!((a3.link(2, 3), a3.link(3, 4)), (Some(Link::Sio), Some(Link::HccsSwitch)));
        assert!(a3.reaches(1, DEVICES_OF_A_SERVER + 1));
    }

    #[test]
    fn first_group_with_both_devices_gives_the_link() {
        let two = Topology::parse("0-3:hccs, 4-7:hccs,0-5:phb", Line::A2).unwrap();
        assert_eq!(two.link(1, 3), Some(Link::Hccs));
        assert_eq!(two.link(3, 5), Some(Link::Phb));
        assert_eq!(two.link(3, 6), None);
        assert_eq!(two.link(4096 + 5, 4096 + 4), Some(Link::Hccs));
        assert!(two.reaches(9, 9));
    }

    #[test]
    fn server_links_can_be_removed_and_added() {
        assert!(!Topology::parse("servers:none", Line::A3).unwrap().reaches(0, 4096));
        let joined = Topology::parse("servers:sys", Line::A2).unwrap();
        assert_eq!((joined.link(0, 4096), joined.link(0, 1)), (Some(Link::Sys), Some(Link::Hccs)));
    }

    #[test]
    fn malformed_topology_is_rejected() {
        for text in ["0-3", "3-0:hccs", "0-3:wire", "a-b:hccs", "0:none", "-1:hccs"] {
            let fault = Topology::parse(text, Line::A2).unwrap_err();
            assert!(fault.text.contains(text), "{}", fault.text);
        }
    }
}
