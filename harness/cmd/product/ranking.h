/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>
#include <stddef.h>

/** Records of GEMV and GEMM cells in order, and what they say. */

/** By shape, number of tokens, from memory or a cache, team with the widest first; then the fastest first. <0, 0, >0 */
int product_compare_by_time(const json_t *one, const json_t *other);

/** As one reads a sweep: by kernel, shape, team with the smallest first, memory or a cache, number of tokens. <0, 0, >0 */
int product_compare_by_sweep(const json_t *one, const json_t *other);

/** What limits the cell (reports/select/kernels/limit.h); "no gamma" where only reading is known; NULL: not known. */
const char *product_limit(const json_t *record);

/**
 * The fastest kernel and the next one of the largest product that was measured, as fastest_text says it, and among several products of
 * how many it is the fastest. What is no plain measurement of a kernel (contended, a member, emulated) does not count.
 * @param rows  in the order of product_compare_by_time
 * @return      text with a newline; "" where there is no time
 */
const char *product_verdict_text(const json_t *rows, char *text, size_t size);

/**
 * How the fastest of ours stand beside the fastest of the plug-ins: "ours are faster than the best plug-in in 3 of 5 comparisons, 1.33 to
 * 2.10 times as fast; slower in 1; as fast within the noise in 1". Of one comparison its ratio.
 * @param rows  of `--peers`, in any order
 * @return      text with a newline; "" where nothing was compared
 */
const char *product_peers_verdict_text(const json_t *rows, char *text, size_t size);
