/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/device/device_cell.h"
#include "harness/cells/device/device_product.h"
#include "micro/shape.h"

/**
 * A matrix times some tokens on an OpenCL device, the weights from memory, held against the roofs of the device in the same run. Every visit
 * draws another matrix, and every variant is compared with the scalar reference before it is timed. A GEMV is one of one token.
 */
struct device_gemm_cell {
    struct device_cell of;
    const struct device_kernel *kernel;
    struct shape shape;
    size_t tokens; /* 0: of a GEMV, which is one */
    uint64_t seed; /* of the next visit */
};

/** Tokens that it multiplies. */
static inline size_t device_gemm_tokens(const struct device_gemm_cell *own)
{
    return own->tokens ? own->tokens : 1;
}

extern const struct cell_kind cell_kind_device_gemm;

/** What only such a cell has; NULL for a cell of another kind. */
static inline struct device_gemm_cell *device_gemm_cell(const struct cell *cell)
{
    return cell->kind == &cell_kind_device_gemm ? cell->own : NULL;
}

/**
 * A shape that the kernel takes.
 * @param tokens  0: a GEMV
 * @return 0 or -ENOMEM
 */
int device_gemm_add(struct cells *cells, const struct device *device, const struct device_kernel *kernel,
                    const struct shape *shape, size_t tokens);

/** The roof of a kernel's multiplications, int8 or floats, by its number; DEVICE_ROOFS where none is measured. */
size_t device_gemm_roof(const struct device_kernel *kernel);

/** Take `count` samples in a worker; as cell_visit. */
int device_gemm_visit(struct session *session, struct cell *cell, unsigned count);
