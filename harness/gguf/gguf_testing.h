/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_GGUF_GGUF_TESTING_H
#define HARNESS_GGUF_GGUF_TESTING_H

/* For tests only: what wrong files have, too. Include cmocka.h before it. */

#include "harness/gguf/gguf.h"
#include "harness/gguf/made/gguf_writer.h"
#include "unit_test.h"

/** The entry of an array, without its elements. */
static inline void put_entry_array(struct gguf_bytes *file, const char *key, uint32_t type, uint64_t count)
{
    gguf_put_text(file, key);
    gguf_put_u32(file, GGUF_ARRAY);
    gguf_put_u32(file, type);
    gguf_put_u64(file, count);
}

/** Zeros up to a multiple of the alignment, and this many bytes of data. */
static inline void put_data(struct gguf_bytes *file, size_t alignment, size_t bytes)
{
    static const uint8_t zeros[4096];
    assert_true(bytes <= sizeof zeros);
    gguf_put_padding(file, alignment);
    gguf_put_bytes(file, zeros, bytes);
    assert_false(file->full);
}

#endif
