// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Which files are accepted, and the errors for the others.

use std::os::unix::fs::symlink;

use super::bench::{Ca, Folder, Span, Wanted, files};
use super::*;
use crate::{ConfigPaths, Decrypt, OptionPaths, read};

const PASSWORD: &[u8] = b"secret-word";

macro_rules! fixture {
    ($name:literal) => {
        include_bytes!(concat!("fixtures/", $name)).to_vec()
    };
}

fn refusal(files: &TlsFiles) -> String {
    let error = load::load(files, SystemTime::now()).unwrap_err();
    assert_eq!(error.kind(), mf_base::Kind::InvalidParam, "{error}");
    error.to_string()
}

fn contains(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part:?} is not in: {text}");
    }
}

/// The fixture certificate with `key`.
fn with_key(key: Vec<u8>) -> TlsFiles {
    TlsFiles::in_memory(Ca::new("job").pem.into(), fixture!("p256.pem"), key)
}

#[test]
fn private_keys_of_every_format_are_accepted() {
    for key in [fixture!("p256.key"), fixture!("p256.sec1.key")] {
        load::load(&with_key(key), SystemTime::now()).unwrap();
    }
    for key in [fixture!("p256.pbkdf2.key"), fixture!("p256.scrypt.key")] {
        load::load(&with_key(key).password(PASSWORD.to_vec()), SystemTime::now()).unwrap();
    }
    let rsa = TlsFiles::in_memory(
        Ca::new("job").pem.into(),
        fixture!("rsa2048.pem"),
        fixture!("rsa2048.pkcs1.key"),
    );
    load::load(&rsa, SystemTime::now()).unwrap();
}

#[test]
fn key_passwords_are_read_through_the_callback() {
    let encrypted = || with_key(fixture!("p256.pbkdf2.key"));
    let reversed: Vec<u8> = PASSWORD.iter().rev().copied().collect();
    let turn: Decrypt = Arc::new(|text| Ok(text.iter().rev().copied().collect()));
    // A line end after the text does not belong to it.
    let line = [&reversed[..], b"\r\n"].concat();
    load::load(&encrypted().password(line).decrypt(Arc::clone(&turn)), SystemTime::now()).unwrap();
    contains(
        &refusal(&encrypted().password(reversed)),
        &["the password does not open the key", "key in memory"],
    );
    contains(&refusal(&encrypted()), &["encrypted and no password", "tlsPkPwd"]);
    let fails: Decrypt = Arc::new(|_| Err(Error::invalid("decrypt", "the key service is away")));
    contains(&refusal(&encrypted().password(b"x".to_vec()).decrypt(fails)), &["the key service is away"]);
    // A key that is not encrypted needs none.
    let never: Decrypt = Arc::new(|_| Err(Error::invalid("decrypt", "must not be called")));
    load::load(&with_key(fixture!("p256.key")).password(b"x".to_vec()).decrypt(never), SystemTime::now())
        .unwrap();
}

