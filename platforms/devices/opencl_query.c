/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/devices/opencl_query.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "platforms/devices/opencl_facts.h"

/* clGetPlatformInfo and clGetDeviceInfo alike. */
typedef int32_t opencl_ask(void *of, uint32_t what, size_t room, void *value, size_t *bytes);

/** Longer is no text: the longest list of extensions has some kilobytes. */
enum { TEXT_MOST = 1 << 20 };

/** @return 0 with a text to free(), or NULL where there is none; -ENOMEM */
static int read_text(opencl_ask *ask, void *of, uint32_t what, char **text)
{
    size_t bytes = 0;
    *text = NULL;
    if (ask(of, what, 0, NULL, &bytes) != 0 || bytes == 0 || bytes > TEXT_MOST)
        return 0;
    char *read = calloc(bytes + 1, 1); /* a driver may leave out the end */
    if (!read)
        return -ENOMEM;
    if (ask(of, what, bytes, read, NULL) == 0) {
        *text = read;
        return 0;
    }
    free(read);
    return 0;
}

static int read_short_text(opencl_ask *ask, void *of, uint32_t what, char text[OPENCL_TEXT])
{
    char *read;
    int error = read_text(ask, of, what, &read);
    opencl_text(read ? read : "", text, OPENCL_TEXT);
    free(read);
    return error;
}

/** @return 0 where the driver has no number of so many bytes */
static uint64_t read_number(opencl_ask *ask, void *of, uint32_t what, size_t bytes, bool *known)
{
    uint64_t number = 0; /* little-endian, as all machines here */
    size_t got = 0;
    *known = ask(of, what, bytes, &number, &got) == 0 && got == bytes;
    return *known ? number : 0;
}

static void read_intel_sizes(opencl_ask *ask, void *of, uint32_t sizes[OPENCL_SUB_GROUPS])
{
    size_t read[OPENCL_SUB_GROUPS] = {0}, bytes = 0;
    if (ask(of, DEVICE_SUB_GROUP_SIZES, sizeof read, read, &bytes) != 0)
        return;
    for (size_t i = 0; i < OPENCL_SUB_GROUPS && i < bytes / sizeof read[0]; i++)
        sizes[i] = (uint32_t)read[i];
}

/** OpenCL itself has no query for it before a kernel is compiled; vendors have. */
static void read_sub_groups(opencl_ask *ask, void *of, const char *extensions, struct opencl_device *device)
{
    static const struct {
        const char *extension;
        uint32_t what;
    } widths[] = {
        {"cl_nv_device_attribute_query", DEVICE_WARP_SIZE},
        {"cl_amd_device_attribute_query", DEVICE_WAVEFRONT_WIDTH},
    };
    bool known;
    if (opencl_has_extension(extensions, "cl_intel_required_subgroup_size") == OPENCL_YES)
        read_intel_sizes(ask, of, device->sub_group_sizes);
    for (size_t w = 0; w < sizeof widths / sizeof widths[0] && !device->sub_group_sizes[0]; w++)
        if (opencl_has_extension(extensions, widths[w].extension) == OPENCL_YES)
            device->sub_group_sizes[0] = (uint32_t)read_number(ask, of, widths[w].what, 4, &known);
    uint64_t most = read_number(ask, of, DEVICE_MAX_NUM_SUB_GROUPS, 4, &known);
    device->sub_groups = device->sub_group_sizes[0] || most ? OPENCL_YES : known ? OPENCL_NO : OPENCL_UNKNOWN;
}

static void read_sizes(opencl_ask *ask, void *of, struct opencl_device *device)
{
    bool known;
    device->kind = opencl_kind_of(read_number(ask, of, DEVICE_TYPE, 8, &known));
    device->compute_units = (uint32_t)read_number(ask, of, DEVICE_MAX_COMPUTE_UNITS, 4, &known);
    device->clock_mhz = (uint32_t)read_number(ask, of, DEVICE_MAX_CLOCK_FREQUENCY, 4, &known);
    device->memory_bytes = read_number(ask, of, DEVICE_GLOBAL_MEM_SIZE, 8, &known);
    device->buffer_bytes = read_number(ask, of, DEVICE_MAX_MEM_ALLOC_SIZE, 8, &known);
    device->local_bytes = read_number(ask, of, DEVICE_LOCAL_MEM_SIZE, 8, &known);
    device->cache_bytes = read_number(ask, of, DEVICE_GLOBAL_MEM_CACHE_SIZE, 8, &known);
    device->group_items = read_number(ask, of, DEVICE_MAX_WORK_GROUP_SIZE, sizeof(size_t), &known);
    device->timer_ns = read_number(ask, of, DEVICE_PROFILING_TIMER_RESOLUTION, sizeof(size_t), &known);
    uint64_t local = read_number(ask, of, DEVICE_LOCAL_MEM_TYPE, 4, &known);
    device->local_is_own = local == 1 ? OPENCL_YES : local == 2 ? OPENCL_NO : OPENCL_UNKNOWN;
}

