/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1-bit weights as nibbles of four columns, 32 rows a panel, for look-up kernels: a nibble is the index into the
 * sixteen sums that four activations can have.
 *
 *     step, 128 bytes = [m32] 32-bit words, one a row, of four bytes of two nibbles: 32 columns
 *
 *     byte of a word      0        1        2        3
 *     low nibble         0-3      4-7      8-11    12-15      columns, the lowest in the lowest bit
 *     high nibble       16-19    20-23    24-27    28-31
 *
 * A bit is u = (w + 1) / 2: 1 is the weight +1, 0 is -1, so y = 2 sum u a - sum a.
 */
#include "micro/kernel.h"

static uint8_t *byte_of(uint8_t *panel, uint32_t row, uint32_t column, uint32_t *bit)
{
    uint32_t in_step = column % 32;
    *bit = in_step / 16 * 4 + in_step % 4;
    return panel + (size_t)(column / 32) * 128 + row * 4 + in_step % 16 / 4;
}

#define BIT_OF_MINUS_1 0
#include "micro/families/planes/code_bits.h"
