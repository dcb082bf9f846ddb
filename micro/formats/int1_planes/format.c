/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1-bit weights as eight planes a byte, 128 rows a panel: every bit of a byte is another row at the same column.
 *
 *     step, 64 bytes = [m16][k4] bytes of eight bits
 *
 *     byte      0   1   2   3   4   ...  63        bits of a byte     7        6     ...   1       0
 *     m16       0   0   0   0   1   ...  15        row             m16+112  m16+96   ... m16+16   m16
 *     column    0   1   2   3   0   ...   3
 *
 * A bit is u = (w + 1) / 2: 1 is the weight +1, 0 is -1, so y = 2 sum u a - sum a.
 */
#define FIELD_BITS 1
#include "micro/families/planes/code_fields.h"
