/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tile registers for kernels in C. The compilers' own intrinsics do not say that they read and write memory, and the numbers
 * of tiles must be text: so these are macros, and vector code between them stays where it is written.
 *
 * A tile's state is 8 KB that every context switch saves while it is in use. So a call configures it and ends with
 * tiles_release(); the check refuses a kernel that does not.
 */
#ifndef MICRO_ISA_AMX_TILES_H
#define MICRO_ISA_AMX_TILES_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    TILE_ROWS = 16,
    TILE_ROW_BYTES = 64,
    TILE_BYTES = TILE_ROWS * TILE_ROW_BYTES,
    TILES_OPERAND_BYTES = 1 << 20, /* of tokens, which stay in the second-level cache while all rows pass */
    TILES_STREAMING_TOKENS = 64,   /* so many, and results are written past the caches */
};

/** What ldtilecfg reads, palette 1. */
struct tile_configuration {
    uint8_t palette, start_row, reserved[14];
    uint16_t row_bytes[16];
    uint8_t rows[16];
} __attribute__((aligned(64)));

#define tiles_configure(configuration) __asm__ volatile("ldtilecfg %0" : : "m"(*(configuration)) : "memory")
#define tiles_release()                __asm__ volatile("tilerelease" : : : "memory")

/** All eight of 16 rows of 64 bytes. */
static inline void tiles_configure_whole(void)
{
    struct tile_configuration configuration = {.palette = 1};
    for (size_t tile = 0; tile < 8; tile++) {
        configuration.row_bytes[tile] = TILE_ROW_BYTES;
        configuration.rows[tile] = TILE_ROWS;
    }
    tiles_configure(&configuration);
}

/**
 * Rows `there` of 16 of a token to `out`. Of many tokens a line goes to each of as many places far apart, often in the same sets of a cache:
 * written past the caches, as a whole, it need not be read first. A run ends with tiles_stored().
 */
static inline __attribute__((always_inline)) void tiles_put(float *out, __mmask16 there, __m512 results, size_t tokens)
{
    if (tokens >= TILES_STREAMING_TOKENS && there == 0xffff && (uintptr_t)out % 64 == 0)
        _mm512_stream_ps(out, results);
    else
        _mm512_mask_storeu_ps(out, there, results);
}

#define tiles_stored() _mm_sfence()

/* from: of the first row, and bytes past it as a literal; stride: bytes from row to row; streaming: of what is not read again soon */
#define tile_load_at(tile, from, offset, stride)                                                                       \
    __asm__ volatile("tileloadd " #offset "(%0,%1), %%tmm" #tile : : "r"(from), "r"((size_t)(stride)) : "memory")
#define tile_load(tile, from, stride) tile_load_at(tile, from, , stride)
#define tile_load_streaming(tile, from, stride)                                                                        \
    __asm__ volatile("tileloaddt1 (%0,%1), %%tmm" #tile : : "r"(from), "r"((size_t)(stride)) : "memory")
#define tile_store(tile, to, stride)                                                                                   \
    __asm__ volatile("tilestored %%tmm" #tile ", (%0,%1)" : : "r"(to), "r"((size_t)(stride)) : "memory")
#define tile_zero(tile) __asm__ volatile("tilezero %%tmm" #tile : :)

static inline size_t at_most(size_t value, size_t most)
{
    return value < most ? value : most;
}

/** Blocks of tokens, of `bytes` > 0 of operand each, that stay in the second-level cache; at least one. */
static inline size_t tiles_blocks_at_most(size_t bytes)
{
    const size_t fit = (TILES_OPERAND_BYTES + bytes / 2) / bytes;
    return fit ? fit : 1;
}

/**
 * Tokens that pass all rows together, so that their operand stays in the second-level cache: whole blocks of them, in equal shares.
 * @param bytes  of a block's operand, > 0
 * @return       > 0
 */
static inline size_t tiles_tokens_at_once(size_t tokens, size_t block, size_t bytes)
{
    const size_t most = tiles_blocks_at_most(bytes);
    const size_t blocks = tokens ? (tokens + block - 1) / block : 1, passes = (blocks + most - 1) / most;
    return (blocks + passes - 1) / passes * block;
}

struct gemm_slice;

/** Some tokens with each of `panels` panels, then the next, between a configuration and its release; of no tokens each panel once. */
static inline __attribute__((always_inline)) void
tiles_run_panels(const struct gemm_slice *slice, size_t panels, size_t tokens, size_t at_once,
                 void (*run_panel)(const struct gemm_slice *slice, size_t panel, size_t first, size_t end))
{
    size_t first = 0;
    do {
        for (size_t panel = 0; panel < panels; panel++)
            run_panel(slice, panel, first, at_most(tokens, first + at_once));
        first += at_once;
    } while (first < tokens);
    tiles_stored();
    tiles_release();
}

/* c += a b: c[row][column] of 32 bits, a[row][4 k] bytes or [2 k] halves, b[k][column][4 or 2] */
#define tile_multiply(operation, c, a, b) __asm__ volatile(#operation " %%tmm" #b ", %%tmm" #a ", %%tmm" #c : :)

#endif
