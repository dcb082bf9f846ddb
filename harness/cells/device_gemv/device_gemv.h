/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CELLS_DEVICE_GEMV_DEVICE_GEMV_H
#define HARNESS_CELLS_DEVICE_GEMV_DEVICE_GEMV_H

#include "harness/cells/device/device_cell.h"
#include "harness/cells/device/device_product.h"
#include "micro/shape.h"

/**
 * A GEMV on an OpenCL device, its weights from memory, held against the read roof of the device in the same run. Every visit draws another
 * matrix, and every variant is compared with the scalar reference before it is timed.
 */
struct device_gemv_cell {
    struct device_cell of;
    const struct device_kernel *kernel;
    size_t m, k;
    uint64_t seed; /* of the next visit */
};
extern const struct cell_kind cell_kind_device_gemv;

/** What only such a cell has; NULL for a cell of another kind. */
static inline struct device_gemv_cell *device_gemv_cell(const struct cell *cell)
{
    return cell->kind == &cell_kind_device_gemv ? cell->own : NULL;
}

/** 0 or -ENOMEM; a shape that the kernel takes. */
int device_gemv_add(struct cells *cells, const struct device *device, const struct device_kernel *kernel,
                    const struct shape *shape);

/** Take `count` samples in a worker; as cell_visit. */
int device_gemv_visit(struct session *session, struct cell *cell, unsigned count);

#endif
