/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2-bit weights, the interleave of int2_vnni4 widened to 16 rows a plane: a step is one cache line and one 512-bit
 * load.
 *
 *     step, 64 bytes = [m16][k4] bytes of four 2-bit fields
 *
 *     byte      0   1   2   3   4   ...  63        bits of a byte   7 6    5 4    3 2   1 0
 *     m16       0   0   0   0   1   ...  15        row            m16+48 m16+32 m16+16  m16
 *     column    0   1   2   3   0   ...   3
 *
 * All four fields of a byte meet the same activation. A field is u = w + 2, w in [-2, 1].
 */
#define FIELD_BITS 2
#include "micro/families/planes/code_fields.h"
