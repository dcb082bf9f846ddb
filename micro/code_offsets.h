/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_CODE_OFFSETS_H
#define MICRO_CODE_OFFSETS_H

#include "micro/sequence.h"

/**
 * The loop of a sequence at 16 places within a line of 64 bytes, 4 apart: the same instructions, of which other ones lie at the
 * ends of lines, of the windows that decoders fetch, and of the lines of the op cache. How much slower the worst is than the best
 * is what a linker does to a kernel.
 *
 * A sequence has them if its file says CODE_OFFSETS (micro/sequences/sequence_frame.h).
 */
enum { CODE_OFFSETS = 16, CODE_OFFSET_BYTES = 4 };

struct code_offsets {
    const char *sequence;            /* its name; the loop is that of its most accumulators */
    sequence_run *run[CODE_OFFSETS]; /* begins 4 i bytes after a multiple of 64; an iteration is one of run_u */
};

/** All there are, NULL-terminated, in the order of their names. */
const struct code_offsets *const *code_offsets_all(void);

#endif
