/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/devices/opencl_work.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platforms/clock/clock.h"
#include "platforms/devices/opencl_facts.h"
#include "platforms/devices/opencl_query.h"

/* ---- errors ---- */

void opencl_error_text(int32_t error, char *text, size_t size)
{
    static const struct {
        int32_t error;
        const char *name;
    } names[] = {
        {-1, "device not found"},
        {-2, "device not available: it may be lost, or in use"},
        {-3, "compiler not available"},
        {-4, "memory object allocation failure"},
        {-5, "out of resources: the device may be lost"},
        {-6, "out of host memory"},
        {-7, "profiling information not available"},
        {OPENCL_BUILD_FAILED, "build program failure"},
        {-12, "map failure"},
        {-14, "a command failed"},
        {-36, "invalid command queue: the device may be lost"},
        {-54, "invalid work group size"},
        {-61, "invalid buffer size"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (names[i].error == error) {
            snprintf(text, size, "%s (%d)", names[i].name, error);
            return;
        }
    }
    snprintf(text, size, "OpenCL error %d", error);
}

static int fail(struct opencl_work *work, const char *call, int32_t error)
{
    char text[96];
    if (!error)
        return 0;
    opencl_error_text(error, text, sizeof text);
    snprintf(work->why, sizeof work->why, "%s: %s", call, text);
    return -EIO;
}

/* ---- a device ---- */

static int choose(struct opencl_work *work, uint32_t index)
{
    struct opencl_listing *listing = calloc(1, sizeof *listing);
    void *handles[OPENCL_DEVICES];
    int32_t refused = 0;
    int error = listing ? opencl_query(&work->opencl, listing, handles, &refused) : -ENOMEM;
    if (error == -EIO)
        fail(work, "clGetPlatformIDs", refused);
    else if (error)
        snprintf(work->why, sizeof work->why, "%s", strerror(-error));
    if (!error && index >= listing->device_count) {
        snprintf(work->why, sizeof work->why, "the device is gone: it is not listed any more");
        error = -ENODEV;
    }
    if (!error) {
        work->facts = listing->devices[index];
        work->device = handles[index];
    }
    free(listing);
    return error;
}

int opencl_work_open(const struct opencl_source *source, const char *folder, uint32_t index, struct opencl_work *work)
{
    int32_t refused = 0;
    *work = (struct opencl_work){0};
    int error = opencl_load(source->libraries, folder, &work->opencl, work->why, sizeof work->why);
    if (!error)
        error = choose(work, index);
    if (error)
        return error;
    work->context = work->opencl.clCreateContext(NULL, 1, &work->device, NULL, NULL, &refused);
    if (refused)
        return fail(work, "clCreateContext", refused);
    work->queue = work->opencl.clCreateCommandQueue(work->context, work->device, QUEUE_PROFILING, &refused);
    return fail(work, "clCreateCommandQueue", refused);
}

/* ---- programs ---- */

/** The first lines that say something, on one line. */
static void add_log(struct opencl_work *work, void *program)
{
    enum { LOG_MOST = 1 << 20 };
    size_t bytes = 0, used = strlen(work->why);
    char *log = NULL;
    if (work->opencl.clGetProgramBuildInfo(program, work->device, PROGRAM_BUILD_LOG, 0, NULL, &bytes) == 0 &&
        bytes > 0 && bytes < LOG_MOST)
        log = calloc(bytes + 1, 1);
    if (log && work->opencl.clGetProgramBuildInfo(program, work->device, PROGRAM_BUILD_LOG, bytes, log, NULL) == 0) {
        used += (size_t)snprintf(work->why + used, sizeof work->why - used, ": ");
        opencl_text(log, work->why + used, sizeof work->why - used);
    }
    free(log);
}

int opencl_work_build(struct opencl_work *work, const char *text, const char *options, void **program)
{
    int32_t refused = 0;
    *program = work->opencl.clCreateProgramWithSource(work->context, 1, &text, NULL, &refused);
    if (refused)
        return fail(work, "clCreateProgramWithSource", refused);
    refused = work->opencl.clBuildProgram(*program, 1, &work->device, options, NULL, NULL);
    int error = fail(work, "clBuildProgram", refused);
    if (error)
        add_log(work, *program);
    return error;
}

int opencl_work_kernel(struct opencl_work *work, void *program, const char *name, void **kernel)
{
    int32_t refused = 0;
    *kernel = work->opencl.clCreateKernel(program, name, &refused);
    return fail(work, "clCreateKernel", refused);
}

int opencl_work_argument(struct opencl_work *work, void *kernel, uint32_t place, size_t bytes, const void *value)
{
    return fail(work, "clSetKernelArg", work->opencl.clSetKernelArg(kernel, place, bytes, value));
}

/* ---- memory ---- */

int opencl_work_buffer(struct opencl_work *work, size_t bytes, bool mappable, void **buffer)
{
    int32_t refused = 0;
    *buffer = work->opencl.clCreateBuffer(work->context, mappable ? MEMORY_ANY | MEMORY_HOST : MEMORY_ANY, bytes, NULL,
                                          &refused);
    return fail(work, "clCreateBuffer", refused);
}

int opencl_work_map(struct opencl_work *work, void *buffer, size_t bytes, void **host)
{
    int32_t refused = 0;
    *host = work->opencl.clEnqueueMapBuffer(work->queue, buffer, 1, MAP_TO_WRITE, 0, bytes, 0, NULL, NULL, &refused);
    return fail(work, "clEnqueueMapBuffer", refused);
}

int opencl_work_write(struct opencl_work *work, void *buffer, size_t at, const void *host, size_t bytes)
{
    return fail(work, "clEnqueueWriteBuffer",
                work->opencl.clEnqueueWriteBuffer(work->queue, buffer, 1, at, bytes, host, 0, NULL, NULL));
}

int opencl_work_read(struct opencl_work *work, void *buffer, void *host, size_t bytes)
{
    return fail(work, "clEnqueueReadBuffer",
                work->opencl.clEnqueueReadBuffer(work->queue, buffer, 1, 0, bytes, host, 0, NULL, NULL));
}

/* ---- series ---- */

/** What a series repeats: launches of kernels, or else a write. */
struct command {
    const struct opencl_launch *launch;
    size_t count; /* of launches, or 1 */
    void *buffer;
    const void *host;
    size_t bytes;
};

static int enqueue_kernel(struct opencl_work *work, const struct opencl_launch *launch, void **event)
{
    const struct opencl_turn *turn = launch->turn;
    if (turn) {
        const uint64_t value = (*turn->next)++ % turn->count * turn->step;
        int error = opencl_work_argument(work, launch->kernel, turn->place, sizeof value, &value);
        if (error)
            return error;
    }
    return fail(work, "clEnqueueNDRangeKernel",
                work->opencl.clEnqueueNDRangeKernel(work->queue, launch->kernel, 1, NULL, &launch->items,
                                                    &launch->group, 0, NULL, event));
}

static int enqueue(struct opencl_work *work, const struct command *command, size_t i, void **event)
{
    const struct opencl_functions *opencl = &work->opencl;
    if (command->launch)
        return enqueue_kernel(work, &command->launch[i % command->count], event);
    return fail(work, "clEnqueueWriteBuffer",
                opencl->clEnqueueWriteBuffer(work->queue, command->buffer, 0, 0, command->bytes, command->host, 0, NULL,
                                             event));
}

static int profiled_ns(struct opencl_work *work, void *event, uint32_t what, uint64_t *ns)
{
    return fail(work, "clGetEventProfilingInfo",
                work->opencl.clGetEventProfilingInfo(event, what, sizeof *ns, ns, NULL));
}

static int run_series(struct opencl_work *work, const struct command *command, unsigned times,
                      struct opencl_series *series)
{
    const size_t count = command->count * times;
    void *first = NULL, *last = NULL;
    uint64_t start = 0, end = 0;
    int error = 0;
    double begin_s = clock_monotonic_s();
    for (size_t i = 0; i < count && !error; i++) {
        error = enqueue(work, command, i, i == 0 ? &first : i == count - 1 ? &last : NULL);
        if (i == 0 && !error)
            error = fail(work, "clFlush", work->opencl.clFlush(work->queue));
    }
    if (!error)
        error = fail(work, "clFinish", work->opencl.clFinish(work->queue));
    series->host_s = clock_monotonic_s() - begin_s;
    if (!error)
        error = profiled_ns(work, first, PROFILING_START, &start);
    if (!error)
        error = profiled_ns(work, last ? last : first, PROFILING_END, &end);
    series->device_s = 1e-9 * (double)(int64_t)(end - start);
    if (first)
        work->opencl.clReleaseEvent(first);
    if (last)
        work->opencl.clReleaseEvent(last);
    return error;
}

int opencl_work_launch(struct opencl_work *work, const struct opencl_launch *launch, size_t count, unsigned times,
                       struct opencl_series *series)
{
    return run_series(work, &(struct command){.launch = launch, .count = count}, times, series);
}

int opencl_work_send(struct opencl_work *work, void *buffer, const void *host, size_t bytes, unsigned times,
                     struct opencl_series *series)
{
    const struct command command = {.count = 1, .buffer = buffer, .host = host, .bytes = bytes};
    return run_series(work, &command, times, series);
}
