// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Simulated cost of copies, to show overlap in programs: off by default. It says nothing about the speed of
//! an NPU.
//!
//! `ASCEND_SIM_LATENCY_US` is the pause before each copy, in microseconds, and `ASCEND_SIM_GBPS` the
//! bandwidth of a route, in 10⁹ bytes per second: one number for all routes, or a list like
//! `host=25,hccs=28,sio=100,local=800`. Routes are `local` (within a device), `host` (to and from the host)
//! and the links of [`super::topology`].

use std::time::Duration;

use super::refuse;
use super::topology::Link;
use crate::fault::Outcome;

/// Over what bytes go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route {
    /// Within a device.
    Local,
    /// Between a device and the host, or within the host.
    Host,
    /// Between devices.
    Link(Link),
}

/// Cost of each route.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cost {
    /// Seconds before each copy.
    latency: Prices,
    /// Seconds for each byte.
    byte: Prices,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Prices {
    all: f64,
    some: Vec<(Route, f64)>,
}

impl Cost {
    /// The costs in two settings.
    pub(super) fn parse(latency: &str, gbps: &str) -> Outcome<Self> {
        let micros = |number: f64| (number >= 0.0).then_some(number / 1e6);
        let rate = |number: f64| (number > 0.0).then(|| 1e-9 / number);
        Ok(Self {
            latency: Prices::parse("LATENCY_US", latency, micros)?,
            byte: Prices::parse("GBPS", gbps, rate)?,
        })
    }

    /// Returns true if no cost is set.
    pub fn is_free(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the duration of a copy.
    pub fn duration(&self, route: Route, bytes: u64) -> Duration {
        #[expect(clippy::cast_precision_loss, reason = "the last bit of a pause does not matter")]
        let bytes = bytes as f64;
        let seconds = self.latency.price(route) + bytes * self.byte.price(route);
        Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
    }
}

impl Prices {
    fn parse(name: &str, text: &str, price: impl Fn(f64) -> Option<f64>) -> Outcome<Self> {
        let mut prices = Self::default();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let wrong = || refuse(name, text, format_args!("{part} is neither a number nor ROUTE=number"));
            let (route, number) = match part.split_once('=') {
                Some((route, number)) => (Some(route_named(route.trim()).ok_or_else(wrong)?), number),
                None => (None, part),
            };
            let number = number.trim().parse().ok().filter(|number: &f64| number.is_finite());
            let price = number.and_then(&price).ok_or_else(wrong)?;
            match route {
                Some(route) => prices.some.push((route, price)),
                None => prices.all = price,
            }
        }
        Ok(prices)
    }

    fn price(&self, route: Route) -> f64 {
        self.some.iter().find(|(known, _)| *known == route).map_or(self.all, |(_, price)| *price)
    }
}

fn route_named(name: &str) -> Option<Route> {
    match name {
        "local" => Some(Route::Local),
        "host" => Some(Route::Host),
        _ => Link::NAMES.into_iter().find(|(known, _)| *known == name).map(|(_, link)| Route::Link(link)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_cost_latency_and_bytes() {
        let cost = Cost::parse("3,host=10", "2, sio=100,local=800").unwrap();
        assert_eq!(cost.duration(Route::Host, 0), Duration::from_micros(10));
        assert_eq!(cost.duration(Route::Link(Link::Hccs), 2_000_000_000), Duration::from_micros(1_000_003));
        assert_eq!(cost.duration(Route::Link(Link::Sio), 1_000_000), Duration::from_micros(13));
        assert!(!cost.is_free());
        assert!(Cost::parse("", "").unwrap().is_free());
    }

    #[test]
    fn invalid_cost_is_rejected() {
        for (latency, gbps) in [("-1", ""), ("", "0"), ("", "fast"), ("", "wire=3"), ("nan", "")] {
            assert!(Cost::parse(latency, gbps).is_err(), "{latency} {gbps}");
        }
    }
}
