// SPDX-License-Identifier: Apache-2.0 OR MIT
//! OpenSSL's client against our end: with a member's certificate it gets a TLS connection, otherwise it gets
//! none.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::time::Duration;

use super::bench::{Ca, Folder, files};
use super::*;

/// Answers one connection; whether its handshake was complete, and what was heard or went wrong.
fn serve_once(listener: &TcpListener, security: &Security) -> Result<Vec<u8>, String> {
    let (mut socket, _) = listener.accept().unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    let mut connection = security.server_connection().unwrap();
    let result = converse(&mut connection, &mut socket);
    // What the peer is told of a failure.
    let _ = connection.write_tls(&mut socket);
    let _ = socket.shutdown(std::net::Shutdown::Write);
    result
}

fn converse(connection: &mut ServerConnection, socket: &mut TcpStream) -> Result<Vec<u8>, String> {
    let mut heard = Vec::new();
    while heard.is_empty() {
        while connection.wants_write() {
            connection.write_tls(socket).map_err(|error| error.to_string())?;
        }
        if connection.read_tls(socket).map_err(|error| error.to_string())? == 0 {
            return Err("the peer went away".to_owned());
        }
        let state = connection
            .process_new_packets()
            .map_err(|error| explain(&error, Side::Server).into_error("test").to_string())?;
        if state.plaintext_bytes_to_read() > 0 {
            heard.resize(state.plaintext_bytes_to_read(), 0);
            connection.reader().read_exact(&mut heard).unwrap();
        }
    }
    exporter(connection).map_err(|failure| failure.text().to_owned())?;
    Ok(heard)
}

/// What our end heard of `openssl s_client` with these arguments, and what that program said.
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
    let heard = serve_once(&listener, security);
    let output = client.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (heard, said)
}

fn is_here() -> bool {
    let here = Command::new("openssl").arg("version").output().is_ok_and(|output| output.status.success());
    if !here {
        println!("skipped: openssl is not here");
    }
    here
}

#[test]
fn openssl_gets_in_with_a_certificate_of_the_job_only() {
    if !is_here() {
        return;
    }
    let (folder, ca, other) = (Folder::new(), Ca::new("job"), Ca::new("other"));
    let security = Security::new(Switch::On, Vec::new(), Some(files(&ca.pem, &ca.member()))).unwrap();
    let (member, stranger) = (ca.member(), other.member());
    let write = |name: &str, text: &str| folder.write(name, text);
    let (cert, key, trusted) = (write("c", &member.pem), write("k", &member.key), write("ca", &ca.pem));
    let (bad_cert, bad_key) = (write("bc", &stranger.pem), write("bk", &stranger.key));
    let alpn = ["-alpn", "memfabric-store/1", "-CAfile", &trusted, "-verify_return_error"];

    let with = [&alpn[..], &["-cert", &cert, "-key", &key]].concat();
    let (heard, said) = ask(&security, &with);
    assert_eq!(heard.as_deref(), Ok(&b"knock"[..]), "{said}");

    let (heard, said) = ask(&security, &alpn);
    assert!(heard.as_ref().unwrap_err().contains("shows no certificate"), "{heard:?} {said}");
    assert!(said.contains("certificate required"), "{said}");

    let (heard, said) = ask(&security, &[&alpn[..], &["-cert", &bad_cert, "-key", &bad_key]].concat());
    assert!(heard.as_ref().unwrap_err().contains("signed by none of our CAs"), "{heard:?} {said}");

    let (heard, said) = ask(&security, &[&with[..], &["-tls1_2"]].concat());
    assert!(heard.as_ref().unwrap_err().contains("does not speak TLS 1.3"), "{heard:?} {said}");

    let (heard, _) = ask(&security, &with[2..]);
    assert!(heard.unwrap_err().contains("not the protocol of the store"));
}

#[test]
fn openssl_does_not_get_in_where_a_secret_is_the_identity() {
    if !is_here() {
        return;
    }
    let (heard, said) = ask(&secret(), &["-alpn", "memfabric-store/1"]);
    assert!(heard.as_ref().unwrap_err().contains("identifies itself in another way"), "{heard:?}");
    assert!(said.contains("handshake failure"), "{said}");
}

#[test]
fn lists_that_openssl_makes_by_default_are_taken() {
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
    assert!(explain(&error, side).text().contains("has been revoked"), "{error}");
}
