/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Registers for kernels whose lanes are rows: LANES of them, in the widest that the instruction set has. Both headers say
 *
 *   lanes_ints, lanes_floats         registers, as many as LANES rows
 *   lanes_group                      the sum of a group, of which LANES_LINES lines of four columns have room
 *   LANES_HIGH_APART                 1: high nibbles of Q4_K are multiplied where they are, and their total is 16 times itself
 *   lanes_load … lanes_words         what is done with them
 */
#ifdef __AVX512F__
#include "micro/families/k_quants/k_quant_lanes_512.h"
#else
#include "micro/families/k_quants/k_quant_lanes_256.h"
#endif
