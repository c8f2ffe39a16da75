// SPDX-License-Identifier: Apache-2.0 OR MIT
// TPipe, which divides a core's memories among buffers, and its objects: queues of tensors between two pipes,
// and plain buffers.
#pragma once

#include <memory>
#include <vector>

#include "masks.h"
#include "sync.h"
#include "tensor.h"

namespace mf::emulation {

struct QueueState;

// Largest number of allocated tensors of all queues at one position; 0 for no limit.
struct Limit {
    AscendC::TPosition position;
    uint32_t tensors;
};

// Untyped base of TQueBind. A buffer of a queue is free, allocated, queued or dequeued; the producing pipe
// waits until the consuming one has freed it, and the consuming one until it was queued.
class Queue {
  public:
    void init(Pipe producer, Pipe consumer, uint32_t depth, const LocalRange &memory, uint32_t count, uint32_t bytes,
              const Limit &limit, Site at);
    LocalRange allocate(uint32_t *bytes, Site at);
    void enqueue(const LocalRange &tensor, Site at);
    LocalRange dequeue(uint32_t *bytes, Site at);
    // From and to other pipes than the queue's own: a tensor that was taken out may go on.
    void enqueue(const LocalRange &tensor, Pipe producer, Site at);
    LocalRange dequeue(uint32_t *bytes, Pipe consumer, Site at);
    void release(const LocalRange &tensor, Site at);
    bool has_queued() const;
    bool has_free() const;
    uint32_t queued() const;
    // The producing pipe waits until the consuming one is through with the free buffers.
    void await_free() const;
    // The queue's memory goes back to TPipe, which waits for its free buffers.
    void forget(Site at) const;
    bool has_memory() const;

  private:
    QueueState &state(const char *name, Site at) const;
    std::shared_ptr<QueueState> state_;
};

// Untyped base of TPipe.
class Buffers {
  public:
    Buffers() = default;
    Buffers(const Buffers &) = delete;
    Buffers &operator=(const Buffers &) = delete;

    // The core's buffers are this object's from now on. K3.
    void begin(Site at);
    // Waits for all pipes, and takes the buffers back. Nothing if they were taken back before.
    void end(Site at);
    bool is_begun() const { return is_begun_; }

    // Memory for `count` buffers of `bytes` bytes, rounded up to 32; K3.
    LocalRange allocate(Space space, uint32_t count, uint64_t bytes, const char *what, Site at);
    void add(const Queue &queue, Pipe producer, Pipe consumer);
    void reset(Site at);
    int32_t free_event(AscendC::HardEvent event, bool take, Site at);
    void release_event(AscendC::HardEvent event, int32_t id, Site at);
    // Returns the part of a memory that is not allocated to buffers yet.
    static LocalRange rest_of(Space space, Site at);
    void check_flag(const char *name, AscendC::HardEvent event, int32_t id, Site at) const;

  private:
    static constexpr size_t EVENTS = static_cast<size_t>(AscendC::HardEvent::MAX);
    uint8_t taken_[EVENTS] = {};  // a bit for each id that is taken
    uint8_t given_[EVENTS] = {};  // that the kernel got from here
    bool is_queues_[EVENTS] = {}; // whether a queue uses the event
    std::vector<Queue> queues_;
    bool is_begun_ = false;

    void give_credits(Site at);
    void take_credits(Site at);
};

constexpr uint64_t round_up_to_block(uint64_t bytes) { return (bytes + 31) / 32 * 32; }

// Returns the pipes between which a queue of these positions passes its tensors: EnQue and DeQue order the
// second after the first, FreeTensor and AllocTensor the first after the second.
constexpr Edge edge_between(AscendC::TPosition src, AscendC::TPosition dst) {
    const Space from = space_of(src), to = space_of(dst);
    if (from == Space::Global) {
        if (to == Space::L1) return {Pipe::Mte2, Pipe::Mte1};
        return {Pipe::Mte2, to == Space::L0a || to == Space::L0b ? Pipe::Cube : Pipe::Vector};
    }
    if (from == Space::Ub) {
        if (to == Space::Ub) return {Pipe::Mte2, Pipe::Mte3};
        return to == Space::L1 ? Edge{Pipe::Mte3, Pipe::Mte1} : Edge{Pipe::Vector, Pipe::Mte3};
    }
    if (from == Space::L1 && to == Space::FixpipeTable) return {Pipe::Mte1, Pipe::Fix};
    if (from == Space::L1) return {Pipe::Mte1, to == Space::Ub ? Pipe::Vector : Pipe::Cube};
    return {Pipe::Cube, from == Space::L0c ? Pipe::Fix : Pipe::Vector};
}
// The same for EnQue and DeQue with positions: between two of the unified buffer a barrier of the vector
// pipe.
constexpr Edge edge_by_hand(AscendC::TPosition src, AscendC::TPosition dst) {
    const bool is_within = space_of(src) == Space::Ub && space_of(dst) == Space::Ub;
    return is_within ? Edge{Pipe::Vector, Pipe::Vector} : edge_between(src, dst);
}

} // namespace mf::emulation

