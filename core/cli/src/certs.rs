// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf certs`: a certificate authority in a folder, for jobs that want certificates instead of a common
//! secret.
//!
//! * [`folder`]: the files, replaced as wholes, one command at a time.
//! * [`authority`]: makes certificates and revocation lists; no files.
//! * [`show`]: contents of certificates.
//!
//! | file | contents | needed by |
//! |---|---|---|
//! | `ca.pem` | certificates of the CAs, the newest first | every member |
//! | `crl.pem` | a revocation list of each of them | every member |
//! | `ca.key`, `ca-old.key` | private keys of the CAs | only this host |
//! | `NAME.pem`, `NAME.key` | certificate and private key of a member | this member |

mod authority;
mod folder;
mod show;

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use clap::Subcommand;
use mf_base::{Error, Kind, Result};
use mf_program::output::print;
use mf_tls::{CertificateFacts, Revoked, date};

use authority::{Authority, Names, STORE_NAME};
use folder::Folder;

const OPERATION: &str = "mf certs";

/// Make and renew certificates for jobs that do not use a common secret.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Init(Init),
    Issue(Issue),
    Show(show::Args),
    Rotate(Rotate),
    Revoke(Revoke),
}

/// Make a certificate authority for a job in a new or empty folder.
#[derive(clap::Args)]
#[command(after_help = "Example:
  mf certs init /secure/job1
  mf certs issue /secure/job1 node1 --address 10.0.0.1

ca.key stays where it is: its holder can make members.")]
struct Init {
    /// Folder of the CA.
    dir: PathBuf,
    /// Days until the CA expires.
    #[arg(long, default_value_t = 3650, value_parser = clap::value_parser!(u32).range(1..=36500))]
    days: u32,
}

/// Make a certificate and a private key for a member.
///
/// Every certificate is good for a store at any address, because it names memfabric-store; addresses and
/// hosts are for programs that check more. Prints the text by which a member finds its files.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mf certs issue /secure/job1 node1
  mf certs issue /secure/job1 node2 --address 10.0.0.2 --address fd00::2 --host node2.example --days 30")]
struct Issue {
    /// Folder of the CA.
    dir: PathBuf,
    /// Name of the member: a-z, A-Z, 0-9, dots, dashes and underscores.
    name: String,
    /// An address that the certificate names; may be repeated.
    #[arg(long, value_name = "IP")]
    address: Vec<IpAddr>,
    /// A DNS name that the certificate names; may be repeated.
    #[arg(long, value_name = "DNS")]
    host: Vec<String>,
    /// Days until the certificate expires.
    #[arg(long, default_value_t = 365, value_parser = clap::value_parser!(u32).range(1..=36500))]
    days: u32,
}

/// Replace the certificate and key of a member, or the CA; running members take them over by themselves.
///
/// A new CA stands beside the old one in ca.pem, so that both kinds of members trust each other: give
/// ca.pem and crl.pem to all members, rotate each member, then end the overlap with --drop-old. The old
/// certificate of a member stays good until it expires; revoke it first when its key was lost.
#[derive(clap::Args)]
#[command(group(clap::ArgGroup::new("what").required(true).args(["name", "ca", "drop_old"])), after_help = "Examples:
  mf certs rotate /secure/job1 node1
  mf certs rotate /secure/job1 --ca
  mf certs rotate /secure/job1 --drop-old")]
struct Rotate {
    /// Folder of the CA.
    dir: PathBuf,
    /// Name of the member.
    name: Option<String>,
    /// Make a new CA; the old one is still trusted.
    #[arg(long)]
    ca: bool,
    /// Stop trusting the old CA.
    #[arg(long)]
    drop_old: bool,
    /// Days until the new one expires; default: 365 for a member, 3650 for a CA.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=36500))]
    days: Option<u32>,
}

/// Revoke a member's certificate: put it onto the revocation list.
///
/// Members refuse it as soon as they have the new crl.pem; connections that stand are not cut.
#[derive(clap::Args)]
#[command(after_help = "Example:
  mf certs revoke /secure/job1 node1")]
struct Revoke {
    /// Folder of the CA.
    dir: PathBuf,
    /// Name of the member.
    name: String,
}

