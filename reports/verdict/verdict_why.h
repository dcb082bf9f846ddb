/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORTS_VERDICT_VERDICT_WHY_H
#define REPORTS_VERDICT_VERDICT_WHY_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "reports/verdict/verdict_words.h"

/** Why a GEMV that failed, or is suspected, is slower: the parts of its effect (roofline/attribution.h). */

/**
 * "gamma +4.62% (95%), roof +0.24% (5%), unexplained 0.00%": what changed, the largest first.
 * @return false, with empty text, where it is not asked or nothing can be said
 */
bool verdict_why(const struct compare_report *report, const struct compare_outcome *outcome, char *text, size_t size);

/**
 * {"gamma": {"change": 0.046, "share": 0.95}, …, "unexplained": {…}}; a number that is not known is null. Changes are
 * ratios of times less 1. New reference; NULL where nothing can be said.
 */
json_t *verdict_why_record(const struct compare_report *report, const struct compare_outcome *outcome);

#endif