static int read_device(opencl_ask *ask, void *of, struct opencl_device *device)
{
    char *extensions;
    int error = read_text(ask, of, DEVICE_EXTENSIONS, &extensions);
    if (!error)
        error = read_short_text(ask, of, DEVICE_NAME, device->name);
    if (!error)
        error = read_short_text(ask, of, DRIVER_VERSION, device->driver);
    if (!error)
        error = read_short_text(ask, of, DEVICE_VERSION, device->version);
    read_sizes(ask, of, device);
    read_sub_groups(ask, of, extensions, device);
    device->fp16 = opencl_has_extension(extensions, "cl_khr_fp16");
    device->integer_dot_product = opencl_has_extension(extensions, "cl_khr_integer_dot_product");
    free(extensions);
    return error;
}

/** A platform without devices is none with an error. */
static int read_devices(const struct opencl_functions *opencl, void *of, struct opencl_listing *listing, void **handles)
{
    struct opencl_platform *platform = &listing->platforms[listing->platform_count];
    void *devices[OPENCL_DEVICES];
    uint32_t count = 0;
    int32_t refused = opencl->clGetDeviceIDs(of, opencl_type_all, OPENCL_DEVICES, devices, &count);
    if (refused != 0 && refused != OPENCL_DEVICE_NOT_FOUND)
        platform->error = refused;
    platform->devices = refused == 0 ? count : 0;
    int error = 0;
    for (uint32_t d = 0; d < platform->devices && !error; d++) {
        if (d == OPENCL_DEVICES || listing->device_count == OPENCL_DEVICES) {
            listing->unlisted += platform->devices - d;
            break;
        }
        handles[listing->device_count] = devices[d];
        struct opencl_device *device = &listing->devices[listing->device_count++];
        device->platform = listing->platform_count;
        error = read_device(opencl->clGetDeviceInfo, devices[d], device);
    }
    return error;
}

int opencl_load(const char *const *libraries, const char *folder, struct opencl_functions *opencl, char *why,
                size_t size)
{
    static const struct library_symbol symbols[] = {
#define SYMBOL(function) LIBRARY_SYMBOL(opencl_functions, function)
        OPENCL_FUNCTIONS(SYMBOL)};
    /* PoCL makes a folder in ~/.cache when it is loaded, and 3.1 leaves a file in it each time, for its handler of SIGFPE. */
    if (setenv("POCL_CACHE_DIR", folder ? folder : "/dev", 1) != 0 || setenv("POCL_SIGFPE_HANDLER", "0", 1) != 0)
        return -ENOMEM;
    return library_open(libraries, symbols, sizeof symbols / sizeof symbols[0], opencl, why, size);
}

int opencl_query(const struct opencl_functions *opencl, struct opencl_listing *listing, void *handles[OPENCL_DEVICES],
                 int32_t *error)
{
    void *platforms[OPENCL_PLATFORMS];
    uint32_t count = 0;
    *error = opencl->clGetPlatformIDs(OPENCL_PLATFORMS, platforms, &count);
    if (*error == OPENCL_PLATFORM_NOT_FOUND)
        return 0;
    if (*error != 0)
        return -EIO;
    int status = 0;
    for (uint32_t p = 0; p < count && p < OPENCL_PLATFORMS && !status; p++) {
        struct opencl_platform *platform = &listing->platforms[p];
        status = read_short_text(opencl->clGetPlatformInfo, platforms[p], PLATFORM_NAME, platform->name);
        if (!status)
            status = read_short_text(opencl->clGetPlatformInfo, platforms[p], PLATFORM_VERSION, platform->version);
        if (!status)
            status = read_devices(opencl, platforms[p], listing, handles);
        listing->platform_count++;
    }
    return status;
}
