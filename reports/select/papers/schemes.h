/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "reports/select/kernels/width.h"
#include "reports/select/run/view.h"

/**
 * What products are computed with, as the tables of [apt-llm] have it in their rows: floats, integers that meet activations of
 * 8 bits, and planes, which are weights of p bits times activations of q bits, W<p>A<q>. Chosen among the gemm records of a run and,
 * of one token, its gemv records.
 */

/** A row of the tables, or a baseline that stands with them. */
struct scheme {
    const char *title;       /* "W1A2" */
    const char *column;      /* of the paper's tables: "ii_<column>"; NULL: it has none */
    const char *formats[4];  /* that are it here, to the first NULL; none where it is planes */
    const char *plugin;      /* whose kernels they are; NULL: ours */
    struct scheme_bits bits; /* of planes; else 0 */
    unsigned colour;         /* 0xRRGGBB */
};
enum {
    SCHEME_F32,
    SCHEME_F16,
    SCHEME_INT8,
    SCHEME_ONEDNN,
    SCHEME_INT4,
    SCHEME_INT2,
    SCHEME_TMAC,
    SCHEME_INT1,
    SCHEME_W3A4,
    SCHEME_W2A2,
    SCHEME_W1A2,
    SCHEME_W1A1,
    SCHEMES
};
extern const struct scheme schemes[SCHEMES];

/** The team with the most products of planes, of equals the widest; 0: none. */
unsigned scheme_team(const struct view *view);

/** What a machine has that runs the kernels that are compared: an instruction set and those that come with it. */
enum scheme_machine {
    MACHINE_AVX2,
    MACHINE_AVX_VNNI,
    MACHINE_AVX512,
    MACHINE_AMX,
    MACHINE_NEON,
    MACHINE_DOTPROD,
    MACHINES
};
extern const char *const scheme_machine_titles[MACHINES];

/** The least machine that runs code of an ISA; MACHINES: not known. */
enum scheme_machine scheme_machine_of(const char *isa);

/** Whether code of this ISA runs on such a machine; MACHINES: on the one that was measured. */
bool scheme_machine_runs(enum scheme_machine machine, const char *isa);

/** Whether a product of planes or integers was measured that this machine runs and no lesser one does. */
bool scheme_machine_measured(const struct view *view, enum scheme_machine machine);

/** Which products; machine MACHINES stands for any ISA, threads 0 for any team. Cold ones only. */
struct scheme_query {
    double m, k, n;
    unsigned threads;
    enum scheme_machine machine;
};

/** The one that is shown of several kernels. */
struct scheme_cell {
    const json_t *row; /* as reports/select/run/reported.h reports it; NULL: none was measured */
    bool known;        /* to be the fastest; else it has the least median, with all of its luck */
};

/** Whether a row is of it: ours or its plug-in's, in one of its formats, or of its planes. */
bool scheme_is(const struct scheme *scheme, const json_t *row);

/** The fastest valid kernel of a scheme, or of planes of these bits. */
struct scheme_cell scheme_fastest(const struct view *view, const struct scheme *scheme,
                                  const struct scheme_query *query);
struct scheme_cell scheme_planes_fastest(const struct view *view, struct scheme_bits bits,
                                         const struct scheme_query *query);

/**
 * The fastest integers of ours that hold weights of this many bits: int1, int2, int4 or int8, whose activations have 8 bits.
 * One that was measured is known to be the fastest if all are.
 */
struct scheme_cell scheme_integers_fastest(const struct view *view, unsigned weight_bits,
                                           const struct scheme_query *query);

/** The fastest pass through a whole model with a scheme's kernels and an output head of 16 bits. Type and length as of decoded_among(). */
const json_t *scheme_pass(const struct view *view, enum view_type type, const struct scheme *scheme, const char *model,
                          size_t length, unsigned threads);

/** Its operations per second, 2 m n k a call; NaN without a cell. */
double scheme_ops_per_s(const struct scheme_cell *cell);

/** The bits of the planes that were multiplied on such a machine, by p q, then p, each once. @return how many, at most capacity */
size_t scheme_planes(const struct view *view, enum scheme_machine machine, struct scheme_bits *bits, size_t capacity);
