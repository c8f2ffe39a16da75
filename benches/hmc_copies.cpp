// SPDX-License-Identifier: Apache-2.0 OR MIT
// Puts and gets of HMC between host buffers of two processes of one host, in turns with plain code: memcpy
// into memory of the same kind, or one socket.
//
//   c++ -std=c++14 -O2 benches/hmc_copies.cpp $(pkg-config --cflags --libs hmc) -pthread -o hmc_copies
//   ./hmc_copies [ROUNDS]
//
// One run prints one table of ratios: above 1 is faster than the baseline of the line. Of each method the
// best of ROUNDS (200; a tenth of that for long copies) counts; all methods of a line take turns.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <arpa/inet.h>
#include <hmc.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hmc_common.hpp"

namespace {

constexpr std::size_t MIB = 1 << 20, BYTES = 128 * MIB;

// The best of some turns, seconds; calls: how many are timed at once.
struct Method {
    std::function<void()> call;
    double best = 1e9;

    void turn(int calls)
    {
        const double begin = now();
        for (int number = 0; number < calls; number++) call();
        best = std::min(best, (now() - begin) / calls);
    }
};

void take_turns(std::vector<Method *> methods, std::size_t bytes, int rounds)
{
    const int calls = static_cast<int>(std::max<std::size_t>(1, std::min<std::size_t>(64, 2 * MIB / bytes)));
    if (bytes >= MIB) rounds = std::max(8, rounds / 10);
    // The first turns find the fastest method.
    for (Method *method : methods) method->turn(bytes >= MIB ? 40 : calls);
    for (Method *method : methods) method->best = 1e9;
    for (int round = 0; round < rounds; round++)
        for (Method *method : methods) method->turn(calls);
}

void line(const char *what, std::size_t bytes, const Method &ours, const Method &baseline, const char *of)
{
    std::printf("%-22s %8zu KiB %10.2f us %10.2f us %6.2f of %s\n", what, bytes >> 10, ours.best * 1e6, baseline.best * 1e6,
                baseline.best / ours.best, of);
    std::fflush(stdout);
}

hmc::Communicator::CtrlLink link_to(std::uint16_t port)
{
    hmc::Communicator::CtrlLink link;
    link.ip = HERE;
    link.port = port;
    return link;
}

bool move(int socket, char *bytes, std::size_t count, bool is_out)
{
    while (count > 0) {
        const ssize_t moved = is_out ? send(socket, bytes, count, MSG_NOSIGNAL) : recv(socket, bytes, count, 0);
        if (moved <= 0) return false;
        bytes += moved, count -= static_cast<std::size_t>(moved);
    }
    return true;
}

// The other process: it listens, and serves raw transfers on a socket: a length, negative for a get.
[[noreturn]] void serve(std::uint16_t port, std::uint16_t ctrl, int ready, int listened)
{
    auto buffer = std::make_shared<hmc::ConnBuffer>(0, BYTES, hmc::MemoryType::CPU);
    std::memset(buffer->ptr, 1, BYTES);
    hmc::Communicator server(buffer);
    must(server.initServer(HERE, port, ctrl, "", CONN), "initServer");
    must(write(ready, "x", 1) == 1, "write");
    const int socket = accept(listened, nullptr, nullptr), on = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    std::int64_t length = 0;
    auto *const bytes = static_cast<char *>(buffer->ptr);
    while (move(socket, reinterpret_cast<char *>(&length), sizeof length, false)) {
        if (length > 0) {
            // A put: all of it, then an acknowledgement.
            if (!move(socket, bytes, static_cast<std::size_t>(length), false)) break;
            if (!move(socket, reinterpret_cast<char *>(&length), sizeof length, true)) break;
        } else if (!move(socket, bytes, static_cast<std::size_t>(-length), true)) {
            break;
        }
    }
    std::_Exit(0);
}

void copies(hmc::Communicator &client, std::uint16_t port, int rounds, const char *name, char *base, char *other, int raw)
{
    const bool is_mapped = other != nullptr;
    const char *const of = is_mapped ? "memcpy" : "a socket";
    const std::vector<std::size_t> sizes = is_mapped
        ? std::vector<std::size_t>{64 << 10, 256 << 10, MIB, 4 * MIB, 16 * MIB, 64 * MIB}
        : std::vector<std::size_t>{64 << 10, MIB, 16 * MIB, 64 * MIB};
    for (const std::size_t bytes : sizes) {
        Method put{[&] { must(client.put(HERE, port, 0, 0, bytes, CONN), "put"); }};
        Method get{[&] { must(client.get(HERE, port, 0, 0, bytes, CONN), "get"); }};
        std::int64_t length = static_cast<std::int64_t>(bytes), answer = 0;
        Method out{[&] {
            if (is_mapped) return static_cast<void>(std::memcpy(other, base, bytes));
            std::int64_t head = length;
            must(move(raw, reinterpret_cast<char *>(&head), sizeof head, true) && move(raw, base, bytes, true) &&
                     move(raw, reinterpret_cast<char *>(&answer), sizeof answer, false),
                 "a raw put");
        }};
        Method in{[&] {
            if (is_mapped) return static_cast<void>(std::memcpy(base, other, bytes));
            std::int64_t head = -length;
            must(move(raw, reinterpret_cast<char *>(&head), sizeof head, true) && move(raw, base, bytes, false), "a raw get");
        }};
        take_turns({&put, &out, &get, &in}, bytes, rounds);
        line((std::string(name) + " put").c_str(), bytes, put, out, of);
        line((std::string(name) + " get").c_str(), bytes, get, in, of);
    }
    Method whole{[&] { must(client.put(HERE, port, 0, 0, 16 * MIB, CONN), "put"); }};
    Method list{[&] {
        std::vector<std::uint64_t> ids(16);
        for (std::size_t number = 0; number < ids.size(); number++)
            must(client.putNB(HERE, port, number * MIB, number * MIB, MIB, &ids[number], CONN), "putNB");
        must(client.wait(ids), "wait");
    }};
    take_turns({&whole, &list}, 16 * MIB, rounds * 2);
    line((std::string(name) + " 16 x putNB, wait").c_str(), 16 * MIB, list, whole, "one put");
}

// All of one kind of connection, in processes of its own.
void section(const char *name, int rounds, const std::vector<std::pair<const char *, const char *>> &settings)
{
    const pid_t section = fork();
    if (section != 0) {
        int status = 0;
        waitpid(section, &status, 0);
        if (status != 0) std::exit(1);
        return;
    }
    for (const auto &setting : settings) setenv(setting.first, setting.second, 1);
    const std::uint16_t port = free_port(), ctrl = free_port();
    const int listened = ::socket(AF_INET, SOCK_STREAM, 0), on = 1;
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof at;
    must(bind(listened, reinterpret_cast<sockaddr *>(&at), length) == 0 && listen(listened, 1) == 0, "bind");
    must(getsockname(listened, reinterpret_cast<sockaddr *>(&at), &length) == 0, "getsockname");
    int ready[2];
    must(pipe(ready) == 0, "pipe");
    const pid_t server = fork();
    if (server == 0) serve(port, ctrl, ready[1], listened);
    char byte = 0;
    must(read(ready[0], &byte, 1) == 1, "the other process");
    const int raw = ::socket(AF_INET, SOCK_STREAM, 0);
    must(connect(raw, reinterpret_cast<sockaddr *>(&at), length) == 0, "connect");
    setsockopt(raw, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    {
        auto buffer = std::make_shared<hmc::ConnBuffer>(0, BYTES, hmc::MemoryType::CPU);
        hmc::ConnBuffer other(0, BYTES, hmc::MemoryType::CPU);
        std::memset(buffer->ptr, 2, BYTES);
        std::memset(other.ptr, 3, BYTES);
        hmc::Communicator client(buffer);
        must(client.connectTo(0, 1, HERE, port, link_to(ctrl), CONN), "connectTo");
        const bool is_mapped = settings.empty();
        copies(client, port, rounds, name, static_cast<char *>(buffer->ptr), is_mapped ? static_cast<char *>(other.ptr) : nullptr,
               raw);
    }
    close(raw);
    waitpid(server, nullptr, 0);
    std::_Exit(0);
}

// Cost of begin and end.
void lives(int rounds)
{
    rounds = std::max(5, rounds / 20);
    double session = 1e9, connected = 1e9;
    for (int round = 0; round < rounds; round++) {
        const std::uint16_t port = free_port(), ctrl = free_port();
        const double begin = now();
        auto buffer = std::make_shared<hmc::ConnBuffer>(0, BYTES, hmc::MemoryType::CPU);
        hmc::Communicator server(buffer);
        must(server.initServer(HERE, port, ctrl, "", CONN), "initServer");
        double outside = 0;
        {
            const double aside = now();
            hmc::Communicator client(std::make_shared<hmc::ConnBuffer>(0, MIB, hmc::MemoryType::CPU));
            for (int time = 0; time < 2; time++) {
                const double dialled = now();
                must(client.connectTo(0, 1, HERE, port, link_to(ctrl), CONN), "connectTo");
                // The first one opens the network of the client.
                if (time == 1) connected = std::min(connected, now() - dialled);
                must(client.disConnect(HERE, port, CONN), "disConnect");
            }
            outside = now() - aside;
        }
        must(server.closeServer(), "closeServer");
        session = std::min(session, now() - begin - outside);
    }
    std::printf("create, initServer, closeServer %.2f ms; connect %.2f ms\n", session * 1e3, connected * 1e3);
}

} // namespace

int main(int count, char **words)
{
    const int rounds = count > 1 ? std::atoi(words[1]) : 200;
    std::printf("%-22s %12s %13s %13s %6s\n", "what", "bytes", "ours", "baseline", "ratio");
    std::fflush(stdout);
    section("mapped", rounds, {});
    section("tcp", rounds, {{"MF_SHM", "false"}});
    section("tls", rounds, {{"MF_SHM", "false"}, {"MF_NET_TLS", "on"}, {"MF_JOB_SECRET", "a secret of sixteen bytes and more"}});
    lives(rounds);
    return 0;
}
