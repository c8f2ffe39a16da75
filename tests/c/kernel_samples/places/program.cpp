// SPDX-License-Identifier: Apache-2.0 OR MIT
// Launches from a library that was found by a relative path, in another working directory than at its start.
// With an argument: removes that file, the library's, before; the stream must then fail.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <unistd.h>

extern "C" void launch_set_word(void *stream, void *data);

namespace {

void *acl = nullptr;

template <typename Function> Function find(const char *name) { return reinterpret_cast<Function>(dlsym(acl, name)); }

int failed(const char *what, int code)
{
    const char *why = find<const char *(*)()>("aclGetRecentErrMsg")();
    std::fprintf(stderr, "%s: %d: %s\n", what, code, why != nullptr ? why : "");
    return 1;
}

} // namespace

int main(int count, char **words)
{
    constexpr int NO_FILE = 100003;
    acl = dlopen("libascendcl.so", RTLD_NOW);
    if (acl == nullptr)
        return 2;
    void *stream = nullptr, *data = nullptr;
    int32_t word = 0;
    find<int (*)(const char *)>("aclInit")(nullptr);
    find<int (*)(int)>("aclrtSetDevice")(0);
    find<int (*)(void **)>("aclrtCreateStream")(&stream);
    find<int (*)(void **, size_t, int)>("aclrtMalloc")(&data, 64, 0);
    const auto synchronize = find<int (*)(void *)>("aclrtSynchronizeStream");
    const auto copy = find<int (*)(void *, size_t, const void *, size_t, int)>("aclrtMemcpy");
    if ((count > 1 && unlink(words[1]) != 0) || chdir("/") != 0)
        return 2;
    launch_set_word(stream, data);
    int code = synchronize(stream);
    if (count > 1)
        return code == NO_FILE ? 0 : failed("a launch from a library that is gone", code);
    if (code != 0 || (code = copy(&word, sizeof word, data, sizeof word, 2)) != 0)
        return failed("a launch", code);
    return word == 7 ? 0 : failed("the word", word);
}
