/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "micro/device_kernel.h"
#include "micro/reference.h"
#include "micro/shape.h"
#include "platforms/devices/opencl_work.h"

/**
 * A matrix times some tokens on an OpenCL device, of one token a GEMV: copies of a packed matrix, far more than its caches hold, that launches
 * multiply in turns, so that weights are read from memory, and what its results are held against.
 */

/** How a kernel is compiled and launched. */
struct device_variant {
    char label[80];    /* "uint8, 4 tokens, local memory, K split 4 ways, groups of 64" */
    char options[640]; /* of the compiler */
    size_t items, group;
    size_t together; /* work-items of a panel, */
    uint32_t split;  /* this many times those that read side by side */
    bool staged;     /* activations come to local memory first */
    size_t pass_group;
};

enum { PRODUCT_VARIANTS = 14 };

/** Results before and after those of a launch; bytes after a copy of the matrix and after the activations. */
enum { DEVICE_GUARD = 16, DEVICE_GUARD_BYTES = 64 };

/** Of OpenCL C: what a vector has, an activation, a sum and a result. */
struct device_types {
    const char *real, *activation, *result, *out;
    size_t activation_size, out_size;
    bool dots; /* of bytes */
};
const struct device_types *device_types_of(const struct device_kernel *kernel);

/** A product's kernel, and the one that is launched before it; NULL: none is. */
struct device_compiled {
    void *product, *pass;
};

/**
 * Of one token, and of more, a kernel has other variants.
 * Pure. @return false: the device or the kernel has no such variant
 */
bool device_product_arrange(const struct device_kernel *kernel, const struct opencl_device *device, size_t m,
                            size_t tokens, size_t variant, struct device_variant *arranged);

/** What a matrix and its activations hold: random numbers, or for tests all weights at their least or most and activations at their most. */
enum device_fill { DEVICE_FILL_RANDOM, DEVICE_FILL_LEAST, DEVICE_FILL_MOST, DEVICE_FILLS };

struct device_product {
    const struct device_kernel *kernel;
    struct kernel definition;
    size_t m, k, tokens, panels, columns, panel_bytes;
    uint64_t copies, copy_bytes; /* of the matrix, with a guard after each */
    uint64_t next;               /* launch */
    uint8_t *packed, *activations, *out;
    uint8_t *prepared;      /* what the definition's prepare() makes of activations, token by token; or NULL */
    const uint8_t *operand; /* what the device reads: activations or prepared, with a guard */
    size_t token_bytes;     /* of the operand */
    size_t pass_bytes; /* of what the pass makes of a token elsewhere; 0: it writes to the operand, or there is none */
    size_t out_size;   /* of a result */
    int32_t *corrections;
    void *weights_there, *operand_there, *pass_there, *corrections_there, *out_there;
};

/** Bytes of weights on the device for launches that read from memory; 0: it has no room for the matrix. Pure. */
uint64_t device_product_bytes(const struct device_kernel *kernel, const struct opencl_device *device, size_t m,
                              size_t k);

/**
 * Fill a matrix and activations, and write them to the device.
 * @param bytes  of copies of the matrix, at least one is made
 * @return as opencl_work, with one line in work->why; device_product_free() in any case
 */
int device_product_open(struct device_product *product, struct opencl_work *work, const struct device_kernel *kernel,
                        const struct shape *shape, size_t tokens, uint64_t bytes, enum device_fill fill, uint64_t seed);
void device_product_free(struct device_product *product);

/**
 * Compile the step of a kernel in a frame.
 * @param frame  embedded file, "micro/opencl/gemv.cl"; @param name  of its kernel function
 */
int device_product_compile(const struct device_kernel *kernel, struct opencl_work *work,
                           const struct device_variant *variant, const char *frame, const char *name, void **compiled);

/** The same in the frame of products. */
int device_product_make(const struct device_kernel *kernel, struct opencl_work *work,
                        const struct device_variant *variant, struct device_compiled *compiled);

/** Give compiled kernels their operands. */
int device_product_bind(const struct device_product *product, struct opencl_work *work,
                        const struct device_compiled *compiled);

int device_product_launch(struct device_product *product, struct opencl_work *work,
                          const struct device_compiled *compiled, const struct device_variant *variant,
                          unsigned launches, struct opencl_series *series);

/**
 * One launch on the next copy, and its results held against the scalar reference: all, or of many some rows and tokens. What lies around
 * them must be as it was.
 * @param check  is added to
 * @return -EILSEQ where one is wrong, with one line in work->why
 */
int device_product_try(struct device_product *product, struct opencl_work *work, const struct device_compiled *compiled,
                       const struct device_variant *variant, uint64_t *random, struct reference_check *check);
