/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Any bytes as a GGUF file: nothing outside of them is read, and what is accepted is as gguf.h says. Its corpus is written by harness/gguf/fixtures/write_gguf.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz/frame/target.h"
#include "harness/gguf/census.h"

static void hold_text(struct gguf_text text, const uint8_t *bytes, size_t length)
{
    uint64_t begin = (uint64_t)((const uint8_t *)text.at - bytes);
    hold(text.length == 0 || (begin <= length && text.length <= length - begin));
}

static void hold_entries(const struct gguf *gguf, const uint8_t *bytes, size_t length)
{
    for (size_t i = 0; i < gguf->entry_count; i++) {
        const struct gguf_value *value = &gguf->entries[i].value;
        uint64_t number, sum = 0;
        hold_text(gguf->entries[i].key, bytes, length);
        hold_text(gguf_string(value), bytes, length);
        hold(value->type != GGUF_ARRAY && value->at >= bytes && value->at <= bytes + length);
        for (uint64_t j = 0; gguf_integer(value, j, &number); j++)
            sum += number;
        hold(value->is_array || value->count == 1);
        hold(sum != 1 || value->count > 0);
    }
}

/** Every tensor lies in the file, and no two share a byte: pairs, of few tensors. */
static void hold_tensors(const struct gguf *gguf, const uint8_t *bytes, size_t length)
{
    for (size_t i = 0; i < gguf->tensor_count; i++) {
        const struct gguf_tensor *tensor = &gguf->tensors[i];
        hold_text(tensor->name, bytes, length);
        hold(tensor->dimensions >= 1 && tensor->dimensions <= GGUF_DIMENSIONS);
        hold(tensor->size[0] && tensor->size[1] && tensor->size[2] && tensor->size[3]);
        hold(tensor->bytes && tensor->offset <= length && tensor->bytes <= length - tensor->offset);
        hold(tensor->offset % gguf->alignment == 0);
        for (size_t j = 0; j < i && i < 64; j++) {
            const struct gguf_tensor *other = &gguf->tensors[j];
            hold(tensor->offset >= other->offset + other->bytes || other->offset >= tensor->offset + tensor->bytes);
        }
    }
}

/** The census of a model of this one file. */
static void take_census(const struct gguf *gguf, const uint8_t *bytes)
{
    struct model_tensor *tensors = calloc(gguf->tensor_count + 1, sizeof *tensors);
    struct model_file file = {.tensors = tensors, .tensor_count = gguf->tensor_count};
    struct model_facts facts;
    struct census census;
    model_facts_read(gguf, &facts);
    hold(model_kv_bytes(&facts, 1024, MODEL_CACHE_BYTES, MODEL_CACHE_BYTES) >= 0);
    for (size_t i = 0; tensors && i < gguf->tensor_count; i++)
        tensors[i] = (struct model_tensor){&gguf->tensors[i], bytes + gguf->tensors[i].offset};
    if (tensors && census_take(&file, &facts, &census) == 0) {
        hold(census.group_count <= gguf->tensor_count + 1 && census.bytes >= 0 && census.token_bytes >= 0);
        census_free(&census);
    }
    free(tensors);
}

FUZZ_TARGET(bytes, length)
{
    struct gguf gguf;
    char why[256] = "";
    if (gguf_parse(bytes, length, &gguf, why, sizeof why)) {
        hold_refusal(why);
        hold(!gguf.entries && !gguf.tensors);
        return;
    }
    hold_entries(&gguf, bytes, length);
    hold_tensors(&gguf, bytes, length);
    take_census(&gguf, bytes);
    gguf_free(&gguf);
}
