// SPDX-License-Identifier: Apache-2.0 OR MIT
//! PMI-1 client: exchanges the store's address through the launcher itself. Hydra (MPICH, Intel MPI) speaks
//! PMI-1 with each process over a socket that the process inherits.
//!
//! Rank 0 chooses a free port and a secret, and puts both into the launcher's table; the others get them
//! there after a barrier. A process that has used PMI must finalize it, or its launcher takes its end for a
//! crash. A loaded MPI uses the same socket and finalizes it; otherwise this module does so at once.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use mf_base::os::stream::Stream;
use mf_base::{Error, Kind, Result};

use super::unique::UniqueId;
use super::variables::unusable;

const OPERATION: &str = "bootstrap pmi";
/// Names the descriptor on which the launcher answers.
pub(super) const SOCKET: &str = "PMI_FD";
/// Longest wait for a launcher's answer: it waits for processes of all hosts.
pub(super) const LONGEST_WAIT: Duration = Duration::from_secs(120);
/// Of the entry in the launcher's table.
const KEY: &str = "mf-store";
/// Rank 0's entry when it could not start a store.
const FAILED: &str = "failed";

/// Gives all ranks what rank 0 makes, through the launcher that answers on `socket`. **Collective** over the
/// ranks; once in a process.
pub(super) fn hand_on(socket: u32, rank: u32, make: impl FnOnce() -> Result<UniqueId>) -> Result<UniqueId> {
    let unusable = |why: &str| unusable(SOCKET, &socket.to_string(), why);
    let descriptor = i32::try_from(socket).map_err(|_| unusable("not a descriptor"))?;
    let socket = mf_base::os::stream::inherited(descriptor).map_err(|error| unusable(&error.to_string()))?;
    let mut launcher = Conversation::new(socket.into())?;
    let id = launcher.hand_on(rank == 0, make)?;
    if !mf_base::mpi::is_loaded() {
        launcher.ask("finalize", "finalize_ack")?;
    }
    Ok(id)
}

/// Questions and answers, each a line of `name=value`.
struct Conversation(BufReader<UnixStream>);

impl Conversation {
    fn new(socket: UnixStream) -> Result<Self> {
        socket.set_read_timeout(Some(LONGEST_WAIT)).map_err(lost)?;
        Ok(Self(BufReader::new(socket)))
    }

    /// Gives all ranks what rank 0 makes. **Collective** over the ranks.
    fn hand_on(&mut self, is_first: bool, make: impl FnOnce() -> Result<UniqueId>) -> Result<UniqueId> {
        self.ask("init pmi_version=1 pmi_subversion=1", "response_to_init")?;
        let table = self.value("get_my_kvsname", "my_kvsname", "kvsname")?;
        let made = is_first.then(make);
        if let Some(made) = &made {
            let text = made.as_ref().map_or_else(|_| FAILED.to_owned(), UniqueId::to_text);
            self.ask(&format!("put kvsname={table} key={KEY} value={text}"), "put_result")?;
        }
        self.ask("barrier_in", "barrier_out")?;
        if let Some(made) = made {
            return made;
        }
        let text = self.value(&format!("get kvsname={table} key={KEY}"), "get_result", "value")?;
        if text == FAILED {
            return Err(
                Error::new(Kind::NotConnected, OPERATION).what("rank 0 cannot start a store; see its error")
            );
        }
        text.parse()
    }

    /// The answer to a question, of the kind that is expected.
    fn ask(&mut self, question: &str, expected: &str) -> Result<String> {
        let mut writer = Stream(self.0.get_ref());
        writer.write_all(format!("cmd={question}\n").as_bytes()).map_err(lost)?;
        let mut answer = String::new();
        self.0.read_line(&mut answer).map_err(lost)?;
        let has_failed = word(&answer, "rc").is_some_and(|code| code != "0");
        if has_failed || word(&answer, "cmd") != Some(expected) {
            // Without the value, which may be the secret.
            let kind = question.split(' ').next().unwrap_or_default();
            return Err(Error::new(Kind::Failed, OPERATION)
                .what("the launcher did not answer as PMI 1 does")
                .with("question", kind)
                .with(
                    "answer",
                    format!("\"{}\"", answer.split(" value=").next().unwrap_or_default().trim_end()),
                )
                .hint("set MF_CONFIG_STORE_URL=tcp://address:port in all ranks"));
        }
        Ok(answer)
    }

