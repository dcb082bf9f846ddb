/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the metadata of a file that was parsed say.
 */
#include <endian.h>
#include <string.h>

#include "harness/gguf/gguf.h"

bool gguf_text_is(struct gguf_text text, const char *other)
{
    return text.length == strlen(other) && memcmp(text.at, other, text.length) == 0;
}

const struct gguf_value *gguf_find(const struct gguf *gguf, const char *key)
{
    for (size_t i = 0; i < gguf->entry_count; i++) {
        if (gguf_text_is(gguf->entries[i].key, key))
            return &gguf->entries[i].value;
    }
    return NULL;
}

/** The little-endian number of this many bytes. */
static uint64_t number_at(const uint8_t *at, size_t bytes)
{
    uint64_t number = 0;
    memcpy(&number, at, bytes);
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "GGUF files are read as they lie in memory, on little-endian machines"
#endif
    return number;
}

bool gguf_integer(const struct gguf_value *value, uint64_t index, uint64_t *number)
{
    static const struct {
        uint8_t bytes;
        bool is_signed;
    } integers[] = {
        [GGUF_UINT8] = {1, false},   [GGUF_INT8] = {1, true},  [GGUF_UINT16] = {2, false}, [GGUF_INT16] = {2, true},
        [GGUF_UINT32] = {4, false},  [GGUF_INT32] = {4, true}, [GGUF_UINT64] = {8, false}, [GGUF_INT64] = {8, true},
        [GGUF_FLOAT32] = {0, false}, [GGUF_BOOL] = {0, false}, [GGUF_STRING] = {0, false}, [GGUF_ARRAY] = {0, false},
    };
    if (!value || index >= value->count || value->type >= sizeof integers / sizeof *integers)
        return false;
    size_t bytes = integers[value->type].bytes;
    if (bytes == 0)
        return false;
    *number = number_at(value->at + index * bytes, bytes);
    return !integers[value->type].is_signed || !(*number >> (8 * bytes - 1));
}

struct gguf_text gguf_string(const struct gguf_value *value)
{
    if (!value || value->is_array || value->type != GGUF_STRING)
        return (struct gguf_text){"", 0};
    return (struct gguf_text){(const char *)value->at + sizeof(uint64_t),
                              (size_t)number_at(value->at, sizeof(uint64_t))};
}
