/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/process/library.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/** The loader begins with the file that it lacks: that of a library that this one needs is another. */
static bool is_absent(const char *name, const char *error)
{
    return strncmp(error, name, strlen(name)) == 0 && strstr(error, "No such file");
}

int library_open(const char *const *names, const struct library_symbol *symbols, size_t count, void *functions,
                 char *why, size_t size)
{
    const char *loaded = NULL;
    void *handle = NULL;
    int status = -ENOENT;
    snprintf(why, size, "it is not installed");
    for (; *names && !handle; names++) {
        handle = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
        const char *error = handle ? NULL : dlerror();
        if (handle)
            loaded = *names;
        else if (error && !is_absent(*names, error)) { /* there, but broken */
            snprintf(why, size, "%s", error);
            status = -ELIBBAD;
        }
    }
    if (!handle)
        return status;
    for (size_t s = 0; s < count; s++) {
        void *address = dlsym(handle, symbols[s].name);
        if (!address) {
            snprintf(why, size, "%s has no %s", loaded, symbols[s].name);
            dlclose(handle);
            return -ELIBBAD;
        }
        /* ISO C has no conversion from void * to a function pointer; POSIX promises the same representation. */
        memcpy((char *)functions + symbols[s].offset, &address, sizeof address);
    }
    snprintf(why, size, "%s", "");
    return 0;
}
