/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The paper's TL1_0, of Arm cores first: tables quantized to int8, and what tbl finds is widened to words while it is added. 256 look-ups
 * of 127 fit 16 bits. See quantized.h. 1 shift, 1 AND, 2 tbl and 4 saddw for 2 output vectors. Neoverse N1, N2, 2 vector pipes: >= 2.0 cycles each. V1,
 * 4 pipes, tbl on two of them: >= 1.0.
 */
#define KERNEL_ORIGIN "bitnet-cpp"
#include "micro/families/lookup/elut_neon.h"
#include "micro/families/lookup/lookup_aarch64.h"
#include "micro/formats/tl1/quantized.h"

enum { INTERLEAVE = 1, BLOCK_STEPS = 128 };

static size_t blocks_of(const struct gemv_slice *slice)
{
    return (slice->steps + BLOCK_STEPS - 1) / BLOCK_STEPS;
}

LOOKUP void add_found(int16x8_t *words, const uint8_t *table, uint8x16_t index)
{
    int8x16_t found = lookup_find(table, index);
    words[0] = vaddw_s8(words[0], vget_low_s8(found));
    words[1] = vaddw_high_s8(words[1], found);
}

static void add_block(const struct gemv_slice *slice, const uint8_t *panel, size_t block, int32_t *sums)
{
    size_t first = block * BLOCK_STEPS, left = slice->steps - first, steps = left < BLOCK_STEPS ? left : BLOCK_STEPS;
    const uint8_t *tables = tables_of(slice, first), *step = panel + first * TL1_STEP_BYTES;
    struct lookup_words words = lookup_zero();
    for (size_t i = 0; i < steps; i++, step += TL1_STEP_BYTES, tables += STEP_TABLES) {
        lookup_prefetch(step, slice->prefetch_bytes);
#pragma GCC unroll 4
        for (int r = 0; r < LOOKUP_REGISTERS; r++) {
            uint8x16_t nibbles = vld1q_u8(step + 16 * r);
            add_found(&words.word[2 * r], tables, lookup_lower(nibbles));
            add_found(&words.word[2 * r], tables + QUANTIZED_TABLE_BYTES, lookup_upper(nibbles));
        }
    }
    lookup_widen(sums, words);
}

#include "micro/families/lookup/lookup_panels.h"

extern const struct format SELF_FORMAT;

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = KERNEL_ORIGIN,
    .differs = "with our prefetch; not measured beside its original, as nothing of aarch64 is",
    .prefetch_bytes = 1024, /* predicted: no core of aarch64 has been timed */
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = KERNEL_FLOAT_SUMS_ALL,
    .error_bound = TL1_ERROR_BOUND,
    .gemv = gemv,
    .prepared_bytes = prepared_bytes,
    .prepare = prepare,
    .row = row_of_tables,
};

/* its gamma */
#define STEP_COLUMNS       TL1_STEP_COLUMNS
#define STEP_BYTES         TL1_STEP_BYTES
#define STEPS_TOGETHER     BLOCK_STEPS
#define STEP_OPERAND_BYTES (QUANTIZED_HEADER_BYTES + BLOCK_STEPS * STEP_TABLES)
#include "micro/families/lookup/lookup_gamma.h"
#include "micro/frames/gamma.h"
