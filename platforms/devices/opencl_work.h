/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>

#include "platforms/devices/opencl.h"
#include "platforms/devices/opencl_entries.h"

/**
 * An OpenCL device at work: a context with one queue, in order, whose commands are profiled. For a worker process
 * (platforms/process/worker.h): a driver may crash, hang and print. What is made is released with that process.
 *
 * Functions return 0; -EIO where OpenCL or the device fails, -ENODEV, -ENOMEM, or as library_open(), with one line in work->why.
 */
enum { OPENCL_WHY = 2 * OPENCL_REASON };

struct opencl_work {
    struct opencl_functions opencl;
    struct opencl_device facts;
    void *device, *context, *queue;
    char why[OPENCL_WHY];
};

/** @param folder for what a driver compiles, to be removed afterwards; @param index of the device in opencl_list() */
int opencl_work_open(const struct opencl_source *source, const char *folder, uint32_t index, struct opencl_work *work);

/** Compile OpenCL C. Where it does not compile, why has the first lines of the build log. */
int opencl_work_build(struct opencl_work *work, const char *text, const char *options, void **program);

int opencl_work_kernel(struct opencl_work *work, void *program, const char *name, void **kernel);
int opencl_work_argument(struct opencl_work *work, void *kernel, uint32_t place, size_t bytes, const void *value);

/** A buffer of the device; mappable: where the host can map it. */
int opencl_work_buffer(struct opencl_work *work, size_t bytes, bool mappable, void **buffer);

/** Map all of a mappable buffer for writing. */
int opencl_work_map(struct opencl_work *work, void *buffer, size_t bytes, void **host);

/** Copy, and wait for it; to this byte of the buffer. */
int opencl_work_write(struct opencl_work *work, void *buffer, size_t at, const void *host, size_t bytes);
int opencl_work_read(struct opencl_work *work, void *buffer, void *host, size_t bytes);

/** What a series of equal commands took. */
struct opencl_series {
    double host_s;   /* by the host's clock: from before the first is enqueued until all are finished */
    double device_s; /* by profiling: from the start of the first to the end of the last */
};

/** An argument of 64 bits that changes from launch to launch: *next, which counts on, modulo count, times step. */
struct opencl_turn {
    uint32_t place;
    uint64_t count, step;
    uint64_t *next;
};

/** A kernel, and how it is launched. */
struct opencl_launch {
    void *kernel;
    size_t items, group;
    const struct opencl_turn *turn; /* NULL: all launches have the same arguments */
};

/** Launch some kernels one after the other, and that again and again. */
int opencl_work_launch(struct opencl_work *work, const struct opencl_launch *launch, size_t count, unsigned times,
                       struct opencl_series *series);

/** Write a buffer from the host's memory again and again. */
int opencl_work_send(struct opencl_work *work, void *buffer, const void *host, size_t bytes, unsigned times,
                     struct opencl_series *series);

/** "out of resources (-5)". */
void opencl_error_text(int32_t error, char *text, size_t size);
