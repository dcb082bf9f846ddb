/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/device/device_cell.h"
#include "harness/cells/device/device_product.h"

/**
 * Gamma of a kernel on an OpenCL device: the time in which a compute unit up-converts and multiplies an output vector of 32 weights, which
 * lie in registers, while all units do so. Device clocks are stated and not measured, so it is seconds and no cycles. It is of the text that
 * GEMVs run, with an exclusive or of each word more (micro/opencl/gamma.cl).
 */
struct device_gamma_cell {
    struct device_cell of;
    const struct device_kernel *kernel;
    uint64_t seed; /* of the next visit */
};
extern const struct cell_kind cell_kind_device_gamma;

/** What only such a cell has; NULL for a cell of another kind. */
static inline struct device_gamma_cell *device_gamma_cell(const struct cell *cell)
{
    return cell->kind == &cell_kind_device_gamma ? cell->own : NULL;
}

/** 0 or -ENOMEM */
int device_gamma_add(struct cells *cells, const struct device *device, const struct device_kernel *kernel);

/** Take `count` samples in a worker; as cell_visit. */
int device_gamma_visit(struct session *session, struct cell *cell, unsigned count);

/** Seconds of a vector and unit. */
struct graded device_gamma_vector(const struct cell *cell);

/** The same of a kernel, if it was measured often enough; else NaN. */
double device_gamma_of(const struct cells *cells, const struct device *device, const struct device_kernel *kernel);

/** A launch: how many work-items of each lane, and what each takes. Pure. */
struct device_gamma_launch {
    struct device_variant variant;
    uint32_t columns; /* that each work-item multiplies */
    double vectors;   /* of all */
};

/** @return false: there is no such variant */
bool device_gamma_arrange(const struct device_kernel *kernel, const struct opencl_device *device, size_t variant,
                          struct device_gamma_launch *launch);
