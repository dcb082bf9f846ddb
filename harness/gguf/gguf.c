/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/gguf/gguf.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/gguf/gguf_reader.h"

enum {
    KEY_MOST = 65535,  /* bytes */
    NAME_MOST = 127,   /* the format says 64, and programs were built with 127 */
    ENTRY_LEAST = 14,  /* bytes that an entry takes: length, a letter, type, a byte */
    TENSOR_LEAST = 33, /* length, a letter, dimensions, one of them, type, offset */
    ALIGNMENT_DEFAULT = 32,
};

/* ---- header ---- */

static int read_magic(struct gguf_reader *reader, uint32_t *version)
{
    if (gguf_wants(reader, "magic", 4))
        return -EINVAL;
    if (memcmp(reader->bytes, "GGUF", 4) != 0)
        return gguf_wrong(reader, "magic", 0, "is not 'GGUF': this is no GGUF file");
    reader->at = 4;
    if (gguf_read_u32(reader, "version", version))
        return -EINVAL;
    if (*version && !(*version & 0xffff))
        return gguf_wrong(reader, "version", 4, "says that the file is big-endian; convert it to little-endian");
    if (*version != 2 && *version != 3)
        return gguf_wrong(reader, "version", 4, "is %" PRIu32 ", and versions 2 and 3 are read", *version);
    return 0;
}

/** A number of things of at least this many bytes each. */
static int read_count(struct gguf_reader *reader, const char *field, uint64_t least, uint64_t *count)
{
    size_t at = reader->at;
    if (gguf_read_u64(reader, field, count))
        return -EINVAL;
    uint64_t most = (reader->length - reader->at) / least;
    if (*count > most)
        return gguf_wrong(reader, field, at, "is %" PRIu64 ", and what remains of the file has room for %" PRIu64,
                          *count, most);
    return 0;
}

/* ---- metadata ---- */

static int compare_texts(const struct gguf_text *a, const struct gguf_text *b)
{
    size_t least = a->length < b->length ? a->length : b->length;
    int order = memcmp(a->at, b->at, least);
    return order ? order : (a->length > b->length) - (a->length < b->length);
}

static int compare_names(const void *a, const void *b)
{
    const struct gguf_text *const *first = a, *const *second = b;
    int order = compare_texts(*first, *second);
    return order ? order : ((*first)->at > (*second)->at) - ((*first)->at < (*second)->at);
}

/** The later of two names that are alike; NULL: none are. Sorts names. */
static const struct gguf_text *second_of_a_name(const struct gguf_text **names, size_t count)
{
    if (count > 0)
        qsort(names, count, sizeof *names, compare_names);
    for (size_t i = 1; i < count; i++) {
        if (compare_texts(names[i - 1], names[i]) == 0)
            return names[i];
    }
    return NULL;
}

static int check_names(struct gguf_reader *reader, const char *what, const struct gguf_text *first, size_t stride,
                       size_t count)
{
    const struct gguf_text **names = calloc(count + 1, sizeof *names);
    if (!names)
        return -ENOMEM;
    for (size_t i = 0; i < count; i++)
        names[i] = (const struct gguf_text *)(const void *)((const char *)first + i * stride);
    const struct gguf_text *again = second_of_a_name(names, count);
    free(names);
    if (!again)
        return 0;
    gguf_subject(reader, what, (uint64_t)((const char *)again - (const char *)first) / stride, again);
    return gguf_wrong(reader, "name", (size_t)((const uint8_t *)again->at - reader->bytes) - sizeof(uint64_t),
                      "is there twice");
}

static int read_entries(struct gguf_reader *reader, struct gguf *gguf)
{
    for (size_t i = 0; i < gguf->entry_count; i++) {
        struct gguf_entry *entry = &gguf->entries[i];
        gguf_subject(reader, "metadata key", i, NULL);
        int error = gguf_read_name(reader, KEY_MOST, &entry->key);
        if (!error) {
            gguf_subject(reader, "metadata key", i, &entry->key);
            error = gguf_read_value(reader, &entry->value);
        }
        if (error)
            return error;
    }
    if (gguf->entry_count == 0)
        return 0;
    return check_names(reader, "metadata key", &gguf->entries[0].key, sizeof *gguf->entries, gguf->entry_count);
}

static int find_alignment(struct gguf_reader *reader, struct gguf *gguf)
{
    const struct gguf_value *value = gguf_find(gguf, "general.alignment");
    gguf->alignment = ALIGNMENT_DEFAULT;
    if (!value)
        return 0;
    size_t at = (size_t)(value->at - reader->bytes);
    snprintf(reader->subject, sizeof reader->subject, "metadata key 'general.alignment'");
    if (value->is_array || !gguf_integer(value, 0, &gguf->alignment))
        return gguf_wrong(reader, "value", at, "is no whole number above 0");
    if (gguf->alignment == 0 || (gguf->alignment & (gguf->alignment - 1)))
        return gguf_wrong(reader, "value", at, "is %" PRIu64 ", which is no power of two", gguf->alignment);
    return 0;
}

/* ---- tensors ---- */

