/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CMD_EXPLAIN_COMMAND_SOURCE_H
#define HARNESS_CMD_EXPLAIN_COMMAND_SOURCE_H

#include <stddef.h>

/** Sources that the binary carries: kernels and sequences of this architecture. */

/** "micro/kernels/int2_vnni4/mask.avx2.S" by its end, "int2_vnni4/mask.avx2.S"; NULL: there is none, as of a plug-in. */
const char *source_path(const char *end);

/** "micro/kernels/q4_0/rows.c", the source of a kernel of the tool; NULL: there is no such kernel. */
const char *source_of_kernel(const char *name);

/** The same of a sequence in assembly. */
const char *source_of_sequence(const char *name);

/**
 * The first comment of a source without its marks and its SPDX line: what it does, its ports and registers. Pure but for what
 * the binary carries. @return its length; 0: there is none
 */
size_t source_notes(const char *path, char *notes, size_t size);

/** The same of a text. Pure. */
size_t source_first_comment(const char *text, char *notes, size_t size);

#endif
