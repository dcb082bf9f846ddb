/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gemm.run() of bit-serial kernels: blocks of panels meet all tokens, cut by cut of K. The including .c defines WEIGHT_BITS and
 * ACTIVATION_BITS, and the header of its ISA the register blocks,
 *
 *   BITS_TILES(X)   X(panels, tokens) of each that there is, tokens 1, 2, 4 or 8, with 1 panel any that there is with more;
 *   bits_tile_<panels>_<tokens>(const struct bits_cut *)   which writes sums of differing bits by what they count for.
 *
 * Where weights are coded in chains (BITS_CODED), a cut is a chain, and bits_code() writes its weights to scratch before tokens meet
 * them. Where common bits are counted (BITS_ANDS), bits_weigh() sums a cut's weights up before tokens meet them. A cut's weights stay
 * in the first-level cache while all tokens meet them; the next block of panels is fetched meanwhile, a part of it in each call. Sums
 * of parts of K wait in `out`.
 */
#ifndef MICRO_FAMILIES_BIT_SERIAL_BIT_SERIAL_GEMM_H
#define MICRO_FAMILIES_BIT_SERIAL_BIT_SERIAL_GEMM_H

#include "micro/families/bit_serial/bit_serial_cut.h"
#include "micro/families/bit_serial/bit_serial_operand.h"
#include "micro/tuning.h"

enum {
    BITS_GROUP = BITS_GROUP_MOST,
    BITS_LEVELS = WEIGHT_BITS + ACTIVATION_BITS - 1,
    BITS_CODED_BYTES = BITS_CHAIN_STEPS * STEP_BYTES
};

/** Name of a sequence of these bits: what a GEMM multiplies with that does once for all tokens what its GEMV does for each. */
#define BITS_SEQUENCE(weights, activations, name)    BITS_SEQUENCE_OF(weights, activations, name)
#define BITS_SEQUENCE_OF(weights, activations, name) "w" #weights "a" #activations "." name "." SELF_ISA

typedef void (*bits_tile)(const struct bits_cut *cut);

/** Register blocks of a variant: with all its panels or with one, by the logarithm of tokens. */
struct bits_tiles {
    size_t panels, tokens, columns;
    bits_tile all[4], one[4];
};

/** A block of panels and the columns of a cut. */
struct bits_place {
    size_t panel, panels, column, columns;
};

BITS_INLINE void bits_finish(const struct gemm_slice *slice, const struct bits_place *place, size_t token,
                             size_t tokens, size_t tile_tokens, struct bits_token of[], const int32_t *sums)
{
    bool first = place->column == 0, last = place->column + place->columns == slice->k;
    for (size_t t = 0; t < tokens; t++) {
        for (size_t panel = 0; panel < place->panels; panel++) {
            float *out = slice->out + (token + t) * slice->out_stride + (place->panel + panel) * BITS_ROWS;
            int32_t sum[BITS_ROWS], before[BITS_ROWS] = {0};
            float result[BITS_ROWS];
            memcpy(sum, sums + (panel * tile_tokens + t) * BITS_ROWS, sizeof sum);
            if (!first)
                memcpy(before, out, sizeof before);
            for (size_t row = 0; row < BITS_ROWS; row++) {
                sum[row] = add_wrapping(sum[row], before[row]);
                result[row] = bits_result(of[t], WEIGHT_BITS, ACTIVATION_BITS, sum[row]);
            }
            if (last)
                memcpy(out, result, sizeof result);
            else
                memcpy(out, sum, sizeof sum);
        }
    }
}

#if BITS_CODED
/** Weights of a chain of one panel, coded as activations are, in an order of the kernel's own: BITS_CODED_BYTES of scratch. */
static void bits_code(const uint8_t *weights, size_t steps, void *scratch);

