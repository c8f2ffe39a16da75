// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Which certificates are accepted, and the texts on both sides.

use rcgen::ExtendedKeyUsagePurpose as Purpose;

use super::bench::{Ca, Folder, Leaf, Span, Wanted, files};
use super::*;
use crate::{ConfigPaths, inspect, plain_crl};

fn of(files: TlsFiles) -> Arc<Security> {
    Security::new(Switch::Auto, Vec::new(), Some(files)).unwrap()
}

/// An identity that does not check the dates of its own certificate, as another program's might not.
fn careless(ca: &Ca, leaf: &Leaf) -> Arc<Security> {
    let own = files(&ca.pem, leaf);
    let long_ago = SystemTime::now() - bench::DAY * 50;
    let loaded =
        load::load(&own, long_ago).or_else(|_| load::load(&own, SystemTime::now() + bench::DAY * 50));
    Security::made(Switch::Auto, Zeroizing::default(), Identity::Raw(loaded.unwrap().configs))
}

/// Both sides' view of a refusal: the text of the refusing side, and of the refused side.
fn refused(server: &Security, client: &Security) -> (Side, String, String) {
    let (side, error, reported) = failed_handshake(server, client);
    let other = if side == Side::Client { Side::Server } else { Side::Client };
    let reported = reported.map(|error| shown(&explain(&error, other)));
    (side, shown(&explain(&error, side)), reported.unwrap_or_default())
}

fn contains(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part:?} is not in: {text}");
    }
}

#[test]
fn members_with_the_same_ca_connect() {
    let ca = Ca::new("job");
    let (server, client) = (of(files(&ca.pem, &ca.member())), of(files(&ca.pem, &ca.member())));
    let (server, client) = handshake(&server, &client).unwrap();
    assert_eq!(exporter(&server).unwrap(), exporter(&client).unwrap());
    assert_eq!(server.peer_certificates().unwrap().len(), 1);
}

#[test]
fn store_certificate_matches_by_address_or_name() {
    let ca = Ca::new("job");
    let client = of(files(&ca.pem, &ca.member()));
    for names in [&["192.0.2.1"][..], &["memfabric-store"], &["other.example", "192.0.2.9", "192.0.2.1"]] {
        let leaf = ca.issue(&Wanted { names, ..Wanted::default() });
        handshake(&of(files(&ca.pem, &leaf)), &client).unwrap();
    }
}

#[test]
fn store_name_mismatch_is_refused_unless_names_are_unchecked() {
    let ca = Ca::new("job");
    let member = ca.member();
    for names in [&["192.0.2.2", "other.example"][..], &[]] {
        let leaf = ca.issue(&Wanted { names, ..Wanted::default() });
        let server = of(files(&ca.pem, &leaf));
        let (side, text, reported) = refused(&server, &of(files(&ca.pem, &member)));
        assert_eq!(side, Side::Client);
        contains(&text, &["the certificate of the store", "192.0.2.1", "memfabric-store", "--address"]);
        contains(&reported, &["refuses our certificate", "address"]);
        handshake(&server, &of(files(&ca.pem, &member).verify_name(false))).unwrap();
    }
}

#[test]
fn other_checks_apply_without_name_verification() {
    let (ca, other) = (Ca::new("job"), Ca::new("other"));
    let unnamed = Wanted { names: &[], ..Wanted::default() };
    let (foreign, own) = (other.issue(&unnamed), ca.issue(&unnamed));
    let server = of(files(&format!("{}{}", other.pem, ca.pem), &foreign));
    let lax = files(&ca.pem, &ca.member()).verify_name(false);
    contains(&refused(&server, &of(lax.clone())).1, &["not signed by any of our CAs"]);
    let lax = of(lax.revocations(ca.revoke(&[&own], 30).into()));
    contains(&refused(&of(files(&ca.pem, &own)), &lax).1, &["has been revoked"]);
}

#[test]
fn certificates_of_another_ca_are_refused_on_both_sides() {
    let (ours, theirs) = (Ca::new("job"), Ca::new("job"));
    let (our, their) = (of(files(&ours.pem, &ours.member())), of(files(&theirs.pem, &theirs.member())));
    let (side, text, reported) = refused(&our, &their);
    assert_eq!(side, Side::Client);
    contains(&text, &["the certificate of the store", "not signed by any of our CAs"]);
    contains(&reported, &["the member refuses our certificate", "not signed by any of its CAs"]);

    let both = format!("{}{}", ours.pem, theirs.pem);
    let (side, text, reported) = refused(&our, &of(files(&both, &theirs.member())));
    assert_eq!(side, Side::Server);
    contains(&text, &["the certificate of the member", "not signed by any of our CAs"]);
    contains(&reported, &["the store refuses our certificate", "not signed by any of its CAs"]);
    handshake(&of(files(&both, &ours.member())), &of(files(&both, &theirs.member()))).unwrap();
}