/// Runs the subcommand.
pub(crate) fn main(args: &Args) -> Result<u8> {
    let _progress = mf_program::progress::begin("mf certs");
    match &args.command {
        Command::Init(args) => init(args),
        Command::Issue(args) => issue(args),
        Command::Show(args) => show::main(args),
        Command::Rotate(args) => rotate(args),
        Command::Revoke(args) => revoke(args),
    }
}

fn days(days: u32) -> Duration {
    Duration::from_secs(24 * 60 * 60) * days
}

fn init(args: &Init) -> Result<u8> {
    let folder = Folder::create(&args.dir)?;
    folder.refuse_existing("ca.pem")?;
    folder.refuse_existing("ca.key")?;
    let authority = Authority::new(days(args.days))?;
    folder.write_secret("ca.key", &authority.key_pem())?;
    folder.write("crl.pem", &authority.revocation_list(&[])?)?;
    folder.write("ca.pem", authority.pem())?;
    let dir = folder.path().display();
    print(&format!(
        "a CA is in {dir}: ca.pem, crl.pem for everyone, ca.key for nobody\nnext: mf certs issue {dir} NAME\n"
    ))?;
    Ok(0)
}

fn issue(args: &Issue) -> Result<u8> {
    let folder = Folder::open(&args.dir)?;
    let (pem, key) = member_files(&args.name)?;
    folder.refuse_existing(&pem)?;
    folder.refuse_existing(&key)?;
    let names = Names { addresses: args.address.clone(), hosts: args.host.clone() };
    make(&folder, &args.name, &names, args.days)?;
    Ok(0)
}

/// Makes key and certificate of a member, the key first: a member that reads in between sees a certificate
/// that does not fit and waits for the next change.
fn make(folder: &Folder, name: &str, names: &Names, valid_days: u32) -> Result<()> {
    let (pem, key) = member_files(name)?;
    let authority = current(folder)?;
    let leaf = authority.issue(name, names, days(valid_days))?;
    folder.write_secret(&key, &leaf.key_pem)?;
    folder.write(&pem, &leaf.pem)?;
    let dir = folder.path().display().to_string();
    let info = format!(
        "tlsTopPath:{dir};tlsCaPath:.;tlsCaFile:ca.pem;tlsCrlPath:.;tlsCrlFile:crl.pem;tlsCert:{pem};tlsPk:{key}"
    );
    print(&format!(
        "{name}: {pem} and {key} in {dir}, valid until {}\n\
         \nThe member needs these two, ca.pem and crl.pem, and one of\n\
         \x20 export MF_STORE_TLS=on MF_STORE_TLS_INFO='{info}'\n\
         \x20 smem_set_conf_store_tls(true, \"{info}\", {})\n\
         On another machine, tlsTopPath is the folder of the files there.\n",
        date(leaf.not_after),
        info.len(),
    ))
}

fn rotate(args: &Rotate) -> Result<u8> {
    let folder = Folder::open(&args.dir)?;
    match &args.name {
        Some(name) => {
            let facts = certificate(&folder, name)?;
            make(&folder, name, &Names::from_certificate(&facts), args.days.unwrap_or(365))?;
        }
        None if args.ca => rotate_authority(&folder, days(args.days.unwrap_or(3650)))?,
        None => drop_old(&folder)?,
    }
    Ok(0)
}

fn rotate_authority(folder: &Folder, valid: Duration) -> Result<()> {
    if folder.has("ca-old.key") {
        return Err(Error::new(Kind::Duplicated, OPERATION)
            .what("the last change of the CA is not complete: an old CA is still believed")
            .hint("rotate the members, then: mf certs rotate DIR --drop-old"));
    }
    let old = current(folder)?;
    let new = Authority::new(valid)?;
    let revoked = revoked(folder, &old)?;
    // Before the old key goes, everything that it must still sign is written; a crash in between leaves a CA
    // that works.
    folder.write("crl.pem", &format!("{}{}", new.revocation_list(&[])?, old.revocation_list(&revoked)?))?;
    folder.write("ca.pem", &format!("{}{}", new.pem(), old.pem()))?;
    folder.write_secret("ca-old.key", &old.key_pem())?;
    folder.write_secret("ca.key", &new.key_pem())?;
    let dir = folder.path().display();
    print(&format!(
        "a new CA signs from now on; members of both are believed\nnext: ca.pem and crl.pem to all members, then \
         mf certs rotate {dir} NAME for each, then mf certs rotate {dir} --drop-old\n"
    ))
}

