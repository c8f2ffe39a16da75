// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Private keys from PEM: PKCS#8, plain or encrypted with a password (PBES2), PKCS#1 and SEC1.

use std::sync::Arc;

use mf_base::{Error, Result};
use pkcs8::EncryptedPrivateKeyInfo;
use pkcs8::pkcs5::EncryptionScheme;
use pkcs8::pkcs5::pbes2::Kdf;
use rustls::crypto::ring::sign::any_supported_type;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs1KeyDer, PrivatePkcs8KeyDer, PrivateSec1KeyDer};
use rustls::sign::SigningKey;
use zeroize::Zeroizing;

use crate::OPERATION;
use crate::pem::{self, PemSection};

/// A key derivation that costs more than this is a mistake or an attack: it would take minutes.
const MOST_ITERATIONS: u32 = 10_000_000;
/// Bytes that an scrypt derivation may need.
const MOST_SCRYPT_BYTES: u64 = 256 << 20;

/// Reads the key in the PEM text of `place`; `password` is called only when the key is encrypted.
///
/// # Errors
/// `InvalidParam` names the place and the fault; never any part of the key or password.
pub(crate) fn signing_key(
    text: &[u8],
    place: &str,
    password: impl FnOnce() -> Result<Option<Zeroizing<Vec<u8>>>>,
) -> Result<Arc<dyn SigningKey>> {
    let wrong = |what: &str| Error::invalid(OPERATION, what).with("key", place);
    let sections = pem::sections(text).map_err(|fault| wrong(fault.what).with("line", fault.line))?;
    let mut keys = sections.iter().filter(|section| section.label.ends_with("PRIVATE KEY"));
    let (Some(section), None) = (keys.next(), keys.next()) else {
        return Err(
            wrong("there must be exactly one private key in PEM").hint("-----BEGIN PRIVATE KEY----- …")
        );
    };
    if section.old_encryption {
        return Err(wrong("the encryption of the key is weak")
            .hint("convert it: openssl pkcs8 -topk8 -v2 aes-256-cbc -in OLD -out NEW"));
    }
    let plain;
    let key = match section.label.as_str() {
        "PRIVATE KEY" => PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(&section.der[..])),
        "RSA PRIVATE KEY" => PrivateKeyDer::Pkcs1(PrivatePkcs1KeyDer::from(&section.der[..])),
        "EC PRIVATE KEY" => PrivateKeyDer::Sec1(PrivateSec1KeyDer::from(&section.der[..])),
        "ENCRYPTED PRIVATE KEY" => {
            let password = password()?.ok_or_else(|| {
                wrong("the key is encrypted and no password is given")
                    .hint("tlsPkPwd or keyPassPath name the file that holds it")
            })?;
            plain = decrypt(section, &password).map_err(wrong)?;
            PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(&plain[..]))
        }
        _ => return Err(wrong("this kind of key is unknown").with("kind", &section.label)),
    };
    any_supported_type(&key).map_err(|_| {
        wrong("the key cannot be used")
            .hint("RSA of 2048 to 4096 bits, ECDSA on P-256 or P-384, and Ed25519 can be")
    })
}

fn decrypt(section: &PemSection, password: &[u8]) -> Result<Zeroizing<Vec<u8>>, &'static str> {
    const UNKNOWN: &str = "the key is encrypted with something other than PBES2 and AES";
    let info = EncryptedPrivateKeyInfo::try_from(&section.der[..]).map_err(|_| UNKNOWN)?;
    let EncryptionScheme::Pbes2(parameters) = &info.encryption_algorithm else {
        return Err(UNKNOWN);
    };
    let cheap = match &parameters.kdf {
        Kdf::Pbkdf2(kdf) => kdf.iteration_count <= MOST_ITERATIONS,
        Kdf::Scrypt(kdf) => {
            let bytes = kdf.cost_parameter.saturating_mul(128).saturating_mul(u64::from(kdf.block_size));
            bytes.saturating_mul(u64::from(kdf.parallelization)) <= MOST_SCRYPT_BYTES
        }
        _ => false,
    };
    if !cheap {
        return Err("deriving the key from the password would take minutes");
    }
    let plain = info.decrypt(password).map_err(|_| "the password does not open the key")?;
    Ok(Zeroizing::new(plain.as_bytes().to_vec()))
}
