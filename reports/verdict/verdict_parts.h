/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORTS_VERDICT_PARTS_H
#define REPORTS_VERDICT_PARTS_H

#include "reports/verdict/verdict.h"

/* The formats, and the words that they share. */

void verdict_text(const struct verdict *verdict, FILE *stream);
void verdict_markdown(const struct verdict *verdict, FILE *stream);
void verdict_junit(const struct verdict *verdict, FILE *stream);
int verdict_json(const struct verdict *verdict, FILE *stream);

/** "+5.02%", "-" for what is not known, "none" for a bound that does not exist. */
struct verdict_percent {
    char text[16];
};
struct verdict_percent verdict_percent(double logarithm);

/** "12.5 us" of seconds. */
struct verdict_percent verdict_seconds(double seconds);

/** What the whole comparison came to: "fail: 1 of 12 cells failed, 1 inconclusive". */
void verdict_sum(const struct verdict *verdict, char *text, size_t size);

/** Lines, ended by newlines, on how it was measured and what to keep in mind. */
void verdict_notes(const struct verdict *verdict, char *text, size_t size);

#endif
