/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORTS_FINDINGS_FINDINGS_H
#define REPORTS_FINDINGS_FINDINGS_H

#include <stddef.h>

#include "reports/findings/finding.h"

/** What a run says, in plain words: the summary on top of the report. Plain text, not HTML.
 * Only valid cells count, and of several kernels on a shape the fastest. */

enum { FINDINGS_MAX = 16 };

/** The findings of a run, those first that matter most; only what the records support. @return how many. */
size_t findings_collect(const struct view *view, struct finding *findings, size_t capacity);

#endif
