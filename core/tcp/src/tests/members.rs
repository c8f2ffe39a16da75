// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Several members in one process: one engine, and no peer is let in to a job that is not its own.

use mf_transport::JobId;

use super::*;

/// A member of a job on this engine.
pub(super) fn member(engine: &Arc<Engine>, me: Peer, change: impl FnOnce(&mut Options)) -> End {
    let memory = Memory::new(4096);
    let target: Arc<dyn Target> = memory.clone();
    let token = [u8::try_from(me.job.0).unwrap(); 32];
    let (listen, target) = (vec![loopback()], Arc::downgrade(&target));
    let mut options =
        Options { me, token, listen, tls: Switch::Auto, checksum: false, connections: 4, target };
    change(&mut options);
    End { me, memory, tcp: engine.join(options).unwrap() }
}

pub(super) fn peer_of(job: u64, rank: u32) -> Peer {
    Peer { job: JobId(job), rank, session: 1000 + u64::from(rank) }
}

#[test]
fn members_of_many_jobs_share_a_thread_and_a_listener() {
    let (engine, far) = (Engine::start().unwrap(), Engine::start().unwrap());
    let here: Vec<End> = (1..=10).map(|job| member(&engine, peer_of(job, 0), |_| {})).collect();
    let there: Vec<End> = (1..=10).map(|job| member(&far, peer_of(job, 1), |_| {})).collect();
    let addresses: Vec<_> = here.iter().map(|end| Tcp::listening(&end.tcp.address()).unwrap()).collect();
    assert!(addresses.iter().all(|address| *address == addresses[0] && address.len() == 1));
    for (one, other) in here.iter().zip(&there) {
        introduce(&[one, other]);
        one.memory.set(0, one.me.job.0);
        one.put(other, 0, 64, 8).unwrap();
        other.get(one, 128, 0, 8).unwrap();
        assert_eq!((other.memory.word(64), other.memory.word(128)), (one.me.job.0, one.me.job.0));
    }
    assert_eq!((engine.threads(), far.threads()), (1, 1));
    // One that leaves disturbs no other, and the last one closes the listener.
    let mut here = here;
    let gone = here.remove(0);
    gone.tcp.close();
    there[0].put(&gone, 0, 0, 8).unwrap_err();
    here[0].put(&there[1], 0, 0, 8).unwrap();
    here.into_iter().for_each(|end| end.tcp.close());
    std::net::TcpStream::connect(addresses[0][0]).unwrap_err();
}

#[test]
fn ranks_of_a_job_in_the_same_process_reach_each_other() {
    let engine = Engine::start().unwrap();
    let ends: Vec<End> = (0..3).map(|rank| member(&engine, peer_of(1, rank), |_| {})).collect();
    introduce(&[&ends[0], &ends[1], &ends[2]]);
    for (from, to) in [(0, 1), (1, 0), (2, 1), (0, 2)] {
        ends[from].put(&ends[to], 0, 64, 64).unwrap();
        ends[to].get(&ends[from], 0, 128, 64).unwrap();
    }
    let again = Options {
        me: ends[0].me,
        token: [1; 32],
        listen: vec![loopback()],
        tls: Switch::Auto,
        checksum: false,
        connections: 1,
        target: Arc::downgrade(&(Memory::new(8) as Arc<dyn Target>)),
    };
    assert_eq!(engine.join(again).err().unwrap().kind(), Kind::InvalidParam);
    ends[0].put(&ends[1], 0, 0, 8).unwrap();
}

#[test]
fn shared_listener_keeps_jobs_apart() {
    let (engine, far) = (Engine::start().unwrap(), Engine::start().unwrap());
    let (one, other) = (member(&engine, peer_of(1, 0), |_| {}), member(&engine, peer_of(2, 0), |_| {}));
    // A member of the other job, with a token that does not fit.
    let outsider = member(&far, peer_of(1, 1), |options| options.token = [2; 32]);
    introduce(&[&outsider, &one]);
    let text = outsider.put(&one, 0, 0, 8).unwrap_err().to_string();
    assert!(text.contains("does not accept"), "{text}");
    // One that names a job that no member here is in.
    let foreign = member(&far, peer_of(3, 0), |_| {});
    let lost = End { me: peer_of(3, 9), memory: Memory::new(8), tcp: Arc::clone(&one.tcp) };
    foreign.tcp.introduce(lost.me, &one.tcp.address()).unwrap();
    let text = foreign.put(&lost, 0, 0, 8).unwrap_err().to_string();
    assert!(text.contains("no member of this job") && text.contains("0000000000000003"), "{text}");
    // Peers of another job are not even introduced.
    let refused = one.tcp.introduce(other.me, &other.tcp.address()).unwrap_err();
    assert_eq!(refused.kind(), Kind::InvalidParam);
}

#[test]
fn member_is_reached_only_at_its_own_addresses() {
    let engine = Engine::start().unwrap();
    let public = member(&engine, peer_of(1, 0), |_| {});
    let private =
        member(&engine, peer_of(2, 0), |options| options.listen = vec!["127.0.0.2:0".parse().unwrap()]);
    let far = Engine::start().unwrap();
    let asking = member(&far, peer_of(2, 1), |_| {});
    asking.tcp.introduce(private.me, &public.tcp.address()).unwrap();
    let text = asking.put(&private, 0, 0, 8).unwrap_err().to_string();
    assert!(text.contains("no member of this job"), "{text}");
    asking.tcp.introduce(private.me, &private.tcp.address()).unwrap();
    asking.put(&private, 0, 0, 8).unwrap();
}
