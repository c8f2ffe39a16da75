# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The pool over TCP beside UCX, Open MPI and the released MemFabric over TCP, in turns in one run.

Usage: python3 benches/net_vs_peers.py [--quick] [--mf target/release/mf] [--memfabric VENV] [--only NAMES]

Everything runs between two processes on the loopback of this machine. All figures are of acknowledged calls, one after the
other: a put is over when the other side has all of it and this side knows. Candidates:

  ours       mf perf net --tls off: Pool::put and Pool::get
  raw        the best raw sockets, from the same run of mf perf net
  ucx        ucx_perftest with UCX_TLS=tcp: a put is ucp_put_lat there (the payload) and ucp_put_lat of 8 B back; or, if
             that is faster, ucp_put_bw, where only the last put is waited for. A get is ucp_get or, if that is faster, a
             request by ucp_put_lat of 8 B and the payload back: of UCX 1.13 the passive side of ucp_get was seen to answer
             once a millisecond only. These are averages
  mpi        Open MPI with the byte transfer layer tcp: MPI_Put or MPI_Get, then MPI_Win_flush
  mpi ping   the same by MPI_Send and a reply of 8 B (in the rows of put; a get by hand, too)
  memfabric  memfabric_hybrid 1.3.0, HOST_TCP, its Python calls, on the simulator (mf sim)

