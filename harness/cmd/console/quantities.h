/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/**
 * Quantities of records as columns of text, on standard output. What rests on fewer than STATS_KEPT_LEAST kept samples is
 * no number: "-" in a column, a sentence where it is what the row is about, and one line below the table.
 */

/** A space, then the median of a quantity, or a plain number, times scale; or "-". */
void print_median(const json_t *record, const char *field, double scale, int width, int digits);

/** Half the 95% interval of a quantity's median likewise. */
void print_half_interval(const json_t *record, const char *field, double scale, int width, int digits);

/** Whether a row has a number in this quantity; if not, "2 of 12 samples kept, 6 needed" ends its line. */
bool print_unless_few(const json_t *record, const char *field);

/** The line below a table of which this many rows have no number; nothing for 0. */
void print_few_remedy(size_t few);

/** A number after a space, or a dash where it is NaN. */
void print_column(double value, int width, int digits);
