// SPDX-License-Identifier: Apache-2.0 OR MIT
//! TLS configuration by calls, for all stores of a process. One test, because the state belongs to the
//! process.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail the test")]

use std::net::IpAddr;
use std::sync::{Arc, Mutex};

use mf_base::alarm::{self, Code, Handlers};
use mf_base::{Kind, Result};
use mf_tls::{Access, JobSecret, Security, TlsFiles};
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};

/// CA, certificate and key of a member.
fn identity() -> (String, String, String) {
    let mut params = CertificateParams::new(["ca.example".to_owned()]).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let key = KeyPair::generate().unwrap();
    let ca = params.self_signed(&key).unwrap().pem();
    let issuer = Issuer::new(params, key);
    let key = KeyPair::generate().unwrap();
    let leaf = CertificateParams::new(["memfabric-store".to_owned()]).unwrap();
    (ca, leaf.signed_by(&key, &issuer).unwrap().pem(), key.serialize_pem())
}

/// Policy and identity of a store with this secret (empty: none) and certificates of its own.
fn security(secret: &[u8], certificates: Option<TlsFiles>) -> Result<Arc<Security>> {
    Access { certificates, ..Access::by_secret(JobSecret::new(secret)) }.security()
}

#[test]
fn configuration_calls_apply_to_later_stores() {
    let away: IpAddr = "192.0.2.1".parse().unwrap();
    // Nothing is configured.
    let silent = security(b"", None).unwrap();
    assert!(silent.must_encrypt(away).is_err());
    assert!(security(&[7; 32], None).unwrap().must_encrypt(away).unwrap());

    // Plaintext, by choice, in spite of the secret.
    mf_tls::configure(false, None).unwrap();
    let plain = security(&[7; 32], None).unwrap();
    assert!(!plain.must_encrypt(away).unwrap());
    assert!(plain.accepts_plain(away));

    // Certificates with a separate key.
    let (ca, cert, key) = identity();
    let files = |key: &str| TlsFiles::in_memory(ca.clone().into(), cert.clone().into(), key.into());
    mf_tls::configure(true, Some(files("no key here"))).unwrap();
    assert_eq!(security(b"", None).unwrap_err().kind(), Kind::InvalidParam);
    mf_tls::configure_key(key.clone().into(), Vec::new(), None);
    let by_files = security(b"", None).unwrap();
    assert!(by_files.must_encrypt("127.0.0.1".parse().unwrap()).unwrap());
    assert!(!by_files.accepts_plain("127.0.0.1".parse().unwrap()));

    // A wrong file is refused at once, and changes nothing.
    let wrong = TlsFiles::in_memory(b"nothing".to_vec(), cert.clone().into(), Vec::new());
    let error = mf_tls::configure(true, Some(wrong)).unwrap_err();
    assert_eq!(error.code(), -2000);
    assert!(error.to_string().contains("CERTIFICATE"), "{error}");
    security(b"", None).unwrap();

    mf_tls::reset();
    assert!(security(b"", None).unwrap().must_encrypt(away).is_err());
    // Certificates of one store need no such configuration.
    assert!(security(b"", Some(files(&key))).unwrap().must_encrypt(away).unwrap());

    // Expiry is an alarm that ends with its cause.
    let received = Arc::new(Mutex::new(Vec::new()));
    let (begins, ends) = (Arc::clone(&received), Arc::clone(&received));
    alarm::set_handlers(&Handlers {
        raise: Arc::new(move |code, _| begins.lock().unwrap().push((code, true))),
        resume: Arc::new(move |code| ends.lock().unwrap().push((code, false))),
    });
    let far = std::time::SystemTime::now() + std::time::Duration::from_secs(100_000_000_000);
    assert!(!by_files.check_expiry(far).is_empty());
    assert!(!by_files.check_expiry(far).is_empty());
    assert!(by_files.check_expiry(std::time::SystemTime::now()).is_empty());
    assert_eq!(
        *received.lock().unwrap(),
        [(Code::CertificateExpiry, true), (Code::CertificateExpiry, false)]
    );
}
