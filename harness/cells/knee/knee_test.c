/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>

#include "harness/cells/cell/kind.h"
#include "harness/cells/cell/testing.h"
#include "harness/cells/gamma/gamma.h"
#include "harness/cells/knee/knee_summary.h"
#include "unit_test.h"

/* A 2-bit sequence on paper: 32 bytes a group of 4 output vectors, so 8 a vector. */
enum { CELLS_MOST = 24, ITERATIONS = 100, CLOCK_HZ = 1000000000, PASS_BYTES = 32 * 1024, REPEATS = 10, PAIRS = 9 };

static const struct sequence_variant variants[] = {{.accumulators = 1, .dots = 48},
                                                   {.accumulators = 2, .dots = 48},
                                                   {.accumulators = 3, .dots = 48},
                                                   {.accumulators = 4, .dots = 48}};
static const struct sequence sequence = {
    .name = "int2_test.paper.avx2",
    .isa = "avx2",
    .format = "int2_test",
    .sequence = "paper",
    .origin = "envelope",
    .bytes_per_vector = 8,
    .vector_bytes = 32,
    .group_dots = 4,
    .group_uops = 10,
    .group_vectors = 4,
    .weight_bytes = 32,
    .least_accumulators = 2,
    .variants = 4,
    .variant = variants,
};
static const struct stream_variant stream_variant = {2, STREAM_NO_PREFETCH, 128, 0, NULL};
static const struct stream stream = {"read.avx2", "avx2", 32, 0, 1, &stream_variant};

struct bench {
    struct session session;
    struct cells cells; /* so few that they do not move */
};

static int open_bench(void **state)
{
    struct bench *bench = calloc(1, sizeof *bench);
    assert_non_null(bench);
    bench->session.threads = 2;
    *state = bench;
    return 0;
}

static int close_bench(void **state)
{
    struct bench *bench = *state;
    cells_release(&bench->cells);
    free(bench);
    return 0;
}

static struct cell *add(struct bench *bench, const struct cell_kind *kind)
{
    assert_true(bench->cells.count < CELLS_MOST);
    struct cell *cell = cells_add(&bench->cells, kind);
    assert_non_null(cell);
    cell->repeats = 1;
    cell->sequence = &sequence;
    cell->exact = true;
    snprintf(cell->name, sizeof cell->name, "cell/%zu", bench->cells.count);
    return cell;
}

static void add_gamma(struct bench *bench, size_t variant, double gamma)
{
    struct cell *cell = add(bench, &cell_kind_gamma);
    gamma_cell(cell)->variant = &variants[variant];
    cell->iterations = ITERATIONS;
    for (int i = 0; i < 8; i++) {
        double cycles = gamma * ITERATIONS * 48;
        give(&cell->samples, kept_sample((1000 + cycles) / CLOCK_HZ, CLOCK_HZ));
        give(&cell->samples, kept_sample((1000 + 2 * cycles) / CLOCK_HZ, CLOCK_HZ));
    }
}

static void give_pair(struct cell *cell, double e_bw, double beta)
{
    give(&cell->roof, kept_sample((double)cell->roof_bytes / cell->threads / beta / CLOCK_HZ, CLOCK_HZ));
    give(&cell->samples, kept_sample((double)knee_cell(cell)->bytes * cell->repeats / e_bw / CLOCK_HZ, CLOCK_HZ));
}

/** A cell of two threads with 4 accumulators whose pairs all say e_bw beside beta; prefetch 0: none. */
static struct cell *add_knee(struct bench *bench, size_t prefetch, bool competes, double e_bw, double beta)
{
    struct cell *cell = add(bench, &cell_kind_knee);
    *knee_cell(cell) = (struct knee_cell){.variant = &variants[3],
                                          .level = "L2",
                                          .bytes = PASS_BYTES,
                                          .prefetches = prefetch > 0,
                                          .prefetch_bytes = prefetch,
                                          .competes = competes};
    cell->threads = 2;
    cell->repeats = REPEATS;
    cell->roof_bytes = 4 << 20;
    for (int i = 0; e_bw > 0 && i < PAIRS; i++)
        give_pair(cell, e_bw, beta);
    return cell;
}

TEST_GIVEN_BY(a_stream_is_held_against_the_read_beside_it, struct bench *bench, open_bench, close_bench)
{
    struct cell *cell = add_knee(bench, 0, false, 5, 8);
    assert_near(knee_e_bw(cell).summary.median, 5);
    assert_near(knee_beta(cell).summary.median, 8);
    assert_near(knee_fraction(cell).summary.median, 5 / 8.0);
    assert_string_equal(knee_e_bw(cell).grade, "chain");
    assert_int_equal(knee_pairs(cell), PAIRS);
    /* when memory gives half for a while, the fraction stays */
    for (int i = 0; i < PAIRS; i += 2)
        cell->samples.sample[i].wall_s *= 2, cell->roof.sample[i].wall_s *= 2;
    assert_near(knee_fraction(cell).summary.min, 5 / 8.0);
    assert_near(knee_fraction(cell).summary.max, 5 / 8.0);
}

