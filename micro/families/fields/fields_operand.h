/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Activations of 16 bytes of codes of FIELD_BITS, 1 or 2, as sequences and kernels meet them whose fields stay in their bytes: two fields of a
 * nibble at a time, masked by bits 0 and 2 and their like, of the byte shifted right by 0, 1, 4 and 5, or of codes of 2 bits by 0 and 4.
 *
 *   FIELD_MASK      of the lower of the two in a byte; the other's is four times that
 *   FIELD_TURNS     shifts
 *   FIELD_OFFSET    how many times what is wanted the sums of a block are: four times sum code a, of 1 bit on 512 bits 128 times, where a
 *                   weight is code - 1, or 2 code - 1
 *   FIELD_START     where a sum begins, over minus the sum of the activations; of 1 bit on 512 bits that sum is doubled yet. Not with FIELDS_ARE_SHIFTED, which
 *                   is the other way on 512 bits too
 *
 * Of lanes that are rows, in the operand of four lines of 64 bytes: dword FIELD_TURNS * 2 * line + 2 * turn + (0 or 1) has the columns of four bytes of a
 * row, then at these bytes
 *
 *   FIELDS_SCALE    their scale over FIELD_OFFSET, float
 *   FIELDS_START    where sums begin, int32
 */
#define FIELD_TURNS (4 / FIELD_BITS)
#if FIELD_BITS == 1 && defined VECTOR_IS_ZMM && !defined FIELDS_ARE_SHIFTED
#define FIELD_OFFSET 64
#define FIELD_START  32
#else
#define FIELD_OFFSET (2 * FIELD_BITS)
#define FIELD_START  FIELD_OFFSET
#endif
#if FIELD_BITS == 1
#define FIELD_MASK 0x01010101
#else
#define FIELD_MASK 0x03030303
#endif

#define FIELDS_COLUMNS (128 / FIELD_BITS)
#define FIELDS_SCALE   FIELDS_COLUMNS
#define FIELDS_START   (FIELDS_COLUMNS + 4)
#define FIELDS_BYTES   (FIELDS_COLUMNS + 16)

#ifndef __ASSEMBLER__
#include <stdint.h>

/** Which one of a byte's fields its code number `code` is: turns in order, in each the lower field and then the other. */
static inline uint32_t fields_index(uint32_t code)
{
    const uint32_t turns_of_nibble = 2 / FIELD_BITS, bit = code * FIELD_BITS;
    return 2 * (bit / 4 * turns_of_nibble + (bit & (turns_of_nibble - 1))) + (bit / 2 & 1);
}
#endif
