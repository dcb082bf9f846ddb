/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CELLS_DEVICE_ROOF_DEVICE_ROOF_H
#define HARNESS_CELLS_DEVICE_ROOF_DEVICE_ROOF_H

#include "harness/cells/cell/summary.h"
#include "harness/cells/device_roof/roofs.h"

/**
 * A roof of an OpenCL device. Each visit is carried out by a worker of its own, which loads OpenCL, compiles the kernel, checks what it
 * returns and times series of launches. The first visit looks at every variant and chooses the fastest, and its samples are taken after
 * that, so that no luck is in them.
 *
 * A sample is a series of launches by the host's clock, from before the first is enqueued until all are finished. Profiling says of the same
 * series what the device took from the first's start to the last's end. The two agree on a sample within DEVICE_TIMERS_APART of it, and on
 * the roof where they agree on most samples.
 */
#define DEVICE_TIMERS_APART 0.03

/** A device that was found, kept as long as its cells. */
struct device {
    struct opencl_source source;
    uint32_t index;   /* in the listing */
    char number[24];  /* "opencl:0" */
    char folder[512]; /* where the driver writes what it compiles */
    char platform[OPENCL_TEXT];
    struct opencl_device facts;
};

struct device_roof_cell {
    const struct device *device;
    const struct device_roof *roof;
    uint32_t variant; /* once repeats are chosen */
    unsigned agreed;  /* samples on which the timers agree */
    double
        timers[2]; /* least and most of what profiling says of a sample, over what the host's clock says; 0: no sample */
};
extern const struct cell_kind cell_kind_device_roof;

/** What only such a cell has; NULL for a cell of another kind. */
static inline struct device_roof_cell *device_roof_cell(const struct cell *cell)
{
    return cell->kind == &cell_kind_device_roof ? cell->own : NULL;
}

/** One of each roof that the device has. 0 or -ENOMEM. */
int device_roof_add_all(struct cells *cells, const struct device *device);

/** Take `count` samples in a worker; as cell_visit. */
int device_roof_visit(struct session *session, struct cell *cell, unsigned count);

#endif
