// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Both ends of a handshake talk, honestly or not.

use mf_transport::JobId;

use super::*;

const JOB: JobId = JobId(5);
const CLIENT: Peer = Peer { job: JOB, rank: 1, session: 11 };
const SERVER: Peer = Peer { job: JOB, rank: 3, session: 33 };
const TOKEN: [u8; 32] = [7; 32];

/// Both ends talk; `between` may change each message. The errors of client and server, in that order.
fn talk(
    client: &mut Talk,
    server: &mut Talk,
    hello: Vec<u8>,
    bindings: (Binding, Binding),
    mut between: impl FnMut(usize, &mut Vec<u8>),
) -> (Option<Error>, Option<Error>) {
    let (mut failed, mut message) = ([None, None], hello);
    for turn in 0..4 {
        between(turn, &mut message);
        let mut answer = Vec::new();
        let (end, at, binding) =
            if turn % 2 == 0 { (&mut *server, 1, bindings.1) } else { (&mut *client, 0, bindings.0) };
        if failed[at].is_none() {
            failed[at] = end.take(&message, binding, &mut answer).err();
        }
        if answer.is_empty() {
            break;
        }
        message = answer;
    }
    let [client, server] = failed;
    (client, server)
}

fn ends(token: [u8; 32], wanted: Peer, takes_plaintext: bool) -> (Talk, Talk, Vec<u8>) {
    let mut hello = Vec::new();
    let client = Talk::client(Peer { job: wanted.job, ..CLIENT }, token, [1; 24], wanted, &mut hello);
    let find = move |wanted: Peer| {
        (wanted.job == JOB).then(|| Member { me: SERVER, token: TOKEN.into(), takes_plaintext })
    };
    (client, Talk::server(find, [2; 32]), hello)
}

#[test]
fn handshake_identifies_both_members() {
    for binding in [None, Some([4; 32])] {
        let (mut client, mut server, hello) = ends(TOKEN, SERVER, true);
        let failed = talk(&mut client, &mut server, hello, (binding, binding), |_, _| ());
        assert!(failed.0.is_none() && failed.1.is_none());
        assert_eq!((client.known(), server.known()), (Some((CLIENT, SERVER)), Some((SERVER, CLIENT))));
        assert_eq!((client.wants(), server.wants()), (0, 0));
    }
}

#[test]
fn wrong_token_is_refused_with_a_fixed_text() {
    let (mut client, mut server, hello) = ends([8; 32], SERVER, true);
    let mut last = Vec::new();
    let (at_client, at_server) = talk(&mut client, &mut server, hello, (None, None), |turn, message| {
        if turn == 3 {
            last.clone_from(message);
        }
    });
    assert!(at_client.unwrap().to_string().contains("another job"));
    assert!(at_server.unwrap().to_string().contains("cannot prove"));
    assert_eq!((client.known(), server.known()), (None, None));
    // It depends neither on the token, nor on the process that listens there.
    assert_eq!(&last[..2], 3_u16.to_le_bytes());
    assert!(last[2..].iter().all(|byte| *byte == 0));
}

#[test]
fn client_learns_of_a_session_or_rank_mismatch() {
    for wanted in [Peer { session: 32, ..SERVER }, Peer { rank: 2, ..SERVER }] {
        let (mut client, mut server, hello) = ends(TOKEN, wanted, true);
        let (at_client, at_server) = talk(&mut client, &mut server, hello, (None, None), |_, _| ());
        let text = at_client.unwrap().to_string();
        let expected =
            if wanted.rank == 3 { "rank 3 is another process now" } else { "the address of rank 2" };
        assert!(text.contains(expected) && text.contains("session 33"), "{text}");
        assert!(at_server.unwrap().to_string().contains("another process"));
        assert_eq!((client.known(), server.known()), (None, None));
    }
}

#[test]
fn job_mismatch_is_named_on_both_sides() {
    let wanted = Peer { job: JobId(6), ..SERVER };
    let (mut client, mut server, hello) = ends(TOKEN, wanted, true);
    let (at_client, at_server) = talk(&mut client, &mut server, hello, (None, None), |_, _| ());
    let (at_client, at_server) = (at_client.unwrap().to_string(), at_server.unwrap().to_string());
    assert!(at_client.contains("no member of this job") && at_client.contains("rank 3"), "{at_client}");
    assert!(at_server.contains("0000000000000006"), "{at_server}");
    assert_eq!((client.known(), server.known()), (None, None));
}