namespace AscendC {

// Buffers that go from the pipe filling `src` positions to the pipe emptying `dst` positions. `depth` limits
// the queued buffers. `mask` selects a format of the copy; 0 for none.
template <TPosition src, TPosition dst, int32_t depth, auto mask = 0> class TQueBind : private mf::emulation::Queue {
  public:
    template <typename T> __aicore__ inline LocalTensor<T> AllocTensor(mf::emulation::Site at = MF_HERE) {
        static_assert(depth >= 1, "a queue of depth 0 has AllocTensor(tensor) alone");
        return next_tensor<T>(at);
    }
    template <typename T> __aicore__ inline void AllocTensor(LocalTensor<T> &tensor, mf::emulation::Site at = MF_HERE) {
        tensor = next_tensor<T>(at);
    }
    template <typename T> __aicore__ inline bool EnQue(const LocalTensor<T> &tensor, mf::emulation::Site at = MF_HERE) {
        enqueue(tensor, at);
        return true;
    }
    template <typename T> __aicore__ inline LocalTensor<T> DeQue(mf::emulation::Site at = MF_HERE) {
        static_assert(depth >= 1, "a queue of depth 0 has DeQue(tensor) alone");
        return oldest_tensor<T>(at);
    }
    template <typename T> __aicore__ inline void DeQue(LocalTensor<T> &tensor, mf::emulation::Site at = MF_HERE) {
        tensor = oldest_tensor<T>(at);
    }
    // Enqueue or dequeue between the pipes of these positions, for tensors that pass through more than two
    // positions.
    template <TPosition srcUserPos, TPosition dstUserPos, typename T>
    __aicore__ inline bool EnQue(const LocalTensor<T> &tensor, mf::emulation::Site at = MF_HERE) {
        enqueue(tensor, mf::emulation::edge_by_hand(srcUserPos, dstUserPos).from, at);
        return true;
    }
    template <TPosition srcUserPos, TPosition dstUserPos, typename T>
    __aicore__ inline LocalTensor<T> DeQue(mf::emulation::Site at = MF_HERE) {
        uint32_t bytes = 0;
        mf::emulation::LocalRange range = dequeue(&bytes, mf::emulation::edge_by_hand(srcUserPos, dstUserPos).to, at);
        return LocalTensorMaker::make<T>(POSITION, range, bytes / sizeof(T));
    }
    template <typename T> __aicore__ inline void FreeTensor(LocalTensor<T> &tensor, mf::emulation::Site at = MF_HERE) {
        release(tensor, at);
    }
    __aicore__ inline bool VacantInQue() { return queued() < static_cast<uint32_t>(depth); }
    __aicore__ inline bool HasTensorInQue() { return has_queued(); }
    __aicore__ inline bool HasIdleBuffer() { return has_free(); }
    __aicore__ inline int32_t GetTensorCountInQue() { return static_cast<int32_t>(queued()); }
    // Waits until the free buffers may be filled.
    __aicore__ inline void FreeAllEvent() { await_free(); }

  private:
    friend class TPipe;
    template <TPosition pool, uint32_t bufIDSize> friend class TBufPool;
    static_assert(depth >= 0, "a queue's depth is 0 or more");
    static_assert(mask == 0, "a queue that changes the format of its tensors does not exist here");
    // Position of the buffers. Towards the cube core's inner memories it is the destination.
    static constexpr bool IS_ARRIVAL = src == TPosition::GM || dst == TPosition::A2 || dst == TPosition::B2 ||
                                       dst == TPosition::C2 || dst == TPosition::C2PIPE2GM;
    static constexpr TPosition POSITION = IS_ARRIVAL ? dst : src;
    static_assert(mf::emulation::has_local_memory(POSITION), "buffers at this position do not exist here");

    template <typename T> LocalTensor<T> next_tensor(mf::emulation::Site at) {
        uint32_t bytes = 0;
        mf::emulation::LocalRange range = allocate(&bytes, at);
        return LocalTensorMaker::make<T>(POSITION, range, bytes / sizeof(T));
    }
    template <typename T> LocalTensor<T> oldest_tensor(mf::emulation::Site at) {
        uint32_t bytes = 0;
        mf::emulation::LocalRange range = dequeue(&bytes, at);
        return LocalTensorMaker::make<T>(POSITION, range, bytes / sizeof(T));
    }
    // From TPipe, or from a pool of buffers. In place (depth 0) as many wait as there are buffers.
    template <typename Source> void take(Source &pipe, uint32_t count, uint32_t bytes, mf::emulation::Site at) {
        using namespace mf::emulation;
        const LocalRange memory = pipe.allocate(space_of(POSITION), count, bytes, "TQue", at);
        constexpr Edge edge = edge_between(src, dst);
        init(edge.from, edge.to, depth == 0 ? count : depth, memory, count,
             static_cast<uint32_t>(round_up_to_block(bytes)), Limit{POSITION, IS_950 ? 0u : 8u}, at);
        pipe.add(*this, edge.from, edge.to);
    }
};

namespace mf_detail {
constexpr bool is_output(TPosition position) {
    return position == TPosition::VECOUT || position == TPosition::CO1 || position == TPosition::CO2;
}
constexpr TPosition before(TPosition position) {
    switch (position) {
    case TPosition::A2:
        return TPosition::A1;
    case TPosition::B2:
        return TPosition::B1;
    case TPosition::C2:
    case TPosition::C2PIPE2GM:
        return TPosition::C1;
    case TPosition::VECIN:
    case TPosition::A1:
    case TPosition::B1:
    case TPosition::C1:
    case TPosition::TSCM:
        return TPosition::GM;
    default:
        return position;
    }
}
constexpr TPosition after(TPosition position) { return is_output(position) ? TPosition::GM : position; }
} // namespace mf_detail

// Returns the source or destination position of a queue's buffers.
constexpr TPosition GetBufferLogicPos(TPosition pos, bool isSrc) {
    return isSrc ? mf_detail::before(pos) : mf_detail::after(pos);
}

// A queue by the place of its buffers alone: VECIN is filled from global memory, VECOUT is emptied to it.
template <TPosition pos, int32_t depth, auto mask = 0>
class TQue : public TQueBind<GetBufferLogicPos(pos, true), GetBufferLogicPos(pos, false), depth, mask> {};

// A buffer without order: for intermediate results, and for flags by hand.
template <TPosition pos = TPosition::LCM> class TBuf {
  public:
    template <typename T> __aicore__ inline LocalTensor<T> Get(mf::emulation::Site at = MF_HERE) {
        return GetWithOffset<T>(bytes_ / sizeof(T), 0, at);
    }
    template <typename T> __aicore__ inline LocalTensor<T> Get(uint32_t len, mf::emulation::Site at = MF_HERE) {
        return GetWithOffset<T>(len, 0, at);
    }
    template <typename T>
    __aicore__ inline LocalTensor<T> GetWithOffset(uint32_t size, uint32_t bufOffset, mf::emulation::Site at = MF_HERE) {
        mf::emulation::LocalRange part = memory_;
        part.offset += bufOffset;
        mf::emulation::check_local("TBuf::Get", "the part", part, uint64_t{size} * sizeof(T), BLOCK, at);
        return LocalTensorMaker::make<T>(pos, part, size);
    }
    // As a queue's, and without order: there is one tensor, the buffer.
    template <typename T> __aicore__ inline LocalTensor<T> AllocTensor(mf::emulation::Site at = MF_HERE) { return Get<T>(at); }
    template <typename T> __aicore__ inline void FreeTensor(LocalTensor<T> &) {}
    template <typename T> __aicore__ inline void EnQue(const LocalTensor<T> &) {}
    template <typename T> __aicore__ inline LocalTensor<T> DeQue(mf::emulation::Site at = MF_HERE) { return Get<T>(at); }

  private:
    friend class TPipe;
    template <TPosition pool, uint32_t bufIDSize> friend class TBufPool;
    static constexpr uint32_t BLOCK = 32;
    static_assert(mf::emulation::has_local_memory(pos), "buffers at this position do not exist here");

    mf::emulation::LocalRange memory_;
    uint32_t bytes_ = 0;
};

class TPipe;

} // namespace AscendC

