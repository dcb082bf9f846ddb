/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gemm.run() of a kernel whose inner loop is assembly in gemm_tile_frame.h. Its facts are those of the .S, whose C
 * half defines
 *
 *   rows_of(raw, pass, sums)   raw[REGISTERS] of one token to sums[REGISTERS], the integer sums of the rows that they are
 *   ROW_OF(pass, n)            first row of register n in the panel, if rows are not in the order of passes and registers
 *
 * Tokens are dealt evenly to the fewest register blocks that take them all: none is left with one or two, which the latency of
 * the sums would slow down. A panel stays in the second-level cache while all tokens meet it, and the next one is fetched
 * meanwhile, a part of it in each block; columns are cut so that both fit, and sums of parts wait in `out`.
 */
#include <stddef.h>
#include <stdint.h>

#include "micro/kernel.h"

#define LANES (VECTOR_BYTES / 4)

/* Columns of a cut: 2 x 128 KiB of int8 in a panel of 32 rows, this one and the next. */
#define CUT_COLUMNS 4096
#ifndef ROW_OF
#define ROW_OF(pass, n) (((pass)*REGISTERS + (n)) * LANES)
#endif

/* unsigned since sums wrap */
typedef uint32_t tile_vector __attribute__((vector_size(VECTOR_BYTES), may_alias));
typedef int32_t tile_signed __attribute__((vector_size(VECTOR_BYTES), may_alias));
typedef float tile_floats __attribute__((vector_size(VECTOR_BYTES), may_alias));

static void rows_of(const tile_vector *raw, int pass, tile_vector *sums);

/**
 * rows_of() prefix sums: fields of a byte that kept their place, each register a field and all below it. Neighbours are
 * subtracted, and the field's place, `shift` bits and `bits` more for each, is undone.
 */
__attribute__((unused)) static inline void tile_prefixes(const tile_vector *raw, int shift, int bits, tile_vector *sums)
{
    for (int n = 0; n < REGISTERS; n++) {
        tile_vector sum = raw[n];
        if (n)
            sum -= raw[n - 1];
        sums[n] = (tile_vector)((tile_signed)sum >> (shift + bits * n));
    }
}

extern const struct format SELF_FORMAT;

/** What the assembly of a register block reads, by these offsets, and where it leaves its sums. */
struct tile_operands {
    const uint8_t *weights;
    size_t weights_stride; /* from panel to panel side by side */
    const int8_t *activations;
    size_t activations_stride;
    size_t groups;        /* of 4 columns */
    size_t prefetch;      /* of the first group, from where its panel begins */
    size_t prefetch_step; /* of each group */
    tile_vector *raw;     /* [ways][tokens][REGISTERS] */
};

#define TILE_JOIN_(a, b) a##b
#define TILE_JOIN(a, b)  TILE_JOIN_(a, b)
#define tile_table       TILE_JOIN(SELF, _tiles)
extern void (*const tile_table[][TILE_WAYS][TOKENS])(const struct tile_operands *operands);

#ifdef UNPACKS_PANEL
#define UNPACKED     1
#define unpack_table TILE_JOIN(SELF, _unpack)
extern void (*const unpack_table[PASSES])(const uint8_t *weights, void *unpacked, size_t groups);

static size_t scratch_bytes(size_t k, size_t tokens)
{
    (void)k, (void)tokens;
    return CUT_COLUMNS / 4 * REGISTERS * VECTOR_BYTES;
}
#else
#define UNPACKED 0
#endif

#ifdef WEIGHTS_ARE_SIGNED
static size_t scratch_bytes(size_t k, size_t tokens)
{
    (void)k;
    return tokens * sizeof(int32_t);
}
#endif

/** The weights of a pass, packed or unpacked, and what is fetched meanwhile: see struct tile_operands. */
struct tile_weights {
    const uint8_t *at;
    int pass;
    size_t prefetch, prefetch_step;
};

/** Some panels side by side, and some columns of them. */
struct tile_cut {
    size_t panel, panels_apart;
    int ways; /* logarithm */
    size_t column, columns;
    bool first, last; /* of the columns */
};

/** Sums of a token and a pass: added to those of columns before, or made what the GEMM gives. */
static void finish(const struct gemm_slice *slice, const struct tile_cut *cut, size_t panel, size_t token, int pass,
                   const tile_vector *raw)
{
    tile_vector sums[REGISTERS];
    rows_of(raw, pass, sums);
    float *out = slice->out + token * slice->out_stride + panel * ROWS;
    for (int n = 0; n < REGISTERS; n++) {
        tile_vector *rows = (tile_vector *)(void *)(out + ROW_OF(pass, n));
        if (!cut->first)
            sums[n] += *rows;
        if (!cut->last)
            *rows = sums[n];
        else
            *(tile_floats *)rows =
                __builtin_convertvector((tile_signed)(sums[n] + (uint32_t)slice->corrections[token]), tile_floats) *
                slice->scales[token];
    }
}

/** A block of tokens meets a pass of the columns of a cut. */
static void multiply_block(const struct gemm_slice *slice, const struct tile_cut *cut,
                           const struct tile_weights *weights, size_t token, size_t tokens)
{
    tile_vector raw[REGISTERS * TOKENS];
    struct tile_operands operands = {
        .weights = weights->at,
        .weights_stride = cut->panels_apart * slice->panel_bytes,
        .activations = slice->activations + token * slice->activations_stride + cut->column,
        .activations_stride = slice->activations_stride,
        .groups = cut->columns / 4,
        .prefetch = weights->prefetch,
        .prefetch_step = weights->prefetch_step,
        .raw = raw,
    };
    tile_table[UNPACKED ? 0 : weights->pass][cut->ways][tokens - 1](&operands);
    for (size_t way = 0; way < (size_t)1 << cut->ways; way++) {
        for (size_t t = 0; t < tokens; t++)
            finish(slice, cut, cut->panel + way * cut->panels_apart, token + t, weights->pass,
                   raw + (way * tokens + t) * REGISTERS);
    }
}

