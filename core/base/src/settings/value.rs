// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The types a setting can have, with their text forms.

use std::fmt;
use std::time::Duration;

use crate::log::without_password;
use crate::units::ByteLen;

/// A type that a setting can have.
pub trait Value: Sized {
    /// Reads the text.
    ///
    /// # Errors
    /// What would have been accepted.
    fn parse(text: &str) -> Result<Self, &'static str>;

    /// Parses the text of a variable; its older names may number values differently.
    ///
    /// # Errors
    /// As for [`parse`](Self::parse).
    fn parse_of(text: &str, _variable: &str) -> Result<Self, &'static str> {
        Self::parse(text)
    }

    /// The value as text for people.
    fn render(&self) -> String;
}

/// `auto`, `on` or `off`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switch {
    /// Decided by the machine's capabilities.
    Auto,
    /// Always.
    On,
    /// Never.
    Off,
}

impl Value for Switch {
    fn parse(text: &str) -> Result<Self, &'static str> {
        match text {
            "auto" => Ok(Switch::Auto),
            "on" | "1" | "true" => Ok(Switch::On),
            "off" | "0" | "false" => Ok(Switch::Off),
            _ => Err("auto, on or off"),
        }
    }

    fn render(&self) -> String {
        match self {
            Switch::Auto => "auto",
            Switch::On => "on",
            Switch::Off => "off",
        }
        .to_owned()
    }
}

/// Which accelerator a process uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceChoice {
    /// One that is there; none of them: none.
    Auto,
    /// No accelerator; host memory replaces device memory.
    None,
    /// The simulator.
    Sim,
    /// An Ascend NPU.
    Ascend,
    /// An NVIDIA GPU.
    Cuda,
}

impl Value for DeviceChoice {
    fn parse(text: &str) -> Result<Self, &'static str> {
        match text {
            "auto" => Ok(DeviceChoice::Auto),
            "none" => Ok(DeviceChoice::None),
            "sim" => Ok(DeviceChoice::Sim),
            "ascend" => Ok(DeviceChoice::Ascend),
            "cuda" => Ok(DeviceChoice::Cuda),
            _ => Err("auto, none, sim, ascend or cuda"),
        }
    }

    fn render(&self) -> String {
        match self {
            DeviceChoice::Auto => "auto",
            DeviceChoice::None => "none",
            DeviceChoice::Sim => "sim",
            DeviceChoice::Ascend => "ascend",
            DeviceChoice::Cuda => "cuda",
        }
        .to_owned()
    }
}

/// A secret: never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(pub String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render())
    }
}

impl Value for Secret {
    fn parse(text: &str) -> Result<Self, &'static str> {
        Ok(Secret(text.to_owned()))
    }

    fn render(&self) -> String {
        if self.0.is_empty() { String::new() } else { "(set)".to_owned() }
    }
}

/// Users of this host, by their ids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Users {
    /// These; empty: none.
    Listed(Vec<u32>),
    /// All.
    Any,
}

impl Default for Users {
    fn default() -> Self {
        Users::Listed(Vec::new())
    }
}

impl Users {
    /// Returns true if this user is one of them.
    pub fn contains(&self, uid: u32) -> bool {
        match self {
            Users::Listed(users) => users.contains(&uid),
            Users::Any => true,
        }
    }
}

impl Value for Users {
    fn parse(text: &str) -> Result<Self, &'static str> {
        if text.trim() == "any" {
            return Ok(Users::Any);
        }
        let users = text.split(',').map(str::trim).filter(|user| !user.is_empty());
        let users: Result<Vec<u32>, _> = users.map(str::parse).collect();
        users.map(Users::Listed).map_err(|_| "user ids separated by commas, for example 0,1000; or any")
    }

    fn render(&self) -> String {
        match self {
            Users::Listed(users) => users.iter().map(ToString::to_string).collect::<Vec<_>>().join(","),
            Users::Any => "any".to_owned(),
        }
    }
}

impl Value for String {
    fn parse(text: &str) -> Result<Self, &'static str> {
        Ok(text.to_owned())
    }

    fn render(&self) -> String {
        if self.contains("://") { without_password(self).into_owned() } else { self.clone() }
    }
}

impl Value for bool {
    fn parse(text: &str) -> Result<Self, &'static str> {
        match text {
            "true" | "1" | "on" => Ok(true),
            "false" | "0" | "off" => Ok(false),
            _ => Err("true or false"),
        }
    }

    fn render(&self) -> String {
        self.to_string()
    }
}

macro_rules! whole_number {
    ($($type:ty: $range:literal),*) => {$(
        impl Value for $type {
            fn parse(text: &str) -> Result<Self, &'static str> {
                text.trim().parse().map_err(|_| $range)
            }

            fn render(&self) -> String {
                self.to_string()
            }
        }
    )*};
}

whole_number!(u32: "a whole number from 0 to 4294967295");

/// Lowest level that is logged, in the numbering of the C interface: 0 to 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogLevel(pub u8);

