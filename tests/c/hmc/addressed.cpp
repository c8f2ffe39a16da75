// SPDX-License-Identifier: Apache-2.0 OR MIT
// HMC in C++ as the manual of October 2025 has it: peers by address alone, equal offsets, a control channel
// without ranks.
#include "peers.hpp"

namespace {

constexpr std::size_t BYTES = 1 << 18, STREAM = 2 * BYTES + 5;
// Of the other process, and its own.
const char *const HERE = address("MF_TEST_PEER_IP", "127.0.0.1");
const char *const OWN = address("MF_TEST_OWN_IP", "127.0.0.1");

struct Meta {
    std::uint32_t version;
    std::uint32_t checksum;
    double scale;
};

int server(std::uint16_t port, const std::string &)
{
    const auto buffer = std::make_shared<ConnBuffer>(0, BYTES, memory_to_test());
    Communicator comm(buffer);
    CtrlSocketManager &ctrl = CtrlSocketManager::instance();
    IS(SUCCESS, comm.initServer(OWN, port, ConnType::RDMA));
    const auto other = std::make_shared<ConnBuffer>(0, BYTES, memory_to_test());
    Communicator second(other);
    IS(SUCCESS, second.initServer(OWN, static_cast<std::uint16_t>(port + 2), ConnType::RDMA));
    // At the port of the control channel.
    Communicator third(std::make_shared<ConnBuffer>(0, BYTES, memory_to_test()));
    IS(SUCCESS, third.initServer(OWN, static_cast<std::uint16_t>(port + 1), ConnType::RDMA));
    IS(SUCCESS, until_success([&] { return comm.checkConn(HERE, ConnType::RDMA); }));

    IS(SUCCESS, until_success([&] { return comm.recv(HERE, 100, 5000); }));
    CHECK(has(*buffer, bytes_of(5000, 1), 100));
    CHECK(ctrl.sendCtrlInt(HERE, 42));
    Meta meta = {};
    CHECK(ctrl.recvCtrlStruct(HERE, meta) && meta.version == 3 && meta.checksum == 99 && meta.scale > 0);
    CtrlMsgHeader header = {};
    std::vector<std::uint8_t> payload;
    CHECK(ctrl.recvCtrlMsg(HERE, header, payload));
    CHECK(header.type == CTRL_STRUCT && header.flags == 5 && header.length == 3 && payload == (std::vector<std::uint8_t>{7, 8, 9}));
    // Another type or length is consumed.
    int number = 0;
    CHECK(!ctrl.recvCtrlInt(HERE, number));
    CHECK(ctrl.recvCtrlInt(HERE, number) && number == -5);

    std::vector<char> received(STREAM);
    std::size_t count = 0;
    IS(SUCCESS, comm.recvDataFrom(HERE, received.data(), received.size(), MemoryType::CPU, &count));
    CHECK(count == STREAM && received == bytes_of(STREAM, 4));
    // By its own initiative, over the connection of the client.
    std::vector<char> own = bytes_of(700, 8);
    IS(SUCCESS, buffer->writeFromCpu(own.data(), own.size(), 200));
    IS(SUCCESS, comm.send(HERE, 200, own.size()));
    CHECK(ctrl.recvCtrlInt(HERE, number) && number == 1);
    CHECK(has(*buffer, own, 200) && has(*other, own, 200));
    IS(SUCCESS, comm.closeServer());
    return check_failures == 0 ? 0 : 1;
}

int client(std::uint16_t port, const std::string &)
{
    const auto buffer = std::make_shared<ConnBuffer>(0, BYTES, memory_to_test());
    Communicator comm(buffer);
    CtrlSocketManager &ctrl = CtrlSocketManager::instance();
    IS(NOT_FOUND, comm.writeTo(HERE, 0, 1));
    IS(SUCCESS, until_success([&] { return comm.connectTo(HERE, port, ConnType::RDMA); }));
    IS(SUCCESS, comm.connectTo(HERE, port, ConnType::RDMA));
    IS(SUCCESS, comm.checkConn(HERE, ConnType::RDMA));
    IS(NOT_FOUND, comm.checkConn(HERE, ConnType::UCX));
    CHECK(ctrl.getCtrlSockFd(HERE, static_cast<std::uint16_t>(port + 1)) >= 0);

    std::vector<char> bytes = bytes_of(5000, 1);
    IS(SUCCESS, buffer->writeFromCpu(bytes.data(), bytes.size(), 100));
    IS(ERROR, comm.writeTo(HERE, BYTES, 1));
    IS(SUCCESS, comm.send(HERE, 100, bytes.size()));
    int number = 0;
    CHECK(ctrl.recvCtrlInt(HERE, number) && number == 42);
    const std::vector<char> nothing(bytes.size());
    IS(SUCCESS, buffer->writeFromCpu(const_cast<char *>(nothing.data()), nothing.size(), 100));
    IS(SUCCESS, comm.readFrom(HERE, 100, bytes.size()));
    CHECK(has(*buffer, bytes, 100));

    CHECK(ctrl.sendCtrlStruct(HERE, Meta{3, 99, 0.5}));
    const std::uint8_t payload[] = {7, 8, 9};
    CHECK(ctrl.sendCtrlMsg(HERE, CTRL_STRUCT, payload, sizeof payload, 5));
    CHECK(!ctrl.sendCtrlMsg(HERE, CTRL_STRUCT, nullptr, 3));
    CHECK(ctrl.sendCtrlStruct(HERE, std::uint64_t{1}));
    CHECK(ctrl.sendCtrlInt(HERE, -5));

    std::vector<char> stream = bytes_of(STREAM, 4);
    IS(SUCCESS, comm.sendDataTo(HERE, stream.data(), stream.size(), MemoryType::CPU));
    IS(SUCCESS, comm.recv(HERE, 200, 700));
    CHECK(has(*buffer, bytes_of(700, 8), 200));
    // An address has one connection of a type: the next replaces it.
    const std::uint16_t other = static_cast<std::uint16_t>(port + 2);
    IS(SUCCESS, comm.connectTo(HERE, other, ConnType::RDMA));
    IS(NOT_FOUND, comm.checkConn(HERE, port, ConnType::RDMA));
    IS(SUCCESS, comm.writeTo(HERE, 200, 700));
    IS(SUCCESS, comm.connectTo(HERE, static_cast<std::uint16_t>(port + 1), ConnType::RDMA));
    IS(SUCCESS, comm.writeTo(HERE, BYTES - 1, 1));
    IS(NOT_FOUND, comm.checkConn(HERE, other, ConnType::RDMA));
    CHECK(ctrl.sendCtrlInt(HERE, 1));
    // The server ends its links.
    CHECK(!ctrl.recvCtrlInt(HERE, number));
    IS(SUCCESS, comm.disConnect(HERE, ConnType::RDMA));
    IS(NOT_FOUND, comm.checkConn(HERE, ConnType::RDMA));
    IS(SUCCESS, comm.closeServer());
    return check_failures == 0 ? 0 : 1;
}

} // namespace

int main(int, char **argv) { return two_processes(argv, server, client); }
