// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Writes first inputs into the given folder, one subfolder per target. The fuzzer continues from there; they
//! contain parts that it would not find by chance: sums, names, the shape of each message.

use std::path::{Path, PathBuf};

use mf_acc::frame::Message;
use mf_acc::hello::{Answer, Hello, Verdict};
use mf_base::settings::{LAUNCHER_VARIABLES, TABLE};
use mf_fabric::fuzzing as members;
use mf_hmc::ctrl::{frame, handshake_frames};
use mf_tcp::fuzzing as net;

type Outcome = std::io::Result<()>;

const URLS: &[&str] = &[
    "tcp://127.0.0.1:5570",
    "tcp://[::1]:5570",
    "tcp6://[fd00::1]:65535",
    "tcp://10.0.0.1:5570,10.0.0.2:5570",
    "etcd://10.0.0.1:2379,10.0.0.2:2379/prefix#1",
    "reg://127.0.0.1:5570#1",
];

const TLS_INFOS: &[&str] = &[
    "tlsCaPath: /etc/mf; tlsCaFile: ca.pem, old.pem; tlsCert: /etc/mf/a.pem; tlsPk: /etc/mf/a.key; tlsPkPwd: p;",
    "tlsTopPath:/t;tlsCaFile:ca;tlsCert:c;tlsCrlPath:r;tlsCrlFile:l;packagePath:/p",
];

const NODE_LISTS: &[&str] = &["node1,node2", "node[001-016,020],login2", "rack[1-2]node[05-06]-ib"];

const LAUNCHERS: &[&str] = &[
    "RANK=3\nWORLD_SIZE=8\nLOCAL_RANK=1\nLOCAL_WORLD_SIZE=2\nMASTER_ADDR=host\nMASTER_PORT=29500\nTORCHELASTIC_RUN_ID=a\n",
    "SLURM_PROCID=5\nSLURM_NTASKS=8\nSLURM_LOCALID=1\nSLURM_NODEID=2\nSLURM_STEP_TASKS_PER_NODE=2(x3),1(x2)\n\
     SLURM_STEP_NODELIST=node[1-5]\nSLURM_JOB_ID=4711\nSLURM_STEP_ID=3\n",
    "OMPI_COMM_WORLD_RANK=2\nOMPI_COMM_WORLD_SIZE=4\nOMPI_COMM_WORLD_LOCAL_RANK=2\nOMPI_COMM_WORLD_LOCAL_SIZE=4\n\
     PMIX_NAMESPACE=123\n",
    "PMI_RANK=1\nPMI_SIZE=2\nMPI_LOCALRANKID=0\nMPI_LOCALNRANKS=1\nMASTER_ADDR=::1\nMASTER_PORT=65535\n",
];

const NICS: &[&str] = &[
    "tcp://10.1.0.0/16:5000;tcp://[fd00::1]:5000,eth0\nlo 127.0.0.1/8\neth0 10.1.2.3/24\neth0 fd00::1/64\ndocker0 172.17.0.1/16",
    "127.0.0.1/0\nlo 127.0.0.1/8\n-eth0 10.0.0.1/8",
    "fe80::1%eth0,[fe80::/10]\neth0 fe80::1/64",
];

/// Sizes of heaps, and addresses of CANN SHMEM, behind the byte that chooses them.
const TEXTS: &[(u8, &str)] = &[
    (3, "3.1M"),
    (3, " .000000000000000000001tkk"),
    (4, "tcp://10.0.0.1:8666"),
    (4, "[fd00::1]:1025"),
    (4, "tcp6://[::1]"),
    (4, "node-1.example:65535"),
];

/// Calls on blocks, copies at the end of the heap, waits there: the numbers that a program may get wrong.
const CALLS: &[&[u8]] = &[
    &[0, 0, 0, 1, 64, 1, 0, 1, 100, 2, 0, 1, 9, 3, 0, 1, 9, 4, 1, 1, 200, 5, 0, 1, 7],
    &[0, 0x40, 0, 1, 250, 0x40, 0, 1, 251, 3, 0, 0, 0, 0x44, 0, 1, 255, 0x81, 0, 1, 3, 240, 0],
    &[1, 0, 1, 16, 1, 2, 1, 3, 1, 1, 1, 20, 3, 0, 0],
    &[1, 1, 1, 0, 1, 5, 1, 4, 1, 4, 1, 9, 5, 0, 7],
    &[1, 0, 0, 0, 230, 0, 230, 0, 1, 1, 1, 3, 3, 0, 0],
    &[2, 3, 0, 1, 64, 1, 32, 3, 1, 1, 0, 0],
    &[2, 8, 1, 1, 0, 1, 100, 7, 0, 0, 255, 255, 255, 127],
    &[2, 7, 5, 1, 3, 240, 2, 9, 1, 0],
];

