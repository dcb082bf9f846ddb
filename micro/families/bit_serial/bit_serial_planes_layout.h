/* SPDX-License-Identifier: BSD-3-Clause
 *
 * w<p>_planes: bipolar weights of p = WEIGHT_BITS bits (micro/quantization/bipolar.h) as planes of a row, after the paper [apt-llm, IV-A, Fig. 6],
 * whose layout is [bit][row][K / 32] uint32_t, p planes of the whole matrix one after the other. A matrix here is a row of panels, each
 * with all bits of its rows, so a panel is one row, and its planes are cut where a register of 512 bits ends,
 *
 *     step, 64 p bytes = 512 columns = [bit p] [16] uint32_t          bit c of a word: column c of its 32
 *
 * Of 1 bit that is the paper's layout, K padded to 512 columns.
 */
#ifndef MICRO_FAMILIES_BIT_SERIAL_BIT_SERIAL_PLANES_LAYOUT_H
#define MICRO_FAMILIES_BIT_SERIAL_BIT_SERIAL_PLANES_LAYOUT_H

#define BITS_ROWS        1
#define BITS_PLANE_BYTES 64 /* of a step */
#define STEP_COLUMNS     512
#define STEP_BYTES       (BITS_PLANE_BYTES * WEIGHT_BITS)

#endif
