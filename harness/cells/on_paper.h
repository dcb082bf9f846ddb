/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* For tests only: a machine, sequence, stream and kernel on paper, and cells of them as if they had been measured. */

#include <stdlib.h>

#include "harness/cells/beta/beta.h"
#include "harness/cells/cell/kind.h"
#include "harness/cells/cell/testing.h"
#include "harness/cells/gamma/gamma.h"
#include "harness/cells/prepare/prepare.h"
#include "harness/cells/product/product_summary.h"
#include "harness/cells/sync/sync.h"
#include "unit_test.h"

enum { CELLS_MOST = 16, ITERATIONS = 100, CLOCK_HZ = 1000000000 };

static const struct sequence_variant variants[] = {
    {.accumulators = 1, .dots = 48}, {.accumulators = 4, .dots = 56}, {.accumulators = 8, .dots = 64}};

static const struct sequence sequence = {
    .name = "int2_test.paper.avx2",
    .isa = "avx2",
    .format = "int2_test",
    .sequence = "paper",
    .origin = "envelope",
    .claimed_gamma = 1.25,
    .bytes_per_vector = 8,
    .vector_bytes = 32, /* one output vector a dot product */
    .group_dots = 4,
    .group_uops = 10,
    .group_vectors = 4,
    .least_accumulators = 4,
    .variants = 3,
    .variant = variants,
};

static const struct stream_variant stream_variants[] = {{4, STREAM_NO_PREFETCH, 256, 0, NULL},
                                                        {2, STREAM_PREFETCH_T0, 256, 0, NULL}};
static const struct stream stream = {"read.avx2", "avx2", 32, 0, 2, stream_variants};

/* 2 bits, 1024 x 1024: 262144 bytes, 32768 output vectors */
static const struct format format = {.name = "int2_test",
                                     .bits = 2,
                                     .weight_min = -2,
                                     .weight_max = 1,
                                     .rows_per_panel = 64,
                                     .k_per_step = 4,
                                     .step_bytes = 64,
                                     .max_k = 65536};

/** It has a GEMV, which is never called. */
static inline void gemv_on_paper(const struct gemv_slice *slice)
{
    (void)slice;
    fail();
}

static const struct kernel kernel = {.name = "int2_test.paper.avx2",
                                     .sequence = "paper",
                                     .isa = "avx2",
                                     .origin = "kneepoint",
                                     .format = &format,
                                     .gemv = gemv_on_paper};

struct bench {
    struct session session;
    struct cells cells; /* so few that they do not move */
};

static inline int open_bench(void **state)
{
    struct bench *bench = calloc(1, sizeof *bench);
    assert_non_null(bench);
    bench->session.threads = 2;
    bench->session.cpus[0] = 3;
    bench->session.cpus[1] = 5;
    bench->session.issue_width = 6;
    bench->session.level_bytes[1] = 48 << 10;
    bench->session.level_bytes[2] = 2 << 20;
    bench->session.level_bytes[3] = 32 << 20;
    *state = bench;
    return 0;
}

static inline int close_bench(void **state)
{
    struct bench *bench = *state;
    cells_release(&bench->cells);
    free(bench);
    return 0;
}

static inline struct cell *add(struct bench *bench, const struct cell_kind *kind, const char *name)
{
    assert_true(bench->cells.count < CELLS_MOST);
    struct cell *cell = cells_add(&bench->cells, kind);
    assert_non_null(cell);
    cell->repeats = 1;
    strcpy(cell->name, name);
    return cell;
}

/** A pair of samples whose difference is gamma cycles a vector, with a loop of 1000 cycles around it. */
static inline void give_pair(struct cell *cell, double gamma)
{
    double cycles = gamma * ITERATIONS * (double)gamma_cell(cell)->variant->dots;
    give(&cell->samples, kept_sample((1000 + cycles) / CLOCK_HZ, CLOCK_HZ));
    give(&cell->samples, kept_sample((1000 + 2 * cycles) / CLOCK_HZ, CLOCK_HZ));
}

static inline struct cell *add_gamma(struct bench *bench, size_t variant, double gamma)
{
    struct cell *cell = add(bench, &cell_kind_gamma, "gamma/int2_test.paper.avx2/a");
    cell->sequence = &sequence;
    gamma_cell(cell)->variant = &variants[variant];
    cell->iterations = ITERATIONS;
    cell->exact = true;
    for (int i = 0; i < 8; i++)
        give_pair(cell, gamma);
    return cell;
}

static inline struct cell *add_beta(struct bench *bench, const char *level, const char *name, double bytes_per_s,
                                    unsigned count)
{
    struct cell *cell = add(bench, &cell_kind_beta, name);
    beta_cell(cell)->stream = (struct session_stream){&stream, &stream_variants[0], 0};
    beta_cell(cell)->level = level;
    beta_cell(cell)->roof = true;
    cell->cold = strcmp(level, "memory") == 0;
    cell->threads = 2;
    beta_cell(cell)->bytes = 1 << 20;
    give_many(&cell->samples, kept_sample(2.0 * (1 << 20) / bytes_per_s, CLOCK_HZ), count);
    return cell;
}

/** Samples of a GEMV and, when cold, of the roof beside each. */
static inline struct cell *add_gemv(struct bench *bench, bool cold, double time_s, double roof_bytes_per_s)
{
    struct cell *cell = add(bench, &cell_kind_gemv, "gemv/int2_test.paper.avx2/1024x1024/t2/cold");
    cell->kernel = &kernel;
    gemv_cell(cell)->m = gemv_cell(cell)->k = 1024;
    cell->threads = 2;
    cell->cold = cold;
    cell->exact = true;
    cell->roof_bytes = 4 << 20;
    for (int i = 0; i < 8; i++) {
        if (cold)
            give(&cell->roof, kept_sample((4 << 20) / roof_bytes_per_s, CLOCK_HZ));
        give(&cell->samples, kept_sample(time_s, CLOCK_HZ));
    }
    return cell;
}

static inline json_t *record_of(const struct bench *bench, const struct cell *cell)
{
    json_t *record = summary_record(&bench->session, &bench->cells, cell);
    assert_non_null(record);
    return record;
}

static inline void assert_fields(const json_t *record, const char *const *fields)
{
    for (; *fields; fields++) {
        if (!json_object_get(record, *fields))
            fail_msg("no field '%s'", *fields);
    }
}

/** A gamma and a barrier of two threads. */
static inline void add_model_parts(struct bench *bench, double gamma, double barrier_s)
{
    add_gamma(bench, 1, gamma);
    struct cell *sync = add(bench, &cell_kind_sync, "sync/barrier/t2");
    sync->threads = 2;
    sync->repeats = 100;
    give_many(&sync->samples, kept_sample(100 * barrier_s, CLOCK_HZ), 8);
}
