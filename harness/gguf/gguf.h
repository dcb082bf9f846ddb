/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** How a tensor of a GGUF file is stored: a row of the file's table of types (gguf_types.def). */
struct gguf_type {
    uint32_t id;
    const char *name;
    uint32_t block_columns; /* a row is a whole number of blocks; 0: the size of a tensor cannot be said from its shape */
    uint32_t block_bytes;
    uint32_t tail_bytes; /* after the blocks of the whole tensor */
    const char *format;  /* of micro/formats, whose panels are the file's rows byte for byte; NULL: none of ours */
};

/**
 * The type of an id; NULL if it is not known. The numbers 38 and 39 mean other types in files of bitnet.cpp, whose
 * architectures are named bitnet…, than in all others.
 */
const struct gguf_type *gguf_type_find(uint32_t id, bool of_bitnet);

/** The type of a name as the table has it: "Q4_K". NULL: there is none. */
const struct gguf_type *gguf_type_named(const char *name);

/**
 * The header of a GGUF file (versions 2 and 3, little-endian): metadata and the table of tensors. Pure: of bytes in memory, a
 * file that is mapped. Everything points into these bytes, which outlive what is parsed.
 *
 * Nothing that the bytes state is believed before it was held against how many there are: memory is allocated for no more
 * entries and tensors than could be written in what remains. What is accepted has these properties:
 *
 *   every string, value, array and tensor lies within the file; arrays do not nest; names are not empty, and each is there once
 *   every tensor has 1 to 4 dimensions of at least 1, no product of which leaves 63 bits, and rows of whole blocks of its type
 *   tensors of known types lie at multiples of the alignment, a power of two, and share no byte
 *
 * A type that is not known is no error. Of such a tensor it is known where it begins, and that the next one ends it.
 */

/** Text in the file: length bytes, not terminated, any bytes. */
struct gguf_text {
    const char *at;
    size_t length;
};

enum gguf_value_type {
    GGUF_UINT8,
    GGUF_INT8,
    GGUF_UINT16,
    GGUF_INT16,
    GGUF_UINT32,
    GGUF_INT32,
    GGUF_FLOAT32,
    GGUF_BOOL,
    GGUF_STRING,
    GGUF_ARRAY,
    GGUF_UINT64,
    GGUF_INT64,
    GGUF_FLOAT64,
};

/** One value or an array of them. */
struct gguf_value {
    enum gguf_value_type type; /* of an array its elements'; never GGUF_ARRAY */
    bool is_array;
    uint64_t count;    /* 1 where it is no array */
    const uint8_t *at; /* first element */
};

struct gguf_entry {
    struct gguf_text key;
    struct gguf_value value;
};

enum { GGUF_DIMENSIONS = 4 };

struct gguf_tensor {
    struct gguf_text name;
    uint32_t type_id;
    const struct gguf_type *type;   /* NULL: not known */
    uint32_t dimensions;            /* 1 … GGUF_DIMENSIONS */
    uint64_t size[GGUF_DIMENSIONS]; /* size[0]: columns, which lie side by side; 1 beyond the dimensions */
    uint64_t offset;                /* of its first byte in the file */
    uint64_t
        bytes; /* of its data; where they do not follow from the type, up to the next tensor or the end of the file */
};

struct gguf {
    uint32_t version;
    uint64_t alignment;
    struct gguf_entry *entries; /* in the order of the file */
    size_t entry_count;
    struct gguf_tensor *tensors; /* in the order of the file */
    size_t tensor_count;
};

/**
 * Parse a file. -EINVAL: not such a file, or a broken one; one line in why names the field and its offset in the file.
 * -ENOMEM. On an error there is nothing to free.
 */
int gguf_parse(const uint8_t *bytes, size_t length, struct gguf *gguf, char *why, size_t size);
void gguf_free(struct gguf *gguf);

/** The value of a key; NULL if there is none. */
const struct gguf_value *gguf_find(const struct gguf *gguf, const char *key);

/** Element `index` of an integer value or of an array of integers that are not negative; false if it is something else. */
bool gguf_integer(const struct gguf_value *value, uint64_t index, uint64_t *number);

/** A string; length 0 if the value is not a string. NULL is not a value. */
struct gguf_text gguf_string(const struct gguf_value *value);

/** Whether text is this. */
bool gguf_text_is(struct gguf_text text, const char *other);
