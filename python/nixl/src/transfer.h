// SPDX-License-Identifier: Apache-2.0 OR MIT
// One transfer request of NIXL: checked pieces, which may be posted several times, one after the other.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "abi.h"
#include "library.h"
#include "meeting.h"

namespace mf {

// Metadata of a range: registered here, or at a peer.
struct Range : nixl::Metadata {
    Range(std::uint64_t address, std::uint64_t bytes, bool is_private)
        : nixl::Metadata(is_private), address(address), bytes(bytes) {}
    const std::uint64_t address;
    const std::uint64_t bytes;
};

class Transfer : public nixl::Request {
public:
    using List = nixl::DescList<nixl::MetaDesc>;

    Transfer(const Library &library, const Meeting &meeting, std::shared_ptr<Peer> peer)
        : library_(library), meeting_(meeting), peer_(std::move(peer)) {}
    // Cancels a transfer in progress: no byte of local memory is read or written afterwards. Blocks for the
    // slice being copied. The message of copied data is still sent.
    ~Transfer() override;

    // Checks pieces, and keeps them. invalid_param: no piece, lists of different lengths, memory that is
    // not the host's, a piece outside its registered range; the text is printed.
    nixl::Status set_pieces(nixl::Op op, const List &local, const List &remote);
    // Sets the message behind the data. invalid_param if it is too long.
    nixl::Status set_message(const nixl::OptArgs *options);
    // Starts it, or does it at once if it is short.
    nixl::Status post();
    // Reports whether it has ended. Does not block.
    nixl::Status check();

private:
    bool is_short() const;
    int copy_now(smem_trans_t endpoint);
    nixl::Status failed(int code);

    const Library &library_;
    const Meeting &meeting_;
    const std::shared_ptr<Peer> peer_;
    bool is_read_ = false;
    std::vector<void *> locals_;
    std::vector<void *> remotes_;
    std::vector<std::size_t> sizes_;
    std::uint64_t bytes_ = 0;
    bool has_message_ = false;
    std::string message_;
    // Null unless it is in progress.
    mfx_transfer_t started_ = nullptr;
    // True if its message alone is in progress: local memory is not used.
    bool is_copied_ = false;
    nixl::Status ended_ = nixl::Status::not_posted;
};

// NIXL's status for a code of the library. A peer that is lost is remote_disconnect.
nixl::Status status_of(int code);

// Prints one line on standard error.
void complain(const std::string &text);

// Returns true if a notification can be sent; complains of a longer one.
bool is_short_enough(const std::string &message);

}  // namespace mf