#[test]
fn expired_and_not_yet_valid_certificates_are_refused_by_the_peer() {
    let ca = Ca::valid("job", &Span(-100, 100));
    let good = of(files(&ca.pem, &ca.member()));
    for (span, part) in [(Span(-90, -1), "expired on 20"), (Span(2, 90), "is not valid before 20")] {
        let bad = careless(&ca, &ca.issue(&Wanted { span, ..Wanted::default() }));
        let (side, text, reported) = refused(&good, &bad);
        assert_eq!(side, Side::Server);
        contains(&text, &["the certificate of the member", part, "clocks"]);
        contains(&reported, &["the store refuses our certificate: expired, or not valid yet"]);
        let (side, text, _) = refused(&bad, &good);
        assert_eq!(side, Side::Client);
        contains(&text, &["the certificate of the store", part]);
    }
}

#[test]
fn expired_ca_is_not_trusted() {
    let ca = Ca::valid("job", &Span(-100, -1));
    let server = of(files(&format!("{}{}", ca.pem, Ca::new("next").pem), &ca.member()));
    let client = careless(&ca, &ca.issue(&Wanted { span: Span(-90, 90), ..Wanted::default() }));
    let (side, text, _) = refused(&server, &client);
    assert_eq!(side, Side::Client);
    contains(&text, &["not signed by any of our CAs"]);
}

#[test]
fn revoked_certificates_are_refused_on_both_sides() {
    let ca = Ca::new("job");
    let (good, bad) = (ca.member(), ca.member());
    let list = ca.revoke(&[&bad], 30);
    let careful = of(files(&ca.pem, &good).revocations(list.into()));
    let revoked = of(files(&ca.pem, &bad));
    let (side, text, reported) = refused(&careful, &revoked);
    assert_eq!(side, Side::Server);
    contains(&text, &["the certificate of the member has been revoked"]);
    contains(&reported, &["the store refuses our certificate: revoked"]);
    let (side, text, _) = refused(&revoked, &careful);
    assert_eq!(side, Side::Client);
    contains(&text, &["the certificate of the store has been revoked"]);
    handshake(&careful, &of(files(&ca.pem, &ca.member()))).unwrap();
}

#[test]
fn revocation_list_must_be_signed_by_and_cover_the_ca() {
    let (ca, other) = (Ca::new("job"), Ca::new("other"));
    let member = of(files(&ca.pem, &ca.member()));
    let of_other =
        files(&format!("{}{}", ca.pem, other.pem), &ca.member()).revocations(other.revoke(&[], 30).into());
    contains(&refused(&of(of_other), &member).1, &["of which no revocation list is given"]);
    // A list that another CA signed in the name of the CA.
    let forged = Ca::new("job").revoke(&[], 30);
    contains(
        &refused(&of(files(&ca.pem, &ca.member()).revocations(forged.into())), &member).1,
        &["revocation list"],
    );
}

#[test]
fn revoked_intermediate_ca_revokes_its_members() {
    let root = Ca::new("root");
    let between = root.intermediate("between");
    let mut leaf = between.member();
    leaf.pem += &between.pem;
    let member = of(files(&root.pem, &leaf));
    let plain = files(&root.pem, &leaf);
    handshake(&of(plain.clone()), &member).unwrap();
    let of_between = between.revoke(&[], 30);
    let serial = inspect(between.pem.as_bytes()).unwrap().certificates[0].serial.clone();
    let serial = u64::from_str_radix(&serial, 16).unwrap();
    let gone = Leaf { pem: String::new(), key: String::new(), serial: serial.into() };
    for (list, good) in [(root.revoke(&[], 30), true), (root.revoke(&[&gone], 30), false)] {
        let careful = of(plain.clone().revocations(of_between.clone().into()).revocations(list.into()));
        if good {
            handshake(&careful, &member).unwrap();
        } else {
            contains(&refused(&careful, &member).1, &["has been revoked"]);
        }
    }
}

const NEXT: Option<&str> = Some("20990101000000Z");

