/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM of rows as llama.cpp multiplied them before it interleaved any: a dot product for each row and token, as of one token, 16 rows by 16
 * tokens at a time. Codes are unpacked again for each. Included after block_rows.h.
 */
#ifndef MICRO_FAMILIES_BLOCKS_ROWS_REFERENCE_GEMM_H
#define MICRO_FAMILIES_BLOCKS_ROWS_REFERENCE_GEMM_H

enum { REFERENCE_TOGETHER = 16 };

static size_t reference_bytes(size_t k)
{
    return (k / BLOCK_COLUMNS * sizeof(struct reference_operand) + 63) / 64 * 64;
}

static void prepare_one(const void *activations, size_t stride, size_t k, size_t tokens, void *prepared)
{
    (void)stride, (void)tokens;
    prepare(activations, k, prepared);
}

static size_t reference_end(size_t first, size_t count)
{
    return count - first < REFERENCE_TOGETHER ? count : first + REFERENCE_TOGETHER;
}

/** Some rows with one token. */
ROWS_INLINE void reference_rows(const struct gemm_slice *slice, size_t token, size_t first, size_t end)
{
    const struct gemv_slice one = {
        .steps = slice->k / BLOCK_COLUMNS,
        .prepared = (const uint8_t *)slice->prepared + token * reference_bytes(slice->k),
        .out_f32 = slice->out + token * slice->out_stride,
    };
    for (size_t row = first; row < end; row++) {
        const uint8_t *weights = slice->weights + row * slice->panel_bytes;
        rows(&one, &weights, &row, 1);
    }
}

static void reference_run(const struct gemm_slice *slice)
{
    for (size_t token = 0; token < slice->tokens; token = reference_end(token, slice->tokens)) {
        for (size_t row = 0; row < slice->panels; row = reference_end(row, slice->panels)) {
            for (size_t t = token; t < reference_end(token, slice->tokens); t++)
                reference_rows(slice, t, row, reference_end(row, slice->panels));
        }
    }
}

#undef REFERENCE_GEMM
#define REFERENCE_GEMM                                                                                                 \
    {                                                                                                                  \
        .run = reference_run, .prepare_many = prepare_one, .tokens_per_group = 1, .prepared_bytes = reference_bytes    \
    }

#endif
