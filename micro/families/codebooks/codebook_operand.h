/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Activations of a block of 256 columns, for the assembly of sequences and kernels of group-wise codebooks whose lanes are rows: 256
 * int8, then at these bytes
 *
 *   CB_STARTS       where the sum of each group of 16 begins, int32: -128 times the sum of its activations, since values are looked up with
 *                   128 added, so that they are unsigned
 *   CB_SCALE        their scale, float
 *   CB_TABLE_BELOW  16 bytes of cb2_4: the values with the number below the code
 *   CB_TABLE        64 bytes: the values of the codebooks, 128 more, as the look-up of the ISA and format needs them (codebook_table_entry())
 *   CB_MAGNITUDES   with VALUES_ARE_SIGNED, where values are looked up as they are: the activations without their signs
 */
#define CB_STARTS      256
#define CB_SCALE       320
#define CB_TABLE_BELOW 336
#define CB_TABLE       384
#define CB_MAGNITUDES  448
#ifdef VALUES_ARE_SIGNED
#define CB_OPERAND_BYTES 704
#else
#define CB_OPERAND_BYTES 448
#endif

#ifndef __ASSEMBLER__
#include <stdbool.h>
#include <stdint.h>

/**
 * Which value stands at byte i of the table: number << code_bits | code.
 *
 *   cb2_4              16 with the number above the code, then 16 with it below; for a look-up in all 64 (`whole`: vpermb) the code at bits 5:4, the
 *                      number at bits 1:0, and between them two that do not matter
 *   cb2_16, cb3        in the first order, as often as 64 bytes hold them, for such a look-up
 *   cb2_16 otherwise   value 0 of each codebook, value 1, …
 *   cb3 otherwise      values 0 … 3 of each codebook, then values 4 … 7
 */
static inline uint32_t codebook_table_entry(uint32_t code_bits, uint32_t number_bits, bool whole, uint32_t i)
{
    if (code_bits + number_bits == 4 && whole)
        return i % 4 * 4 + i / 16;
    if (code_bits + number_bits == 4)
        return i < 16 ? i : i % 4 * 4 + i % 16 / 4;
    if (whole)
        return i % (1u << (code_bits + number_bits));
    if (number_bits == 4)
        return i % 16 << 2 | i / 16;
    return i % 16 / 4 << 3 | i % 32 / 16 << 2 | i % 4;
}

/**
 * Place of a column's activation among the 256: its own, but with a whole table of cb2_4, where codes are rotated, the first four columns of each group are
 * one place lower, and the first of them is the last.
 */
static inline uint32_t codebook_place(uint32_t code_bits, uint32_t number_bits, bool whole, uint32_t column)
{
    return code_bits + number_bits == 4 && whole && column % 16 < 4 ? column / 4 * 4 + (column + 3) % 4 : column;
}
#endif
