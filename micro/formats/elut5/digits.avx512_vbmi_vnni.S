/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Exact look-ups added up as bytes: a sum of two activations, each -2 … 2 times, is 63 h + l with l within 31 and h within 8,
 * so that half the look-ups of a tile fit signed bytes. A step is a tile, each pair with its tables.
 */
#include "micro/formats/elut5/layout.h"

#define BASE             63
#define HALF_TILES       1
#define PAIR_TABLE_BYTES 64
#define STEP_BYTES       ELUT5_STEP_BYTES
#define OPERAND_BYTES    (ELUT5_STEP_PAIRS * PAIR_TABLE_BYTES)
#include "micro/families/lookup/lookup_digits_frame.h"

#ifdef __ASSEMBLER__

#include "micro/formats/tl2/tl2.digits.avx512_vbmi_vnni.inc"

.macro load_constants
    step_constants edi
.endm

.macro pair low, high, number, address, tables
    vmovdqa64 ymm28, [\tables + \number * PAIR_TABLE_BYTES]
    vmovdqa64 ymm29, [\tables + \number * PAIR_TABLE_BYTES + 32]
    look_up_triple \number, \low, \high, zmm26, zmm28, zmm29, [\address+\number/2*ELUT5_ROWS]
.endm

.macro step base, address, operand, near, far
    vmovdqa64 zmm26, [\address + TL2_SIGNS]
    fetch \near, \far
    pair zmm16, zmm17, 0, \address, \operand
    pair zmm18, zmm19, 4, \address, \operand
    fetch \near + 64, \far + 64
    pair zmm16, zmm17, 1, \address, \operand
    pair zmm18, zmm19, 5, \address, \operand
    fetch \near + 128, \far + 128
    pair zmm16, zmm17, 2, \address, \operand
    pair zmm18, zmm19, 6, \address, \operand
    fetch \near + 192, \far + 192
    pair zmm16, zmm17, 3, \address, \operand
    pair zmm18, zmm19, 7, \address, \operand
    fetch \near + 256, \far + 256
    dots_into \base, SUMS
    dot_digits
.endm

    microkernel_functions

#else
#include "micro/families/lookup/elut_avx2.h"

static void prepare(const void *activations, size_t k, void *prepared)
{
    const int8_t *a = activations;
    uint8_t *table = prepared;
    struct table_coefficients pairs;
    table_coefficients_make(5, 2, &pairs);
    for (size_t i = 0; i < k; i += 2, table += PAIR_TABLE_BYTES)
        table_store_signed_digits(table, table_sums(&pairs, 2, a + i), BASE);
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .prefetch_bytes = 512,
    .lossless = true,
    .gemv = gemv,
    .prepared_bytes_per_step = OPERAND_BYTES,
    .prepare = prepare,
};
#endif
