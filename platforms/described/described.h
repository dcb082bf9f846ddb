/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/**
 * Machines described by a file instead of measured: platforms/known/<name>.json, which travel inside the binary, or a
 * file that `kneepoint characterize` or a user wrote. Units are converted on loading; everything here is in SI and core
 * cycles.
 */

/** Measured or published cycles of one up-convert and multiply sequence on one kind of core. */
struct described_gamma {
    char *name;             /* <format>.<sequence> in the papers' files, with .<isa> in a host's own */
    double cycles;          /* core cycles per output vector of 32 weights, loads excluded */
    double bits_per_weight; /* of the packed matrix, scales included */
    char *source;           /* "" if not stated */
};

/** A kernel as a run of the machine knows it: what it reads, what it computes, and how much of that it hides. */
struct described_kernel {
    char *name;             /* <format>.<sequence>.<isa> */
    double bits_per_weight; /* of the packed matrix, scales included */
    double cycles;          /* gamma of its sequence */
    double omega;           /* as roofline/overlap.h has it; may be below 0 or above 1 */
    double omega_low, omega_high;
    double omega_samples; /* 0 if not stated */
    char *source;         /* of omega, "" if not stated */
    double prepare_s;     /* from one activation in f32 to its part of the operand, on one core; NaN if not stated */
};

/** A source may state only that a number is above or below another one. */
enum described_limit { DESCRIBED_EXACT, DESCRIBED_AT_LEAST, DESCRIBED_AT_MOST };

/** Something else that a source states about the machine, in the source's unit. The model uses none of them. */
struct described_fact {
    char *name;
    double value;
    const char *unit;
    enum described_limit limit;
    char *source;
};

/** One kind of core. What a source does not state is 0 or NaN; a kind with gammas has all of them. */
struct described_kind {
    char *kind;                     /* "P", "E", "LP" */
    char *microarchitecture;        /* as its features allow it; "" if not stated */
    char *microarchitecture_stated; /* by its model alone; "" if not stated */
    size_t cores;
    double core_hz;                 /* under load */
    double beta;                    /* bytes per core cycle that one core reads while all read */
    bool beta_is_derived;           /* from the read bandwidth, shared equally by all cores */
    double beta_alone;              /* the same while the others do not read; NaN if not stated */
    struct described_gamma *gammas; /* in the order of the file */
    size_t gamma_count;
    struct described_kernel *kernels; /* in the order of the file */
    size_t kernel_count;
};

struct described_platform {
    char *name, *title, *source; /* title is the name, and source "", if not stated */
    double read_bytes_per_s;     /* of the whole machine, measured; NaN if not stated */
    double peak_bytes_per_s;     /* of its memory, by the data sheet; NaN if not stated */
    enum described_limit read_limit, peak_limit;
    double matrix_ops_per_s; /* of matrix units that multiply 8-bit integers by those and narrower; NaN if not stated */
    enum described_limit matrix_limit;
    double launch_s;              /* of one kernel on a GPU; NaN if not stated */
    double memory_bytes;          /* capacity; NaN if not stated */
    double synchronisation_s;     /* of one parallel call; NaN if not stated */
    double start_s;               /* of a call from memory, synchronisation included; NaN if not stated */
    struct described_kind *kinds; /* none where only memory is described */
    size_t kind_count;
    struct described_fact *facts;
    size_t fact_count;
};

/**
 * The entry of a sequence: the one of exactly this name, else, for a name without its ISA, the fastest "<name>.<isa>".
 * NULL if there is none.
 */
const struct described_gamma *described_gamma_of(const struct described_kind *kind, const char *name);

/** The same of a kernel; NULL if the file has no omega of it. Of several ISAs the one with the lowest gamma. */
const struct described_kernel *described_kernel_of(const struct described_kind *kind, const char *name);

/**
 * Whether the model can be applied: there are kinds of cores, and all have gammas.
 * @return NULL, or what is missing: "no gamma is stated"
 */
const char *described_lacks(const struct described_platform *platform);

/**
 * Whether it is a GPU of which enough is known for the model of roofline/gpu.h: no cores, the rate of its matrix units, and
 * a bandwidth.
 */
bool described_is_gpu(const struct described_platform *platform);

/** Bytes per second that no product reads faster than: what was measured, or where that is only a limit, the data sheet's. */
double described_roof_bytes_per_s(const struct described_platform *platform);

/** "", "at least " or "at most ". */
const char *described_limit_words(enum described_limit limit);

void described_free(struct described_platform *platform);
