/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_STREAM_H
#define MICRO_STREAM_H

#include <stddef.h>
#include <stdint.h>

/**
 * Read kernels for beta: loads and nothing else. A file under micro/streams holds one load width; its variants differ
 * in how many places they read side by side and in the hint of their software prefetch.
 */
enum stream_hint {
    STREAM_NO_PREFETCH,
    STREAM_PREFETCH_T0,
    STREAM_PREFETCH_T1,
    STREAM_PREFETCH_NTA,
    STREAM_PREFETCH_BOTH, /* T1 at the distance, then T0 at half of it, as kernels of rows do: to learn what that costs */
    STREAM_HINTS
};

struct stream_variant {
    uint32_t streams;   /* places read side by side */
    uint32_t hint;      /* enum stream_hint */
    uint32_t run_bytes; /* read of one place before the next one's turn: 64, 128 or 256 */
    /**
     * Read streams * bytes_per_stream bytes: stream i reads [base + i*stride, base + i*stride + bytes_per_stream).
     * base 64-byte aligned; stride and bytes_per_stream multiples of 256; bytes_per_stream > 0. Each line is prefetched
     * prefetch_bytes before it is loaded (ignored without a hint); a prefetch may point past the end, a load never
     * does.
     */
    void (*read)(const void *base, size_t bytes_per_stream, size_t stride, size_t prefetch_bytes);
};

struct stream {
    const char *name;    /* "read.avx512" */
    const char *isa;     /* row of isa.def */
    uint32_t load_bytes; /* width of one load */
    uint32_t count;
    const struct stream_variant *variants;
};

/** All streams of this architecture, NULL-terminated. */
const struct stream *const *stream_all(void);

const char *stream_hint_name(enum stream_hint hint); /* "none", "t0", "t1", "nta", "t1t0" */

#endif