static size_t bits_scratch_bytes(size_t k, size_t tokens)
{
    (void)k, (void)tokens;
    return BITS_PANELS_MOST / 2 * BITS_CODED_BYTES;
}
#define BITS_SCRATCH .scratch_bytes = bits_scratch_bytes,
#else
#define BITS_SCRATCH
#endif

#if BITS_ANDS
/** (2^q - 1) sum U_w of the rows of this many steps of a panel. */
static void bits_weigh(const uint8_t *weights, size_t steps, int32_t units[]);
#endif

/** A part of the next block's weights, into the second-level cache. In integers, for what lies ahead need not be memory. */
BITS_INLINE void bits_prefetch(const struct gemm_slice *slice, const struct bits_place *place, const uint8_t *weights,
                               size_t call, size_t calls)
{
    if (!slice->prefetch_bytes)
        return;
    size_t bytes = place->columns / STEP_COLUMNS * STEP_BYTES, part = (bytes / calls + 63) / 64 * 64;
    for (size_t panel = 0; panel < place->panels; panel++) {
        uintptr_t at = (uintptr_t)weights + (place->panels + panel) * slice->panel_bytes + call * part;
        for (size_t line = 0; line < part; line += 64)
            __builtin_prefetch((const void *)(at + line), 0, 2);
    }
}

static void bits_multiply(const struct gemm_slice *slice, const struct bits_tiles *tiles,
                          const struct bits_place *place)
{
    int32_t sums[BITS_PANELS_MOST * BITS_GROUP * BITS_ROWS];
    const bits_tile *tile = place->panels == tiles->panels ? tiles->all : tiles->one;
    size_t group_bytes = bits_group_bytes(slice->k, BITS_GROUP, ACTIVATION_BITS), step = place->column / STEP_COLUMNS;
    const uint8_t *packed = slice->weights + place->panel * slice->panel_bytes + step * STEP_BYTES, *weights = packed;
#if BITS_CODED
    for (size_t panel = 0; panel < place->panels; panel++)
        bits_code(packed + panel * slice->panel_bytes, place->columns / STEP_COLUMNS,
                  (uint8_t *)slice->scratch + panel * BITS_CODED_BYTES);
    weights = slice->scratch;
#endif
#if BITS_ANDS
    int32_t units[BITS_PANELS_MOST * BITS_ROWS];
    for (size_t panel = 0; panel < place->panels; panel++)
        bits_weigh(packed + panel * slice->panel_bytes, place->columns / STEP_COLUMNS, units + panel * BITS_ROWS);
#endif
    size_t calls = (slice->tokens + tiles->tokens - 1) / tiles->tokens, call = 0;
    for (size_t token = 0, tokens; token < slice->tokens; token += tokens, call++) {
        const uint8_t *operand = (const uint8_t *)slice->prepared + token / BITS_GROUP * group_bytes;
        size_t within = token % BITS_GROUP, left = slice->tokens - token, power = 0;
        while (power < 3 && (size_t)1 << power < left && (size_t)1 << power < tiles->tokens)
            power++;
        tokens = left < (size_t)1 << power ? left : (size_t)1 << power;
        size_t whole = bits_whole_steps(operand, BITS_GROUP);
        struct bits_cut cut = {
            .weights = weights,
            .panel_bytes = BITS_CODED ? BITS_CODED_BYTES : slice->panel_bytes,
            .group = BITS_GROUP,
            .planes = bits_planes(operand) + (step * BITS_GROUP + within) * ACTIVATION_BITS,
            .masks = bits_masks(operand, slice->k, BITS_GROUP, ACTIVATION_BITS) + step * BITS_GROUP + within,
            .whole = whole < step ? 0 : whole - step,
            .steps = place->columns / STEP_COLUMNS,
#if BITS_ANDS
            .units = units,
#endif
            .sums = sums,
        };
        cut.whole = cut.whole < cut.steps ? cut.whole : cut.steps;
        bits_prefetch(slice, place, packed, call, calls);
        tile[power](&cut);
        struct bits_token of[BITS_GROUP];
        memcpy(of, bits_tokens(operand) + within, tokens * sizeof *of);
        bits_finish(slice, place, token, tokens, (size_t)1 << power, of, sums);
    }
}

