/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2-bit weights in the VNNI4-interleaved layout [M8][k4][m4] of [envelope, III-B, Fig. 1], 32 rows a panel.
 *
 *     step, 64 bytes = two of [m8][k4] bytes of four 2-bit fields, for columns 0-3 and 4-7
 *
 *     byte      0   1   2   3   4   ...  31        bits of a byte   7 6   5 4   3 2   1 0
 *     m8        0   0   0   0   1   ...   7        row             m8+24 m8+16  m8+8   m8
 *     column    0   1   2   3   0   ...   3
 *
 * All four fields of a byte meet the same activation. A field is u = w + 2, w in [-2, 1].
 */
#define FIELD_BITS 2
#include "micro/families/planes/code_fields.h"
