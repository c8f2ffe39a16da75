// SPDX-License-Identifier: Apache-2.0 OR MIT
// Engine: interface of the kernel headers (emulation/include) to the emulated core of the calling thread.
//
// Every call of Ascend C becomes an `Instruction` of a pipe, with the memory that it touches and a body that
// does the work. The engine decides when the body runs (pipes run behind the scalar code, in the order of
// issue within a pipe, and only flags, barriers and queues order one against another), and whether two
// instructions touch the same memory without such an order: that is a hazard, and a fault. A fault ends the
// launch; the calling thread leaves the kernel by an exception that only the engine catches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <vector>

// Says to headers for kernels that they are compiled for the host.
#define MF_EMULATION 1

namespace mf::emulation {

// Place of a call in the kernel's source. Every function for kernels ends with a parameter `Site at =
// MF_HERE`.
struct Site {
    const char *file;
    int line;
    static constexpr Site here(const char *file = __builtin_FILE(), int line = __builtin_LINE()) { return {file, line}; }
};
#define MF_HERE ::mf::emulation::Site::here()

// The pipes of a core. Scalar is the thread itself.
enum class Pipe : uint8_t { Scalar, Vector, Cube, Mte1, Mte2, Mte3, Fix, All };

// Local memories are offsets into an arena of the core; Global is device addresses.
// BiasTable: C2; FixpipeTable: C2PIPE2GM; the last but one: scales of the factors in L0A and L0B (950).
enum class Space : uint8_t { Ub, L1, L0a, L0b, L0c, BiasTable, FixpipeTable, L0aScales, L0bScales, Global };
constexpr int LOCAL_SPACES = 9;

enum class Mode : uint8_t { Read, Write, AtomicWrite };

// Memory that an instruction touches: `rows` pieces of `bytes` bytes, `step` bytes from one beginning to the
// next.
struct Access {
    Space space;
    Mode mode;
    uint64_t begin;
    uint64_t bytes;
    uint32_t rows = 1;
    uint64_t step = 0;
    // Only for Space::Global: what SetGlobalBuffer said, for bounds and texts; 0 bytes: not said.
    uint64_t buffer_begin = 0;
    uint64_t buffer_bytes = 0;
    // Only for writes to local memory: bytes at the end of each row that become undefined.
    uint32_t undefined = 0;
    // The hardware orders it after earlier work of the same pipe.
    bool follows_own_pipe = false;
    // Made through raw pointers before: its order is checked, and the bytes count as written.
    bool is_raw = false;
};

// Description of an instruction, without its body.
struct Head {
    Pipe pipe;
    const char *name; // as kernels call it: "DataCopy"
    Site site;
};

// Ends the launch with a fault; does not return. `rule` is the rule's name for tests and texts ("K4"), or
// empty.
[[noreturn]] void fault(const char *rule, Site at, const char *format, ...) __attribute__((format(printf, 3, 4)));

// Prints a warning, once per place and process: of a rule about code that is right on the device by luck, or
// of an operation that the device leaves out. `rule` as of fault().
void warn(const char *rule, Site at, const char *format, ...) __attribute__((format(printf, 3, 4)));

// Checks the accesses (bounds, rights, bytes never written) and the hazards, and runs `body` when its pipe
// gets there: at once in eager mode. The body may use local() and the global_* functions below, and nothing
// else of the engine.
void issue(const Head &head, std::initializer_list<Access> accesses, std::function<void()> body);
// The same with any number of accesses.
void issue_all(const Head &head, std::vector<Access> accesses, std::function<void()> body);
// The same with accesses that depend on earlier results of the pipe: calls `find` when all earlier
// instructions of the pipe have ended. Not for eager mode.
void issue_found(const Head &head, std::function<std::vector<Access>()> find, std::function<void()> body);
// Lets a pipe get on until all has ended that was issued to it, without making anything wait for it in the
// order of the program. `what` stands in the fault if the pipe waits for a flag that is not set yet.
void bring_up(Pipe pipe, const char *what, Site at);
// Eager mode, without hazards: headers may then run a body at once and skip making an Instruction; bounds
// still count.
bool is_eager();
void check_access(const Head &head, const Access &access);
// A scalar access to local memory: checked for hazards, then done by the caller at once.
void scalar_access(const char *name, const Access &access, Site at);

// Memory. Local: a pointer into the core's arena. Global: through the simulator, which keeps it in place
// meanwhile.
uint8_t *local(Space space, uint64_t offset);
uint64_t local_bytes(Space space);
// Element types of atomic writes and of arithmetic.
enum class Type : uint8_t { I8, U8, I16, U16, I32, U32, I64, U64, F16, BF16, F32 };
uint32_t bytes_of(Type type);
enum class Combine : uint8_t { Set, Add, Max, Min };
// Rows between local and global memory. In checked mode the pieces of a copy move in random order.
struct Rows {
    uint32_t rows;
    uint64_t bytes;
    uint64_t global_step; // from one beginning to the next
    uint64_t local_step;
};
void global_read(Space space, uint64_t offset, uint64_t global, const Rows &rows);
// The same into host memory: input of an instruction.
void global_read_to(uint8_t *to, uint64_t global, const Rows &rows);
void global_write(uint64_t global, Space space, uint64_t offset, const Rows &rows, Combine combine, Type type);
// The same from host memory: output of an instruction.
void global_write_from(uint64_t global, const uint8_t *from, const Rows &rows, Combine combine, Type type);

// Combines elements: dst[i] = a[i] (+|max|min) b[i], rounded as the hardware does. Implemented beside the
// vector calls; used by atomic writes too.
void combine(Combine combine, Type type, void *dst, const void *a, const void *b, size_t count);

// Order between pipes. A flag is binary; ids 0 to 7, of which 6 and 7 are the system's, and from OWN_FLAGS on
// as many for library calls, which a kernel's flags do not meet.
constexpr int OWN_FLAGS = 8;
void set_flag(Pipe from, Pipe to, int id, Site at);
void wait_flag(Pipe from, Pipe to, int id, Site at);
void barrier(Pipe pipe, Site at);
// Order without a flag, for queues. A moment of a pipe, and a pipe that waits for it.
struct Moment {
    uint64_t clock[7];
};
Moment moment(Pipe pipe);
void await(Pipe pipe, const Moment &moment);

// Returns true if the thread's call at this place is to be skipped: tests remove synchronization so.
// set_flag, wait_flag, barrier, cross-core calls and cache calls check it themselves.
bool is_left_out(Site at);

// Synchronizing calls between cores. SyncAll orders no pipe: only the scalar code synchronizes, and
// instructions that it has not waited for may still be in flight.
void sync_all(bool of_all_kinds, Site at);
void cross_core_set(int mode, Pipe pipe, unsigned id, Site at);
void cross_core_wait(int mode, Pipe pipe, unsigned id, Site at);
// For a wait on A2 and A3: a set of the id counts in any mode.
constexpr int ANY_MODE = -1;

// The scalar data cache: 64-byte lines, write back, not coherent with anything.
void cached_read(uint64_t global, void *to, uint32_t bytes, const char *name, Site at);
void cached_write(uint64_t global, const void *from, uint32_t bytes, const char *name, Site at);
enum class Lines : uint8_t { One, All };
void clean_and_invalidate(uint64_t global, Lines lines, Site at);

// Global memory past that cache, by the scalar code.
void past_cache(const char *name, Mode mode, uint64_t global, uint32_t bytes, void *value, Site at);
// The same as an atomic operation; `before` receives the previous value.
enum class WordChange : uint8_t { Add, Max, Min, Exchange, CompareExchange };
void change_word(const char *name, uint64_t global, Type type, WordChange how, const void *value, const void *expected,
                 void *before, Site at);

// Identity of the core. Vector and cube cores of a mixed kernel run the same function.
struct Place {
    uint32_t block_index;
    uint32_t block_count;
    uint32_t sub_block_index;
    uint32_t sub_block_count; // vector cores for each cube core; 1 for other kernels
    bool is_cube;
    bool is_vector;
    bool is_mixed; // cube and vector cores run the kernel together
};
const Place &place();
// Returns true if the kernel is compiled for the 950: this library is compiled once, for all products.
bool is_950();
uint64_t ub_bytes();       // of the core
uint64_t cycles();         // 50 a microsecond
[[noreturn]] void trap(Site at);
// A wait of the program (a loop that polls memory): lets the pipes and other blocks get on. `what` goes into
// the text of a timeout, e.g. "for the signal of rank 3"; may be null.
void waiting(const char *what, Site at);

// State of the core that the headers own, kept by the engine only so that it is checked at the end of the
// kernel.
struct Atomic {
    Combine combine = Combine::Set;
    Type type = Type::F32;
    Site site{nullptr, 0}; // of the call that set it
};
Atomic &atomic_state();
// The vector mask that calls use which bring none.
struct VectorMask {
    uint64_t words[2] = {~uint64_t{0}, ~uint64_t{0}};
    bool counts = false; // words[0] is a number of elements, of all repeats together
    uint64_t comparison[2] = {}; // of Compare without a destination
};
VectorMask &vector_mask();
// Sizes of an image in L1, with paddings (left, right, above, below) and the value outside of it.
struct Image {
    uint16_t height = 0;
    uint16_t width = 0;
    uint8_t pad[4] = {};
    uint8_t value[8] = {};
};
// Earlier settings that Fixpipe uses: the factor or the table of factors, and the number of matrices.
struct FixpipeSettings {
    uint64_t factor = 0;
    uint32_t table = 0; // place in the buffer of Fixpipe
    bool has_table = false;
    uint32_t matrices = 1;
    uint32_t source_step = 0;
    uint32_t destination_step = 0;
};
// Work of calls with a unit flag, which Mmad and Fixpipe pass CO1 by: the last of each.
struct UnitFlag {
    bool is_filled = false;
    bool is_emptied = false;
    Moment filled = {};
    Moment emptied = {};
};
// Outer loops of DataCopyPad on the 950, the first inside the second; strides in bytes.
struct CopyLoops {
    uint32_t inner = 1;
    uint32_t outer = 1;
    uint64_t inner_source = 0;
    uint64_t inner_destination = 0;
    uint64_t outer_source = 0;
    uint64_t outer_destination = 0;
};
// Registers that calls use which come later.
struct Registers {
    CopyLoops loops_in = {};
    CopyLoops loops_out = {};
    uint64_t control = 0; // as settings.h reads and writes it
    Image image = {};       // of the left factor
    Image right_image = {};
    uint16_t image_step = 0; // of LoadData on the 950: fractals from a column of the result to the next
    bool loads_images = true;
    FixpipeSettings fixpipe = {};
    UnitFlag unit = {};
    float deq_scale = 1;  // of Cast from int32_t to half
    bool pads = false;    // DataCopyPad fills the rest of the last block
    uint8_t padding[8] = {};
    // Last result of ReduceMax and ReduceMin, as the bits of their type.
    uint32_t extreme = 0;
    uint32_t place = 0;
    uint32_t merged[4] = {}; // of MrgSort: what it took of each list
};
Registers &registers();
// Of the call that the kernel made last.
Site latest_place();
void set_latest_place(Site at);
// The locks of a core between its pipes, by number: when the pipe that had one last was through.
constexpr uint32_t MUTEXES = 32;
struct Locks {
    uint32_t taken = 0; // a bit for each that AllocMutexID gave
    uint32_t held = 0;
    bool is_watched = false;
    bool was_used[MUTEXES] = {};
    Pipe holder[MUTEXES] = {};
    Moment since[MUTEXES] = {};
    Site site[MUTEXES] = {};
};
Locks &locks();
// A buffer of the unified buffer, so that faults name it; returns its offset. K3.
uint64_t allocate(Space space, uint64_t bytes, const char *what, Site at);
void free_all_buffers();
// The memory of an array that the kernel declares, the same for each use of a declaration by the core. K3.
void *local_array(const void *declaration, Space space, const char *name, uint64_t bytes, Site at);
// The memory behind those arrays.
void *dynamic_array(Space space, Site at);
// From a place to the end of its array or buffer; of its memory, where it is in none.
uint64_t bytes_behind(Space space, uint64_t offset);
// Called at the end of the kernel on the same thread: checks of the headers (tensors not freed).
void at_end(std::function<void()> check);

} // namespace mf::emulation
