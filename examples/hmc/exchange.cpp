// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// One of three processes, each with a buffer in other memory: every one puts a line into the buffers of both
// others, and a message says how long it is. exchange.py is the same in Python; exchange.sh runs both.
//
//     c++ -std=c++14 exchange.cpp $(pkg-config --cflags --libs hmc) -o exchange
//     ./exchange 0 cuda 2025 & python3 exchange.py 1 hip 2025 & ./exchange 2 cpu 2025
//
// Words: the rank, the memory of its buffer (cpu, cuda, hip, musa, cndrv), the first of nine ports.
#include <hmc.h>

#include <cstdint>
#include <cstdio>
#include <map>
#include <stdexcept>

namespace {

constexpr std::uint32_t RANKS = 3;
constexpr std::size_t SLOT = 64;
const char *const HERE = "127.0.0.1";
constexpr hmc::ConnType CONN = hmc::ConnType::UCX;

void check(hmc::status_t status)
{
    if (status != hmc::status_t::SUCCESS) throw std::runtime_error(hmc::last_error());
}

// Repeats a call until it succeeds: the other processes may not be ready.
template <class Call>
void wait_for(Call call)
{
    hmc::status_t status = call();
    for (int tries = 0; status != hmc::status_t::SUCCESS && tries < 6000; tries++) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        status = call();
    }
    check(status);
}

// Three ports for each rank: for data of both types, and for the control channel.
struct Ports {
    std::uint16_t data, ctrl;
    Ports(int first, std::uint32_t rank)
        : data(static_cast<std::uint16_t>(first + 3 * static_cast<int>(rank))), ctrl(static_cast<std::uint16_t>(data + 2))
    {
    }
};

void exchange(std::uint32_t self, const std::string &memory, int first)
{
    const std::map<std::string, hmc::MemoryType> types = {{"cpu", hmc::MemoryType::CPU},
                                                          {"cuda", hmc::MemoryType::NVIDIA_GPU},
                                                          {"hip", hmc::MemoryType::AMD_GPU},
                                                          {"musa", hmc::MemoryType::MOORE_GPU},
                                                          {"cndrv", hmc::MemoryType::CAMBRICON_MLU}};
    auto buffer = std::make_shared<hmc::ConnBuffer>(0, RANKS * SLOT, types.at(memory));
    hmc::Communicator comm(buffer);
    const Ports own(first, self);
    check(comm.initServer(HERE, own.data, own.ctrl, "", CONN));

    // The higher rank connects; a connection is used from both ends, by the port of the other one.
    for (std::uint32_t peer = 0; peer < self; peer++) {
        hmc::Communicator::CtrlLink link;
        link.ip = HERE;
        link.port = Ports(first, peer).ctrl;
        wait_for([&] { return comm.connectTo(peer, self, HERE, Ports(first, peer).data, link, CONN); });
    }
    std::string line = "rank " + std::to_string(self) + ", C++, " + memory;
    check(buffer->writeFromCpu(&line[0], line.size(), self * SLOT));
    for (std::uint32_t peer = 0; peer < RANKS; peer++) {
        if (peer == self) continue;
        const std::uint16_t port = Ports(first, peer).data;
        wait_for([&] { return comm.checkConn(HERE, port, CONN); });
        check(comm.put(HERE, port, self * SLOT, self * SLOT, line.size(), CONN));
        wait_for([&] { return comm.ctrlSend(peer, line.size()); });
    }
    for (std::uint32_t peer = 0; peer < RANKS; peer++) {
        if (peer == self) continue;
        std::uint64_t bytes = 0;
        check(comm.ctrlRecv(peer, &bytes));
        std::string text(bytes, '\0');
        check(buffer->readToCpu(&text[0], bytes, peer * SLOT));
        std::printf("%s: got \"%s\"\n", line.c_str(), text.c_str());
    }
    // No process ends before both others have read.
    for (std::uint32_t peer = 0; peer < RANKS; peer++)
        if (peer != self) check(comm.ctrlSend(peer, 0));
    for (std::uint32_t peer = 0; peer < RANKS; peer++)
        if (peer != self) check(comm.ctrlRecv(peer, nullptr));
}

} // namespace

int main(int count, char **words)
{
    if (count != 4) {
        std::fprintf(stderr, "usage: exchange RANK MEMORY PORT\n");
        return 2;
    }
    try {
        exchange(static_cast<std::uint32_t>(std::stoul(words[1])), words[2], std::stoi(words[3]));
        return 0;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
