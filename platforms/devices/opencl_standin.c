/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For tests: what is installed on this machine does not show. KNEEPOINT_OPENCL=LIBRARY is the loader, KNEEPOINT_OPENCL_MS how long it may
 * take; without it, and on a recorded machine, there is none. KNEEPOINT_OPENCL_KEPT is a folder where what a driver compiles is kept for
 * other processes, instead of the one that is removed. KNEEPOINT_OPENCL_BUFFER: a device has no larger buffer than that, in bytes, so that what
 * is read from its memory is written there in little time.
 */
#include <stdlib.h>

#include "platforms/devices/opencl.h"
#include "platforms/devices/opencl_query.h"
#include "platforms/machine/machine_standin.h"

void __real_opencl_source_host(struct opencl_source *source);
void __wrap_opencl_source_host(struct opencl_source *source);

int __real_opencl_load(const char *const *libraries, const char *folder, struct opencl_functions *opencl, char *why,
                       size_t size);
int __wrap_opencl_load(const char *const *libraries, const char *folder, struct opencl_functions *opencl, char *why,
                       size_t size);

void __wrap_opencl_source_host(struct opencl_source *source)
{
    static const char *libraries[2];
    const char *limit_ms = getenv("KNEEPOINT_OPENCL_MS");
    __real_opencl_source_host(source);
    libraries[0] = machine_standin_folder() ? NULL : getenv("KNEEPOINT_OPENCL");
    source->libraries = libraries;
    if (limit_ms)
        source->limit_ms = (unsigned)strtoul(limit_ms, NULL, 10);
}

int __wrap_opencl_load(const char *const *libraries, const char *folder, struct opencl_functions *opencl, char *why,
                       size_t size)
{
    const char *kept = getenv("KNEEPOINT_OPENCL_KEPT");
    return __real_opencl_load(libraries, folder && kept ? kept : folder, opencl, why, size);
}

int __real_opencl_query(const struct opencl_functions *opencl, struct opencl_listing *listing,
                        void *handles[OPENCL_DEVICES], int32_t *error);
int __wrap_opencl_query(const struct opencl_functions *opencl, struct opencl_listing *listing,
                        void *handles[OPENCL_DEVICES], int32_t *error);

int __wrap_opencl_query(const struct opencl_functions *opencl, struct opencl_listing *listing,
                        void *handles[OPENCL_DEVICES], int32_t *error)
{
    const char *given = getenv("KNEEPOINT_OPENCL_BUFFER");
    const uint64_t most = given ? strtoull(given, NULL, 10) : UINT64_MAX;
    int status = __real_opencl_query(opencl, listing, handles, error);
    for (uint32_t d = 0; d < listing->device_count; d++) {
        if (listing->devices[d].buffer_bytes > most)
            listing->devices[d].buffer_bytes = most;
    }
    return status;
}
