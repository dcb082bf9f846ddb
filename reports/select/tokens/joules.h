/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORTS_SELECT_TOKENS_JOULES_H
#define REPORTS_SELECT_TOKENS_JOULES_H

#include "reports/select/tokens/token_bound.h"

/** Energy that the packages of this machine took, where a run counted it. */

/** Of a token decoded through the whole model with a kernel: J, median; NaN where it was not counted. */
double joules_of_token(const struct view *view, const char *model, const struct token_kernel *kernel, unsigned threads);

/**
 * Why there is none, in one line: what the counters of the run said, which is the cause; else what the pass that was decoded says,
 * or that nothing was decoded. Lives as long as the run.
 */
const char *joules_missing(const struct view *view, const char *model, const struct token_kernel *kernel,
                           unsigned threads);

#endif
