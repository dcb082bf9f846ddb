/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/cell/kind.h"
#include "harness/cells/cell/summary.h"
#include "platforms/devices/opencl_work.h"
#include "platforms/process/worker.h"

/**
 * What is measured on an OpenCL device. Each visit is carried out by a worker of its own, which loads OpenCL, compiles the kernel, checks
 * what it returns and times series of launches. The first visit looks at every variant and chooses the fastest, and its samples are taken after
 * that, so that no luck is in them.
 *
 * A sample is a series of launches by the host's clock, from before the first is enqueued until all are finished. Profiling says of the same
 * series what the device took from the first's start to the last's end. The two agree on a sample within DEVICE_TIMERS_APART of it, and on
 * the cell where they agree on most samples.
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

/** Compute units; one where the driver does not say. */
static inline uint32_t device_units(const struct opencl_device *facts)
{
    return facts->compute_units ? facts->compute_units : 1;
}

/** What every such cell has, at the beginning of its `own`. */
struct device_cell {
    const struct device *device;
    uint32_t variant; /* once repeats, launches in a sample, are chosen */
    unsigned agreed;  /* samples on which the timers agree */
    double
        timers[2]; /* least and most of what profiling says of a sample, over what the host's clock says; 0: no sample */
};

enum { DEVICE_VARIANTS_MOST = 16 };

/** A device at work, in the worker of a visit. */
struct device_bench {
    struct opencl_work work;
    struct worker_beat *heart;
    const struct device_cell *cell;
    bool chosen; /* of the variants only the cell's is wanted */
    struct device_ready {
        bool can;       /* the device has it; after ready(), it can be launched and was right */
        double seconds; /* of a launch, as far as it was looked at */
        double amount;  /* of work that a launch does; the same of all unless said */
    } ready[DEVICE_VARIANTS_MOST];
    double error; /* largest distance from the definition over its largest row */
    bool exact;
    void *own;
};

struct device_ops {
    size_t variants;
    size_t own; /* bytes of the bench's `own`, zeroed at first */
    /** Say which of the variants that are wanted the device has, and make what all of them need. 0 or as opencl_work */
    int (*open)(struct device_bench *bench, const struct cell *cell);
    /**
     * Compile a variant, see that it is right and what a launch takes.
     * @return 0; -EIO: the driver refuses it, and others may do; -EILSEQ: a result is wrong, or as opencl_work
     */
    int (*ready)(struct device_bench *bench, size_t variant);
    int (*run)(struct device_bench *bench, size_t variant, unsigned launches, struct opencl_series *series);
    void (*release)(struct device_bench *bench); /* what open() allocated; or NULL */
};

/** Whether a variant is wanted. */
static inline bool device_wants(const struct device_bench *bench, size_t variant)
{
    return !bench->chosen || variant == bench->cell->variant;
}

/** Text of embedded files, one after the other, NULL after the last; free(). NULL without memory. */
char *device_text(const char *const *paths);

/**
 * Take `count` samples in a worker, as cell_visit.
 * @param title  "memory read", for lines about it
 */
int device_visit(struct session *session, struct cell *cell, unsigned count, const struct device_ops *ops,
                 const char *title);

/** Which device, what a sample was and whether the timers agree: fields that every record of such a cell has. */
void device_set_fields(json_t *record, const struct cell *cell, const char *variant);
