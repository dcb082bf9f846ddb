/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/gguf/made/gguf_writer.h"

#include <string.h>

#include "harness/gguf/gguf.h"

void gguf_put_bytes(struct gguf_bytes *file, const void *bytes, size_t length)
{
    file->full = file->full || length > sizeof file->at - file->length;
    if (file->full || !length)
        return;
    memcpy(file->at + file->length, bytes, length);
    file->length += length;
}

void gguf_put_u32(struct gguf_bytes *file, uint32_t number)
{
    gguf_put_bytes(file, &number, sizeof number);
}

void gguf_put_u64(struct gguf_bytes *file, uint64_t number)
{
    gguf_put_bytes(file, &number, sizeof number);
}

void gguf_put_text(struct gguf_bytes *file, const char *text)
{
    gguf_put_u64(file, strlen(text));
    gguf_put_bytes(file, text, strlen(text));
}

void gguf_put_header(struct gguf_bytes *file, uint32_t version, uint64_t tensors, uint64_t entries)
{
    file->length = 0;
    file->full = false;
    gguf_put_bytes(file, "GGUF", 4);
    gguf_put_u32(file, version);
    gguf_put_u64(file, tensors);
    gguf_put_u64(file, entries);
}

static void put_key(struct gguf_bytes *file, const char *key, enum gguf_value_type type)
{
    gguf_put_text(file, key);
    gguf_put_u32(file, type);
}

void gguf_put_entry_text(struct gguf_bytes *file, const char *key, const char *value)
{
    put_key(file, key, GGUF_STRING);
    gguf_put_text(file, value);
}

void gguf_put_entry_u32(struct gguf_bytes *file, const char *key, uint32_t value)
{
    put_key(file, key, GGUF_UINT32);
    gguf_put_u32(file, value);
}

void gguf_put_entry_f32(struct gguf_bytes *file, const char *key, float value)
{
    put_key(file, key, GGUF_FLOAT32);
    gguf_put_bytes(file, &value, sizeof value);
}

void gguf_put_tensor(struct gguf_bytes *file, const char *name, uint64_t k, uint64_t m, uint32_t type, uint64_t offset)
{
    gguf_put_text(file, name);
    gguf_put_u32(file, m ? 2 : 1);
    gguf_put_u64(file, k);
    if (m)
        gguf_put_u64(file, m);
    gguf_put_u32(file, type);
    gguf_put_u64(file, offset);
}

void gguf_put_padding(struct gguf_bytes *file, size_t alignment)
{
    while (!file->full && file->length % alignment)
        gguf_put_bytes(file, "", 1);
}
