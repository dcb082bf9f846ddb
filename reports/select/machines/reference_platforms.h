/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>

#include "platforms/described/described.h"
#include "roofline/gpu.h"

/** Described machines that a figure shows next to a run, or without one. */
enum { REFERENCE_PLATFORMS_MAX = 16 };

struct reference_platforms {
    struct described_platform of[REFERENCE_PLATFORMS_MAX];
    size_t count;
};

/**
 * Add the machines of a comma list of known names and paths. platforms is zeroed before the first call.
 * @return 0; else the error of described_open, or -E2BIG, one line in why, and what came before it stays added
 */
int reference_platforms_add(struct reference_platforms *platforms, const char *names, char *why, size_t size);
void reference_platforms_free(struct reference_platforms *platforms);

/** Seconds of one parallel call; 0 where none are stated, as `kneepoint predict` counts them. */
double reference_synchronisation_s(const struct described_platform *platform);

/** The sequence of the paper for a width: "int2_vnni4.envelope"; NULL for 8 bits, which need no up-convert. */
const char *reference_sequence(double bits);

/**
 * Bytes per second that all cores of the machine read by the model; 8 bits read at the memory's pace.
 * @return NaN where the machine does not state the gammas
 */
double reference_bytes_per_s(const struct described_platform *platform, double bits);

/**
 * The time of a product on a GPU by roofline/gpu.h, as `kneepoint predict` has it: a launch that is not stated counts as 0.
 * @param attained  at the bandwidth that was read, where that is below the roof; NaN where it is not
 */
struct roofline_gpu_time reference_gpu_time(const struct described_platform *gpu,
                                            const struct roofline_gpu_kernel *kernel,
                                            const struct roofline_gpu_product *product, bool attained);

/** What a platform file states beside the model, in units of one: B/s, operations/s, s; NaN: nothing of that name. */
double reference_fact(const struct described_platform *platform, const char *name);