fn drop_old(folder: &Folder) -> Result<()> {
    let authority = current(folder)?;
    let left: Vec<String> = folder
        .members()?
        .into_iter()
        .filter(|name| certificate(folder, name).is_ok_and(|facts| facts.issuer != authority.subject()))
        .collect();
    if !left.is_empty() {
        return Err(Error::invalid(OPERATION, "members still have certificates of the old CA")
            .with("members", left.join(", "))
            .hint("mf certs rotate each of them, or remove their files"));
    }
    let revoked = revoked(folder, &authority)?;
    folder.write("ca.pem", authority.pem())?;
    folder.write("crl.pem", &authority.revocation_list(&revoked)?)?;
    folder.remove("ca-old.key")?;
    print("the old CA is believed no longer; give ca.pem and crl.pem to all members\n")
}

fn revoke(args: &Revoke) -> Result<u8> {
    let folder = Folder::open(&args.dir)?;
    let facts = certificate(&folder, &args.name)?;
    let authorities = authorities(&folder)?;
    if !authorities.iter().any(|authority| authority.subject() == facts.issuer) {
        return Err(Error::invalid(OPERATION, "no CA here has issued the certificate")
            .with("issuer", &facts.issuer)
            .with("member", &args.name));
    }
    let mut lists = String::new();
    for authority in &authorities {
        let mut revoked = revoked(&folder, authority)?;
        if authority.subject() == facts.issuer {
            if revoked.iter().any(|entry| entry.serial == facts.serial) {
                print(&format!("{} is revoked already\n", args.name))?;
                return Ok(0);
            }
            revoked.push(Revoked { serial: facts.serial.clone(), at: SystemTime::now() });
        }
        lists += &authority.revocation_list(&revoked)?;
    }
    folder.write("crl.pem", &lists)?;
    print(&format!(
        "{} is revoked; members with the new crl.pem refuse it\nnext: crl.pem to all members; \
         mf certs rotate {} {} makes a new certificate\n",
        args.name,
        folder.path().display(),
        args.name
    ))?;
    Ok(0)
}

/// The CA that signs.
fn current(folder: &Folder) -> Result<Authority> {
    authorities(folder)?
        .into_iter()
        .next()
        .ok_or_else(|| Error::invalid(OPERATION, "ca.pem has no certificate"))
}

/// CAs with a key in this folder, the newest first.
fn authorities(folder: &Folder) -> Result<Vec<Authority>> {
    let bundle = folder.read("ca.pem")?;
    let mut found = vec![Authority::load(&bundle, &folder.read("ca.key")?)?];
    if folder.has("ca-old.key") {
        found.push(Authority::load(&bundle, &folder.read("ca-old.key")?)?);
    }
    Ok(found)
}

/// Revoked certificates in an authority's revocation list.
fn revoked(folder: &Folder, authority: &Authority) -> Result<Vec<Revoked>> {
    let lists = folder.inspect("crl.pem")?.revocations;
    Ok(lists
        .into_iter()
        .filter(|list| list.issuer == authority.subject())
        .flat_map(|list| list.revoked)
        .collect())
}

/// The certificate of a member.
fn certificate(folder: &Folder, name: &str) -> Result<CertificateFacts> {
    let (pem, _) = member_files(name)?;
    let found = folder.inspect(&pem)?.certificates.into_iter().next();
    found.ok_or_else(|| Error::invalid(OPERATION, "no certificate in the file").with("file", pem))
}

/// The files of a member's certificate and key.
fn member_files(name: &str) -> Result<(String, String)> {
    let good = name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_'));
    if !good || name.is_empty() || name.len() > 64 || name.starts_with(['.', '-']) {
        return Err(Error::invalid(OPERATION, "this cannot be the name of a member")
            .with("name", name)
            .hint("1 to 64 a-z, A-Z, 0-9, dots, dashes and underscores; no sign first"));
    }
    if matches!(name, "ca" | "ca-old" | "crl") {
        return Err(Error::invalid(OPERATION, "this name is kept for the CA").with("name", name));
    }
    if name == STORE_NAME {
        return Err(Error::invalid(
            OPERATION,
            "every certificate is good for a store; choose the name of the member",
        ));
    }
    Ok((format!("{name}.pem"), format!("{name}.key")))
}