Missing peers are left out, with the reason. Prints a table: medians of the rounds, and ours relative to each peer's time;
below 1 is faster. Needs cores for both sides: on two cores, run nothing else.
"""

import argparse
import json
import os
import pathlib
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
UPSTREAM = HERE.parent / "tests" / "upstream"
TIMEOUT_S = 300
WHATS = ("put", "get")
# One-sided calls by messages: with other layers ranks of one host would share memory.
MPI_OVER_TCP = (("pml", "ob1"), ("btl", "tcp,self"), ("btl_tcp_if_include", "lo"), ("osc", "pt2pt"))


class Absent(Exception):
    """A peer cannot take part; the text says why."""


def run(command, **environment):
    done = subprocess.run(
        [str(part) for part in command],
        env=os.environ | environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
    )
    if done.returncode != 0:
        words = [line.strip() for line in (done.stdout + done.stderr).splitlines() if line.strip()]
        last = " | ".join(line[:160] for line in words[-4:]) or "it said nothing"
        raise Absent(f"{pathlib.Path(str(command[0])).name} failed ({done.returncode}): {last}")
    return done.stdout


def free_port():
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        return holder.getsockname()[1]


def figures_of(text):
    """Lines "WHAT SIZE SECONDS" as a dictionary."""
    rows = (line.split() for line in text.splitlines())
    return {(row[0], int(row[1])): float(row[2]) for row in rows if len(row) == 3 and row[1].isdigit()}


class Ours:
    name = "ours"

    def __init__(self, arguments, _folder):
        self.mf, self.quick = pathlib.Path(arguments.mf), arguments.quick
        if not self.mf.exists():
            raise SystemExit(f"{self.mf} is not there: cargo build --release -p mf-capi -p mf-cli -p mf-perf, or --mf PATH")

    def measure(self, sizes):
        command = [self.mf, "perf", "net", "--json=-", "--tls=off", "--connections=4"]
        command.append("--sizes=" + ",".join(map(str, sizes)))
        if self.quick:
            command.append("--quick")
        found = {}
        for row in json.loads(run(command))["rows"]:
            if row["in_flight"] != 1 or row["what"] not in WHATS:
                continue
            key = (row["what"], row["bytes"])
            if row["own"]:
                found["ours", *key] = row["own"]["seconds"]
            raw = [one["seconds"] for one in row["raw"] if one["name"] == row["compared_with"]]
            found["raw", *key] = raw[0]
        return found


class Ucx:
    name = "ucx"

    def __init__(self, arguments, _folder):
        self.seconds = arguments.seconds
        if not shutil.which("ucx_perftest"):
            raise Absent("ucx_perftest is not installed (Debian: ucx-utils)")

    def one(self, test, size, calls):
        port = free_port()
        environment = {"UCX_TLS": "tcp", "UCX_NET_DEVICES": "lo", "UCX_WARN_UNUSED_ENV_VARS": "n"}
        common = ["ucx_perftest", "-p", str(port), "-f", "-v"]
        server = subprocess.Popen(
            common, env=os.environ | environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            work = ["-t", test, "-s", str(size), "-n", str(calls), "-w", str(max(calls // 10, 1))]
            wait_until_listening(port)
            lines = run([common[0], "127.0.0.1", *common[1:], *work], **environment).splitlines()
            server.wait(TIMEOUT_S)
        finally:
            server.kill()
            server.wait()
        row = dict(zip(lines[-2].split(","), lines[-1].split(",")))
        return float(row["overall_lat"]) * 1e-6

    def fitting(self, test, size):
        once = self.one(test, size, 3)
        return self.one(test, size, min(max(int(self.seconds * 5 / once), 3), 200_000))

    def measure(self, sizes):
        found = {}
        back = self.fitting("ucp_put_lat", 8)
        for size in sizes:
            there = back if size == 8 else self.fitting("ucp_put_lat", size)
            found["ucx", "put", size] = min(there + back, self.fitting("ucp_put_bw", size) if size > 8 else 1e9)
            found["ucx", "get", size] = min(there + back, self.fitting("ucp_get", size))
        return found


def wait_until_listening(port):
    """Without connecting: the tested server would take the first connection for its client."""
    wanted = f":{port:04X}"
    end = time.monotonic() + 30
    while time.monotonic() < end:
        for table in ("/proc/net/tcp", "/proc/net/tcp6"):
            for line in pathlib.Path(table).read_text().splitlines()[1:]:
                fields = line.split()
                if fields[1].endswith(wanted) and fields[3] == "0A":
                    return
        time.sleep(0.01)
    raise Absent("its server does not listen")


class Mpi:
    name = "mpi"

    def __init__(self, arguments, folder):
        self.seconds = arguments.seconds
        for program in ("mpicc", "mpirun"):
            if not shutil.which(program):
                raise Absent(f"{program} is not installed (Debian: libopenmpi-dev, openmpi-bin)")
        self.program = folder / "net_vs_peers"
        run(["mpicc", "-O2", "-o", self.program, HERE / "net_vs_peers.c"])

    def measure(self, sizes):
        command = ["mpirun", "-n", "2", "--oversubscribe"]
        command += ["--allow-run-as-root"] if os.geteuid() == 0 else []
        for name, value in MPI_OVER_TCP:
            command += ["--mca", name, value]
        # With more ranks than cores it would give up its core at every look.
        command += ["--mca", "mpi_yield_when_idle", "0"]
        output = figures_of(run([*command, self.program, self.seconds, *sizes]))
        found = {}
        for size in sizes:
            for what in WHATS:
                found["mpi", what, size] = output[what, size]
                found["mpi ping", what, size] = output["ping", size]
        return found


class Memfabric:
    name = "memfabric"

    def __init__(self, arguments, folder):
        self.seconds, self.folder, self.mf = arguments.seconds, folder, pathlib.Path(arguments.mf)
        if not arguments.memfabric:
            raise Absent("give --memfabric VENV, a virtual environment with memfabric_hybrid==1.3.0")
        self.python = pathlib.Path(arguments.memfabric).absolute() / "bin" / "python"
        where = "import importlib.util as i, os; print(os.path.dirname(i.find_spec('memfabric_hybrid').origin))"
        try:
            self.libraries = pathlib.Path(run([self.python, "-c", where]).strip()) / "lib"
        except OSError as error:
            raise Absent(f"no Python there: {error}") from None

    def measure(self, sizes):
        notes = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        paths = [str(self.libraries)] + [path for path in [os.environ.get("LD_LIBRARY_PATH")] if path]
        mf = self.mf.absolute()
        command = [mf, "sim", "--devices", "2", "--", mf, "run", "-n", "2", "--no-prefix", "--", self.python]
        command += [HERE / "net_vs_peers_memfabric.py", self.seconds, *sizes]
        output = run(
            command,
            LD_LIBRARY_PATH=":".join(paths),
            PYTHONPATH=str(UPSTREAM),
            NOTES=str(notes),
            # Machines like this have no huge pages.
            MF_HYBM_ENABLE_4K_PAGE="1",
            MF_HYBM_RDMA_SWAP_SPACE_SIZE="64",
        )
        return {("memfabric", *key): seconds for key, seconds in figures_of(output).items()}


def parse_size(text):
    units = {"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "B": 1}
    for unit, factor in units.items():
        if text.endswith(unit):
            return int(text.removesuffix(unit)) * factor
    return int(text)


def size_text(size):
    for unit, factor in (("MiB", 1 << 20), ("KiB", 1 << 10)):
        if size >= factor:
            return f"{size // factor} {unit}"
    return f"{size} B"


def takes_part(kind, arguments, folder):
    try:
        return kind(arguments, folder)
    except Absent as reason:
        print(f"skip {kind.name}: {reason}", file=sys.stderr)
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="one round, short turns")
    parser.add_argument("--rounds", type=int, help="rounds, of which the median counts [default: 5]")
    parser.add_argument("--mf", default=HERE.parent / "target" / "release" / "mf", help="the program mf")
    parser.add_argument("--memfabric", metavar="VENV", help="virtual environment with memfabric_hybrid==1.3.0")
    parser.add_argument("--only", help="these alone, by commas: ours, ucx, mpi, memfabric")
    parser.add_argument("--sizes", default="8,64KiB,1MiB,128MiB")
    parser.add_argument("--json", metavar="FILE", help="also write the figures")
    arguments = parser.parse_args()
    arguments.seconds = 0.03 if arguments.quick else 0.1
    rounds = arguments.rounds or (1 if arguments.quick else 5)
    sizes = [parse_size(size) for size in arguments.sizes.split(",")]
    seconds = {}
    with tempfile.TemporaryDirectory(prefix="mf-net-vs-peers-") as folder:
        chosen = [
            kind for kind in (Ours, Ucx, Mpi, Memfabric)
            if not arguments.only or kind.name in arguments.only.split(",")
        ]
        peers = [peer for kind in chosen if (peer := takes_part(kind, arguments, pathlib.Path(folder)))]
        for _ in range(rounds):
            for peer in peers:
                try:
                    measured = peer.measure(sizes)
                except (Absent, subprocess.TimeoutExpired) as reason:
                    print(f"skip {peer.name} in this round: {reason}", file=sys.stderr)
                    continue
                for key, value in measured.items():
                    seconds.setdefault(key, []).append(value)
    report(seconds, sizes)
    if arguments.json:
        rows = [
            {"who": who, "what": what, "bytes": size, "seconds": values}
            for (who, what, size), values in seconds.items()
        ]
        pathlib.Path(arguments.json).write_text(json.dumps(rows, indent=1) + "\n")


def report(seconds, sizes):
    middle = {key: statistics.median(values) for key, values in seconds.items()}
    names = list(dict.fromkeys(who for who, _, _ in seconds))
    print(f"{'us a call':<16}" + "".join(f"{name:>12}" for name in names) + f"{'best peer':>14}{'ours to it':>12}")
    for what in WHATS:
        for size in sizes:
            cells = [middle.get((name, what, size)) for name in names]
            line = f"{what + ' ' + size_text(size):<16}"
            line += "".join(f"{'-' if cell is None else format(cell * 1e6, '.1f'):>12}" for cell in cells)
            peers = {n: c for n, c in zip(names, cells) if c is not None and n not in ("ours", "raw")}
            own = middle.get(("ours", what, size))
            if peers:
                best = min(peers, key=peers.get)
                line += f"{best:>14}" + (f"{own / peers[best]:>12.2f}" if own else "")
            print(line, flush=True)


if __name__ == "__main__":
    main()
