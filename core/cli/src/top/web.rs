// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A page that shows a job, and follows it by server-sent events.
//!
//! `/` is the page, which needs nothing else; `/events` sends a picture an interval, as `mf top --json`
//! prints it. The job is asked only while a page is open.

use std::time::{Duration, Instant};

use mf_base::Result;
use mf_base::settings::settings;
use mf_job::metrics::{Asked, Page, Site, Web};
use mf_program::output;
use mf_program::signals;

use super::collect::Collector;

/// A file an idea, joined to one page: the browser loads nothing else.
const PAGE: &str = concat!(
    include_str!("page/head.html"),
    "<style>\n",
    include_str!("page/page.css"),
    "</style>\n",
    include_str!("page/body.html"),
    "<script>\n'use strict'\n",
    include_str!("page/units.js"),
    include_str!("page/dom.js"),
    include_str!("page/filter.js"),
    include_str!("page/history.js"),
    include_str!("page/chart.js"),
    include_str!("page/ranks.js"),
    include_str!("page/matrix.js"),
    include_str!("page/flows.js"),
    include_str!("page/waits.js"),
    include_str!("page/main.js"),
    "</script>\n</html>\n",
);
/// Nothing of others is loaded, and no page of others has this one inside.
const HEADERS: &str = "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; script-src \
    'unsafe-inline'; connect-src 'self'; frame-ancestors 'none'\r\nX-Content-Type-Options: nosniff\r\n";
/// Most flows that a page is sent; it says how many there are.
const FLOWS_MAX: usize = 512;
/// Wait of a newly opened page for its first sample.
const IDLE: Duration = Duration::from_millis(100);
/// Longest wait for the readers of the last picture.
const LAST_WITHIN: Duration = Duration::from_secs(2);

/// The page and its events.
struct TopSite;

impl Site for TopSite {
    fn page(&self, asked: Asked<'_>) -> Option<Page> {
        match asked.path {
            "/" => Some(Page::Text {
                media_type: "text/html; charset=utf-8",
                headers: HEADERS,
                body: PAGE.to_owned(),
            }),
            "/events" => Some(Page::Events),
            _ => None,
        }
    }
}

/// Serves the page until a signal or the job ends it. The last event reports the end of the job.
///
/// # Errors
/// `InvalidParam` malformed address, or remote access without a secret · `InUse` the port is taken
/// · errors of the store, also at the end of the job.
pub(super) fn serve(collector: &mut Collector, place: &str, interval: Duration) -> Result<()> {
    let signals = signals::install_for_waits()?;
    let web = Web::serve("--web", place, settings()?, Box::new(TopSite))?;
    output::print(&format!("the job is shown at http://{}/\n", web.address()))?;
    let mut last = None;
    loop {
        let is_read = web.readers() > 0;
        let next = Instant::now() + if is_read { interval } else { IDLE };
        // Without a page the end is noticed all the same: the sample fails then.
        if is_read || collector.has_ended() {
            match collector.sample() {
                Ok(mut picture) => {
                    picture.for_page(FLOWS_MAX);
                    web.publish(&picture.json().to_string());
                    last = Some(picture);
                }
                Err(error) => {
                    if let Some(last) = last.filter(|_| collector.has_ended()) {
                        web.publish_last(&last.ended().json().to_string(), LAST_WITHIN);
                    }
                    return Err(error);
                }
            }
        }
        if signals::wait(&signals, Some(next)).is_some() {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_is_self_contained_and_small() {
        assert!(PAGE.len() < 200_000 && PAGE.ends_with("</html>\n"));
        assert!(!PAGE.contains("http://") && !PAGE.contains("https://") && !PAGE.contains("src="));
        // Names from other processes are text, never markup.
        assert!(!PAGE.contains("innerHTML") && !PAGE.contains("document.write"));
    }
}
