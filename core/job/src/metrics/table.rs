// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Every metric: name, kind, unit, labels and meaning. `docs/metrics.md` is written from it.

/// Kind of a metric's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetricKind {
    /// A number that only grows while the process lives.
    Counter,
    /// A number that rises and falls.
    Gauge,
    /// Counts of values below each bound.
    Histogram,
    /// Always 1; the labels say what there is to say.
    Info,
}

impl MetricKind {
    /// As OpenMetrics calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Counter => "counter",
            Self::Gauge => "gauge",
            Self::Histogram => "histogram",
            Self::Info => "info",
        }
    }
}

/// A metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Metric {
    /// Its name, without the suffixes that OpenMetrics adds to samples (`_total`, `_bucket`).
    pub name: &'static str,
    /// Kind of its values.
    pub kind: MetricKind,
    /// `bytes`, `seconds`, or empty: a number of things. It is the end of the name.
    pub unit: &'static str,
    /// The labels that its samples may have.
    pub labels: &'static [&'static str],
    /// Its meaning.
    pub help: &'static str,
}

macro_rules! table {
    ($($id:ident $name:literal $kind:ident $unit:literal [$($label:literal)*] $help:literal;)*) => {
        $(
            #[doc = $help]
            pub const $id: Metric = Metric {
                name: $name, kind: MetricKind::$kind, unit: $unit, labels: &[$($label),*], help: $help,
            };
        )*
        /// All of them, in the order in which they are shown.
        pub const TABLE: &[Metric] = &[$($id),*];
    };
}