namespace mf::emulation {
// The TPipe of the core that this thread is.
inline thread_local AscendC::TPipe *own_pipe = nullptr;
} // namespace mf::emulation

namespace AscendC {

class TPipe : private mf::emulation::Buffers {
  public:
    explicit TPipe(mf::emulation::Site at = MF_HERE) { Init(at); }
    // Waits for all pipes, in which a fault leaves the kernel.
    ~TPipe() noexcept(false) { Destroy(); }
    // Of a pipe that has ended: the copy has ended, too. On the device a copy of one in use would end the
    // use of the same buffers and flags once more.
    TPipe(const TPipe &other, mf::emulation::Site at = MF_HERE) {
        if (other.is_begun())
            mf::emulation::fault("K11", at, "TPipe is copied while it is in use; pass it by reference or by pointer");
    }
    TPipe &operator=(const TPipe &) = delete;

    // Begins again after Destroy; the constructor does it, too.
    __aicore__ inline void Init(mf::emulation::Site at = MF_HERE) {
        InitSocState();
        begin(at);
        mf::emulation::own_pipe = this;
    }
    // Waits for all pipes, and ends the use of all buffers, as the destructor does: another TPipe may begin.
    __aicore__ inline void Destroy(mf::emulation::Site at = MF_HERE) {
        if (!is_begun()) return;
        mf::emulation::own_pipe = nullptr;
        end(at);
    }