#[test]
fn crls_without_extensions_revoke_members() {
    let ca = Ca::new("job");
    let (good, bad) = (ca.member(), ca.member());
    let careful = |list: String| of(files(&ca.pem, &good).revocations(list.into()));
    let revoked = of(files(&ca.pem, &bad));
    let guard = careful(ca.plain_crl(&[&bad], NEXT, &[]));
    contains(&refused(&guard, &revoked).1, &["the certificate of the member has been revoked"]);
    contains(&refused(&revoked, &guard).1, &["the certificate of the store has been revoked"]);
    let other = of(files(&ca.pem, &ca.member()));
    handshake(&guard, &other).unwrap();
    handshake(&other, &guard).unwrap();
    handshake(&careful(ca.plain_crl(&[], NEXT, &[])), &revoked).unwrap();
    // Beside a list with extensions of the same CA, each counts.
    for (full, plain) in [(&good, &bad), (&bad, &good)] {
        let both = files(&ca.pem, &ca.member())
            .revocations(ca.revoke(&[full], 30).into())
            .revocations(ca.plain_crl(&[plain], NEXT, &[]).into());
        for leaf in [&good, &bad] {
            contains(&refused(&of(both.clone()), &of(files(&ca.pem, leaf))).1, &["has been revoked"]);
        }
    }
}

#[test]
fn crls_without_extensions_must_cover_the_ca() {
    let (ca, other) = (Ca::new("job"), Ca::new("other"));
    let both = format!("{}{}", ca.pem, other.pem);
    let of_other = files(&both, &ca.member()).revocations(other.plain_crl(&[], NEXT, &[]).into());
    let text = refused(&of(of_other), &of(files(&ca.pem, &ca.member()))).1;
    contains(&text, &["of which no revocation list is given"]);
}

#[test]
fn crls_without_extensions_revoke_an_intermediate_ca() {
    let root = Ca::new("root");
    let between = root.intermediate("between");
    let mut leaf = between.member();
    leaf.pem += &between.pem;
    let member = of(files(&root.pem, &leaf));
    let serial = inspect(between.pem.as_bytes()).unwrap().certificates[0].serial.clone();
    let serial = u64::from_str_radix(&serial, 16).unwrap();
    let gone = Leaf { pem: String::new(), key: String::new(), serial: serial.into() };
    let none = between.plain_crl(&[], NEXT, &[]);
    let with = |lists: [String; 2]| {
        let [first, second] = lists.map(Vec::from);
        of(files(&root.pem, &leaf).revocations(first).revocations(second))
    };
    handshake(&with([none.clone(), root.plain_crl(&[], NEXT, &[])]), &member).unwrap();
    for lists in [
        [none, root.plain_crl(&[&gone], NEXT, &[])],
        [between.plain_crl(&[&leaf], NEXT, &[]), root.plain_crl(&[], NEXT, &[])],
    ] {
        contains(&refused(&with(lists), &member).1, &["has been revoked"]);
    }
    // A list in the name of the intermediate CA that another CA signed.
    let forged = Ca::new("between").plain_crl(&[], NEXT, &[]);
    let text = refused(&with([forged, root.plain_crl(&[], NEXT, &[])]), &member).1;
    contains(&text, &["revocation list"]);
}

#[test]
fn revocation_list_is_rejected_once_it_expires() {
    use rustls::pki_types::UnixTime;
    let list = bench::der(&Ca::new("job").plain_crl(&[], NEXT, &[]));
    let (list, _) = plain_crl::PlainCrl::from_der(&list).unwrap();
    let at = |seconds| UnixTime::since_unix_epoch(std::time::Duration::from_secs(seconds));
    // 2099-01-01.
    const END_S: u64 = 4_070_908_800;
    list.check_date(at(END_S - 1)).unwrap();
    assert!(list.check_date(at(END_S)).is_err());
}

/// Shows no certificate.
#[derive(Debug)]
struct Nothing;

impl rustls::client::ResolvesClientCert for Nothing {
    fn resolve(&self, _: &[&[u8]], _: &[rustls::SignatureScheme]) -> Option<Arc<rustls::sign::CertifiedKey>> {
        None
    }

    fn has_certs(&self) -> bool {
        false
    }
}

#[test]
fn members_without_certificate_are_refused() {
    let ca = Ca::new("job");
    let server = of(files(&ca.pem, &ca.member()));
    let with = of(files(&ca.pem, &ca.member()));
    let mut config = (*with.configs().unwrap().client).clone();
    config.client_auth_cert_resolver = Arc::new(Nothing);
    let configs = Configs { client: Arc::new(config), ..with.configs().unwrap() };
    let without = Security::made(Switch::Auto, Zeroizing::default(), Identity::Raw(configs));
    let (side, text, reported) = refused(&server, &without);
    assert_eq!(side, Side::Server);
    contains(&text, &["the member shows no certificate"]);
    contains(&reported, &["the store demands a certificate"]);
}

