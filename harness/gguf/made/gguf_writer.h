/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * The header of a GGUF file, field by field, in memory: what harness/gguf/gguf.h reads. Nothing is held against anything; what finds no room
 * is left out, and `full` says so.
 */
struct gguf_bytes {
    uint8_t at[1 << 18];
    size_t length;
    bool full;
};

void gguf_put_bytes(struct gguf_bytes *file, const void *bytes, size_t length);
void gguf_put_u32(struct gguf_bytes *file, uint32_t number);
void gguf_put_u64(struct gguf_bytes *file, uint64_t number);
void gguf_put_text(struct gguf_bytes *file, const char *text);

/** Begin anew. */
void gguf_put_header(struct gguf_bytes *file, uint32_t version, uint64_t tensors, uint64_t entries);

void gguf_put_entry_text(struct gguf_bytes *file, const char *key, const char *value);
void gguf_put_entry_u32(struct gguf_bytes *file, const char *key, uint32_t value);
void gguf_put_entry_f32(struct gguf_bytes *file, const char *key, float value);

/** A line of the table of tensors, of m rows of k columns; m 0: of one dimension. */
void gguf_put_tensor(struct gguf_bytes *file, const char *name, uint64_t k, uint64_t m, uint32_t type, uint64_t offset);

/** Zeros up to a multiple of the alignment, a power of two. */
void gguf_put_padding(struct gguf_bytes *file, size_t alignment);
