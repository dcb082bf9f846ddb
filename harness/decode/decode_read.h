/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>

#include "harness/team/gemv.h"
#include "micro/kernel.h"

/**
 * Matrices of a type that no kernel takes. A pass reads their bytes, each once, as fast as a read stream does: with them a kernel of
 * that type, whatever it will be, takes no less time. Rows are blocks of this many bytes; every weight counts as 0, and so
 * does every row, which the scalar reference then says as well.
 */
struct decode_read {
    char name[48];
    struct format format;
    struct kernel kernel; /* of it; its gemv says 0 of every row and reads nothing */
};

/** How bytes are read. */
struct decode_reader {
    void (*read)(const void *context, const uint8_t *place, size_t bytes);
    const void *context;
};

/** @param type  name of the type, which outlives it; neither may *read move, to which its kernel points */
void decode_read_describe(struct decode_read *read, const char *type, uint32_t block_columns, uint32_t block_bytes);

/** Whether a kernel is only a placeholder for reading. */
bool decode_is_read(const struct kernel *kernel);

/** Read a member's stretch of such a matrix; its rows are 0. */
void decode_read_member(struct gemv *gemv, unsigned member, const struct decode_reader *reader);
