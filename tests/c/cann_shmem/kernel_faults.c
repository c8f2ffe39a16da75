/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Mistakes in kernels of CANN SHMEM, and PEs that die: each launch ends with an error that says what and
 * where. The first argument is the binary of kernels/faults.cpp. Runs on an accelerator only, on two PEs or
 * more. */
#include <shmem.h>
#include <smem/host/mfx.h>
#include <smem/host/smem.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "acl.h"

static mfx_kernel_t binary;

/* True if the launch fails with a text that has both parts. */
static void fails(const char *kernel, const void *memory, const void *other, int number, const char *what, const char *where)
{
    const mfx_launch_options_t options = { 1, 0, NULL };
    const uint64_t words[] = { (uint64_t)(size_t)memory, (uint64_t)(size_t)other, (uint64_t)number };
    const int code = mfx_kernel_launch(binary, kernel, NULL, &options, words, strcmp(kernel, "meet") == 0 ? 0 : sizeof words);
    const char *text = smem_get_last_err_msg();
    if (code == 0 || strstr(text, what) == NULL || strstr(text, where) == NULL) printf("%s %d: %d %s\n", kernel, number, code, text);
    CHECK(code != 0 && strstr(text, what) != NULL && strstr(text, where) != NULL);
}

/* True if the launch succeeds, and prints a warning that begins with both parts; none if they are empty. */
static void warns(const void *memory, const void *other, int number, const char *rule, const char *what)
{
    const mfx_launch_options_t options = { 1, 0, NULL };
    const uint64_t words[] = { (uint64_t)(size_t)memory, (uint64_t)(size_t)other, (uint64_t)number };
    char text[4096] = "";
    FILE *file = tmpfile();
    const int own = dup(2);
    CHECK(file != NULL && own >= 0 && dup2(fileno(file), 2) == 2);
    const int code = mfx_kernel_launch(binary, "mistake", NULL, &options, words, sizeof words);
    CHECK(dup2(own, 2) == 2 && close(own) == 0);
    rewind(file);
    const size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    const int is_named = *rule == '\0' ? length == 0 : strstr(text, rule) != NULL && strstr(text, what) != NULL;
    if (code != 0 || !is_named) printf("mistake %d: %d %s %s\n", number, code, smem_get_last_err_msg(), text);
    CHECK(code == 0 && is_named);
}

static int notified;
static void note(void *info) { notified += info != NULL; }

/* Bytes that a report prints, which begin with `expected`, and have `also` in them. */
static size_t reported(const char *expected, const char *also)
{
    char text[4096] = "";
    FILE *file = tmpfile();
    fflush(stdout);
    const int own = dup(1);
    CHECK(file != NULL && own >= 0 && dup2(fileno(file), 1) == 1);
    CHECK_CODE(aclshmemx_report_exception(), 0);
    CHECK(dup2(own, 1) == 1 && close(own) == 0);
    rewind(file);
    const size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    const int is_expected = strncmp(text, expected, strlen(expected)) == 0 && strstr(text, also) != NULL;
    if (!is_expected) printf("reported: %s\n", text);
    CHECK(is_expected);
    return length;
}

/* The last PE is a child, and its parent expects its death. Before this process has threads. */
static void die_as_child(void)
{
    const pid_t child = job_rank() == job_ranks() - 1 && job_ranks() > 1 && getenv("MF_SHMEM_GENERATION") == NULL ? fork() : 0;
    int status = 0;
    if (child == 0) return;
    CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    _exit(check_result());
}

/* Returns when all survivors have called this: others would miss one that ended before, in place of the
 * dead PE. */
static void end_together(int32_t *arrived, int survivors, int me)
{
    int there = 0;
    for (int pe = 0; pe < survivors; pe++) aclshmem_int32_p(arrived + me, 1, pe);
    for (int waited_ms = 0; there < survivors && waited_ms < 30000; waited_ms += 10) {
        usleep(10000);
        there = 0;
        for (int pe = 0; pe < survivors; pe++) there += aclshmem_int32_g(arrived + pe, me);
    }
    CHECK_CODE(there, survivors);
}

