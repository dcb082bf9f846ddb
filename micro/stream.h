/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_STREAM_H
#define MICRO_STREAM_H

#include <stddef.h>
#include <stdint.h>

/**
 * Read streams. Those of lines load and do nothing else, and beta is read with them. A file under micro/streams holds one load
 * width; its variants differ in how many places they read side by side and in the hint of their software prefetch.
 *
 * Those of tiles load a tile of the matrix unit at a time, and some variants multiply each with another tile that stays: what an
 * operand of a GEMM takes.
 */
enum stream_hint {
    STREAM_NO_PREFETCH,
    STREAM_PREFETCH_T0,
    STREAM_PREFETCH_T1,
    STREAM_PREFETCH_NTA,
    STREAM_PREFETCH_BOTH, /* T1 at the distance, then T0 at half of it, as kernels of rows do: to learn what that costs */
    STREAM_HINTS
};

/** Of tiles: each is multiplied; each is loaded by the instruction that says it is not needed again. */
enum stream_tiles { STREAM_TILES_MULTIPLIED = 1, STREAM_TILES_STREAMED = 2 };

struct stream_variant {
    uint32_t streams;   /* places read side by side; of tiles 1 */
    uint32_t hint;      /* enum stream_hint; of tiles none */
    uint32_t run_bytes; /* read of one place before the next one's turn: 64, 128 or 256; of tiles a tile */
    uint32_t tiles;     /* enum stream_tiles; 0 for lines */
    /**
     * Read streams * bytes_per_stream bytes: stream i reads [base + i*stride, base + i*stride + bytes_per_stream).
     * base 64-byte aligned; stride and bytes_per_stream multiples of 256; bytes_per_stream > 0. Each line is prefetched
     * prefetch_bytes before it is loaded (ignored without a hint); a prefetch may point past the end, a load never
     * does.
     *
     * Of tiles bytes_per_stream is a multiple of run_bytes, and stride how often they are read, one pass after the other, > 0.
     */
    void (*read)(const void *base, size_t bytes_per_stream, size_t stride, size_t prefetch_bytes);
};

struct stream {
    const char *name;         /* "read.avx512", "tiles.amx_int8" */
    const char *isa;          /* row of isa.def */
    uint32_t load_bytes;      /* width of one load; of a tile all of its rows */
    uint32_t tile_operations; /* of a product of two tiles, a multiply and an add count two; 0: a stream of lines */
    uint32_t count;
    const struct stream_variant *variants;
};

/** All streams of this architecture, NULL-terminated. */
const struct stream *const *stream_all(void);

const char *stream_hint_name(enum stream_hint hint); /* "none", "t0", "t1", "nta", "t1t0" */

#endif
