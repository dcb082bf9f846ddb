/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CMD_EXPLAIN_COMMAND_SOURCE_H
#define HARNESS_CMD_EXPLAIN_COMMAND_SOURCE_H

#include <stddef.h>

/** Sources that the binary carries: kernels and sequences of this architecture. */

/** "micro/formats/int2_vnni4/mask.avx2.S" by its end, "int2_vnni4/mask.avx2.S"; NULL: there is none, as of a plug-in. */
const char *source_path(const char *end);

/** "micro/frames/gemm_tile.h" by its name, "gemm_tile.h", if it belongs to no format alone; NULL: there is none. */
const char *source_shared(const char *name);

/** What a kernel or a sequence in assembly is compiled of; with a NULL name: it is none of the tool's. */
struct source {
    const char *name, *path;
    const char *macros; /* "VECTOR_IS_ZMM=1 OFFSET=8": of its row in kernels.def or sequences.def; "": none */
};

const struct source *source_of_kernel(const char *name);
const struct source *source_of_sequence(const char *name);

/**
 * The first comment of a source without its marks and its SPDX line: what it does, its ports and registers. Pure but for what
 * the binary carries. @return its length; 0: there is none
 */
size_t source_notes(const char *path, char *notes, size_t size);

/** The same of a text. Pure. */
size_t source_first_comment(const char *text, char *notes, size_t size);

#endif
