/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_GGUF_GGUF_TYPES_H
#define HARNESS_GGUF_GGUF_TYPES_H

#include <stdbool.h>
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

#endif
