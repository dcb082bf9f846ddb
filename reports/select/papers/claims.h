/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>

#include "reports/select/run/view.h"

/** The papers' claims that records carry (field claimed), against what was measured. */

/**
 * A sequence is measured with several numbers of accumulators; the paper gives one gamma and not how many it had. The
 * row that comes closest to the claim is taken for how the paper ran it.
 */
bool claims_is_as_published(const struct view *view, const json_t *gamma);

/** Instruction sets that [envelope] published its CPU kernels for, AVX2 and its dot products, fastest first; NULL ends them. */
extern const char *const published_isas[];

/** Whether a gamma or gemv record is of a kernel of [envelope] as published, and not of a port to another instruction set. */
bool published_is(const json_t *record);
