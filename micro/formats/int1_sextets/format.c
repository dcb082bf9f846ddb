/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1-bit weights as sextets of six columns, 64 rows a panel, for look-up kernels: a sextet is the index into the 64 sums that six
 * activations can have, and vpermb reads no more than six bits of a byte.
 *
 *     step, 384 bytes = two times three registers [m64], of 24 columns
 *
 *     byte of a register       0     1     2     3   ...   63          bits of a byte       7 6         5 ... 0
 *     row                      0    32     1    33   ...   63          register 0         A: 1-0        columns 0-5
 *                                                                      register 1         A: 3-2        columns 6-11
 *                                                                      register 2         A: 5-4        columns 12-17
 *
 * A is the fourth sextet, of columns 18-23. The first column of a sextet is its lowest bit. Rows 32 apart are neighbours, since sums
 * of bytes are widened to words by even and odd bytes.
 *
 * A bit is u = (w + 1) / 2: 1 is the weight +1, 0 is -1, so y = 2 sum u a - sum a.
 */
#include "micro/kernel.h"

static uint8_t *byte_of(uint8_t *panel, uint32_t row, uint32_t column, uint32_t *bit)
{
    uint32_t sextet = column % 24 / 6, in_sextet = column % 6;
    uint32_t vector = sextet < 3 ? sextet : in_sextet / 2;
    *bit = sextet < 3 ? in_sextet : 6 + in_sextet % 2;
    return panel + ((size_t)(column / 24) * 3 + vector) * 64 + row % 32 * 2 + row / 32;
}

#define BIT_OF_MINUS_1 0
#include "micro/families/planes/code_bits.h"
