/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORTS_SELECT_DECODED_H
#define REPORTS_SELECT_DECODED_H

#include "reports/select/token_bound.h"

/** Models that were decoded in a run (`kneepoint decode`). */

/**
 * The fastest pass of a model on a team, of the formats whose names begin so ("int2_", "bf16"); NULL if there is none with a
 * number.
 */
const json_t *decoded_fastest(const struct view *view, const char *model, const char *format_prefix, unsigned threads);

/** The fastest pass with a kernel and an output head of 16 bits, as the bound of its GEMVs has it; NULL if there is none. */
const json_t *decoded_with(const struct view *view, const char *model, const struct token_kernel *kernel,
                           unsigned threads);

/** The largest team of any pass of the run; 0: nothing was decoded. */
unsigned decoded_team(const struct view *view);

#endif