table! {
    PROCESS "mf_process" Info "" ["version" "host" "pid"]
        "The process and its library.";
    JOB "mf_job" Info "" ["store" "rank"]
        "A membership of the process.";
    JOB_SIZE "mf_job_size" Gauge "" ["store"]
        "Ranks of the job.";
    JOB_MEMBERS "mf_job_members" Gauge "" ["store"]
        "Members of the job, as far as this one was notified.";
    JOB_DEPARTURES "mf_job_departures" Counter "" ["store"]
        "Members that have left the job or were lost.";
    STORE_CONNECTED "mf_store_connected" Gauge "" ["store"]
        "1 while this member is connected to the store.";
    STORE_TERM "mf_store_term" Gauge "" ["store"]
        "Number of the leading store; it increases with each take-over.";
    STORE_REQUESTS "mf_store_requests" Counter "" []
        "Requests to stores that have their reply, or failed.";
    STORE_REQUEST_ERRORS "mf_store_request_errors" Counter "" []
        "Requests to stores that failed.";
    STORE_REQUEST_SECONDS "mf_store_request_seconds" Counter "seconds" []
        "How long requests to stores took together; waits for keys and locks are among them.";
    STORE_RESUMES "mf_store_resumes" Counter "" []
        "Sessions that were resumed over a new connection, or at another store.";
    STORE_RETRIES "mf_store_retries" Counter "" []
        "Attempts to resume a session that failed and were made again.";
    SERVED_KEYS "mf_store_served_keys" Gauge "" ["store"]
        "Keys of a store in this process.";
    SERVED_KEY_BYTES "mf_store_served_bytes" Gauge "bytes" ["store"]
        "Keys and values of a store in this process.";
    SERVED_MEMBERS "mf_store_served_members" Gauge "" ["store"]
        "Members of a store in this process.";
    SERVED_GUESTS "mf_store_served_guests" Gauge "" ["store"]
        "Guests of a store in this process.";
    SERVED_WATCHES "mf_store_served_watches" Gauge "" ["store"]
        "Watches of a store in this process.";
    POOL_MEMBERS "mf_pool_members" Gauge "" ["pool" "presence"]
        "Members of an open pool, as this process knows them: joined, left, dead.";
    POOL_SEGMENT_BYTES "mf_pool_segment_bytes" Gauge "bytes" ["pool" "kind" "rank"]
        "Bytes of a member's segment that this process has mapped; ranks are numbered as in the pool.";
    POOL_COPIES "mf_pool_copies" Counter "" ["pool" "kind" "direction"]
        "Copies between memory mapped here, of open pools; other copies are counted by transport.";
    POOL_COPIED_BYTES "mf_pool_copied_bytes" Counter "bytes" ["pool" "kind" "direction"]
        "Bytes of these copies.";
    COPIES "mf_copies" Counter "" ["kind" "direction"]
        "Copies between memory that is mapped here, of all pools since the process began.";
    COPIED_BYTES "mf_copied_bytes" Counter "bytes" ["kind" "direction"]
        "Bytes of these copies.";
    HEAP_BYTES "mf_heap_bytes" Gauge "bytes" ["heap" "state"]
        "The symmetric heap of this PE by state: used, free, quarantined.";
    HEAP_BLOCKS "mf_heap_blocks" Gauge "" ["heap"]
        "Blocks of the symmetric heap of this PE.";
    HEAP_PEAK_BYTES "mf_heap_peak_bytes" Gauge "bytes" ["heap"]
        "The most that was in use of the symmetric heap of this PE.";
    CACHE_HITS "mf_cache_hits" Counter "" ["pool"]
        "Gets and leases that found a value, in memory or on disk, in a cache with a tier on disk.";
    CACHE_MISSES "mf_cache_misses" Counter "" ["pool"]
        "Gets and leases in such a cache that found none.";
    CACHE_MEMORY_BYTES "mf_cache_memory_bytes" Gauge "bytes" ["pool"]
        "Memory with values of such a cache that this process manages.";
    CACHE_MEMORY_MANAGED_BYTES "mf_cache_memory_managed_bytes" Gauge "bytes" ["pool"]
        "Memory for values that this process manages in such a cache, free memory included.";
    CACHE_DISK_CAPACITY_BYTES "mf_cache_disk_capacity_bytes" Gauge "bytes" ["pool"]
        "Size of the cache's tier on disk of this process.";
    CACHE_DISK_HITS "mf_cache_disk_hits" Counter "" ["pool"]
        "Gets that read a value from the cache's tier on disk of this process.";
    CACHE_DISK_ADMISSIONS "mf_cache_disk_admissions" Counter "" ["pool"]
        "Values that entered the queue of that tier.";
    CACHE_DISK_DROPS "mf_cache_disk_drops" Counter "" ["pool"]
        "Values that the tier did not keep: full queue, fault, too large.";
    CACHE_DISK_VALUES "mf_cache_disk_values" Gauge "" ["pool"]
        "Values in the tier.";
    CACHE_DISK_BYTES "mf_cache_disk_bytes" Gauge "bytes" ["pool"]
        "Bytes of these values, in whole pages.";
    CACHE_DISK_QUEUE_BYTES "mf_cache_disk_queue_bytes" Gauge "bytes" ["pool"]
        "Bytes that wait to be written to the tier.";
    CACHE_DISK_WRITTEN_BYTES "mf_cache_disk_written_bytes" Counter "bytes" ["pool"]
        "Bytes written to the tier, with heads and padding.";
    CACHE_DISK_OFF "mf_cache_disk_off" Gauge "" ["pool"]
        "1 while a fault has switched the tier off.";
    PUT_OPERATIONS "mf_put_operations" Counter "" ["route" "peer"]
        "Puts by route and peer: mapped memory, an accelerator (device), or a transport; counted while MF_METRICS or MF_TRACE_FILE is set or mf top views the job, as all operations by peer are.";
    PUT_BYTES "mf_put_bytes" Counter "bytes" ["route" "peer"]
        "Bytes of puts that ended well.";
    PUT_ERRORS "mf_put_errors" Counter "" ["route" "peer"]
        "Puts that failed.";
    PUT_SECONDS "mf_put_duration_seconds" Histogram "seconds" ["route" "peer"]
        "How long puts took. Of copies between mapped memory one in 256 of each thread is timed, where they are made one at a time and waited for; of operations of transports each.";
    GET_OPERATIONS "mf_get_operations" Counter "" ["route" "peer"]
        "Gets by route and peer.";
    GET_BYTES "mf_get_bytes" Counter "bytes" ["route" "peer"]
        "Bytes of gets that ended well.";
    GET_ERRORS "mf_get_errors" Counter "" ["route" "peer"]
        "Gets that failed.";
    GET_SECONDS "mf_get_duration_seconds" Histogram "seconds" ["route" "peer"]
        "How long gets took, sampled as puts are.";
    COPY_OPERATIONS "mf_copy_operations" Counter "" ["route" "peer"]
        "Copies from the pool into the pool, by route and owner of the destination.";
    COPY_BYTES "mf_copy_bytes" Counter "bytes" ["route" "peer"]
        "Bytes of these copies that ended well.";
    COPY_ERRORS "mf_copy_errors" Counter "" ["route" "peer"]
        "Failed copies of these.";
    COPY_SECONDS "mf_copy_duration_seconds" Histogram "seconds" ["route" "peer"]
        "How long these copies took, sampled as puts are.";
    ATOMIC_OPERATIONS "mf_atomic_operations" Counter "" ["route" "peer"]
        "Atomics by a transport.";
    ATOMIC_BYTES "mf_atomic_bytes" Counter "bytes" ["route" "peer"]
        "Bytes of the words of atomics that ended well.";
    ATOMIC_ERRORS "mf_atomic_errors" Counter "" ["route" "peer"]
        "Atomics that failed.";
    ATOMIC_SECONDS "mf_atomic_duration_seconds" Histogram "seconds" ["route" "peer"]
        "How long atomics took.";
    SIGNAL_OPERATIONS "mf_signal_operations" Counter "" ["route" "peer"]
        "Puts with a signal by a transport.";
    SIGNAL_BYTES "mf_signal_bytes" Counter "bytes" ["route" "peer"]
        "Bytes of data and words of signals that ended well.";
    SIGNAL_ERRORS "mf_signal_errors" Counter "" ["route" "peer"]
        "Signals that failed.";
    SIGNAL_SECONDS "mf_signal_duration_seconds" Histogram "seconds" ["route" "peer"]
        "How long signals took.";
    MESSAGE_OPERATIONS "mf_message_operations" Counter "" ["route" "peer"]
        "Messages by a transport.";
    MESSAGE_BYTES "mf_message_bytes" Counter "bytes" ["route" "peer"]
        "Bytes of messages that were sent.";
    MESSAGE_ERRORS "mf_message_errors" Counter "" ["route" "peer"]
        "Messages that failed.";
    MESSAGE_SECONDS "mf_message_duration_seconds" Histogram "seconds" ["route" "peer"]
        "How long sending messages took.";
    POSTED "mf_posted_operations" Counter "" ["route" "operation"]
        "Operations of pools, heaps and endpoints that a transport took, whether MF_METRICS is set or not.";
    POSTED_BYTES "mf_posted_bytes" Counter "bytes" ["route" "operation"]
        "Bytes of these operations.";
    POSTED_REFUSED "mf_posted_refused" Counter "" ["route" "operation"]
        "Operations that a transport refused.";
    CONNECTIONS "mf_transport_connections" Gauge "" ["store" "route"]
        "Open connections of a transport.";
    TRANSPORT_BYTES "mf_transport_memory_bytes" Gauge "bytes" ["store" "route"]
        "Buffers and tables of a transport.";
    WAIT_SECONDS "mf_wait_duration_seconds" Histogram "seconds" ["call" "route"]
        "How long barriers and other calls of groups waited for members; counted while MF_METRICS or MF_TRACE_FILE is set.";
    WAIT_ERRORS "mf_wait_errors" Counter "" ["call" "route"]
        "Failed calls of these: a member was late, died, or did something else.";
    WAITING "mf_waiting" Gauge "" ["call" "route"]
        "Calls of these that wait now.";
    WAITING_SECONDS "mf_waiting_oldest_seconds" Gauge "seconds" ["call" "route"]
        "How long the oldest of these has been waiting; 0: none waits.";
    CALLS "mf_calls" Counter "" ["function"]
        "Calls of a function of the C interface.";
    CALL_ERRORS "mf_call_errors" Counter "" ["function"]
        "Failed calls of these.";
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_valid_in_openmetrics() {
        let mut names = BTreeSet::new();
        for metric in TABLE {
            assert!(names.insert(metric.name), "{}", metric.name);
            let is_plain = |c: char| c.is_ascii_lowercase() || c == '_';
            assert!(metric.name.starts_with("mf_") && metric.name.chars().all(is_plain), "{}", metric.name);
            assert!(metric.unit.is_empty() || metric.name.ends_with(&format!("_{}", metric.unit)));
            assert!(
                !["_total", "_info", "_bucket", "_count", "_sum"]
                    .iter()
                    .any(|end| metric.name.ends_with(end))
            );
            assert!(metric.labels.iter().all(|label| label.chars().all(is_plain)));
        }
    }
}
