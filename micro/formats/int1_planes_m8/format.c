/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1-bit weights as eight planes a byte, 64 rows a panel: every bit of a byte is another row at the same column.
 *
 * The same as int1_planes for 256-bit registers.
 *
 *     step, 64 bytes = two of [m8][k4] bytes of eight bits, for columns 0-3 and 4-7
 *
 *     byte      0   1   2   3   4   ...  31        bits of a byte     7       6     ...   1      0
 *     m8        0   0   0   0   1   ...   7        row              m8+56   m8+48   ...  m8+8    m8
 *     column    0   1   2   3   0   ...   3
 *
 * A bit is u = (w + 1) / 2: 1 is the weight +1, 0 is -1, so y = 2 sum u a - sum a.
 */
#define FIELD_BITS 1
#include "micro/families/planes/code_fields.h"