#[test]
fn previous_version_hello_is_refused_in_its_format() {
    // As version 1 wrote it: no job, and a longer nonce.
    let mut hello = [b"MFNT".as_slice(), &1_u16.to_le_bytes(), &[0; 2]].concat();
    for (rank, session) in [(1_u32, 11_u64), (3, 33)] {
        hello.extend(rank.to_le_bytes());
        hello.extend(session.to_le_bytes());
    }
    hello.extend([9; 32]);
    let (_, mut server, _) = ends(TOKEN, SERVER, true);
    assert_eq!(server.wants(), hello.len());
    let mut answer = Vec::new();
    let error = server.take(&hello, None, &mut answer).unwrap_err().to_string();
    assert!(error.contains("version 1") && error.contains("ours 2"), "{error}");
    // The challenge of version 1: our version, the number of the reason, no nonce.
    let expected = [b"MFNT".as_slice(), &2_u16.to_le_bytes(), &1_u16.to_le_bytes(), &[0; 32]].concat();
    assert_eq!((answer, server.known()), (expected, None));
}

#[test]
fn plaintext_is_refused_if_tls_is_required() {
    let (mut client, mut server, hello) = ends(TOKEN, SERVER, false);
    let (at_client, at_server) = talk(&mut client, &mut server, hello, (None, None), |_, _| ());
    assert!(at_client.unwrap().to_string().contains("MF_NET_TLS"));
    assert!(at_server.unwrap().to_string().contains("MF_NET_TLS"));
}

#[test]
fn differing_channel_bindings_fail() {
    let (mut client, mut server, hello) = ends(TOKEN, SERVER, true);
    let failed = talk(&mut client, &mut server, hello, (Some([1; 32]), Some([2; 32])), |_, _| ());
    assert!(failed.0.is_some() && failed.1.is_some());
    assert_eq!((client.known(), server.known()), (None, None));
}

#[test]
fn reflected_proof_is_rejected() {
    // A false server sends the client's own proof back to it.
    let (mut client, _, _) = ends(TOKEN, SERVER, true);
    let (mut challenge, mut proof) = (Vec::new(), Vec::new());
    Challenge { version: VERSION, refusal: None, nonce: [1; 32] }.write(&mut challenge);
    client.take(&challenge, None, &mut proof).unwrap();
    let mut welcome = Vec::new();
    let proof = Proof::try_from(proof.as_slice()).unwrap();
    Welcome { refusal: None, server: SERVER, proof }.write(&mut welcome);
    assert!(client.take(&welcome, None, &mut Vec::new()).is_err());
    assert_eq!(client.known(), None);
}

#[test]
fn flipped_bit_in_a_handshake_authenticates_no_peer() {
    for turn in 0..4 {
        let length = [HELLO_BYTES, CHALLENGE_BYTES, PROOF_BYTES, WELCOME_BYTES][turn];
        for at in 0..length {
            // Bytes without meaning.
            if (turn == 0 && (6..8).contains(&at)) || (turn == 3 && (2..4).contains(&at)) {
                continue;
            }
            let (mut client, mut server, hello) = ends(TOKEN, SERVER, true);
            talk(&mut client, &mut server, hello, (None, None), |now, message| {
                if now == turn {
                    message[at] ^= 0x10;
                }
            });
            assert_eq!(client.known(), None, "turn {turn}, byte {at}");
            assert!(turn == 3 || server.known().is_none(), "turn {turn}, byte {at}");
        }
    }
}

#[test]
fn messages_of_a_wrong_length_are_refused() {
    for bytes in [0, 1, HELLO_BYTES - 1, HELLO_BYTES + 1] {
        let (_, mut server, mut hello) = ends(TOKEN, SERVER, true);
        hello.resize(bytes, 0);
        assert!(server.take(&hello, None, &mut Vec::new()).is_err());
        assert!(server.take(&hello, None, &mut Vec::new()).is_err());
    }
}