/**
 * What is fetched during a call, the call-th of all that a cut takes: its part of the next cut or panel, which follows. Where
 * there is but one call, the distance that is asked for.
 */
static void prefetch_during(struct tile_weights *weights, const struct gemm_slice *slice, const uint8_t *packed,
                            size_t bytes, size_t call, size_t calls)
{
    size_t ahead = calls == 1 ? slice->prefetch_bytes : bytes + bytes * call / calls;
    weights->prefetch = slice->prefetch_bytes ? (size_t)((uintptr_t)packed + ahead - (uintptr_t)weights->at) : 0;
    weights->prefetch_step = slice->prefetch_bytes ? (GROUP_BYTES + calls - 1) / calls : 0;
}

/** All tokens meet the columns of a cut. */
static void multiply_cut(const struct gemm_slice *slice, const struct tile_cut *cut)
{
    const uint8_t *packed = slice->weights + cut->panel * slice->panel_bytes + cut->column / 4 * GROUP_BYTES;
    size_t blocks = (slice->tokens + TOKENS - 1) / TOKENS, bytes = cut->columns / 4 * GROUP_BYTES;
    for (int pass = 0; pass < PASSES; pass++) {
        struct tile_weights weights = {.at = packed, .pass = pass};
#if UNPACKED
        unpack_table[pass](packed, slice->scratch, cut->columns / 4);
        weights.at = slice->scratch;
#endif
        for (size_t block = 0, token = 0; block < blocks; block++) {
            size_t tokens = slice->tokens / blocks + (block < slice->tokens % blocks);
            prefetch_during(&weights, slice, packed, bytes, (size_t)pass * blocks + block, PASSES * blocks);
            multiply_block(slice, cut, &weights, token, tokens);
            token += tokens;
        }
    }
}

static void multiply_panels(const struct gemm_slice *slice, size_t panel, size_t panels_apart, int ways)
{
    size_t cuts = (slice->k + CUT_COLUMNS - 1) / CUT_COLUMNS;
    size_t most = ((slice->k + cuts - 1) / cuts + 63) / 64 * 64;
    for (size_t column = 0; column < slice->k; column += most) {
        size_t columns = slice->k - column < most ? slice->k - column : most;
        struct tile_cut cut = {.panel = panel,
                               .panels_apart = panels_apart,
                               .ways = ways,
                               .column = column,
                               .columns = columns,
                               .first = column == 0,
                               .last = column + columns == slice->k};
        multiply_cut(slice, &cut);
    }
}

/** Panels side by side for so few tokens, as a logarithm. */
static int ways_of(size_t tokens)
{
    return UNPACKED ? 0 : tokens * 4 <= TOKENS ? 2 : tokens * 2 <= TOKENS ? 1 : 0;
}

/** Panels of each run, as of microkernel.h: odd, since runs a power of two apart share cache sets and memory banks. */
static size_t panels_of_each_run(size_t panels, int ways)
{
    size_t each = panels >> ways;
    return each > 2 && each % 2 == 0 ? each - 1 : each;
}

static void multiply_slice(const struct gemm_slice *slice)
{
    int ways = ways_of(slice->tokens);
    size_t panel = 0;
    for (size_t each; (each = panels_of_each_run(slice->panels - panel, ways)) > 0; panel += each << ways) {
        for (size_t i = 0; i < each; i++)
            multiply_panels(slice, panel + i, each, ways);
    }
    for (; panel < slice->panels; panel++)
        multiply_panels(slice, panel, 0, 0);
}

#ifdef WEIGHTS_ARE_SIGNED
static int32_t sum_of(const int8_t *activations, size_t k)
{
    int32_t sum = 0;
    for (size_t i = 0; i < k; i++)
        sum += activations[i];
    return sum;
}

/** Sums of w a take what the correction takes off those of u a, offset times the sum of the activations, back. */
static void run(const struct gemm_slice *slice)
{
    struct gemm_slice with_sums = *slice;
    int32_t *corrections = slice->scratch;
    with_sums.corrections = corrections;
    for (size_t token = 0; token < slice->tokens; token++) {
        int32_t sum = sum_of(slice->activations + token * slice->activations_stride, slice->k);
        corrections[token] = add_wrapping(slice->corrections[token], SELF_FORMAT.activation_offset * sum);
    }
    multiply_slice(&with_sums);
}
#else
static void run(const struct gemm_slice *slice)
{
    multiply_slice(slice);
}
#endif

#ifdef UNPACKS_PANEL
#define TILE_SCRATCH .unpacks_alone = true, .scratch_bytes = scratch_bytes
#elif defined WEIGHTS_ARE_SIGNED
#define TILE_SCRATCH .scratch_bytes = scratch_bytes
#else
#define TILE_SCRATCH .scratch_bytes = NULL
#endif

#define TILE_KERNEL                                                                                                    \
    {                                                                                                                  \
        .name = SELF_NAME, .sequence = SELF_SEQUENCE, .isa = SELF_ISA, .format = &SELF_FORMAT, .origin = "kneepoint",  \
        .prefetch_bytes = 8192, .lossless = true, .gemm = {                                                            \
            .run = run,                                                                                                \
            TILE_SCRATCH                                                                                               \
        }                                                                                                              \
    }
