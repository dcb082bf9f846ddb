/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/gguf/gguf_reader.h"

#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int gguf_wrong(struct gguf_reader *reader, const char *field, size_t at, const char *format, ...)
{
    va_list arguments;
    int used = snprintf(reader->why, reader->size, "%s, %s at byte %zu: ", reader->subject, field, at);
    if (used < 0 || (size_t)used >= reader->size)
        return -EINVAL;
    va_start(arguments, format);
    vsnprintf(reader->why + used, reader->size - (size_t)used, format, arguments);
    va_end(arguments);
    return -EINVAL;
}

void gguf_subject(struct gguf_reader *reader, const char *what, uint64_t index, const struct gguf_text *name)
{
    if (name)
        snprintf(reader->subject, sizeof reader->subject, "%s %" PRIu64 " '%.*s'", what, index,
                 (int)(name->length < 128 ? name->length : 128), name->at);
    else
        snprintf(reader->subject, sizeof reader->subject, "%s %" PRIu64, what, index);
}

int gguf_wants(struct gguf_reader *reader, const char *field, uint64_t bytes)
{
    size_t left = reader->length - reader->at;
    if (bytes <= left)
        return 0;
    return gguf_wrong(reader, field, reader->at, "needs %" PRIu64 " bytes, and the file ends after %zu", bytes, left);
}

int gguf_read_u32(struct gguf_reader *reader, const char *field, uint32_t *number)
{
    if (gguf_wants(reader, field, sizeof *number))
        return -EINVAL;
    memcpy(number, reader->bytes + reader->at, sizeof *number);
    *number = le32toh(*number);
    reader->at += sizeof *number;
    return 0;
}

int gguf_read_u64(struct gguf_reader *reader, const char *field, uint64_t *number)
{
    if (gguf_wants(reader, field, sizeof *number))
        return -EINVAL;
    memcpy(number, reader->bytes + reader->at, sizeof *number);
    *number = le64toh(*number);
    reader->at += sizeof *number;
    return 0;
}

static int read_text(struct gguf_reader *reader, const char *field, struct gguf_text *text)
{
    uint64_t length;
    size_t at = reader->at, left;
    if (gguf_read_u64(reader, field, &length))
        return -EINVAL;
    left = reader->length - reader->at;
    if (length > left)
        return gguf_wrong(reader, field, at, "is a string of %" PRIu64 " bytes, and the file ends after %zu", length,
                          left);
    *text = (struct gguf_text){(const char *)reader->bytes + reader->at, (size_t)length};
    reader->at += (size_t)length;
    return 0;
}

int gguf_read_name(struct gguf_reader *reader, uint64_t most, struct gguf_text *name)
{
    size_t at = reader->at;
    if (read_text(reader, "name", name))
        return -EINVAL;
    if (name->length == 0)
        return gguf_wrong(reader, "name", at, "is empty");
    if (name->length > most)
        return gguf_wrong(reader, "name", at, "has %zu bytes, and at most %" PRIu64 " are allowed", name->length, most);
    return 0;
}

/** Bytes of a value; 0: a string, which states them; -1: no type of a value. */
static int bytes_of(uint32_t type)
{
    static const int8_t bytes[] = {
        [GGUF_UINT8] = 1,  [GGUF_INT8] = 1,    [GGUF_UINT16] = 2,  [GGUF_INT16] = 2,  [GGUF_UINT32] = 4,
        [GGUF_INT32] = 4,  [GGUF_FLOAT32] = 4, [GGUF_BOOL] = 1,    [GGUF_STRING] = 0, [GGUF_ARRAY] = -1,
        [GGUF_UINT64] = 8, [GGUF_INT64] = 8,   [GGUF_FLOAT64] = 8,
    };
    return type < sizeof bytes ? bytes[type] : -1;
}

static int check_bools(struct gguf_reader *reader, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        uint8_t byte = reader->bytes[reader->at + i];
        if (byte > 1)
            return gguf_wrong(reader, "truth value", reader->at + (size_t)i, "is %u, neither 0 nor 1", byte);
    }
    return 0;
}

/** Elements one after the other, of a valid type. */
static int read_elements(struct gguf_reader *reader, struct gguf_value *value)
{
    uint64_t bytes = (uint64_t)bytes_of(value->type);
    value->at = reader->bytes + reader->at;
    if (value->type == GGUF_STRING) {
        struct gguf_text text;
        for (uint64_t i = 0; i < value->count; i++) {
            if (read_text(reader, "value", &text))
                return -EINVAL;
        }
        return 0;
    }
    if (gguf_wants(reader, "value", value->count * bytes)) /* read_array saw to it that this cannot overflow */
        return -EINVAL;
    if (value->type == GGUF_BOOL && check_bools(reader, value->count))
        return -EINVAL;
    reader->at += (size_t)(value->count * bytes);
    return 0;
}

static int read_array(struct gguf_reader *reader, struct gguf_value *value)
{
    size_t at = reader->at;
    uint32_t type;
    if (gguf_read_u32(reader, "type of the array's elements", &type))
        return -EINVAL;
    if (type == GGUF_ARRAY)
        return gguf_wrong(reader, "type of the array's elements", at, "is array, and arrays of arrays are not read");
    int bytes = bytes_of(type);
    if (bytes < 0)
        return gguf_wrong(reader, "type of the array's elements", at, "is %" PRIu32 ", which is not a type", type);
    value->type = type;
    value->is_array = true;
    at = reader->at;
    if (gguf_read_u64(reader, "length of the array", &value->count))
        return -EINVAL;
    size_t left = reader->length - reader->at, least = bytes ? (size_t)bytes : sizeof(uint64_t);
    if (value->count > left / least)
        return gguf_wrong(reader, "length of the array", at,
                          "is %" PRIu64 ", which takes %zu bytes each, and the file ends after %zu", value->count,
                          least, left);
    return read_elements(reader, value);
}

int gguf_read_value(struct gguf_reader *reader, struct gguf_value *value)
{
    size_t at = reader->at;
    uint32_t type;
    if (gguf_read_u32(reader, "type", &type))
        return -EINVAL;
    *value = (struct gguf_value){.type = type, .count = 1};
    if (type == GGUF_ARRAY)
        return read_array(reader, value);
    if (bytes_of(type) < 0)
        return gguf_wrong(reader, "type", at, "is %" PRIu32 ", which no value has", type);
    return read_elements(reader, value);
}
