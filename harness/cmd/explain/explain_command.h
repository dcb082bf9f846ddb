/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "micro/kernel.h"
#include "micro/sequence.h"
#include "platforms/machine/machine.h"

/** What a number that commands print is. */
struct term {
    const char *name;   /* as in tables: "gamma" */
    const char *others; /* other words for it, a blank between and at either end; NULL: none */
    const char *unit;   /* NULL: it has none */
    const char *what;   /* what it is, in full sentences */
    const char *how;    /* how it is measured here */
    const char *alone;  /* commands that measure it alone, a line each; NULL if it is not measured */
};

extern const struct term terms[];
extern const size_t term_count;

/** By name or another word, in any case; NULL: none. */
const struct term *term_find(const char *word);

/** Sources that the binary carries: kernels and sequences of this architecture. */

/** "micro/formats/int2_vnni4/mask.avx2.S" by its end, "int2_vnni4/mask.avx2.S"; NULL: none, as of a plug-in. */
const char *source_path(const char *end);

/** "micro/frames/gemm_tile.h" by its name, "gemm_tile.h", if it belongs to no format alone; NULL: none. */
const char *source_shared(const char *name);

/** What a kernel or a sequence in assembly is compiled of; with a NULL name: it is not one of the tool's. */
struct source {
    const char *name, *path;
    const char *macros; /* "VECTOR_IS_ZMM=1 OFFSET=8": of its row in kernels.def or sequences.def; "": none */
};

const struct source *source_of_kernel(const char *name);
const struct source *source_of_sequence(const char *name);

/**
 * The first comment of a source without its marks and its SPDX line: what it does, its ports and registers. Pure but for what
 * the binary carries. @return its length; 0: none
 */
size_t source_notes(const char *path, char *notes, size_t size);

/** The same of a text. Pure. */
size_t source_first_comment(const char *text, char *notes, size_t size);

/** A record of type "format_explained": what a matrix of it is, and its kernels. A new reference, NULL without memory. */
json_t *explain_format(const struct format *format);

/** It as text. */
void explain_print_format(const json_t *record);

/** What a kernel or a sequence is, as records. They are printed by explain_print_code. */
struct explained {
    const struct machine *machine;
    const char *mca; /* core for llvm-mca as LLVM names it, "none"; NULL: this one */
};

/** Records of type "kernel_explained" and "sequence_explained"; new references, NULL without memory. */
json_t *explain_kernel(const struct explained *explained, const struct kernel *kernel);
json_t *explain_sequence(const struct explained *explained, const struct sequence *sequence);

/** As text on standard output. */
void explain_print_code(const json_t *record);

/**
 * Cut the machine code of a loop to one of the parts that it repeats: its first lines, the last being the loop's counter. Left as it
 * is where its lines are no multiple of the parts. Pure. @return whether it was cut
 */
bool explain_cut(char *code, size_t parts);

/** Vector and mask registers that machine code names, "ymm0-5 ymm14 k1". Pure. @return text */
const char *explain_registers(const char *code, char *text, size_t size);

/**
 * llvm-mca's view of the pressure on resources, folded: a column for each resource that the code takes, of several units of
 * one name the sum, without what all names begin with. Text that is no such view is written as it stands. Pure.
 * @param width  columns of the terminal, to which instructions are cut; 0: none
 */
void ports_write(FILE *stream, const char *text, size_t width);
