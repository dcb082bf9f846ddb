/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gemm.run() of exact look-ups. A token has tables of its own, those of gemv() made by its prepare(), so every weight is looked up
 * again for each: what tokens share is only that weights come from memory once. Of K a cut at a time goes through all panels; what it
 * holds of a panel stays in the first-level cache while GEMM_TOKENS tokens pass, and their tables of it in the second.
 * Sums of former cuts wait in out, integers in any order that the kernel likes.
 *
 * The including .c has prepare() and prepared_bytes(), and defines
 *
 *   GEMM_CUT_TILES, GEMM_PANELS         tiles of a cut; panels side by side
 *   gemm_cut(slice, cut, panel, token)  one token with a cut of one panel; of GEMM_PANELS with
 *   gemm_cut_of_panels(…)               where GEMM_PANELS > 1
 *
 *   GEMM_ONE_IS_GEMV                    optional: a single token goes through gemv(), which reads panels from front to back
 *
 * Either of the functions ends with gemm_finish() where the cut is the last.
 */
#ifndef MICRO_FORMATS_TL2_GEMM_LOOKUP_H
#define MICRO_FORMATS_TL2_GEMM_LOOKUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "micro/formats/tl2/layout.h"
#include "micro/kernel.h"

enum { GEMM_TOKENS = 32 };

struct gemm_cut {
    size_t tile, tiles; /* its first tile, and how many: 0 where K has none */
    bool first, last;   /* of K; the last has the pairs, too */
    size_t ahead;       /* bytes to the same cut of what is multiplied next; 0: has been fetched, or is not to be */
};

static void gemm_cut(const struct gemm_slice *slice, const struct gemm_cut *cut, size_t panel, size_t token);
#if GEMM_PANELS > 1
static void gemm_cut_of_panels(const struct gemm_slice *slice, const struct gemm_cut *cut, size_t panel, size_t token);
#endif

/** Of a token: whole lines. */
static size_t gemm_prepared_bytes(size_t k)
{
    return (prepared_bytes(k) + 63) / 64 * 64;
}

static inline const uint8_t *gemm_tables(const struct gemm_slice *slice, size_t token)
{
    return (const uint8_t *)slice->prepared + token * gemm_prepared_bytes(slice->k);
}

static inline int32_t *gemm_out(const struct gemm_slice *slice, size_t panel, size_t token)
{
    return (int32_t *)(void *)(slice->out + token * slice->out_stride + panel * TL2_ROWS);
}

/** All of K looked up: sums[TL2_ROWS] in order to results. */
static inline void gemm_finish(const struct gemm_slice *slice, const int32_t *sums, size_t panel, size_t token)
{
    float *out = slice->out + token * slice->out_stride + panel * TL2_ROWS;
    for (size_t row = 0; row < TL2_ROWS; row++)
        out[row] = (float)add_wrapping(sums[row], slice->corrections[token]) * slice->scales[token];
}

/** A cut of all panels with tokens first … end; the first token fetches what comes next. */
static void gemm_tokens(const struct gemm_slice *slice, struct gemm_cut *cut, size_t first, size_t end)
{
    size_t panel = 0;
#if GEMM_PANELS > 1
    for (; panel + GEMM_PANELS <= slice->panels; panel += GEMM_PANELS) {
        for (size_t token = first; token < end; token++) {
            cut->ahead = token == first && slice->prefetch_bytes ? GEMM_PANELS * slice->panel_bytes : 0;
            gemm_cut_of_panels(slice, cut, panel, token);
        }
    }
#endif
    for (; panel < slice->panels; panel++) {
        for (size_t token = first; token < end; token++) {
            cut->ahead = token == first && slice->prefetch_bytes ? slice->panel_bytes : 0;
            gemm_cut(slice, cut, panel, token);
        }
    }
}

#ifdef GEMM_ONE_IS_GEMV
static void gemm_one(const struct gemm_slice *slice)
{
    const struct gemv_slice one = {
        .weights = slice->weights,
        .panels = slice->panels,
        .panel_bytes = slice->panel_bytes,
        .steps = slice->k / TL2_QUAD_COLUMNS,
        .k = slice->k,
        .prepared = slice->prepared,
        .correction = slice->corrections[0],
        .out = gemm_out(slice, 0, 0),
        .prefetch_bytes = slice->prefetch_bytes,
    };
    gemv(&one);
    for (size_t row = 0; row < slice->panels * TL2_ROWS; row++)
        slice->out[row] = (float)one.out[row] * slice->scales[0];
}
#endif

static void gemm_run(const struct gemm_slice *slice)
{
#ifdef GEMM_ONE_IS_GEMV
    if (slice->tokens == 1) {
        gemm_one(slice);
        return;
    }
#endif
    size_t tiles = tl2_tiles(slice->k);
    for (size_t token = 0; token < slice->tokens; token += GEMM_TOKENS) {
        size_t end = slice->tokens - token < GEMM_TOKENS ? slice->tokens : token + GEMM_TOKENS, tile = 0;
        do {
            struct gemm_cut cut = {.tile = tile, .tiles = tiles - tile, .first = tile == 0, .last = true};
            if (cut.tiles > GEMM_CUT_TILES) {
                cut.tiles = GEMM_CUT_TILES;
                cut.last = false;
            }
            gemm_tokens(slice, &cut, token, end);
            tile += cut.tiles;
        } while (tile < tiles);
    }
}

static void gemm_prepare(const void *activations, size_t stride, size_t k, size_t tokens, void *prepared)
{
    (void)stride, (void)tokens; /* a group is one token */
    prepare(activations, k, prepared);
}

#define GEMM                                                                                                           \
    {                                                                                                                  \
        .run = gemm_run, .prepare_many = gemm_prepare, .tokens_per_group = 1, .prepared_bytes = gemm_prepared_bytes,   \
        .multiply = SELF_NAME                                                                                          \
    }

#endif
