// SPDX-License-Identifier: Apache-2.0 OR MIT
//! OpenSSL's client against our end: with a member's certificate it gets a TLS connection, otherwise it gets
//! none.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::time::Duration;

use super::bench::{Ca, Folder, files};
use super::*;
use crate::inspect;

/// Answers one connection. Returns the received bytes, or the reason of a failed handshake.
fn serve_once(listener: &TcpListener, security: &Security) -> Result<Vec<u8>, String> {
    let (mut socket, _) = listener.accept().unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    let mut connection = security.server_connection().unwrap();
    let result = converse(&mut connection, &mut socket);
    // The alert for the peer.
    let _ = connection.write_tls(&mut socket);
    let _ = socket.shutdown(std::net::Shutdown::Write);
    result
}

fn converse(connection: &mut ServerConnection, socket: &mut TcpStream) -> Result<Vec<u8>, String> {
    let mut received = Vec::new();
    while received.is_empty() {
        while connection.wants_write() {
            connection.write_tls(socket).map_err(|error| error.to_string())?;
        }
        if connection.read_tls(socket).map_err(|error| error.to_string())? == 0 {
            return Err("the peer went away".to_owned());
        }
        let state =
            connection.process_new_packets().map_err(|error| shown(&explain(&error, Side::Server)))?;
        if state.plaintext_bytes_to_read() > 0 {
            received.resize(state.plaintext_bytes_to_read(), 0);
            connection.reader().read_exact(&mut received).unwrap();
        }
    }
    exporter(connection).map_err(|error| error.what)?;
    Ok(received)
}

/// Returns the bytes that our end received from `openssl s_client` with these arguments, and its output.
fn ask(security: &Security, arguments: &[&str]) -> (Result<Vec<u8>, String>, String) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let mut client = Command::new("openssl")
        .args(["s_client", "-connect", &address, "-quiet"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The program may be gone already when it was refused.
    let _ = client.stdin.as_mut().unwrap().write_all(b"knock");
    let _ = client.stdin.as_mut().unwrap().flush();
    let received = serve_once(&listener, security);
    let output = client.wait_with_output().unwrap();
    let sent = String::from_utf8_lossy(&output.stderr).into_owned();
    (received, sent)
}

fn is_here() -> bool {
    let here = Command::new("openssl").arg("version").output().is_ok_and(|output| output.status.success());
    if !here {
        println!("skipped: openssl is not here");
    }
    here
}

#[test]
fn openssl_client_needs_a_certificate_of_the_job() {
    if !is_here() {
        return;
    }
    let (folder, ca, other) = (Folder::new(), Ca::new("job"), Ca::new("other"));
    let security = Security::new(Switch::On, Vec::new(), Some(files(&ca.pem, &ca.member()))).unwrap();
    let (member, unknown_peer) = (ca.member(), other.member());
    let write = |name: &str, text: &str| folder.write(name, text);
    let (cert, key, trusted) = (write("c", &member.pem), write("k", &member.key), write("ca", &ca.pem));
    let (bad_cert, bad_key) = (write("bc", &unknown_peer.pem), write("bk", &unknown_peer.key));
    let alpn = ["-alpn", "memfabric-store/1", "-CAfile", &trusted, "-verify_return_error"];

    let with = [&alpn[..], &["-cert", &cert, "-key", &key]].concat();
    let (received, sent) = ask(&security, &with);
    assert_eq!(received.as_deref(), Ok(&b"knock"[..]), "{sent}");

    let (received, sent) = ask(&security, &alpn);
    assert!(received.as_ref().unwrap_err().contains("shows no certificate"), "{received:?} {sent}");
    assert!(sent.contains("certificate required"), "{sent}");

    let (received, sent) = ask(&security, &[&alpn[..], &["-cert", &bad_cert, "-key", &bad_key]].concat());
    assert!(received.as_ref().unwrap_err().contains("not signed by any of our CAs"), "{received:?} {sent}");

    let (received, sent) = ask(&security, &[&with[..], &["-tls1_2"]].concat());
    assert!(received.as_ref().unwrap_err().contains("does not speak TLS 1.3"), "{received:?} {sent}");

    let (received, _) = ask(&security, &with[2..]);
    assert!(received.unwrap_err().contains("not the protocol of the store"));
}

#[test]
fn openssl_client_without_the_secret_is_refused() {
    if !is_here() {
        return;
    }
    let (received, sent) = ask(&secret(), &["-alpn", "memfabric-store/1"]);
    assert!(received.as_ref().unwrap_err().contains("uses another kind of identity"), "{received:?}");
    assert!(sent.contains("handshake failure"), "{sent}");
}

#[test]
fn default_openssl_revocation_lists_are_accepted() {
    if !is_here() {
        return;
    }
    let folder = Folder::new();
    let script = "
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout ca.key -out ca.pem \
            -subj /CN=job -days 30
        for name in good bad; do
            openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout $name.key -out $name.csr \
                -subj /CN=$name -addext subjectAltName=DNS:memfabric-store
            openssl x509 -req -in $name.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out $name.pem -days 20 \
                -copy_extensions copy
        done
        : > index
        printf '[ca]\\ndefault_ca = one\\n[one]\\ndatabase = index\\ndefault_md = sha256\\n' > ca.cnf
        openssl ca -config ca.cnf -keyfile ca.key -cert ca.pem -revoke bad.pem
        openssl ca -config ca.cnf -keyfile ca.key -cert ca.pem -gencrl -crldays 30 -out list.pem";
    let output = Command::new("sh").args(["-ec", script]).current_dir(folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    let member = |name: &str| {
        TlsFiles::in_memory(read("ca.pem"), read(&format!("{name}.pem")), read(&format!("{name}.key")))
    };
    let facts = &inspect(&read("list.pem")).unwrap().revocations[0];
    assert_eq!((&facts.issuer[..], facts.revoked.len()), ("CN=job", 1));
    let of = |files| Security::new(Switch::On, Vec::new(), Some(files)).unwrap();
    let careful = of(member("good").revocations(read("list.pem")));
    handshake(&careful, &of(member("good"))).unwrap();
    let (side, error, _) = failed_handshake(&careful, &of(member("bad")));
    assert_eq!(side, Side::Server);
    assert!(explain(&error, side).what.contains("has been revoked"), "{error}");
}
