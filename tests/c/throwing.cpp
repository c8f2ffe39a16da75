/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Callbacks that throw C++ exceptions end the process with a message that names them, also where the program
 * would catch the exception around its call. */
#include "ranks.h"

#include <signal.h>

#include <stdexcept>
#include <string>

#include "acc.h"

namespace {

void throwing_logger(int, const char *) { throw std::runtime_error("of the logger"); }

int throwing_check(void *) { throw std::runtime_error("of the interrupt check"); }

bool throwing_entry(const mfx_store_entry_t *, void *) { throw std::runtime_error("of the walk"); }

void throwing_watch(mfx_change_kind_t, const mfx_store_entry_t *, void *)
{
    throw std::runtime_error("of the watch");
}

int32_t throwing_request(void *, const smem_acc_message_t *, const void *, uint32_t, smem_acc_link_t) { throw 7; }

mfx_store_t store()
{
    char url[64];
    mfx_store_options_t options;
    free_url(url, sizeof url);
    OK(mfx_store_options_init(&options));
    options.worldSize = 2;
    options.wish = MFX_RANK_EXACTLY;
    options.rank = 0;
    options.flags = MFX_STORE_START;
    mfx_store_t store = mfx_store_connect(url, &options);
    CHECK(store != nullptr);
    return store;
}

void logger()
{
    smem_set_extern_logger(throwing_logger);
    smem_set_log_level(4);
    store();
}

void interrupt()
{
    mfx_store_t waiting = store();
    mfx_set_interrupt_check(throwing_check, nullptr);
    mfx_store_barrier(waiting, "b", 2, 60000);
}

void entry()
{
    mfx_store_t open = store();
    OK(mfx_store_set(open, "key", "value", 5));
    mfx_store_get_entry(open, "key", 0, throwing_entry, nullptr);
}

void watch()
{
    mfx_store_t open = store();
    uint64_t number = 0;
    OK(mfx_store_watch(open, "key", 1, throwing_watch, nullptr, &number));
    OK(mfx_store_set(open, "key", "value", 5));
    sleep(60);
}

void request()
{
    const uint16_t port = free_port();
    smem_acc_server_t server = echo_server(port, 1, nullptr);
    smem_acc_server_set_request_handler(server, ECHO, throwing_request, nullptr);
    smem_acc_server_t client = echo_server(0, 1, nullptr);
    const smem_acc_connect_request_t hello = connect_request(1);
    smem_acc_link_t link = nullptr;
    OK(smem_acc_server_connect(client, "127.0.0.1", port, &hello, 3, &link));
    OK(smem_acc_link_send(link, ECHO, 0, 1, "x", 1));
    sleep(60);
}

/* Standard error of a child that does this; "" unless it aborts. */
std::string last_words(void (*act)())
{
    int ends[2];
    CHECK(pipe(ends) == 0);
    fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        try {
            act();
        } catch (...) {
            fprintf(stderr, "it came back\n");
            _exit(3);
        }
        _exit(4);
    }
    close(ends[1]);
    std::string text;
    char buffer[512];
    for (ssize_t count; (count = read(ends[0], buffer, sizeof buffer)) > 0;) {
        text.append(buffer, static_cast<std::size_t>(count));
    }
    close(ends[0]);
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    return text;
}

void names(void (*act)(), const char *name)
{
    const std::string text = last_words(act);
    const bool is_named = text.find("an exception left the callback " + std::string(name)) != std::string::npos;
    CHECK(is_named);
    if (!is_named) fprintf(stderr, "%s: %s\n", name, text.c_str());
}

} // namespace

int main()
{
    names(logger, "the logger of smem_set_extern_logger");
    names(interrupt, "mfx_interrupt_check_cb");
    names(entry, "mfx_store_entry_cb");
    names(watch, "mfx_store_watch_cb");
    names(request, "smem_acc_request_cb");
    return check_result();
}