/// A put, a lookup, a removal; batches; invalid handles and lengths.
const CACHE_CALLS: &[(&str, &[u8])] = &[
    (
        "one",
        &[
            0, 0, 1, 65, 0, 40, 0, 0, 0, 4, 0, 0, 1, 65, 0, 60, 0, 5, 0, 0, 1, 65, 6, 0, 0, 1, 65, 1, 8, 0,
            0, 1, 65,
        ],
    ),
    (
        "many",
        &[
            9, 0, 3, 0, 1, 65, 0, 10, 0, 1, 66, 0, 20, 1, 9, 0, 30, 10, 0, 3, 0, 1, 65, 0, 1, 66, 1, 9, 11,
            0, 255, 12, 0,
        ],
    ),
    ("leased", &[0, 0, 1, 65, 0, 40, 2, 0, 0, 7, 0, 0, 1, 65, 9, 0, 0, 1, 65, 0, 50, 0, 0, 0, 13, 0]),
    (
        "refused",
        &[
            0, 1, 1, 65, 0, 40, 9, 9, 0, 0, 2, 0, 0, 0, 3, 255, 255, 255, 0, 0, 4, 0, 1, 65, 250, 1, 1, 1, 1,
            1,
        ],
    ),
];

/// Transfer functions of C, each call successful or nearly so; encoding as in `fuzz/trans`.
const TRANS_CALLS: &[(&str, &[u8])] = &[
    (
        "batch",
        &[
            0, 120, 0, 1, 2, 0, 206, 4, 0, 64, 0, 206, 68, 0, 64, 8, 0, 120, 3, 0, 0, 0, 0, 206, 4, 0, 20, 0,
            0, 40, 0, 206, 58, 0, 30, 0, 0, 80, 0, 206, 108, 0, 8, 0, 0, 8, 0, 120, 2, 0, 0, 0, 0, 206, 4, 0,
            20, 0, 0, 40, 0, 206, 128, 0, 30, 1, 0,
        ],
    ),
    (
        "create",
        &[
            18, 0, 4, 255, 16, 49, 48, 46, 48, 46, 48, 46, 55, 58, 53, 48, 48, 48, 95, 97, 98, 99, 0, 18, 0,
            4, 0, 0, 18, 0, 4, 255, 3, 97, 58, 49, 8, 5, 116, 99, 112, 58, 47, 18, 0, 4, 255, 9, 49, 46, 50,
            46, 51, 46, 52, 58, 53, 2, 3, 108, 111, 48,
        ],
    ),
    (
        "memory",
        &[3, 0, 0, 200, 3, 120, 206, 4, 5, 120, 0, 0, 0, 0, 161, 0, 0, 0, 99, 0, 0, 4, 0, 0, 4, 120, 0],
    ),
    (
        "notify",
        &[16, 120, 0, 200, 0, 7, 16, 0, 0, 0, 17, 0, 0, 17, 0, 3, 18, 0, 0, 0, 18, 0, 1, 18, 120, 2, 0],
    ),
    (
        "one",
        &[
            0, 0, 0, 0, 0, 0, 0, 0, 250, 5, 120, 0, 0, 206, 4, 0, 0, 0, 0, 100, 0, 0, 5, 120, 0, 0, 206, 108,
            0, 0, 100, 0, 50, 1, 0, 5, 120, 0, 0, 206, 4, 0, 0, 200, 0, 100, 0, 0, 5, 120, 0, 0, 206, 4, 0,
            0, 0, 0, 9, 12, 0, 2, 0, 0, 5, 120, 0, 0, 206, 4, 0, 0, 0, 0, 9, 0, 0,
        ],
    ),
    (
        "prepared",
        &[
            0, 0, 0, 0, 0, 0, 0, 0, 200, 0, 120, 0, 0, 0, 206, 4, 0, 100, 13, 120, 0, 2, 0, 206, 4, 0, 0, 0,
            0, 20, 0, 206, 28, 0, 0, 50, 0, 9, 0, 14, 0, 0, 0, 0, 2, 14, 0, 0, 1, 0, 1, 1, 2, 2, 120, 0, 14,
            0, 0, 0, 0, 15, 9, 0, 5,
        ],
    ),
    (
        "quant",
        &[
            0, 0, 0, 0, 0, 0, 0, 0, 200, 10, 120, 0, 2, 0, 206, 4, 0, 0, 0, 0, 64, 0, 206, 108, 0, 0, 100, 0,
            20, 3, 0, 8, 0,
        ],
    ),
    (
        "started",
        &[
            0, 0, 0, 0, 0, 0, 0, 0, 200, 11, 120, 0, 1, 0, 206, 4, 0, 0, 0, 0, 100, 0, 200, 0, 5, 2, 11, 120,
            0, 1, 0, 206, 4, 0, 0, 0, 0, 100, 1, 0, 0, 11, 120, 0, 1, 0, 206, 4, 0, 0, 190, 0, 100, 0, 0, 1,
            17, 0, 3, 15, 0, 0, 15, 1, 3, 15, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0,
        ],
    ),
];