#[test]
fn unusable_keys_are_named() {
    contains(&refusal(&with_key(fixture!("p256.old.key"))), &["key in memory", "openssl pkcs8 -topk8"]);
    contains(&refusal(&with_key(fixture!("p256.pem"))), &["exactly one private key"]);
    contains(
        &refusal(&with_key(b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----".to_vec())),
        &["the key cannot be used", "P-256"],
    );
    let two = [fixture!("p256.key"), fixture!("p256.sec1.key")].concat();
    contains(&refusal(&with_key(two)), &["exactly one private key"]);
    let other = Ca::new("job").member().key;
    contains(&refusal(&with_key(other.into())), &["does not fit", "certificate in memory", "key in memory"]);
}

#[test]
fn private_keys_never_appear_in_texts() {
    let key = String::from_utf8(fixture!("p256.key")).unwrap();
    let inner = key.lines().nth(1).unwrap();
    let shown = format!("{:?}", with_key(key.clone().into()));
    assert!(!shown.contains(inner), "{shown}");
    let cut = with_key(key.replace("-----END", "----END").into());
    assert!(!refusal(&cut).contains(inner));
}

#[test]
fn short_rsa_keys_are_refused() {
    let ca = Ca::new("job");
    let short = fixture!("rsa1024.pem");
    let own = TlsFiles::in_memory(ca.pem.clone().into(), short.clone(), fixture!("p256.key"));
    contains(&refusal(&own), &["too short", "bits 1024", "least 2048", "CN=short"]);
    let leaf = ca.member();
    let trusted = TlsFiles::in_memory(short, leaf.pem.into(), leaf.key.into());
    contains(&refusal(&trusted), &["CA in memory", "too short"]);
}

#[test]
fn own_certificates_outside_their_validity_are_refused() {
    let ca = Ca::new("job");
    for (span, part) in [(Span(-90, -1), "expired on 20"), (Span(2, 90), "is not valid before 20")] {
        let leaf = ca.issue(&Wanted { span, ..Wanted::default() });
        contains(
            &refusal(&files(&ca.pem, &leaf)),
            &[part, "certificate in memory", "CN=member", "mf certs rotate"],
        );
    }
    let gone = Ca::valid("gone", &Span(-90, -1));
    contains(&refusal(&files(&gone.pem, &ca.member())), &["the CA expired on 20", "CA in memory", "CN=gone"]);
    let both = format!("{}{}", gone.pem, ca.pem);
    load::load(&files(&both, &ca.member()), SystemTime::now()).unwrap();
}

#[test]
fn certificates_in_the_wrong_place_are_refused() {
    let ca = Ca::new("job");
    let leaf = ca.member();
    contains(&refusal(&files(&leaf.pem, &leaf)), &["not that of a CA", "CN=member"]);
    let swapped = TlsFiles::in_memory(ca.pem.clone().into(), ca.pem.clone().into(), leaf.key.clone().into());
    contains(&refusal(&swapped), &["certificate of a CA, not of a member"]);
    let empty = TlsFiles::in_memory(b"nothing".to_vec(), leaf.pem.clone().into(), leaf.key.clone().into());
    contains(&refusal(&empty), &["there is no CERTIFICATE", "CA in memory"]);
    let broken = leaf.pem.replacen('M', "N", 1);
    let broken = TlsFiles::in_memory(ca.pem.into(), broken.into(), leaf.key.into());
    contains(&refusal(&broken), &["cannot be read", "line 1"]);
}

#[test]
fn overdue_and_unreadable_revocation_lists_are_refused() {
    let ca = Ca::new("job");
    let own = files(&ca.pem, &ca.member());
    contains(
        &refusal(&own.clone().revocations(ca.revoke(&[], -1).into())),
        &["due for renewal on 20", "CN=job"],
    );
    contains(&refusal(&own.clone().revocations(ca.pem.into())), &["there is no X509 CRL"]);
    let garbage = b"-----BEGIN X509 CRL-----\nAAAA\n-----END X509 CRL-----".to_vec();
    contains(&refusal(&own.revocations(garbage)), &["cannot be read", "line 1"]);
}

#[test]
fn untrusted_crls_without_extensions_are_refused() {
    let ca = Ca::new("job");
    let with = |list: String| files(&ca.pem, &ca.member()).revocations(list.into());
    let next = Some("20990101000000Z");
    load::load(&with(ca.plain_crl(&[], next, &[])), SystemTime::now()).unwrap();
    let overdue = ca.plain_crl(&[], Some("20200102000000Z"), &[]);
    contains(&refusal(&with(overdue)), &["due for renewal on 2020-01-02", "CN=job"]);
    contains(&refusal(&with(ca.plain_crl(&[], None, &[]))), &["has no end of its validity", "-crldays"]);
    let forged = Ca::new("job").plain_crl(&[], next, &[]);
    contains(&refusal(&with(forged)), &["not signed by the CA that it names", "CN=job"]);
    let powerless = Ca::without_lists("job");
    let list = powerless.plain_crl(&[], next, &[]);
    let theirs = files(&powerless.pem, &powerless.member()).revocations(list.into());
    contains(&refusal(&theirs), &["does not let it sign revocation lists"]);
    // An unknown critical extension in a list of the first version, and one that only stands there.
    let unknown = |critical: &[u8]| {
        let id = bench::tlv(0x06, &[0x2a, 0x03]);
        let extension = bench::tlv(0x30, &[&id[..], critical, &bench::tlv(0x04, &[5, 0])].concat());
        bench::tlv(0xa0, &bench::tlv(0x30, &extension))
    };
    for critical in [&[0x01, 0x01, 0xff][..], &[]] {
        let list = ca.plain_crl(&[], next, &unknown(critical));
        contains(&refusal(&with(list)), &["cannot be", "line 1"]);
    }
    // A serial number with a zero too many would not be found.
    let entry = bench::tlv(0x30, &[bench::tlv(2, &[0, 5]), bench::tlv(0x18, b"20260101000000Z")].concat());
    let list = ca.plain_crl(&[], next, &bench::tlv(0x30, &entry));
    contains(&refusal(&with(list)), &["cannot be", "line 1"]);
    // One byte changed under the signature.
    let mut der = bench::der(&ca.plain_crl(&[&ca.member()], next, &[]));
    let at = der.windows(4).position(|four| four == b"2099").unwrap();
    der[at + 3] = b'8';
    contains(&refusal(&with(bench::pem("X509 CRL", &der))), &["not signed by the CA"]);
}

#[test]
fn crl_folder_without_file_names_loads_no_lists() {
    let kept = Kept::new();
    // As programs in the field fill the strings in: everything from the root, files by their whole paths.
    let list = kept.folder.write("list.pem", &kept.authority.plain_crl(&[], Some("20990101000000Z"), &[]));
    let paths = OptionPaths {
        top_path: "/",
        ca_path: "/",
        crl_path: "/",
        ca_file: &kept.ca,
        cert: &kept.cert,
        private_key: &kept.key,
        ..OptionPaths::default()
    };
    for (crl_path, crl_file, lists) in
        [("/", "", 0), ("", "", 0), ("/nowhere", " ", 0), ("/", &list[..], 1), ("", &list, 1)]
    {
        let files = TlsFiles::from_options(&OptionPaths { crl_path, crl_file, ..paths }).unwrap();
        assert_eq!(files.revocations.len(), lists, "{crl_path} {crl_file}");
        load::load(&files, SystemTime::now()).unwrap();
    }
}

/// A folder with an identity in it, and its paths.
struct Kept {
    folder: Folder,
    authority: Ca,
    ca: String,
    cert: String,
    key: String,
}

impl Kept {
    fn new() -> Self {
        let (folder, ca) = (Folder::new(), Ca::new("job"));
        let leaf = ca.member();
        std::fs::create_dir(folder.path().join("ca")).unwrap();
        let path = folder.path().join("ca").join("ca.pem");
        std::fs::write(&path, &ca.pem).unwrap();
        let (cert, key) = (folder.write("cert.pem", &leaf.pem), folder.write("key.pem", &leaf.key));
        Self { folder, authority: ca, ca: path.display().to_string(), cert, key }
    }

    fn paths(&self) -> ConfigPaths<'_> {
        ConfigPaths {
            ca_path: &self.ca,
            cert_path: &self.cert,
            key_path: &self.key,
            ..ConfigPaths::default()
        }
    }
}

#[test]
fn only_regular_files_of_moderate_size_are_read() {
    let kept = Kept::new();
    load::load(&TlsFiles::from_config(&kept.paths()).unwrap(), SystemTime::now()).unwrap();
    let path = |name: &str| kept.folder.path().join(name).display().to_string();
    symlink(&kept.cert, path("link")).unwrap();
    rustix::fs::mkfifoat(rustix::fs::CWD, path("fifo"), rustix::fs::Mode::RUSR).unwrap();
    kept.folder.write("large", &"x".repeat((1 << 20) + 1));
    for (name, part) in [
        ("link", "symbolic link"),
        ("fifo", "not a regular file"),
        ("large", "too large"),
        ("nothing", "cannot be opened"),
        ("ca", "not a regular file"),
    ] {
        let wrong = path(name);
        let paths = ConfigPaths { cert_path: &wrong, ..kept.paths() };
        contains(&refusal(&TlsFiles::from_config(&paths).unwrap()), &[part, &wrong]);
    }
    // A private key is small.
    kept.folder.write("secret", &"x".repeat((64 << 10) + 1));
    let secret = path("secret");
    let paths = ConfigPaths { key_path: &secret, ..kept.paths() };
    contains(&refusal(&TlsFiles::from_config(&paths).unwrap()), &["too large", &secret]);
}

#[test]
fn ca_folder_is_loaded_completely_and_its_entries_checked() {
    let kept = Kept::new();
    let folder = kept.folder.path().join("ca");
    let whole = folder.display().to_string();
    let paths = ConfigPaths { ca_path: &whole, ..kept.paths() };
    let files = TlsFiles::from_config(&paths).unwrap();
    std::fs::write(folder.join("second.pem"), Ca::new("second").pem).unwrap();
    std::fs::write(folder.join(".hidden"), "no certificate").unwrap();
    assert_eq!(load::load(&files, SystemTime::now()).unwrap().ends.len(), 3);
    symlink(&kept.ca, folder.join("third.pem")).unwrap();
    contains(&refusal(&files), &["symbolic link", "third.pem"]);
    std::fs::remove_file(folder.join("third.pem")).unwrap();
    let before = read::stamps(&files);
    std::fs::write(folder.join("fourth.pem"), Ca::new("fourth").pem).unwrap();
    assert_ne!(before, read::stamps(&files));
}

#[test]
fn missing_config_entries_are_named() {
    let kept = Kept::new();
    for (paths, part) in [
        (ConfigPaths { ca_path: "", ..kept.paths() }, "caPath"),
        (ConfigPaths { cert_path: " ", ..kept.paths() }, "certPath"),
        (ConfigPaths { key_path: "", ..kept.paths() }, "keyPath"),
    ] {
        contains(&TlsFiles::from_config(&paths).unwrap_err().to_string(), &[part, "missing"]);
    }
    let info =
        format!("tlsTopPath:{};tlsCaPath:ca;tlsCaFile:ca.pem;tlsCert:cert.pem", kept.folder.path().display());
    let files = TlsFiles::from_info(&info).unwrap();
    load::check(&files, SystemTime::now()).unwrap();
    contains(&refusal(&files), &["the private key is missing", "let the program give it"]);
    let key = std::fs::read(&kept.key).unwrap();
    load::load(&files.key(key), SystemTime::now()).unwrap();
}