    // `num` buffers of `len` bytes each.
    template <typename T>
    __aicore__ inline bool InitBuffer(T &que, uint8_t num, uint32_t len, mf::emulation::Site at = MF_HERE) {
        que.take(static_cast<mf::emulation::Buffers &>(*this), num, len, at);
        return true;
    }
    template <TPosition pos>
    __aicore__ inline bool InitBuffer(TBuf<pos> &buf, uint32_t len, mf::emulation::Site at = MF_HERE) {
        using namespace mf::emulation;
        buf.memory_ = allocate(space_of(pos), 1, len, "TBuf", at);
        buf.bytes_ = static_cast<uint32_t>(round_up_to_block(len));
        return true;
    }
    // Reserves `len` bytes for a pool of buffers; with `shareBuf` it shares the bytes of another pool.
    template <typename T> __aicore__ inline bool InitBufPool(T &bufPool, uint32_t len, mf::emulation::Site at = MF_HERE) {
        bufPool.begin(*this, allocate(mf::emulation::space_of(T::poolPos), 1, len, "TBufPool", at), len, at);
        return true;
    }
    template <typename T, typename U>
    __aicore__ inline bool InitBufPool(T &bufPool, uint32_t len, U &shareBuf, mf::emulation::Site at = MF_HERE) {
        bufPool.begin(*this, shareBuf.shared(len, at), len, at);
        return true;
    }
    // Creates a tensor at an address of a memory, independent of buffers.
    template <TPosition pos, typename T>
    __aicore__ inline LocalTensor<T> GetAbsAddr(int32_t offset, int32_t size, mf::emulation::Site at = MF_HERE) const {
        return LocalTensor<T>(pos, static_cast<uint32_t>(offset), static_cast<uint32_t>(size), at);
    }
    // Takes all buffers back. Pipes that fill queues wait for the free buffers of these. On the 950 MTE3
    // also waits for the vector pipe, and MTE2 and MTE3 for their own work; no other order.
    __aicore__ inline void Reset(mf::emulation::Site at = MF_HERE) {
        using namespace mf::emulation;
        if (IS_950 && place().is_vector) {
            await(Pipe::Mte3, moment(Pipe::Vector));
            await(Pipe::Mte2, moment(Pipe::Mte2));
            await(Pipe::Mte3, moment(Pipe::Mte3));
        }
        InitSocState();
        reset(at);
    }

    // Allocates a flag of the event, exclusive until it is released.
    template <HardEvent event> __aicore__ inline TEventID AllocEventID(mf::emulation::Site at = MF_HERE) {
        return static_cast<TEventID>(free_event(event, true, at));
    }
    template <HardEvent event> __aicore__ inline void ReleaseEventID(TEventID id, mf::emulation::Site at = MF_HERE) {
        release_event(event, id, at);
    }
    // A flag that is free now, without taking it.
    __aicore__ inline TEventID FetchEventID(HardEvent event, mf::emulation::Site at = MF_HERE) {
        return static_cast<TEventID>(free_event(event, false, at));
    }
    template <HardEvent event> __aicore__ inline TEventID FetchEventID(mf::emulation::Site at = MF_HERE) {
        return FetchEventID(event, at);
    }
};

// Returns the TPipe of this core; null if it has none.
__aicore__ inline TPipe *GetTPipePtr() { return mf::emulation::own_pipe; }

} // namespace AscendC

using AscendC::GetTPipePtr;