int main(int count, char **words)
{
    die_as_child();
    open_acl();
    if (!has_device) {
        printf("skip: there is no libascendcl.so, which kernels need\n");
        return 0;
    }
    CHECK(count == 2);
    const int me = job_rank(), pes = job_ranks();
    aclshmemx_init_attr_t attr = job_attributes(0);
    attr.option_attr.control_operation_timeout = 3;
    CHECK_CODE(aclshmemx_enable_exception_report(note, ACLSHMEMX_EXCEPTION_REPORT_DEBUG), 0);
    CHECK_CODE(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attr), 0);
    CHECK(reported("", "") == 0);
    CHECK_CODE(mfx_kernel_load(words[1], &binary), 0);
    char *memory = (char *)aclshmem_calloc(1024, 4), *freed = (char *)aclshmem_malloc(256);
    aclshmem_free(freed);
    const char *generation = getenv("MF_SHMEM_GENERATION");
    if (generation != NULL) {
        fails("mistake", memory, memory, 1, "of another generation: it has 32944 bytes", "faults.cpp:10");
    } else {
        char text[64];
        snprintf(text, sizeof text, "there is no PE %d: the PEs are 0 to %d", pes, pes - 1);
        fails("mistake", memory, memory, 0, text, "faults.cpp:14");
        /* The runtime has said so, and it is reported once. */
        snprintf(text, sizeof text, "aclshmem exception: pe %d device %d stream ", me, me % 2);
        CHECK(notified == 1);
        char state[64];
        snprintf(state, sizeof state, "\n  state bytes 32992 pe %d pes %d mapped %d\n", me, pes, pes);
        CHECK(reported(text, state) > 600 && reported("", "") == 0);
        fails("mistake", memory, memory, 1, "there is no PE -1", "faults.cpp:15");
        fails("mistake", memory, freed, 2, "no block of the symmetric heap in use is there", "faults.cpp:16");
        fails("mistake", memory, (char *)aclshmemx_get_heap_base(DEVICE_SIDE) + (64 << 20), 2, "not in the symmetric heap", "faults.cpp:16");
        fails("mistake", memory, &attr, 2, "not in the symmetric heap", "faults.cpp:16");
        fails("mistake", memory, memory, 3, "do not end in their block", "faults.cpp:17");
        fails("mistake", memory, memory, 4, "aligned to 4 bytes", "faults.cpp:18");
        fails("mistake", memory, memory, 5, "no signal operation 7", "faults.cpp:19");
        fails("mistake", memory, memory, 6, "no comparison 9", "faults.cpp:20");
        fails("mistake", memory, memory, 7, "a stride is less than 1", "faults.cpp:21");
        fails("mistake", memory, memory, 8, "no staging part", "faults.cpp:22");
        fails("mistake", memory, memory, 9, "no rank met the kernel's wait in time", "faults.cpp:23");
        warns(memory, memory, 11, "K7", "nothing waits for");
        fails("mistake", memory, memory, 12, "an atomic operation on 4 bytes", "faults.cpp:28");
        fails("mistake", memory, &attr, 13, "not in the symmetric heap", "faults.cpp:29");
        fails("mistake", memory, memory, 14, "engine UDMA takes a buffer of at least 64 bytes, aligned to 32", "faults.cpp:30");
        fails("mistake", memory, memory, 15, "they must be three", "faults.cpp:31");
        fails("mistake", memory, memory, 16, "engine SDMA: cache operation 9", "faults.cpp:32");
        fails("mistake", memory, memory, 17, "a kernel raises no notify", "faults.cpp:33");
        warns(memory, memory, 18, "K7", "nothing waits for");
        fails("mistake", memory, memory, 19, "there is no PE 77", "faults.cpp:37");
        fails("mistake", memory, memory, 20, "engine UDMA has no queue pair 1: there are 1", "faults.cpp:38");
        fails("mistake", memory, memory, 21, "engine ROCE has no queue pair 1", "faults.cpp:39");
        fails("mistake", memory, memory, 22, "engine SDMA has no queue pair 72: there are 72", "faults.cpp:40");
        fails("mistake", memory, memory, 23, "a kernel raises no notify", "faults.cpp:41");
        fails("mistake", memory, memory, 24, "they must be three", "faults.cpp:42");
        fails("mistake", memory, memory, 25, "a copy differs from the 1 deferred copies of its batch", "faults.cpp:47");
        fails("mistake", memory, memory, 26, "a batch has 1022 deferred copies", "faults.cpp:54");
        fails("mistake", memory, memory, 27,
              "aclshmemx_udma_put_nbi: a batch has 3 deferred copies, and its buffer of 256 bytes takes at most 4", "faults.cpp:63");
        fails("mistake", memory, memory, 28,
              "aclshmemx_udma_get_nbi: a batch has 2 deferred copies, and its buffer of 192 bytes takes at most 3", "faults.cpp:69");
        fails("mistake", memory, memory, 29,
              "aclshmemx_roce_put_nbi: a batch has 0 deferred copies, and its buffer of 128 bytes takes at most 0", "faults.cpp:77");
        warns(memory, memory, 30, "", "");
        /* The program knows the address of the heap now, so it may use what is in no block. */
        warns(memory, freed, 2, "faults.cpp:16", "no block of the symmetric heap in use is ");
        /* A signal for oneself is in other memory of the device. */
        void *signal = NULL;
        CHECK_CODE(acl.allocate(&signal, 64, HUGE_FIRST), 0);
        warns(memory, signal, 31, "", "");
        CHECK_CODE(acl.release(signal), 0);
        aclshmem_barrier_all();
        /* The last PE dies; the others wait for it, in two ways. */
        if (pes > 1 && me == pes - 1) kill(getpid(), SIGKILL);
        char name[32];
        snprintf(name, sizeof name, "rank %d, which is gone", pes - 1);
        if (pes > 1) {
            fails("mistake", memory, memory, 10, name, "faults.cpp:24");
            fails("meet", NULL, NULL, 0, name, "faults.cpp");
            end_together((int32_t *)memory + 512, pes - 1, me);
            _exit(check_result());
        }
    }
    /* The heap ends under a kernel that waits in it: the kernel ends, too. */
    if (generation == NULL) {
        const mfx_launch_options_t on_stream = { 1, 0, MFX_DEFAULT_STREAM };
        const uint64_t arguments[] = { (uint64_t)(size_t)memory, 0, 10 };
        CHECK_CODE(mfx_kernel_launch(binary, "mistake", NULL, &on_stream, arguments, sizeof arguments), 0);
    }
    CHECK_CODE(aclshmem_finalize(), 0);
    CHECK_CODE(mfx_kernel_unload(binary), 0);
    return check_result();
}
