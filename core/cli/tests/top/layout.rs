// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The page in a browser, with pictures of jobs of 4 to 256 ranks: its size, its figures, and the filter.

use super::browser::Browser;
use super::fixture::{Fixture, picture};
use super::job::{Job, QUIET};
use super::page::Page;

const AT_MS: u64 = 1_800_000_000_000;

/// The page of a viewer as it is sent, with its head.
fn page() -> String {
    let job = Job::start_with(QUIET, "");
    Page::start(&job, "127.0.0.1:0", "1").reply()
}

/// The middle of an element.
fn middle(selector: &str) -> String {
    format!(
        "(box => [box.x + box.width / 2, box.y + box.height / 2])\
         (document.querySelector('{selector}').getBoundingClientRect())"
    )
}

/// The middle of a cell of the matrix.
fn cell(row: &str, column: &str) -> String {
    let at = |first: &str, number: &str| format!("grid.{first} + ({number} + 0.5) * grid.pixels");
    format!(
        "(box => [box.x + {}, box.y + {}])(document.querySelector('#matrix canvas').getBoundingClientRect())",
        at("left", column),
        at("top", row)
    )
}

const FITS_IN_WIDTH: &str = "document.scrollingElement.scrollWidth <= innerWidth && \
    document.querySelector('#rows').scrollWidth <= document.querySelector('#rows').clientWidth";

#[test]
fn page_fits_one_screen_at_any_number_of_ranks() {
    let Some(mut browser) = Browser::start() else { return };
    let page = page();
    for ranks in [4, 64, 256] {
        let fixture = Fixture::serve(page.clone());
        fixture.show(picture(ranks, AT_MS));
        browser.resize(1400, 1000);
        browser.open(&fixture.url, None);
        browser.until(&format!("document.querySelectorAll('.row[data-rank]').length === {ranks}"));
        browser.until("document.scrollingElement.scrollHeight <= innerHeight");
        browser.until(FITS_IN_WIDTH);
        if ranks <= 64 {
            browser
                .until("(rows => rows.scrollHeight <= rows.clientHeight)(document.querySelector('#rows'))");
        }
        for section in ["throughput", "latency", "ranks", "matrix", "waits", "deaths", "flows"] {
            browser.until(&format!(
                "(box => box.width > 100 && box.height > 40 && box.bottom <= innerHeight)\
                 (document.getElementById('{section}').getBoundingClientRect())"
            ));
        }
        browser.resize(400, 800);
        browser.until("innerWidth === 400");
        browser.until(FITS_IN_WIDTH);
        browser.until("grid.left + grid.cells * grid.pixels <= document.querySelector('#matrix canvas').clientWidth + 1");
    }
    for [scheme, is_dark] in [["light", "false"], ["dark", "true"]] {
        browser.prefer(scheme);
        browser.until(&format!(
            "(getComputedStyle(document.body).backgroundColor.match(/\\d+/g).every(part => part < 60)) === {is_dark}"
        ));
    }
}

#[test]
fn hover_shows_figures_and_a_click_filters() {
    let Some(mut browser) = Browser::start() else { return };
    let fixture = Fixture::serve(page());
    browser.resize(1400, 1000);
    browser.open(&fixture.url, None);
    // More than ten minutes: the first ones are dropped.
    (0..800).for_each(|second| fixture.show(picture(16, AT_MS + second * 1000)));
    browser.until("samples.length === 601 && samples[600].at - samples[0].at === KEPT_MS");
    let tip = |parts: &[&str]| {
        let is = |part: &&str| format!("tip.includes('{part}')");
        format!(
            "(tip => {})(document.getElementById('tip').innerText.replaceAll('\\u00a0', ' '))",
            parts.iter().map(is).collect::<Vec<_>>().join(" && ")
        )
    };
    browser.hover(&cell("3", "4"));
    browser.until(&tip(&["rank 3 → rank 4", "1.50 GB/s", "300 op/s", "mean 12.5 µs"]));
    browser.hover(&cell("3", "9"));
    browser.until(&tip(&["rank 3 → rank 9", "no traffic"]));
    browser.hover(&middle("#throughput canvas"));
    browser.until(&tip(&["tcp: 22.5 GB/s"]));
    browser.hover(&middle("#latency canvas"));
    browser.until(&tip(&["put: mean 12.5 µs, 50 % at most 16 µs, 99 % at most 64 µs"]));
    browser.hover(&middle("[data-rank=\"6\"]"));
    browser.until(&tip(&[
        "rank 6 on node0, process 1006",
        "waits 9.00 s in a barrier for 7",
        "2.00 MiB of 4.00 MiB",
    ]));

    let text = |id: &str, wanted: &str| {
        format!("document.getElementById('{id}').innerText.replaceAll('\\u00a0', ' ').includes('{wanted}')")
    };
    browser.until(&text("waits", "rank 6 waits 9.00 s in a barrier for rank 7"));
    browser.until(&text("deaths", "rank 5 died "));
    browser.until(&text("deaths", "60.0 s ago"));
    browser.until(&text("state", "1 dead, 1 waiting"));
    browser.until("document.querySelectorAll('.flow').length === 15");

    browser.click(&middle("[data-rank=\"3\"]"));
    browser.until(&text("filter", "rank 3"));
    browser.until("document.querySelectorAll('.flow').length === 2");
    browser.until(&text("throughput", "1.50 GB/s"));
    browser.until(&text("waits", "none of rank 3"));
    browser.escape();
    browser.until("document.getElementById('filter').hidden");
    browser.until("document.querySelectorAll('.flow').length === 15");
    browser.until(&text("throughput", "22.5 GB/s"));
    // A cell shows its sender, an edge its rank, a name in a wait that rank.
    for (point, rank) in
        [(cell("8", "9"), 8), (cell("-1", "11"), 11), (middle("#waits button:last-of-type"), 6)]
    {
        browser.click(&point);
        browser.until(&text("filter", &format!("rank {rank} ")));
        browser.escape();
        browser.until("document.getElementById('filter').hidden");
    }

    let mut last = picture(16, AT_MS + 800_000);
    last["ended"] = true.into();
    fixture.show(last);
    browser.until(&text("state", "the job has ended at "));
    browser.until("document.title.startsWith('ended')");
    browser.until("events.readyState === EventSource.CLOSED");
}

#[test]
fn matrix_of_many_ranks_is_enlarged_by_a_click() {
    let Some(mut browser) = Browser::start() else { return };
    let fixture = Fixture::serve(page());
    browser.resize(1400, 1000);
    browser.open(&fixture.url, None);
    fixture.show(picture(256, AT_MS));
    browser.until("grid && grid.each > 1 && grid.pixels >= 4 && grid.cells * grid.each === 256");
    browser.click(&cell("20", "20"));
    browser.until("grid.each === 1 && grid.count === 32 && grid.fromFirst === 32 && grid.toFirst === 32");
    browser.hover(&cell("3", "4"));
    browser.until("document.getElementById('tip').innerText.includes('rank 35 → rank 36')");
    browser.click(&middle("#whole"));
    browser.until("grid.each > 1 && document.getElementById('whole').hidden");
}
