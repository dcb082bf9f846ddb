/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "micro/kernel.h"

/**
 * Whether the functions of a user's format agree with each other: what pack() or put() stored with what weight(),
 * row_weights() or get() give of it. Calls its code.
 *
 * Integers that the format has must come back as they are. Of real weights, drawn from [-1, 1], a row must come back with less than
 * FORMAT_LOST of its energy lost; codes of one bit with a scale lose a quarter, a row that is read at other places twice all of it.
 */
#define FORMAT_LOST 0.6

/**
 * @param runs  receives what of it is called, "pack()", while it is; NULL: not wanted
 * @return 0; -EILSEQ with what disagrees in why: "pack() stores 0.5 at row 3, column 7, and weight() gives 1"; -ENOMEM
 */
int format_check(const struct format *format, uint64_t *random, const char **runs, char *why, size_t size);

/** What gives a weight, or stores one: "weight()", "put()". */
const char *format_reader_name(const struct format *format);
const char *format_packer_name(const struct format *format);

/** Bits that a weight takes of a matrix without padding, as long as they come; what `bits` says is this or differs by padding within. */
double format_taken_bits(const struct format *format);