    /// One value of an answer.
    fn value(&mut self, question: &str, expected: &str, name: &str) -> Result<String> {
        let answer = self.ask(question, expected)?;
        word(&answer, name).map(str::to_owned).ok_or_else(|| {
            Error::new(Kind::Failed, OPERATION).what("the launcher's answer lacks a value").with("name", name)
        })
    }
}

/// The value of that name in a line.
fn word<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    line.split_whitespace().find_map(|word| word.strip_prefix(name)?.strip_prefix('='))
}

fn lost(error: std::io::Error) -> Error {
    Error::new(Kind::NotConnected, OPERATION)
        .what("the launcher does not answer")
        .with("waited_at_most_s", LONGEST_WAIT.as_secs())
        .source(error)
}

#[cfg(test)]
mod tests {
    use super::super::publish_address::free_place;
    use super::*;

    /// A launcher of one process, which knows these answers and no others.
    fn launcher(answers: &'static [(&str, &str)]) -> Conversation {
        let (ours, theirs) = UnixStream::pair().unwrap();
        std::thread::spawn(move || {
            let mut value = String::new();
            for question in BufReader::new(theirs.try_clone().unwrap()).lines().map_while(Result::ok) {
                if let Some(put) = word(&question, "value") {
                    value = put.to_owned();
                }
                let kind = word(&question, "cmd").unwrap();
                let answer =
                    answers.iter().find(|(known, _)| *known == kind).map_or("cmd=unknown", |(_, text)| text);
                let answer = answer.replace('?', &value);
                let _ = (&theirs).write_all(format!("{answer}\n").as_bytes());
            }
        });
        Conversation::new(ours).unwrap()
    }

    const HYDRA: &[(&str, &str)] = &[
        ("init", "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0"),
        ("get_my_kvsname", "cmd=my_kvsname kvsname=kvs_7_0"),
        ("put", "cmd=put_result rc=0 msg=success"),
        ("barrier_in", "cmd=barrier_out"),
        ("get", "cmd=get_result rc=0 msg=success value=?"),
        ("finalize", "cmd=finalize_ack"),
    ];

    #[test]
    fn address_of_rank_0_reaches_the_other_ranks() {
        let mut launcher = launcher(HYDRA);
        let made = launcher.hand_on(true, || free_place(true)).unwrap();
        assert!(made.address().ip().is_loopback() && made.address().port() != 0);
        assert_eq!(launcher.hand_on(false, || panic!("not rank 0")).unwrap(), made);
        launcher.ask("finalize", "finalize_ack").unwrap();
    }

    #[test]
    fn a_failure_of_rank_0_reaches_the_others() {
        let mut launcher = launcher(HYDRA);
        let error = launcher.hand_on(true, || Err(Error::invalid("test", "no port"))).unwrap_err();
        assert!(error.to_string().contains("no port"), "{error}");
        let error = launcher.hand_on(false, || panic!("not rank 0")).unwrap_err();
        assert_eq!(error.kind(), Kind::NotConnected);
    }

    #[test]
    fn other_answers_are_refused() {
        let cases: [(&'static [(&str, &str)], &str); 3] = [
            (&[], "init"),
            (&[("init", "cmd=response_to_init rc=-1")], "init"),
            (&[("init", "cmd=response_to_init rc=0"), ("get_my_kvsname", "cmd=my_kvsname")], "kvsname"),
        ];
        for (answers, text) in cases {
            let error = launcher(answers).hand_on(true, || free_place(true)).unwrap_err();
            assert!(error.to_string().contains(text), "{error}");
        }
        let (ours, theirs) = UnixStream::pair().unwrap();
        drop(theirs);
        let error = Conversation::new(ours).unwrap().hand_on(true, || free_place(true)).unwrap_err();
        assert_eq!(error.kind(), Kind::NotConnected, "{error}");
    }
}
