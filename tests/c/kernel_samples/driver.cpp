// SPDX-License-Identifier: Apache-2.0 OR MIT
// Runs the samples of a library of kernels: every function `sample_*` of it, named on the command line, on a
// separate stream. Each launches kernels by `<<<…>>>` and checks their results.
#include <cstdio>
#include <dlfcn.h>

namespace {

void *library_of(const char *path, int mode)
{
    void *library = dlopen(path, mode);
    if (library == nullptr)
        std::fprintf(stderr, "%s\n", dlerror());
    return library;
}

} // namespace

int main(int count, char **words)
{
    if (count < 3)
        return 2;
    void *acl = library_of("libascendcl.so", RTLD_NOW | RTLD_GLOBAL);
    void *samples = acl != nullptr ? library_of(words[1], RTLD_NOW) : nullptr;
    if (samples == nullptr)
        return 1;
    const auto init = reinterpret_cast<int (*)(const char *)>(dlsym(acl, "aclInit"));
    const auto set_device = reinterpret_cast<int (*)(int)>(dlsym(acl, "aclrtSetDevice"));
    const auto error = reinterpret_cast<const char *(*)()>(dlsym(acl, "aclGetRecentErrMsg"));
    const auto create = reinterpret_cast<int (*)(void **)>(dlsym(acl, "aclrtCreateStream"));
    if (init(nullptr) != 0 || set_device(0) != 0)
        return 1;
    int failed = 0;
    for (int i = 2; i < count; i++) {
        void *stream = nullptr;
        const auto sample = reinterpret_cast<int (*)(void *)>(dlsym(samples, words[i]));
        if (sample == nullptr || create(&stream) != 0 || sample(stream) != 0) {
            const char *why = error();
            std::fprintf(stderr, "%s failed: %s\n", words[i], why != nullptr ? why : "no error of ACL");
            failed++;
        }
    }
    return failed == 0 ? 0 : 1;
}
