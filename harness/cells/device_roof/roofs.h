/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/cells/device/cold_bytes.h"

/**
 * The roofs of an OpenCL device: what its memory, its arithmetic and its launches allow. Each is a kernel of micro/opencl, or a copy, in
 * several variants, of which the fastest is the roof. Pure functions.
 */

/** What the amount of a roof is counted in. */
enum roof_unit { ROOF_BYTES, ROOF_OPERATIONS, ROOF_LAUNCHES, ROOF_UNITS };

/** A variant on a device: how it is compiled and launched. */
struct roof_variant {
    char label[48];    /* "uint4, groups of 64, interleaved" */
    char options[160]; /* of the compiler */
    bool mapped;       /* of a copy: from memory that the driver mapped */
    size_t items, group;
    uint32_t each; /* what each work-item does */
    size_t words;  /* 32-bit words that the kernel reads, or that are copied */
    double amount; /* of one launch */
    uint32_t sum;  /* of what all work-items return, modulo 2^32 */
};

struct device_roof {
    const char *name, *title; /* "int8_dot", "int8 dot product" */
    const char *source;       /* embedded file; NULL: a copy from the host */
    enum roof_unit unit;
    size_t variants;
    /** @return false: the device cannot run this variant */
    bool (*arrange)(const struct opencl_device *device, size_t variant, struct roof_variant *arranged);
    bool fills; /* the words are written by the kernel `fill`, not by the host */
};

enum {
    DEVICE_ROOF_READ,
    DEVICE_ROOF_INT8_DOT = 2,
    DEVICE_ROOF_FMA_F32,
    DEVICE_ROOF_LAUNCH = 5,
    DEVICE_ROOFS = 7,
    ROOF_VARIANTS_MOST = 12
};
extern const struct device_roof device_roofs[DEVICE_ROOFS];

/** Word i of those that a kernel reads. */
static inline uint32_t roof_word(uint64_t i)
{
    return (uint32_t)i * 2654435761u + 1u;
}