static int read_dimensions(struct gguf_reader *reader, struct gguf_tensor *tensor)
{
    size_t at = reader->at;
    if (gguf_read_u32(reader, "number of dimensions", &tensor->dimensions))
        return -EINVAL;
    if (tensor->dimensions < 1 || tensor->dimensions > GGUF_DIMENSIONS)
        return gguf_wrong(reader, "number of dimensions", at, "is %" PRIu32 ", and 1 to %d are read",
                          tensor->dimensions, GGUF_DIMENSIONS);
    int64_t elements = 1;
    for (uint32_t i = 0; i < GGUF_DIMENSIONS; i++)
        tensor->size[i] = 1;
    for (uint32_t i = 0; i < tensor->dimensions; i++) {
        char field[32];
        snprintf(field, sizeof field, "dimension %" PRIu32, i);
        at = reader->at;
        if (gguf_read_u64(reader, field, &tensor->size[i]))
            return -EINVAL;
        if (tensor->size[i] == 0 || tensor->size[i] > INT64_MAX)
            return gguf_wrong(reader, field, at, "is %" PRId64 ", and at least 1 is needed", (int64_t)tensor->size[i]);
        if (__builtin_mul_overflow(elements, (int64_t)tensor->size[i], &elements))
            return gguf_wrong(reader, field, at, "is %" PRIu64 ", with which the tensor has 2^63 elements or more",
                              tensor->size[i]);
    }
    return 0;
}

static int read_type(struct gguf_reader *reader, bool of_bitnet, struct gguf_tensor *tensor)
{
    size_t at = reader->at;
    if (gguf_read_u32(reader, "type", &tensor->type_id))
        return -EINVAL;
    const struct gguf_type *type = tensor->type = gguf_type_find(tensor->type_id, of_bitnet);
    if (!type || !type->block_columns)
        return 0;
    if (tensor->size[0] % type->block_columns)
        return gguf_wrong(reader, "type", at, "is %s, in blocks of %" PRIu32 " columns, and a row has %" PRIu64,
                          type->name, type->block_columns, tensor->size[0]);
    uint64_t bytes = tensor->size[0] / type->block_columns;
    bool fits = !__builtin_mul_overflow(bytes, type->block_bytes, &bytes);
    for (uint32_t i = 1; i < GGUF_DIMENSIONS; i++)
        fits = fits && !__builtin_mul_overflow(bytes, tensor->size[i], &bytes);
    fits = fits && !__builtin_add_overflow(bytes, type->tail_bytes, &bytes) && bytes <= INT64_MAX;
    if (!fits)
        return gguf_wrong(reader, "type", at, "is %s, with which the tensor has 2^63 bytes or more", type->name);
    tensor->bytes = bytes;
    return 0;
}

static int read_tensors(struct gguf_reader *reader, struct gguf *gguf)
{
    struct gguf_text architecture = gguf_string(gguf_find(gguf, "general.architecture"));
    bool of_bitnet = architecture.length >= 6 && memcmp(architecture.at, "bitnet", 6) == 0;
    for (size_t i = 0; i < gguf->tensor_count; i++) {
        struct gguf_tensor *tensor = &gguf->tensors[i];
        gguf_subject(reader, "tensor", i, NULL);
        int error = gguf_read_name(reader, NAME_MOST, &tensor->name);
        gguf_subject(reader, "tensor", i, error ? NULL : &tensor->name);
        if (error || read_dimensions(reader, tensor) || read_type(reader, of_bitnet, tensor) ||
            gguf_read_u64(reader, "offset", &tensor->offset))
            return -EINVAL;
        if (tensor->offset & (gguf->alignment - 1))
            return gguf_wrong(reader, "offset", reader->at - 8, "is %" PRIu64 ", no multiple of the alignment %" PRIu64,
                              tensor->offset, gguf->alignment);
    }
    if (gguf->tensor_count == 0)
        return 0;
    return check_names(reader, "tensor", &gguf->tensors[0].name, sizeof *gguf->tensors, gguf->tensor_count);
}

/* ---- where the data of tensors is ---- */

/** Where the offset of a tensor is stated: after its name, dimensions and type. */
static size_t offset_field(const struct gguf_reader *reader, const struct gguf_tensor *tensor)
{
    return (size_t)((const uint8_t *)tensor->name.at - reader->bytes) + tensor->name.length + 4 +
           8 * (size_t)tensor->dimensions + 4;
}

static int compare_offsets(const void *a, const void *b)
{
    const struct gguf_tensor *const *first = a, *const *second = b;
    int order = ((*first)->offset > (*second)->offset) - ((*first)->offset < (*second)->offset);
    return order ? order : (*first > *second) - (*first < *second);
}

