// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Certificates, revocation lists and private keys. The first byte chooses the part that the rest stands for,
//! and whether it is PEM text or DER that becomes PEM here, as an encoder is not found by chance. The other
//! parts are good ones.

#![no_main]

use std::sync::OnceLock;

use mf_base::settings::Switch;
use mf_fuzz::{Identity, identity, pem};
use mf_tls::{Security, TlsFiles, inspect};

static GOOD: OnceLock<Identity> = OnceLock::new();

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((choice, rest)) = bytes.split_first() else { return };
    let good = GOOD.get_or_init(|| {
        let good = identity();
        let files = TlsFiles::in_memory(good.authority.clone(), good.chain.clone(), good.key.clone())
            .revocations(good.revocations.clone());
        Security::new(Switch::On, Vec::new(), Some(files)).expect("the good parts are good");
        good
    });
    let text = |label| if choice & 1 == 1 { pem(label, rest) } else { rest.to_vec() };
    let (authority, chain, key) = (|| good.authority.clone(), || good.chain.clone(), || good.key.clone());
    let files = match choice >> 1 & 3 {
        0 => TlsFiles::in_memory(text("CERTIFICATE"), chain(), key()),
        1 => TlsFiles::in_memory(authority(), text("CERTIFICATE"), key()),
        // Without a password: the duration of its check is up to the key's maker.
        2 => TlsFiles::in_memory(authority(), chain(), text("PRIVATE KEY")),
        _ => TlsFiles::in_memory(authority(), chain(), key()).revocations(text("X509 CRL")),
    };
    let _ = inspect(&text("CERTIFICATE"));
    let _ = Security::new(Switch::On, Vec::new(), Some(files));
});