TEST_GIVEN_BY(half_a_pair_counts_for_neither, struct bench *bench, open_bench, close_bench)
{
    struct cell *cell = add_knee(bench, 0, false, 5, 8);
    cell->roof.sample[0].cause = SAMPLE_INTERRUPT;
    cell->samples.sample[1].cause = SAMPLE_CLOCK_DRIFT;
    cell->roof.sample[2].grade = SAMPLE_WALL;
    assert_int_equal(knee_pairs(cell), PAIRS - 2);
    assert_int_equal(knee_e_bw(cell).summary.n, PAIRS - 3);
    assert_int_equal(knee_beta(cell).summary.n, PAIRS - 3);
    assert_int_equal(knee_beta(cell).summary.rejected, 3);
    give(&cell->roof, kept_sample(1e-5, CLOCK_HZ)); /* killed before its partner came */
    assert_int_equal(knee_pairs(cell), PAIRS - 2);
}

TEST_GIVEN_BY(the_model_of_a_stream, struct bench *bench, open_bench, close_bench)
{
    add_gamma(bench, 3, 1.25); /* the knee at 6.4 */
    struct knee_model model = knee_model(&bench->cells, add_knee(bench, 0, false, 5, 8));
    assert_near(model.bytes, 8);
    assert_near(model.gamma, 1.25);
    assert_near(model.distance, 1.25);
    assert_near(model.predicted, 6.4);
    assert_near(model.predicted_serial, 8 / (1 + 1.25));
    assert_near(model.residual, 6.4 / 5 - 1);
    assert_near(model.residual_serial, 8 / 2.25 / 5 - 1);
    assert_near(model.overlap, (1.0 / 8 + 1.25 / 8 - 1.0 / 5) / (1.0 / 8));
    assert_false(model.above_roof || model.above_gamma);
    /* from below the knee */
    model = knee_model(&bench->cells, add_knee(bench, 0, false, 2, 2));
    assert_near(model.predicted, 2);
    assert_near(model.overlap, 1);
}

TEST_GIVEN_BY(more_than_a_side_allows_is_flagged, struct bench *bench, open_bench, close_bench)
{
    add_gamma(bench, 3, 1.25);
    static const struct {
        double e_bw, beta;
        bool above_roof, above_gamma;
    } table[] = {{4.1, 4, false, false}, {4.13, 4, true, false}, {6.5, 8, false, false}, {6.6, 8, false, true}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct knee_model model = knee_model(&bench->cells, add_knee(bench, 0, false, table[i].e_bw, table[i].beta));
        assert_int_equal(model.above_roof, table[i].above_roof);
        assert_int_equal(model.above_gamma, table[i].above_gamma);
    }
}

TEST_GIVEN_BY(without_gamma_there_is_no_model, struct bench *bench, open_bench, close_bench)
{
    add_gamma(bench, 2, 1.25); /* of other accumulators */
    struct knee_model model = knee_model(&bench->cells, add_knee(bench, 0, false, 5, 8));
    assert_near(model.e_bw, 5);
    assert_true(isnan(model.predicted) && isnan(model.overlap) && isnan(model.residual) && isnan(model.distance));
    assert_false(model.above_roof || model.above_gamma);
}

TEST_GIVEN_BY(the_fewest_accumulators_on_the_plateau, struct bench *bench, open_bench, close_bench)
{
    assert_int_equal(gamma_fewest_accumulators(&bench->cells, &sequence), 0);
    add_gamma(bench, 3, 1.00);
    assert_int_equal(gamma_fewest_accumulators(&bench->cells, &sequence), 4);
    add_gamma(bench, 2, 1.03);
    assert_int_equal(gamma_fewest_accumulators(&bench->cells, &sequence), 4);
    add_gamma(bench, 1, 1.019);
    assert_int_equal(gamma_fewest_accumulators(&bench->cells, &sequence), 2);
    add_gamma(bench, 0, 0.5); /* the fastest of all, but too few for a kernel */
    assert_int_equal(gamma_fewest_accumulators(&bench->cells, &sequence), 2);
}

