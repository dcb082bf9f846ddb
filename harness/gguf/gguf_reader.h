/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "harness/gguf/gguf.h"

/**
 * Reading a GGUF file from front to back, never past its end. Functions return 0 or -EINVAL with one line in why:
 *
 *     tensor 3 'blk.0.attn_q.weight', dimension 1 at byte 412: is 0
 */
struct gguf_reader {
    const uint8_t *bytes;
    size_t length, at;
    char subject[192]; /* what is being read: "header", "metadata key 3", "tensor 3 'blk.0.attn_q.weight'" */
    char *why;
    size_t size;
};

/** A field is wrong; at is where it begins. @return -EINVAL */
__attribute__((format(printf, 4, 5))) int gguf_wrong(struct gguf_reader *reader, const char *field, size_t at,
                                                     const char *format, ...);

/** What is read from here on: its name is NULL until that is known. */
void gguf_subject(struct gguf_reader *reader, const char *what, uint64_t index, const struct gguf_text *name);

/** This many bytes are there from here on. */
int gguf_wants(struct gguf_reader *reader, const char *field, uint64_t bytes);

int gguf_read_u32(struct gguf_reader *reader, const char *field, uint32_t *number);
int gguf_read_u64(struct gguf_reader *reader, const char *field, uint64_t *number);

/** A name: 1 … most bytes. */
int gguf_read_name(struct gguf_reader *reader, uint64_t most, struct gguf_text *name);

/** Type and value of a metadata entry. */
int gguf_read_value(struct gguf_reader *reader, struct gguf_value *value);
