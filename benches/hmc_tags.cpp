// SPDX-License-Identifier: Apache-2.0 OR MIT
// Round trips of a tag of HMC's control channel between two processes of one host, over a Unix socket and
// over TCP, in turns with as many bytes over plain blocking sockets, one call of the kernel for each.
//
//   c++ -std=c++14 -O2 benches/hmc_tags.cpp $(pkg-config --cflags --libs hmc) -pthread -o hmc_tags
//   ./hmc_tags [ROUNDS]
//
// The cores of the two ends matter more than their work: a wake-up on the same core needs no interrupt of
// another core. So each table pins both ends, of all methods alike; the last one leaves them to the kernel,
// whose choice changes from turn to turn. Of each method the median of ROUNDS (40) counts, of the ratio the
// median over the rounds.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <arpa/inet.h>
#include <hmc.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hmc_common.hpp"

namespace {

constexpr int TRIPS = 1000;
constexpr std::size_t MESSAGE = 16, BEFORE = 64;
// Ranks of the one process in the other, by which socket they are linked.
constexpr std::uint32_t BY_TCP = 1, BY_UNIX = 2;

// The calling thread runs on this core from now on; below 0 on any.
void pin(int core)
{
    if (core < 0) return;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(core, &set);
    must(sched_setaffinity(0, sizeof set, &set) == 0, "sched_setaffinity");
}

// A pair of connected TCP sockets.
void tcp_pair(int pair[2])
{
    const int listener = bound(), on = 1;
    sockaddr_in at{};
    socklen_t length = sizeof at;
    must(listen(listener, 1) == 0, "listen");
    must(getsockname(listener, reinterpret_cast<sockaddr *>(&at), &length) == 0, "getsockname");
    pair[0] = ::socket(AF_INET, SOCK_STREAM, 0);
    must(connect(pair[0], reinterpret_cast<sockaddr *>(&at), length) == 0, "connect");
    pair[1] = accept(listener, nullptr, nullptr);
    for (int end = 0; end < 2; end++) setsockopt(pair[end], IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    close(listener);
}

// Sends and receives a message; the other end begins with the other step; false: the other end is gone.
bool trip(int socket, bool is_first)
{
    char bytes[MESSAGE] = {};
    for (int step = 0; step < 2; step++) {
        const bool is_out = (step == 0) == is_first;
        const ssize_t moved = is_out ? send(socket, bytes, sizeof bytes, MSG_NOSIGNAL) : recv(socket, bytes, sizeof bytes, MSG_WAITALL);
        if (moved != static_cast<ssize_t>(sizeof bytes)) return false;
    }
    return true;
}

struct Sockets {
    int tcp[2], pair[2];
    std::uint16_t port, ctrl;
    std::string path;
};

// The other process: a thread for each link, which answers until the caller is gone.
[[noreturn]] void serve(const Sockets &own, int core, int ready)
{
    pin(core);
    close(own.tcp[0]), close(own.pair[0]);
    auto buffer = std::make_shared<hmc::ConnBuffer>(0, 1 << 20, hmc::MemoryType::CPU);
    hmc::Communicator server(buffer);
    must(server.initServer(HERE, own.port, own.ctrl, own.path, CONN), "initServer");
    must(write(ready, "x", 1) == 1, "write");
    std::vector<std::thread> threads;
    for (const int socket : {own.tcp[1], own.pair[1]})
        threads.emplace_back([socket] {
            while (trip(socket, false)) {}
        });
    for (const std::uint32_t rank : {BY_TCP, BY_UNIX})
        threads.emplace_back([&server, rank] {
            std::uint64_t tag = 0;
            // Fails until the first client has connected.
            while (server.ctrlRecv(rank, &tag) != hmc::status_t::SUCCESS) usleep(1000);
            while (server.ctrlSend(rank, tag) == hmc::status_t::SUCCESS && server.ctrlRecv(rank, &tag) == hmc::status_t::SUCCESS) {}
        });
    for (std::thread &thread : threads) thread.join();
    std::_Exit(0);
}

struct Method {
    std::function<void()> trip;
    std::vector<double> took;
};

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

void line(const char *what, const Method &ours, const Method &plain)
{
    std::vector<double> ratios;
    for (std::size_t round = 0; round < ours.took.size(); round++) ratios.push_back(ours.took[round] / plain.took[round]);
    std::printf("  %-18s %8.2f us %8.2f us %6.2f\n", what, median(ours.took) * 1e6, median(plain.took) * 1e6, median(ratios));
    std::fflush(stdout);
}

// All of them with both ends on these cores, in processes of their own.
void table(const char *name, int rounds, int here, int there)
{
    std::printf("%s\n", name);
    std::fflush(stdout);
    const pid_t caller = fork();
    if (caller != 0) {
        int status = 0;
        waitpid(caller, &status, 0);
        if (status != 0) std::exit(1);
        return;
    }
    Sockets own{{}, {}, free_port(), free_port(), "/tmp/hmc_tags." + std::to_string(getpid())};
    int ready[2];
    tcp_pair(own.tcp);
    must(socketpair(AF_UNIX, SOCK_STREAM, 0, own.pair) == 0 && pipe(ready) == 0, "socketpair");
    const pid_t other = fork();
    if (other == 0) serve(own, there, ready[1]);
    pin(here);
    close(own.tcp[1]), close(own.pair[1]);
    char byte = 0;
    must(read(ready[0], &byte, 1) == 1, "the other process");
    {
        hmc::Communicator client(std::make_shared<hmc::ConnBuffer>(0, 1 << 20, hmc::MemoryType::CPU));
        hmc::Communicator::CtrlLink tcp, uds;
        tcp.ip = HERE, tcp.port = own.ctrl;
        uds.transport = hmc::Communicator::CtrlTransport::UDS, uds.uds_path = own.path;
        must(client.connectTo(BY_TCP, BY_TCP, HERE, own.port, tcp, CONN), "connectTo");
        must(client.connectCtrl(BY_UNIX, BY_UNIX, uds), "connectCtrl");
        std::uint64_t tag = 0;
        const auto tags = [&](std::uint32_t rank) {
            must(client.ctrlSend(rank, tag), "ctrlSend");
            must(client.ctrlRecv(rank, &tag), "ctrlRecv");
        };
        Method by_unix{[&] { tags(BY_UNIX); }, {}}, by_tcp{[&] { tags(BY_TCP); }, {}};
        Method plain_unix{[&] { must(trip(own.pair[0], true), "a message"); }, {}};
        Method plain_tcp{[&] { must(trip(own.tcp[0], true), "a message"); }, {}};
        Method behind{[&] {
            must(client.put(HERE, own.port, 0, 0, BEFORE, CONN), "put");
            tags(BY_TCP);
        }, {}};
        std::vector<Method *> methods{&by_unix, &plain_unix, &by_tcp, &plain_tcp, &behind};
        for (int round = -1; round < rounds; round++) {
            for (std::size_t place = 0; place < methods.size(); place++) {
                Method &method = *methods[(place + static_cast<std::size_t>(round + 1)) % methods.size()];
                for (int call = 0; call < TRIPS / 10; call++) method.trip();
                const double begin = now();
                for (int call = 0; call < TRIPS; call++) method.trip();
                if (round >= 0) method.took.push_back((now() - begin) / TRIPS);
            }
        }
        line("tag, unix", by_unix, plain_unix);
        line("tag, tcp", by_tcp, plain_tcp);
        line("put 64 B, tag, tcp", behind, plain_tcp);
    }
    close(own.tcp[0]), close(own.pair[0]);
    hmc::CtrlSocketManager::instance().closeAll();
    waitpid(other, nullptr, 0);
    unlink(own.path.c_str());
    std::_Exit(0);
}

} // namespace

int main(int count, char **words)
{
    const int rounds = count > 1 ? std::max(1, std::atoi(words[1])) : 40;
    std::printf("%-20s %11s %11s %6s\n", "what", "ours", "plain", "times");
    cpu_set_t cores;
    std::vector<int> known;
    must(sched_getaffinity(0, sizeof cores, &cores) == 0, "sched_getaffinity");
    for (int core = 0; core < CPU_SETSIZE; core++)
        if (CPU_ISSET(core, &cores)) known.push_back(core);
    table("both ends on one core", rounds, known[0], known[0]);
    if (known.size() > 1) table("each end on a core of its own", rounds, known[0], known[1]);
    table("where the kernel puts them", rounds, -1, -1);
    return 0;
}