TEST_GIVEN_BY(the_shortest_of_the_best_distances, struct bench *bench, open_bench, close_bench)
{
    assert_int_equal(knee_distance(&bench->cells, &sequence), 0);
    add_knee(bench, 0, false, 7.9, 8); /* no prefetch does not compete */
    add_knee(bench, 512, true, 5, 8);
    add_knee(bench, 2048, true, 6.3, 8.4);
    add_knee(bench, 4096, true, 6.03, 8);                  /* 0.754 of beta: within 2% of 0.75 */
    struct cell *last = add_knee(bench, 8192, true, 0, 8); /* nothing is known of it */
    assert_int_equal(knee_distance(&bench->cells, &sequence), 2048);
    for (int i = 0; i < 3; i++)
        give_pair(last, 7.5, 8);
    assert_int_equal(knee_distance(&bench->cells, &sequence), 8192);
    add_knee(bench, 1024, false, 5, 8); /* it was chosen already: it stays */
    assert_int_equal(knee_distance(&bench->cells, &sequence), 1024);
}

TEST_GIVEN_BY(knee_record_has_the_fields_of_the_interface, struct bench *bench, open_bench, close_bench)
{
    bench->session.cache_roof[2][2] = (struct session_roof){true, {&stream, &stream_variant, 0}};
    add_gamma(bench, 3, 1.25);
    struct cell *cell = add_knee(bench, 2048, true, 5, 8);
    for (size_t i = 0; i < cell->roof.count; i++)
        cell->roof.sample[i].stream = session_stream_id(&bench->session.cache_roof[2][2].stream);
    json_auto_t *record = summary_record(&bench->session, &bench->cells, cell);
    assert_non_null(record);
    static const struct {
        const char *field, *text;
    } texts[] = {{"type", "knee"},
                 {"name", "int2_test.paper.avx2"},
                 {"isa", "avx2"},
                 {"format", "int2_test"},
                 {"sequence", "paper"},
                 {"origin", "envelope"},
                 {"level", "L2"},
                 {"prefetch", "t0"},
                 {"roof_stream", "read.avx2.s2.r128"}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_string_equal(field_text(record, texts[i].field), texts[i].text);
    assert_near(field_number(record, "accumulators"), 4);
    assert_near(field_number(record, "threads"), 2);
    assert_near(field_number(record, "prefetch_bytes"), 2048);
    assert_near(field_number(record, "bytes_per_vector"), 8);
    assert_near(field_number(record, "bytes_per_pass_per_core"), PASS_BYTES);
    assert_near(field_median(record, "gamma"), 1.25);
    assert_near(field_median(record, "e_bw"), 5);
    assert_near(field_median(record, "beta"), 8);
    assert_near(field_median(record, "roof_fraction"), 0.625);
    assert_near(field_number(record, "knee"), 6.4);
    assert_near(field_number(record, "predicted"), 6.4);
    assert_near(field_number(record, "overlap"), 8 * (2.25 / 8 - 0.2));
    assert_near(field_median(record, "omega"), 8 * (2.25 / 8 - 0.2));
    assert_string_equal(field_grade(record, "e_bw"), "chain");
    assert_flag(record, "chosen", true);
    assert_flag(record, "exact", true);
    assert_flag(record, "above_roof", false);
    assert_flag(record, "above_gamma", false);
    json_decref(record);

    add_knee(bench, 4096, true, 6, 8); /* a better one */
    record = summary_record(&bench->session, &bench->cells, cell);
    assert_flag(record, "chosen", false);
    json_decref(record);
    struct cell *plain = add_knee(bench, 0, false, 5, 8);
    record = summary_record(&bench->session, &bench->cells, plain);
    assert_string_equal(field_text(record, "prefetch"), "none");
    assert_flag(record, "chosen", true);
    assert_null_field(record, "roof_stream"); /* read by a stream that this session does not know */
}

TEST_GIVEN_BY(a_knee_record_without_a_kept_pair_is_null_with_the_reason, struct bench *bench, open_bench, close_bench)
{
    add_gamma(bench, 3, 1.25);
    struct cell *cell = add_knee(bench, 0, false, 5, 8);
    for (size_t i = 0; i < cell->samples.count; i++)
        cell->roof.sample[i].cause = SAMPLE_SIBLING;
    json_auto_t *record = summary_record(&bench->session, &bench->cells, cell);
    static const char *const fields[] = {"distance", "predicted", "overlap", "residual"};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        assert_null_field(record, fields[i]);
    assert_null_field(json_object_get(record, "e_bw"), "median");
    assert_null_field(json_object_get(record, "beta"), "median");
    assert_string_equal(field_text(json_object_get(record, "e_bw"), "why"), "0 kept, 6 needed");
    assert_near(field_number(record, "knee"), 6.4);
}

RUN_TESTS(NULL, NULL)