#ifdef KERNEL_VARIANTS
#define BITS_RUN static __attribute__((noinline)) /* one copy for all of them */
#else
#define BITS_RUN BITS_INLINE
#endif
BITS_RUN void bits_run(const struct gemm_slice *slice, const struct bits_tiles *tiles)
{
    size_t cuts = (slice->k + tiles->columns - 1) / tiles->columns;
    size_t most = BITS_CODED ? tiles->columns : (slice->k / STEP_COLUMNS + cuts - 1) / cuts * STEP_COLUMNS;
    for (size_t panel = 0, panels; panel < slice->panels; panel += panels) {
        panels = slice->panels - panel >= tiles->panels ? tiles->panels : 1;
        for (size_t column = 0; column < slice->k; column += most) {
            size_t columns = slice->k - column < most ? slice->k - column : most;
            bits_multiply(slice, tiles, &(struct bits_place){panel, panels, column, columns});
        }
    }
}

/* ---- what a kernel states ---- */

static void bits_prepare_many(const void *activations, size_t stride, size_t k, size_t tokens, void *prepared)
{
    bits_prepare(activations, stride, k, tokens, BITS_GROUP, ACTIVATION_BITS, prepared);
}

static size_t bits_many_bytes(size_t k)
{
    return bits_group_bytes(k, BITS_GROUP, ACTIVATION_BITS);
}

static void bits_prepare_one(const void *activations, size_t k, void *prepared)
{
    bits_prepare(activations, k, k, 1, 1, ACTIVATION_BITS, prepared);
}

static size_t bits_one_bytes(size_t k)
{
    return bits_group_bytes(k, 1, ACTIVATION_BITS);
}

extern const struct format SELF_FORMAT;

static struct kernel_row bits_row_of(const uint8_t *panel, size_t k, uint32_t row, const void *prepared)
{
    return bits_row(&SELF_FORMAT, panel, k, row, ACTIVATION_BITS, prepared);
}

/** Common to all bit-serial kernels: what they take and give, and how far that may be from it. */
#define BITS_KERNEL                                                                                                    \
    .name = SELF_NAME, .sequence = SELF_SEQUENCE, .isa = SELF_ISA, .format = &SELF_FORMAT, .takes = KERNEL_TAKES_F32,  \
    .gives = KERNEL_GIVES_F32, .float_sums = KERNEL_FLOAT_SUMS_ALL, .error_bound = BITS_ERROR(ACTIVATION_BITS),        \
    .prepared_bytes = bits_one_bytes, .prepare = bits_prepare_one, .row = bits_row_of

#define BITS_GEMM(of)                                                                                                  \
    BITS_SCRATCH.run = of, .prepare_many = bits_prepare_many, .tokens_per_group = BITS_GROUP,                          \
    .prepared_bytes = bits_many_bytes

/* A variant's name, its struct bits_tiles and its run(). */
#define BITS_VARIANT(PANELS, TOKENS, NAME, COLUMNS)                                                                    \
    static void bits_run_##NAME(const struct gemm_slice *slice)                                                        \
    {                                                                                                                  \
        static const struct bits_tiles tiles = {                                                                       \
            PANELS,                                                                                                    \
            TOKENS,                                                                                                    \
            COLUMNS,                                                                                                   \
            {bits_tile_##PANELS##_1, bits_tile_##PANELS##_2, bits_tile_##PANELS##_4, bits_tile_##PANELS##_8},          \
            {bits_tile_1_1, bits_tile_1_2, bits_tile_1_4, bits_tile_1_8},                                              \
        };                                                                                                             \
        bits_run(slice, &tiles);                                                                                       \
    }

#endif