/// Engines that begin, meet, end and come back: member, kind of event, its arguments.
const MEETINGS: &[(&str, &[u8])] = &[
    (
        "back",
        &[
            0, 0, 0, 0, 0, 11, 0, 9, 1, 1, 0, 0, 5, 0, 8, 2, 0, 0, 0, 0, 11, 2, 11, 0, 1, 0, 0, 1, 11, 2, 1,
            0, 0,
        ],
    ),
    (
        "killed",
        &[
            0, 0, 0, 0, 0, 11, 2, 0, 0, 0, 0, 8, 2, 11, 0, 1, 0, 0, 0, 4, 2, 8, 2, 11, 0, 0, 0, 0, 0, 0, 0,
            0, 0, 0, 11, 2, 11, 0, 1, 0, 0,
        ],
    ),
    (
        "memory",
        &[
            1, 0, 0, 0, 0, 11, 1, 7, 0, 64, 2, 0, 0, 0, 0, 8, 2, 11, 1, 1, 0, 0, 1, 6, 3, 8, 1, 9, 9, 9, 1,
            7, 1, 0, 1, 7, 2, 1, 1, 10,
        ],
    ),
    (
        "own-stores",
        &[
            1, 0, 0, 0, 0, 11, 2, 0, 0, 1, 0, 8, 1, 6, 2, 1, 100, 100, 2, 11, 1, 1, 2, 1, 1, 12, 2, 1, 0, 0,
            2, 3, 1, 11, 2, 1, 2, 0,
        ],
    ),
    (
        "refused",
        &[0, 0, 0, 0, 0, 11, 2, 0, 0, 0, 0, 11, 2, 11, 0, 1, 0, 0, 2, 6, 1, 4, 109, 2, 6, 2, 8, 9, 9, 1],
    ),
    (
        "shared-store",
        &[
            0, 5, 0, 1, 0, 0, 2, 0, 8, 2, 0, 0, 2, 0, 11, 2, 6, 1, 1, 200, 1, 11, 2, 1, 2, 1, 2, 11, 1, 1, 3,
            0, 1, 3,
        ],
    ),
];

/// Requests of HTTP behind the byte that cuts them.
const REQUESTS: &[(u8, &str)] = &[
    (255, "GET /a/b?x=1&y=%41+z HTTP/1.1\r\nHost: h\r\n\r\n"),
    (7, "POST /p HTTP/1.1\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\nbodyGET / HTTP/1.0\r\n\r\n"),
    (3, "\r\nPUT http://h/p HTTP/1.1\r\nConnection: keep-alive,\r\n close\r\nA:\t b \r\n\r\n"),
    (1, "OPTIONS * HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"),
    (200, "DELETE /x HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n"),
    (9, "CONNECT h:1 HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"),
];

/// Messages, hellos and answers behind the byte that cuts them.
fn messages() -> Vec<Vec<u8>> {
    let short = Message { kind: -1, result: 2, sequence: u32::MAX, body_bytes: 3, crc: None };
    let checked = Message { crc: Some(0xe306_9283), body_bytes: 9, ..short };
    let long = Message { body_bytes: 20_000, ..short };
    let hello = Hello { magic: 3867, version: 1, reconnect: 1, rank: u64::MAX };
    let answers =
        [Verdict::Taken, Verdict::Magic(-1), Verdict::Version(2), Verdict::Refused(-5), Verdict::Full];
    let mut all = vec![
        [&[5], &short.head()[..], b"abc", &checked.head()[..], b"123456789"].concat(),
        [&[255], &long.head()[..], &[7; 20_000][..]].concat(),
        [&[9], &hello.bytes()[..]].concat(),
    ];
    all.extend(answers.map(|verdict| [&[9], &Answer(verdict).bytes()[..]].concat()));
    all
}

