/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORTS_VERDICT_VERDICT_WRITERS_H
#define REPORTS_VERDICT_VERDICT_WRITERS_H

#include <stdio.h>

#include "reports/verdict/verdict_words.h"

/** The formats, one file each. Those that return nothing leave an error of the stream to ferror(). */

void verdict_markdown(const struct compare_report *report, FILE *stream);
void verdict_junit(const struct compare_report *report, FILE *stream);
void verdict_csv(const struct compare_report *report, FILE *stream);
/** @return 0, -ENOMEM, or the error of the stream */
int verdict_json(const struct compare_report *report, FILE *stream);

#endif
