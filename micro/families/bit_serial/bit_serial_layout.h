/* SPDX-License-Identifier: BSD-3-Clause
 *
 * w<p>: bipolar weights of p = WEIGHT_BITS bits, values 2u + 1 - 2^p (micro/quantization/bipolar.h), as bit planes. 8 rows a panel,
 *
 *     step, 64 p bytes = 64 columns = [bit p] [row 8] uint64_t
 *
 *     word         0         1    ...     7        8     ...    15    ...
 *     bit          0         0            0        1             1
 *     row          0         1            7        0             7           bit c of a word: column c of the step
 *
 * Rows lie in the lanes of a register, so that a word of activations, broadcast, meets a bit of 8 rows, and counts of 64-bit lanes
 * are the rows' sums: nothing is added across lanes, as it must where a register has columns of one row (the paper's planes,
 * [bit] [row] [K / 32] uint32_t, whose kernels are those of w<p>_planes). A step has 64 columns instead of 512, too.
 */
#ifndef MICRO_FAMILIES_BIT_SERIAL_BIT_SERIAL_LAYOUT_H
#define MICRO_FAMILIES_BIT_SERIAL_BIT_SERIAL_LAYOUT_H

#define BITS_ROWS        8
#define BITS_PLANE_BYTES 64 /* of a step */
#define STEP_COLUMNS     64
#define STEP_BYTES       (BITS_PLANE_BYTES * WEIGHT_BITS)

#endif