fn main() -> Outcome {
    let folder = std::env::args_os().nth(1).map(PathBuf::from).ok_or(std::io::ErrorKind::InvalidInput)?;
    for (name, bytes) in mf_store::fuzzing::seeds() {
        write(&folder, "frames", &name, &bytes)?;
    }
    for (target, seeds) in [
        ("net_handshake", net::handshake_seeds()),
        ("net_frames", net::frames_seeds()),
        ("records", members::record_seeds()),
        ("messages", members::message_seeds()),
    ] {
        for (name, bytes) in seeds {
            write(&folder, target, &name, &bytes)?;
        }
    }
    for (number, id) in mf_bootstrap::fuzzing::unique_ids().into_iter().enumerate() {
        write(&folder, "unique_id", &format!("bytes-{number}"), id.as_bytes())?;
        write(&folder, "unique_id", &format!("text-{number}"), id.to_text().as_bytes())?;
    }
    for (target, texts) in [
        ("store_url", URLS),
        ("nodelist", NODE_LISTS),
        ("launcher", LAUNCHERS),
        ("tls_info", TLS_INFOS),
        ("net_nic", NICS),
    ] {
        for (number, text) in texts.iter().enumerate() {
            write(&folder, target, &format!("text-{number}"), text.as_bytes())?;
        }
    }
    let every_variable: String = LAUNCHER_VARIABLES.iter().map(|(name, _)| format!("{name}=1\n")).collect();
    write(&folder, "launcher", "every", every_variable.as_bytes())?;
    let good = mf_fuzz::identity();
    for (part, text) in [&good.authority, &good.chain, &good.key, &good.revocations].into_iter().enumerate() {
        // The first byte is the target's choice: the part, and whether the rest is DER.
        let choice = u8::try_from(part).unwrap_or(0) << 1;
        write(&folder, "pem", &format!("text-{part}"), &[&[choice], &text[..]].concat())?;
        write(&folder, "pem", &format!("der-{part}"), &[&[choice | 1], &mf_fuzz::der(text)[..]].concat())?;
    }
    for (number, (choice, text)) in TEXTS.iter().enumerate() {
        write(&folder, "symmetric", &format!("text-{number}"), &[&[*choice], text.as_bytes()].concat())?;
    }
    for (number, call) in CALLS.iter().enumerate() {
        write(&folder, "symmetric", &format!("calls-{number}"), call)?;
    }
    for (target, orders) in
        [("trans_calls", TRANS_CALLS), ("trans_meeting", MEETINGS), ("cache_calls", CACHE_CALLS)]
    {
        for (name, bytes) in orders {
            write(&folder, target, name, bytes)?;
        }
    }
    for (number, (piece, text)) in REQUESTS.iter().enumerate() {
        write(&folder, "acc_http", &format!("text-{number}"), &[&[*piece], text.as_bytes()].concat())?;
    }
    for (number, bytes) in messages().iter().enumerate() {
        write(&folder, "acc_frames", &format!("bytes-{number}"), bytes)?;
    }
    for (number, bytes) in links().iter().enumerate() {
        write(&folder, "ctrl_frames", &format!("bytes-{number}"), bytes)?;
    }
    for key in TABLE {
        write(&folder, "settings", key.name, format!("{}={}\n", key.name, key.default).as_bytes())?;
    }
    Ok(())
}

/// Beginning of a link of the control channel, and messages on it, after the byte that selects the pieces.
fn links() -> Vec<Vec<u8>> {
    let claim = handshake_frames::Claim { encrypts: true, nonce: [3; 32] };
    let (mut plain, mut proving, mut answer) = (vec![5], vec![0], vec![255]);
    handshake_frames::Hello { rank: 1, secret: None }.write(&mut plain);
    handshake_frames::Hello { rank: 1, secret: Some(claim) }.write(&mut proving);
    handshake_frames::Answer { verdict: handshake_frames::Verdict::Plaintext, bytes: [9; 32] }
        .write(&mut answer);
    let mut all: Vec<Vec<u8>> = [&proving, &answer]
        .iter()
        .map(|frame| frame[..1].iter().chain(&frame[9..]).copied().collect())
        .collect();
    for (kind, length) in [(frame::INTEGER, 8_u16), (frame::STRUCT, 0), (frame::STRUCT, 5000), (7, 3)] {
        plain.extend_from_slice(&frame::Head { kind, flags: 1, length: length.into() }.bytes());
        plain.extend((0..length).map(|byte| byte.to_le_bytes()[0]));
    }
    let forged = frame::Head { kind: frame::INTEGER, flags: 0, length: u32::MAX }.bytes();
    all.extend([[&plain[..], &forged].concat(), plain, proving, answer]);
    all
}

fn write(folder: &Path, target: &str, name: &str, bytes: &[u8]) -> Outcome {
    let folder = folder.join(target);
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join(name), bytes)
}
