// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf top`: a job while it runs. A viewer is a guest of the store; members publish figures while there is
//! one, and do nothing for it otherwise.
//!
//! * [`collect`]: asks the store and the members.
//! * [`snapshot`]: what came of it at one moment, with rates; the JSON. Pure. [`latency`] and [`matrix`]:
//!   its durations, and its traffic by pair.
//! * [`text`]: the same as tables.
//! * [`screen`]: a terminal that shows it again and again; [`web`]: a page that does.

mod collect;
mod latency;
mod matrix;
mod screen;
mod snapshot;
mod text;
mod web;

use std::time::{Duration, Instant};

use mf_base::Result;
use mf_program::output;
use mf_program::signals;

use self::collect::Collector;
use crate::run::parse_seconds;
use crate::store::StoreArg;

const OPERATION: &str = "mf top";

/// Show a job while it runs: hosts, ranks, memory, traffic, waits, deaths.
///
/// For each rank its host, used and maximal memory in pools, use of its symmetric heaps, traffic; traffic by
/// pair of ranks and route; waits between ranks in groups of more than 3 seconds; dead ranks. Members publish
/// these figures through the store while the job is viewed, and count by peer since then. Ranks of an older
/// release do not, and are shown as the store knows them.
///
/// On a terminal it is shown anew until the job ends, or Ctrl-C; else one picture follows the other. Routes
/// are mapped (memory of processes of the same host), device, or a transport. The secret of the job comes
/// from MF_JOB_SECRET or MF_JOB_SECRET_FILE.
///
/// With --web a page is served instead, which browsers follow: at a loopback address to every process of the
/// host, elsewhere to clients that send the secret of the job as a password of any user. The connection is
/// not encrypted.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mf top tcp://127.0.0.1:5570
  MF_CONFIG_STORE_URL=tcp://127.0.0.1:5570 mf top --once
  mf top tcp://127.0.0.1:5570 --once --json
  mf top tcp://127.0.0.1:5570 --web
  mf top tcp://10.0.0.1:5570 --web 0.0.0.0:8464")]
pub(crate) struct Args {
    #[command(flatten)]
    store: StoreArg,
    /// Show one picture, and end.
    #[arg(long)]
    once: bool,
    /// Print JSON: without --once an object a line.
    #[arg(long)]
    json: bool,
    /// Serve a page: HOST:PORT, HOST:FIRST-LAST (the first free port) or HOST:0 (any).
    #[arg(long, value_name = "PLACE", num_args = 0..=1, default_missing_value = "127.0.0.1:8464-8564",
        conflicts_with_all = ["once", "json"])]
    web: Option<String>,
    /// Interval between two samples; rates refer to it. 0.2 to 60.
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = parse_interval)]
    interval: Duration,
    /// Longest time to reach the store, and for each answer of it.
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = parse_seconds)]
    timeout: Duration,
}

fn parse_interval(text: &str) -> std::result::Result<Duration, String> {
    let [shortest, longest] = mf_fabric::figures::INTERVALS;
    let interval = parse_seconds(text)?;
    match (shortest..=longest).contains(&interval) {
        true => Ok(interval),
        false => Err(format!("an interval has {} to {} s", shortest.as_secs_f64(), longest.as_secs_f64())),
    }
}

/// Shows the job.
pub(crate) fn main(args: &Args) -> Result<u8> {
    let url = args.store.url(OPERATION)?;
    let mut collector = {
        let _progress = mf_program::progress::begin("mf top: waits for the store");
        Collector::new(&url, args.timeout, args.interval)?
    };
    let shown = if let Some(place) = &args.web {
        web::serve(&mut collector, place, args.interval)
    } else if args.once {
        print_once(&mut collector, args)
    } else if !args.json && screen::is_terminal() {
        screen::show(&mut collector, args.interval)
    } else {
        print_all(&mut collector, args)
    };
    let shown = match shown {
        Err(_) if collector.has_ended() => {
            output::note("mf top: the job has ended");
            Ok(())
        }
        shown => shown,
    };
    let end = collector.ending();
    let Some(code) = signals::stop_signal() else {
        end();
        return shown.map(|()| 0);
    };
    signals::set_last_steps(end);
    Ok(code)
}

fn print_once(collector: &mut Collector, args: &Args) -> Result<()> {
    // Rates need two readings.
    collector.sample()?;
    std::thread::sleep(args.interval);
    let picture = collector.sample()?;
    output::print(&match args.json {
        true => format!("{:#}\n", picture.json()),
        false => text::text(&picture, None),
    })
}

/// One picture behind the other, until the reader goes away or a signal ends the program.
fn print_all(collector: &mut Collector, args: &Args) -> Result<()> {
    let mut next = Instant::now();
    loop {
        let picture = collector.sample()?;
        output::print(&match args.json {
            true => format!("{}\n", picture.json()),
            false => format!("{}\n", text::text(&picture, None)),
        })?;
        next = (next + args.interval).max(Instant::now());
        std::thread::sleep(next.saturating_duration_since(Instant::now()));
    }
}
