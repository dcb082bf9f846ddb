/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * The OpenCL devices of this machine, as their drivers describe them. Nothing runs on them.
 *
 * A driver (ICD) may be hundreds of megabytes, crash, hang, print and set signal handlers: libOpenCL.so.1 is loaded in a child
 * process with a time limit, and never in this one.
 */

enum { OPENCL_TEXT = 160, OPENCL_REASON = 320, OPENCL_PLATFORMS = 16, OPENCL_DEVICES = 32, OPENCL_SUB_GROUPS = 8 };

enum opencl_kind { OPENCL_UNKNOWN_KIND, OPENCL_CPU, OPENCL_GPU, OPENCL_ACCELERATOR, OPENCL_CUSTOM, OPENCL_KINDS };

/** What a driver may not say. */
enum opencl_answer { OPENCL_UNKNOWN, OPENCL_NO, OPENCL_YES, OPENCL_ANSWERS };

/** Texts are printable ASCII, "" where the driver does not say; numbers are 0 where it does not. */
struct opencl_platform {
    char name[OPENCL_TEXT], version[OPENCL_TEXT];
    uint32_t devices; /* that it has, listed or not */
    int32_t error;    /* of OpenCL, for which its devices are not known; 0: none */
};

struct opencl_device {
    uint32_t platform; /* index */
    enum opencl_kind kind;
    char name[OPENCL_TEXT], driver[OPENCL_TEXT], version[OPENCL_TEXT];
    uint32_t compute_units, clock_mhz;
    uint64_t memory_bytes, buffer_bytes, local_bytes, cache_bytes;
    uint64_t group_items;            /* the most work-items of a group */
    enum opencl_answer local_is_own; /* NO: local memory is a part of global memory */
    enum opencl_answer sub_groups;
    uint32_t sub_group_sizes[OPENCL_SUB_GROUPS]; /* until the first 0 */
    enum opencl_answer fp16;                     /* cl_khr_fp16 */
    enum opencl_answer integer_dot_product;      /* cl_khr_integer_dot_product */
    uint64_t timer_ns;                           /* resolution of profiling */
};

struct opencl_listing {
    char cause[OPENCL_REASON],
        remedy[OPENCL_REASON];             /* why no device could be looked for, or none is there; "" where one is */
    uint32_t platform_count, device_count; /* of those below */
    uint32_t unlisted;                     /* devices for which there is no room */
    struct opencl_platform platforms[OPENCL_PLATFORMS];
    struct opencl_device devices[OPENCL_DEVICES];
};

/** Where to look. */
struct opencl_source {
    const char *const *libraries; /* of the loader, in order, NULL-terminated */
    const char *vendors; /* the folder in which it looks for drivers, or a driver's file: a line each names a library */
    unsigned limit_ms;   /* for all drivers together */
};

/** This machine, as OCL_ICD_VENDORS and the search path of libraries have it. */
void opencl_source_host(struct opencl_source *source);

/** Call before the process has threads. Fills the listing in any case. */
void opencl_list(const struct opencl_source *source, struct opencl_listing *listing);

/**
 * The device that a user names: "opencl:1", the second of the listing, or a part of its name, in letters of either case.
 * @return its index; -ENODEV with one line in why: none or more than one is so named, or there is no device at all
 */
int opencl_find(const struct opencl_listing *listing, const char *named, char *why, size_t size);

/** "CPU", "GPU", "accelerator", "custom device", "device of unknown type". */
const char *opencl_kind_name(enum opencl_kind kind);
/** "cpu", "gpu", "accelerator", "custom", as records have it; NULL: unknown. */
const char *opencl_kind_word(enum opencl_kind kind);