#[test]
fn secret_and_certificate_identities_do_not_mix() {
    let ca = Ca::new("job");
    let (by_files, by_secret) = (of(files(&ca.pem, &ca.member())), secret());
    for (server, client) in [(&by_files, &by_secret), (&by_secret, &by_files)] {
        let (side, text, reported) = refused(server, client);
        assert_eq!(side, Side::Server);
        contains(&text, &["the member uses another kind of identity", "MF_JOB_SECRET"]);
        contains(&reported, &["the store uses another kind of identity", "MF_JOB_SECRET"]);
    }
}

#[test]
fn certificates_for_other_purposes_are_refused() {
    let ca = Ca::new("job");
    let only = |purpose| of(files(&ca.pem, &ca.issue(&Wanted { purposes: &[purpose], ..Wanted::default() })));
    let (serves, asks) = (only(Purpose::ServerAuth), only(Purpose::ClientAuth));
    handshake(&serves, &asks).unwrap();
    contains(&refused(&asks, &asks).1, &["the certificate of the store is made for another purpose"]);
    contains(&refused(&serves, &serves).1, &["the certificate of the member is made for another purpose"]);
}

#[test]
fn changed_files_apply_to_new_connections_unless_invalid() {
    let folder = Folder::new();
    let (old, new) = (Ca::new("old"), Ca::new("new"));
    let write = |ca: &Ca, leaf: &Leaf| {
        folder.write("ca.pem", &ca.pem);
        folder.write("key.pem", &leaf.key);
        folder.write("cert.pem", &leaf.pem);
    };
    write(&old, &old.member());
    let info = format!(
        "tlsTopPath:{};tlsCaPath:.;tlsCaFile:ca.pem;tlsCert:cert.pem;tlsPk:key.pem",
        folder.path().display()
    );
    let renewed = Renewed::new(TlsFiles::from_info(&info).unwrap()).unwrap();
    let (of_old, of_new) = (of(files(&old.pem, &old.member())), of(files(&new.pem, &new.member())));
    let mut now = Instant::now();
    let mut later = || {
        now += std::time::Duration::from_secs(2);
        let configs = renewed.current(now).configs.clone();
        Security::made(Switch::Auto, Zeroizing::default(), Identity::Raw(configs))
    };
    handshake(&later(), &of_old).unwrap();
    // Half of a change: the certificate of another key.
    folder.write("cert.pem", &old.member().pem);
    handshake(&later(), &of_old).unwrap();
    folder.write("ca.pem", "garbage");
    handshake(&later(), &of_old).unwrap();
    write(&new, &new.member());
    let after = later();
    handshake(&after, &of_new).unwrap();
    assert!(handshake(&after, &of_old).is_err());
    std::fs::remove_file(folder.path().join("key.pem")).unwrap();
    handshake(&later(), &of_new).unwrap();
}

#[test]
fn files_are_checked_at_most_once_per_second() {
    let folder = Folder::new();
    let (old, new) = (Ca::new("old"), Ca::new("new"));
    let leaf = old.member();
    folder.write("ca.pem", &old.pem);
    let files = TlsFiles::from_config(&ConfigPaths {
        ca_path: &folder.write("ca.pem", &old.pem),
        cert_path: &folder.write("cert.pem", &leaf.pem),
        key_path: &folder.write("key.pem", &leaf.key),
        ..ConfigPaths::default()
    });
    let renewed = Renewed::new(files.unwrap()).unwrap();
    let now = Instant::now() + std::time::Duration::from_secs(5);
    let first = renewed.current(now);
    folder.write("ca.pem", &format!("{}{}", old.pem, new.pem));
    assert!(Arc::ptr_eq(&first, &renewed.current(now + std::time::Duration::from_millis(999))));
    assert!(!Arc::ptr_eq(&first, &renewed.current(now + std::time::Duration::from_millis(1000))));
}

#[test]
fn soon_expiring_certificates_are_warned_of() {
    let ca = Ca::new("job");
    let soon = of(files(&ca.pem, &ca.issue(&Wanted { span: Span(-1, 10), ..Wanted::default() })));
    let texts = soon.check_expiry(SystemTime::now());
    assert_eq!(texts.len(), 1, "{texts:?}");
    contains(&texts[0], &["the certificate CN=member in certificate in memory expires in", "days"]);
    assert!(of(files(&ca.pem, &ca.member())).check_expiry(SystemTime::now()).is_empty());
    let later = SystemTime::now() + bench::DAY * 4000;
    assert_eq!(of(files(&ca.pem, &ca.member())).check_expiry(later).len(), 2);
}