/** Tensors in the order of their data: each ends before the next begins, and the last before the file does. */
static int check_places(struct gguf_reader *reader, const struct gguf *gguf, struct gguf_tensor **tensors)
{
    qsort(tensors, gguf->tensor_count, sizeof *tensors, compare_offsets);
    for (size_t i = 0; i < gguf->tensor_count; i++) {
        struct gguf_tensor *tensor = tensors[i], *next = i + 1 < gguf->tensor_count ? tensors[i + 1] : NULL;
        uint64_t end = next ? next->offset : reader->length;
        if (!tensor->type || !tensor->type->block_columns)
            tensor->bytes = end - tensor->offset;
        if (tensor->bytes && tensor->bytes <= end - tensor->offset)
            continue;
        gguf_subject(reader, "tensor", (uint64_t)(tensor - gguf->tensors), &tensor->name);
        if (next)
            return gguf_wrong(reader, "offset", offset_field(reader, tensor),
                              "its data begins at byte %" PRIu64 " and overlaps that of '%.*s' at byte %" PRIu64,
                              tensor->offset, (int)next->name.length, next->name.at, next->offset);
        return gguf_wrong(reader, "offset", offset_field(reader, tensor),
                          "its data, %" PRIu64 " bytes from byte %" PRIu64 " on, passes the end of the file at %zu",
                          tensor->bytes, tensor->offset, reader->length);
    }
    return 0;
}

static int place_tensors(struct gguf_reader *reader, struct gguf *gguf)
{
    uint64_t begin = (reader->at + gguf->alignment - 1) & ~(gguf->alignment - 1);
    struct gguf_tensor **tensors = calloc(gguf->tensor_count + 1, sizeof(struct gguf_tensor *));
    int error = tensors ? 0 : -ENOMEM;
    for (size_t i = 0; !error && i < gguf->tensor_count; i++) {
        struct gguf_tensor *tensor = tensors[i] = &gguf->tensors[i];
        uint64_t offset = tensor->offset;
        bool fits = begin >= reader->at && !__builtin_add_overflow(begin, offset, &tensor->offset);
        if (fits && tensor->offset < reader->length)
            continue;
        gguf_subject(reader, "tensor", i, &tensor->name);
        error = gguf_wrong(reader, "offset", offset_field(reader, tensor),
                           "is %" PRIu64 " from where the data begin, and the file ends at byte %zu", offset,
                           reader->length);
    }
    if (!error && gguf->tensor_count)
        error = check_places(reader, gguf, tensors);
    free(tensors);
    return error;
}

/* ---- the file ---- */

static int parse(struct gguf_reader *reader, struct gguf *gguf)
{
    uint64_t tensors, entries;
    if (read_magic(reader, &gguf->version) || read_count(reader, "number of tensors", TENSOR_LEAST, &tensors) ||
        read_count(reader, "number of metadata keys", ENTRY_LEAST, &entries))
        return -EINVAL;
    gguf->entry_count = (size_t)entries;
    gguf->entries = calloc((size_t)entries + 1, sizeof *gguf->entries);
    int error = gguf->entries ? read_entries(reader, gguf) : -ENOMEM;
    if (!error)
        error = find_alignment(reader, gguf);
    snprintf(reader->subject, sizeof reader->subject, "header");
    if (!error && tensors > (reader->length - reader->at) / TENSOR_LEAST)
        error =
            gguf_wrong(reader, "number of tensors", 8, "is %" PRIu64 ", and after the metadata there is room for %zu",
                       tensors, (reader->length - reader->at) / TENSOR_LEAST);
    if (error)
        return error;
    gguf->tensor_count = (size_t)tensors;
    gguf->tensors = calloc((size_t)tensors + 1, sizeof *gguf->tensors);
    error = gguf->tensors ? read_tensors(reader, gguf) : -ENOMEM;
    return error ? error : place_tensors(reader, gguf);
}

int gguf_parse(const uint8_t *bytes, size_t length, struct gguf *gguf, char *why, size_t size)
{
    struct gguf_reader reader = {.bytes = bytes, .length = length, .subject = "header", .why = why, .size = size};
    *gguf = (struct gguf){0};
    int error = parse(&reader, gguf);
    if (error == -ENOMEM)
        snprintf(why, size, "there is no memory for its table of tensors");
    if (error)
        gguf_free(gguf);
    return error;
}

void gguf_free(struct gguf *gguf)
{
    free(gguf->entries);
    free(gguf->tensors);
    *gguf = (struct gguf){0};
}

static const struct {
    struct gguf_type type;
    bool of_bitnet;
} types[] = {
#define ROW(id, name, columns, bytes, tail, format, of_bitnet) {{id, name, columns, bytes, tail, format}, of_bitnet},
#define TYPE(...)                                              ROW(__VA_ARGS__, false)
#define TYPE_OF_BITNET(...)                                    ROW(__VA_ARGS__, true)
#include "harness/gguf/gguf_types.def"
#undef TYPE
#undef TYPE_OF_BITNET
#undef ROW
};

const struct gguf_type *gguf_type_find(uint32_t id, bool of_bitnet)
{
    const struct gguf_type *found = NULL;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (types[i].type.id == id && (of_bitnet || !types[i].of_bitnet))
            found = &types[i].type; /* those of bitnet.cpp stand last */
    }
    return found;
}

const struct gguf_type *gguf_type_named(const char *name)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strcmp(types[i].type.name, name) == 0)
            return &types[i].type;
    }
    return NULL;
}
