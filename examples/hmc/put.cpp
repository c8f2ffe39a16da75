// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Two processes without a job: one puts a text into the other's buffer, and a message says how long it is.
//
//     c++ -std=c++14 put.cpp $(pkg-config --cflags --libs hmc) -o put
//     ./put server & ./put    # ports 2025 and 2026, or behind them the first of two others
#include <hmc.h>

#include <cstdint>
#include <cstdio>
#include <stdexcept>

namespace {

constexpr std::size_t BYTES = 1 << 20;
constexpr std::uint32_t SERVER_RANK = 0, CLIENT_RANK = 1;

void check(hmc::status_t status)
{
    if (status != hmc::status_t::SUCCESS) throw std::runtime_error(hmc::last_error());
}

// Calls until it succeeds, for the side that may be first.
template <class Call>
void wait_for(Call call)
{
    hmc::status_t status = call();
    for (int tries = 0; status != hmc::status_t::SUCCESS && tries < 600; tries++) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        status = call();
    }
    check(status);
}

void serve(std::uint16_t data_port, std::uint16_t ctrl_port)
{
    auto buffer = std::make_shared<hmc::ConnBuffer>(0, BYTES, hmc::MemoryType::CPU);
    hmc::Communicator comm(buffer);
    check(comm.initServer("127.0.0.1", data_port, ctrl_port, "", hmc::ConnType::UCX));

    std::uint64_t bytes = 0;
    wait_for([&] { return comm.ctrlRecv(CLIENT_RANK, &bytes); });
    std::string text(bytes, '\0');
    check(buffer->readToCpu(&text[0], bytes));
    std::printf("server: got \"%s\"\n", text.c_str());
    check(comm.closeServer());
}

void send(std::uint16_t data_port, std::uint16_t ctrl_port)
{
    auto buffer = std::make_shared<hmc::ConnBuffer>(0, BYTES, hmc::MemoryType::CPU);
    hmc::Communicator comm(buffer);
    hmc::Communicator::CtrlLink link;
    link.ip = "127.0.0.1";
    link.port = ctrl_port;
    wait_for([&] { return comm.connectTo(SERVER_RANK, CLIENT_RANK, "127.0.0.1", data_port, link, hmc::ConnType::UCX); });

    std::string text = "bytes first, then the message";
    check(buffer->writeFromCpu(&text[0], text.size()));
    check(comm.put("127.0.0.1", data_port, 0, 0, text.size(), hmc::ConnType::UCX));
    check(comm.ctrlSend(SERVER_RANK, text.size()));
    // The server has read it when it ends the link.
    static_cast<void>(comm.ctrlRecv(SERVER_RANK, nullptr));
}

} // namespace

int main(int count, char **words)
{
    const bool is_server = count > 1 && std::string(words[1]) == "server";
    try {
        const int port = count > (is_server ? 2 : 1) ? std::stoi(words[count - 1]) : 2025;
        const auto data_port = static_cast<std::uint16_t>(port), ctrl_port = static_cast<std::uint16_t>(port + 1);
        if (is_server)
            serve(data_port, ctrl_port);
        else
            send(data_port, ctrl_port);
        return 0;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
