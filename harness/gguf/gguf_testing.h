/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_GGUF_GGUF_TESTING_H
#define HARNESS_GGUF_GGUF_TESTING_H

/* For tests only: GGUF files written field by field, right or wrong ones. Include cmocka.h before it. */

#include <stdint.h>
#include <string.h>

#include "harness/gguf/gguf.h"
#include "unit_test.h"

struct gguf_bytes {
    uint8_t at[1 << 16];
    size_t length;
};

static inline void put_bytes(struct gguf_bytes *file, const void *bytes, size_t length)
{
    assert_true(file->length + length <= sizeof file->at);
    if (length)
        memcpy(file->at + file->length, bytes, length);
    file->length += length;
}

static inline void put_u32(struct gguf_bytes *file, uint32_t number)
{
    put_bytes(file, &number, sizeof number);
}

static inline void put_u64(struct gguf_bytes *file, uint64_t number)
{
    put_bytes(file, &number, sizeof number);
}

static inline void put_text(struct gguf_bytes *file, const char *text)
{
    put_u64(file, strlen(text));
    put_bytes(file, text, strlen(text));
}

static inline void put_header(struct gguf_bytes *file, uint32_t version, uint64_t tensors, uint64_t entries)
{
    file->length = 0;
    put_bytes(file, "GGUF", 4);
    put_u32(file, version);
    put_u64(file, tensors);
    put_u64(file, entries);
}

static inline void put_entry_text(struct gguf_bytes *file, const char *key, const char *value)
{
    put_text(file, key);
    put_u32(file, GGUF_STRING);
    put_text(file, value);
}

static inline void put_entry_u32(struct gguf_bytes *file, const char *key, uint32_t value)
{
    put_text(file, key);
    put_u32(file, GGUF_UINT32);
    put_u32(file, value);
}

/** The entry of an array, without its elements. */
static inline void put_entry_array(struct gguf_bytes *file, const char *key, uint32_t type, uint64_t count)
{
    put_text(file, key);
    put_u32(file, GGUF_ARRAY);
    put_u32(file, type);
    put_u64(file, count);
}

/** A line of the table of tensors, of m rows of k columns; m 0: of one dimension. */
static inline void put_tensor(struct gguf_bytes *file, const char *name, uint64_t k, uint64_t m, uint32_t type,
                              uint64_t offset)
{
    put_text(file, name);
    put_u32(file, m ? 2 : 1);
    put_u64(file, k);
    if (m)
        put_u64(file, m);
    put_u32(file, type);
    put_u64(file, offset);
}

/** Zeros up to a multiple of the alignment, and this many bytes of data. */
static inline void put_data(struct gguf_bytes *file, size_t alignment, size_t bytes)
{
    static const uint8_t zeros[4096];
    assert_true(alignment <= sizeof zeros && bytes <= sizeof zeros);
    put_bytes(file, zeros, (alignment - file->length % alignment) % alignment);
    put_bytes(file, zeros, bytes);
}

#endif