impl Value for LogLevel {
    fn parse(text: &str) -> Result<Self, &'static str> {
        const NAMES: [&str; 6] = ["debug", "info", "warn", "error", "trace", "fatal"];
        let text = text.trim();
        let named =
            (0..).zip(NAMES).find(|(_, name)| text.eq_ignore_ascii_case(name)).map(|(level, _)| level);
        match named.or_else(|| text.parse().ok()) {
            Some(level) if level <= 5 => Ok(LogLevel(level)),
            _ => Err("a whole number from 0 to 5"),
        }
    }

    /// CANN SHMEM numbers fatal as 4, which is trace elsewhere.
    fn parse_of(text: &str, variable: &str) -> Result<Self, &'static str> {
        let is_fatal = variable.ends_with("SHMEM_LOG_LEVEL") && text.trim() == "4";
        if is_fatal { Ok(LogLevel(5)) } else { Self::parse(text) }
    }

    fn render(&self) -> String {
        self.0.to_string()
    }
}

impl Value for ByteLen {
    fn parse(text: &str) -> Result<Self, &'static str> {
        text.parse().map_err(|_| "a size, for example 4096, 64KiB or 2MiB")
    }

    fn render(&self) -> String {
        self.to_string()
    }
}

/// Which generation of headers callers were compiled with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Generation {
    /// The caller's imports decide.
    Auto,
    /// The second one before 25 December 2025.
    EarlySecond,
    /// Others up to 1.0.
    UpTo10,
    /// 1.3 to 1.5.
    UpTo15,
    /// The newest.
    Head,
}

impl Value for Generation {
    fn parse(text: &str) -> Result<Self, &'static str> {
        match text.trim().to_ascii_lowercase().as_str() {
            "auto" => Ok(Self::Auto),
            "g2a" | "g2b" => Ok(Self::EarlySecond),
            "g0" | "g1" | "g2c" | "v1.0" => Ok(Self::UpTo10),
            "v1.3" | "v1.5" => Ok(Self::UpTo15),
            "head" => Ok(Self::Head),
            _ => Err("auto, g0, g1, g2a, g2b, g2c, v1.0, v1.3, v1.5 or head"),
        }
    }

    fn render(&self) -> String {
        match self {
            Self::Auto => "auto",
            Self::EarlySecond => "g2b",
            Self::UpTo10 => "v1.0",
            Self::UpTo15 => "v1.5",
            Self::Head => "head",
        }
        .to_owned()
    }
}

/// Interface by which a program calls the functions of transfers in C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransferAbi {
    /// The arguments of each call decide between release 1.3 and the next one.
    Auto,
    /// Release 1.3.
    Release13,
    /// The next release, as far as it is known.
    Next,
    /// February 2026.
    February2026,
}

impl Value for TransferAbi {
    fn parse(text: &str) -> Result<Self, &'static str> {
        match text.trim().to_ascii_lowercase().as_str() {
            "auto" => Ok(Self::Auto),
            "1.3" => Ok(Self::Release13),
            "next" => Ok(Self::Next),
            "2026.02" => Ok(Self::February2026),
            _ => Err("auto, 1.3, next or 2026.02"),
        }
    }

    fn render(&self) -> String {
        match self {
            Self::Auto => "auto",
            Self::Release13 => "1.3",
            Self::Next => "next",
            Self::February2026 => "2026.02",
        }
        .to_owned()
    }
}

/// Reaction to an error in functions that return nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnError {
    /// Log it, and go on.
    Log,
    /// Log it, and end the process with status 1.
    Exit,
    /// Log it, and abort.
    Abort,
}

impl Value for OnError {
    fn parse(text: &str) -> Result<Self, &'static str> {
        match text {
            "log" => Ok(Self::Log),
            "exit" => Ok(Self::Exit),
            "abort" => Ok(Self::Abort),
            _ => Err("log, exit or abort"),
        }
    }

    fn render(&self) -> String {
        match self {
            Self::Log => "log",
            Self::Exit => "exit",
            Self::Abort => "abort",
        }
        .to_owned()
    }
}

/// Set if a variable has any value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IsSet(pub bool);

impl Value for IsSet {
    fn parse(text: &str) -> Result<Self, &'static str> {
        Ok(Self(text != "unset"))
    }

    fn render(&self) -> String {
        if self.0 { "set" } else { "unset" }.to_owned()
    }
}

impl Value for Duration {
    fn parse(text: &str) -> Result<Self, &'static str> {
        const EXPECTED: &str = "a duration, for example 100ms, 5s or 2m";
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let (number, unit) = text.split_at(digits);
        let number: u64 = number.parse().map_err(|_| EXPECTED)?;
        match unit.trim() {
            "us" => Ok(Duration::from_micros(number)),
            "ms" => Ok(Duration::from_millis(number)),
            "s" | "" => Ok(Duration::from_secs(number)),
            "m" => number.checked_mul(60).map(Duration::from_secs).ok_or(EXPECTED),
            _ => Err(EXPECTED),
        }
    }

    fn render(&self) -> String {
        format!("{self:?}")
    }
}
