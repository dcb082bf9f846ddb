/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "platforms/clock.h"

#include "harness/plan/plan.h"

enum { WHY = 512 };

/** One thread of this machine, with caches that make streams short. */
struct bench {
    struct session *session;
    struct plan plan;
    size_t visits, order[64];
    double last_fraction;
    int stop;
};

static int open_bench(void **state)
{
    struct bench *bench = calloc(1, sizeof *bench);
    char why[WHY];
    struct session_request request = {.team.threads = 1, .seed = 7};
    assert_non_null(bench);
    assert_int_equal(session_open(&request, &bench->session, why, sizeof why), 0);
    bench->session->llc_bytes = 4 << 20;
    *state = bench;
    return 0;
}

static int close_bench(void **state)
{
    struct bench *bench = *state;
    plan_release(&bench->plan);
    session_close(bench->session);
    free(bench);
    return 0;
}

/* ---- what is planned ---- */

static void teams_double_up_to_the_widest(void **state)
{
    (void)state;
    static const struct {
        unsigned widest;
        size_t count;
        unsigned sizes[5];
    } table[] = {{1, 1, {1}}, {2, 2, {1, 2}}, {3, 3, {1, 2, 3}}, {8, 4, {1, 2, 4, 8}}, {12, 5, {1, 2, 4, 8, 12}}};
    unsigned sizes[16];
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        assert_int_equal(plan_team_sizes(table[i].widest, sizes), table[i].count);
        assert_memory_equal(sizes, table[i].sizes, table[i].count * sizeof *sizes);
    }
    assert_in_range(plan_team_sizes(SESSION_CPUS_MAX, sizes), 1, 16);
    assert_in_range(plan_team_sizes(1u << 31, sizes), 1, 16);
}

static void distinct_shapes_are_distinct_and_name_their_models(void **state)
{
    (void)state;
    static struct shape shapes[SHAPES_MAX], all[SHAPES_MAX];
    static char models[SHAPES_MAX][CELL_NAMES], roles[SHAPES_MAX][CELL_NAMES];
    size_t count = plan_distinct_shapes(shapes, SHAPES_MAX, models, roles), total = shapes_all(all, SHAPES_MAX);
    assert_in_range(count, 1, total);
    for (size_t i = 0; i < count; i++) {
        assert_true(strlen(models[i]) > 0 && strlen(roles[i]) > 0);
        for (size_t j = 0; j < i; j++)
            assert_false(shapes[i].m == shapes[j].m && shapes[i].k == shapes[j].k);
    }
    for (size_t i = 0; i < total; i++) {
        size_t j = 0;
        while (j < count && (shapes[j].m != all[i].m || shapes[j].k != all[i].k))
            j++;
        assert_true(j < count && strstr(models[j], all[i].model) && strstr(roles[j], all[i].roles));
        assert_true(strlen(all[i].timed_by) == 0 || strlen(shapes[j].timed_by) >= strlen(all[i].timed_by));
    }
    assert_int_equal(plan_distinct_shapes(shapes, 2, models, roles), 2);
}

static void names_are_an_identity(void **state)
{
    struct bench *bench = *state;
    struct shape shape = {.m = 1600, .k = 4096};
    for (const struct sequence *const *sequence = sequence_all(); *sequence; sequence++)
        assert_int_equal(plan_add_gamma(&bench->plan, *sequence, 0), 0);
    static const char *const levels[] = {"memory", "L1", "L2", "L3"};
    for (size_t level = 0; level < 4; level++) {
        for (unsigned threads = 1; threads <= 2; threads++)
            assert_int_equal(plan_add_beta(&bench->plan, bench->session, levels[level], threads), 0);
    }
    static const unsigned sizes[] = {1, 2};
    for (const struct sequence *const *sequence = sequence_all(); *sequence; sequence++)
        assert_int_equal(plan_add_knee(&bench->plan, *sequence, session_levels, SESSION_LEVELS, sizes, 2), 0);
    assert_int_equal(plan_add_sync(&bench->plan, 1), 0);
    assert_int_equal(plan_add_sync(&bench->plan, 2), 0);
    assert_int_equal(plan_add_prepare(&bench->plan, bench->session, 4096), 0);
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++)
        assert_int_equal(plan_add_operand(&bench->plan, bench->session, *kernel, 4096), 0);
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        for (unsigned i = 0; i < 4; i++)
            assert_int_equal(plan_add_gemv(&bench->plan, *kernel, &shape, 1 + i / 2, i % 2), 0);
    }
    const struct cells *cells = &bench->plan.cells;
    for (size_t i = 0; i < cells->count; i++) {
        assert_true(strlen(cells->cell[i].name) < sizeof cells->cell[i].name - 1);
        for (size_t j = 0; j < i; j++) {
            if (strcmp(cells->cell[i].name, cells->cell[j].name) == 0)
                fail_msg("'%s' twice", cells->cell[i].name);
        }
    }
}

static void prepare_nothing(const void *activations, size_t k, void *prepared)
{
    (void)activations, (void)k, (void)prepared;
}

/** All from f32 to what a kernel reads, in one cell, once. */
static void an_operand_is_prepared_by_what_it_takes(void **state)
{
    struct bench *bench = *state;
    const struct cells *cells = &bench->plan.cells;
    const struct kernel kernels[] = {
        {.name = "plain", .takes = KERNEL_TAKES_INT8},
        {.name = "plain too", .takes = KERNEL_TAKES_INT8},
        {.name = "tables", .takes = KERNEL_TAKES_INT8, .prepare = prepare_nothing},
        {.name = "blocks", .takes = KERNEL_TAKES_F32, .prepare = prepare_nothing},
        {.name = "floats", .takes = KERNEL_TAKES_F32},
    };
    for (int twice = 0; twice < 2; twice++) {
        for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
            assert_int_equal(plan_add_operand(&bench->plan, bench->session, &kernels[i], 512), 0);
    }
    assert_int_equal(cells->count, 3);
    assert_true(cells->cell[0].quantizer && !cells->cell[0].kernel && !cells->cell[0].bf16);
    assert_true(cells->cell[1].quantizer && cells->cell[1].kernel == &kernels[2]);
    assert_true(!cells->cell[2].quantizer && cells->cell[2].kernel == &kernels[3]);
    assert_int_equal(plan_add_operand(&bench->plan, bench->session, &kernels[3], 1024), 0);
    assert_int_equal(cells->count, 4);
}

static void one_number_of_accumulators_can_be_asked_for(void **state)
{
    struct bench *bench = *state;
    const struct sequence *sequence = sequence_all()[0];
    assert_int_equal(plan_add_gamma(&bench->plan, sequence, 0), 0);
    assert_int_equal(bench->plan.cells.count, sequence->variants);
    assert_int_equal(plan_add_gamma(&bench->plan, sequence, 3), 0);
    assert_int_equal(bench->plan.cells.count, sequence->variants + 1);
    assert_int_equal(bench->plan.cells.cell[sequence->variants].variant->accumulators, 3);
    assert_int_equal(plan_add_gamma(&bench->plan, sequence, SEQUENCE_ACCUMULATORS_MAX + 1), 0);
    assert_int_equal(bench->plan.cells.count, sequence->variants + 1);
}

static void streams_fit_their_level_even_if_a_cache_is_not_known(void **state)
{
    struct bench *bench = *state;
    bench->session->level_bytes[1] = 48 << 10;
    bench->session->level_bytes[2] = 0;
    bench->session->level_bytes[3] = 32 << 20;
    static const char *const levels[] = {"L1", "L2", "L3", "memory"};
    for (size_t level = 0; level < 4; level++)
        assert_int_equal(plan_add_beta(&bench->plan, bench->session, levels[level], 1), 0);
    assert_true(bench->plan.cells.count > 0);
    for (size_t i = 0; i < bench->plan.cells.count; i++) {
        const struct cell *cell = &bench->plan.cells.cell[i];
        assert_true(cell->bytes > 0 && cell->repeats > 0);
        assert_int_equal(cell->bytes % (256 * cell->stream_variant->streams), 0);
        assert_true(strcmp(cell->level, "L1") != 0 || cell->bytes <= 24 << 10);
        assert_true(cell->cold || !cell->stream_variant->hint);
        assert_int_equal(cell->cold, strcmp(cell->level, "memory") == 0);
    }
}

/* ---- how it is carried out ---- */

static void note_visit(void *context, const struct cell *cell, size_t first, size_t roof_first)
{
    struct bench *bench = context;
    assert_int_equal(roof_first, 0);
    assert_true(first < cell->samples.count);
    if (bench->visits < 64)
        bench->order[bench->visits] = (size_t)(cell - bench->plan.cells.cell);
    bench->visits++;
}

static void note_progress(void *context, double fraction, const char *now)
{
    struct bench *bench = context;
    assert_true(fraction >= bench->last_fraction && fraction <= 1);
    assert_true(strlen(now) > 0);
    bench->last_fraction = fraction;
}

/** Cells that are quick to visit: the barrier of a team of one. */
static void add_quick_cells(struct bench *bench, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_int_equal(plan_add_sync(&bench->plan, 1), 0);
}

/** A cell that always fails: no roof was measured for it. */
static void add_failing_cell(struct bench *bench)
{
    struct shape shape = {.m = 64, .k = 64};
    if (!kernel_all()[0])
        skip(); /* an architecture without kernels */
    assert_int_equal(plan_add_gemv(&bench->plan, kernel_all()[0], &shape, 1, true), 0);
}

static struct execution execution_of(struct bench *bench)
{
    return (struct execution){.visited = note_visit, .progress = note_progress, .context = bench};
}

static int visit(struct bench *bench, const struct execution *execution, unsigned rounds, unsigned count,
                 size_t *failed)
{
    return plan_visit(bench->session, &bench->plan, 0, bench->plan.cells.count, rounds, count, execution, failed);
}

static void every_cell_is_visited_once_a_round_in_another_order(void **state)
{
    struct bench *bench = *state;
    enum { CELLS = 12, ROUNDS = 3 };
    add_quick_cells(bench, CELLS);
    struct execution execution = execution_of(bench);
    size_t failed = 0;
    assert_int_equal(visit(bench, &execution, ROUNDS, 5, &failed), 0);
    assert_int_equal(bench->visits, CELLS * ROUNDS);
    for (size_t round = 0; round < ROUNDS; round++) {
        unsigned seen = 0;
        for (size_t i = 0; i < CELLS; i++)
            seen |= 1u << bench->order[round * CELLS + i];
        assert_int_equal(seen, (1u << CELLS) - 1);
    }
    assert_memory_not_equal(bench->order, bench->order + CELLS, CELLS * sizeof *bench->order);
    for (size_t i = 0; i < CELLS; i++) {
        assert_int_equal(bench->plan.cells.cell[i].samples.count, 5 * ROUNDS);
        assert_int_equal(bench->plan.cells.cell[i].visits, ROUNDS);
    }
}

/** Warm GEMVs on small shapes of up to `most` kernels whose formats have to be filled in. @return how many kernels */
static size_t add_filled_cells(struct bench *bench, size_t most)
{
    size_t kernels = 0;
    const struct format *last = NULL;
    for (const struct kernel *const *kernel = kernel_all(); *kernel && kernels < most; kernel++) {
        struct shape shape = {.m = 64, .k = 768};
        if (!(*kernel)->format->fill || (*kernel)->format == last || !session_runs(bench->session, (*kernel)->isa))
            continue;
        for (unsigned i = 0; i < 3; i++, shape.m += 64)
            assert_int_equal(plan_add_gemv(&bench->plan, *kernel, &shape, 1, false), 0);
        last = (*kernel)->format;
        kernels++;
    }
    return kernels;
}

static void gemvs_of_one_filling_stand_together(void **state)
{
    struct bench *bench = *state;
    size_t kernels = add_filled_cells(bench, 4), failed = 0;
    if (kernels < 2)
        skip(); /* too few kernels run here */
    struct execution execution = execution_of(bench);
    assert_int_equal(visit(bench, &execution, 1, 2, &failed), 0);
    assert_int_equal(bench->visits, 3 * kernels);
    for (size_t i = 0; i < bench->visits; i++)
        assert_int_equal(bench->order[i] / 3, bench->order[i / 3 * 3] / 3);
}

static void only_the_cells_asked_for_are_visited(void **state)
{
    struct bench *bench = *state;
    add_quick_cells(bench, 5);
    struct execution execution = execution_of(bench);
    size_t failed = 0;
    assert_int_equal(plan_visit(bench->session, &bench->plan, 1, 3, 1, 2, &execution, &failed), 0);
    static const size_t counts[] = {0, 2, 2, 0, 0};
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(bench->plan.cells.cell[i].samples.count, counts[i]);
    assert_int_equal(plan_visit(bench->session, &bench->plan, 2, 2, 1, 2, &execution, &failed), 0);
    assert_int_equal(bench->visits, 2);
}

static void stop_ends_it_before_the_next_cell(void **state)
{
    struct bench *bench = *state;
    add_quick_cells(bench, 5);
    struct execution execution = execution_of(bench);
    execution.stop = &bench->stop;
    size_t failed = 0;
    bench->stop = 1;
    assert_int_equal(visit(bench, &execution, 1, 2, &failed), -EINTR);
    assert_int_equal(bench->visits, 0);
    bench->stop = 0;
    assert_int_equal(visit(bench, &execution, 1, 2, &failed), 0);
    assert_int_equal(bench->visits, 5);
}

static void nothing_is_begun_past_the_deadline_or_what_would_pass_it(void **state)
{
    struct bench *bench = *state;
    add_quick_cells(bench, 5);
    struct execution execution = execution_of(bench);
    size_t failed = 0;
    execution.deadline_s = clock_monotonic_s() - 1;
    assert_int_equal(visit(bench, &execution, 1, 2, &failed), -ETIME);
    assert_int_equal(bench->visits, 0);
    execution.deadline_s = clock_monotonic_s() + 50;
    for (size_t i = 0; i < 5; i++)
        bench->plan.cells.cell[i].last_visit_s = 100;
    assert_int_equal(visit(bench, &execution, 1, 2, &failed), -ETIME);
    assert_int_equal(bench->visits, 0);
    execution.deadline_s = clock_monotonic_s() + 500;
    assert_int_equal(visit(bench, &execution, 1, 2, &failed), 0);
    assert_int_equal(bench->visits, 5);
}

/** A sequence of many accumulators that this CPU runs; NULL: none. */
static const struct sequence *one_that_runs(const struct bench *bench)
{
    for (const struct sequence *const *sequence = sequence_all(); *sequence; sequence++) {
        if ((*sequence)->variants >= 4 && session_runs(bench->session, (*sequence)->isa))
            return *sequence;
    }
    return NULL;
}

static void the_best_gamma_and_its_neighbours_are_refined(void **state)
{
    struct bench *bench = *state;
    const struct sequence *sequence = one_that_runs(bench);
    if (!sequence)
        skip();
    assert_int_equal(plan_add_gamma(&bench->plan, sequence, 0), 0);
    add_quick_cells(bench, 1);
    struct execution execution = {0};
    size_t failed = 0, end = bench->plan.cells.count;
    assert_int_equal(plan_refine_gamma(bench->session, &bench->plan, 0, end, 2, 3, &execution, &failed), 0);
    for (size_t i = 0; i < end; i++) /* nothing is best before anything was measured */
        assert_int_equal(bench->plan.cells.cell[i].samples.count, 0);

    unsigned best = 0;
    for (int tries = 0; !best && tries < 20; tries++) {
        assert_int_equal(plan_visit(bench->session, &bench->plan, 0, end, 1, 4, &execution, &failed), 0);
        summary_best_gamma(&bench->plan.cells, sequence->name, &best);
    }
    if (!best)
        skip(); /* every sample was rejected: the machine is not quiet at all */
    size_t before = bench->plan.cells.cell[0].samples.count;
    assert_int_equal(plan_refine_gamma(bench->session, &bench->plan, 0, end, 2, 3, &execution, &failed), 0);
    size_t refined = 0, most = 3 * 3; /* three times at most another one becomes the best, and has two neighbours */
    for (size_t i = 0; i + 1 < end; i++) {
        size_t accumulators = i + 1, more = bench->plan.cells.cell[i].samples.count - before;
        if (more || (accumulators + 1 >= best && accumulators <= best + 1))
            assert_int_equal(more, 2 * 2 * 3);
        refined += more > 0;
    }
    assert_in_range(refined, 2, end - 1 < most ? end - 1 : most);
    assert_int_equal(bench->plan.cells.cell[end - 1].samples.count, before / 2); /* no gamma: not paired, not refined */
}

/* ---- the knee ---- */

static size_t count_cells(const struct plan *plan, bool prefetches, bool competes)
{
    size_t count = 0;
    for (size_t i = 0; i < plan->cells.count; i++)
        count += plan->cells.cell[i].prefetches == prefetches && plan->cells.cell[i].competes == competes;
    return count;
}

static void distances_compete_in_the_deepest_level_with_the_widest_team(void **state)
{
    struct bench *bench = *state;
    static const unsigned sizes[] = {1, 2, 3};
    static const char *const levels[] = {"memory", "L2"};
    assert_int_equal(plan_add_knee(&bench->plan, sequence_all()[0], levels, 2, sizes, 3), 0);
    assert_int_equal(count_cells(&bench->plan, false, false), 2 * 3);
    assert_int_equal(count_cells(&bench->plan, true, false), 2 * 3 - 1);
    assert_true(count_cells(&bench->plan, true, true) >= 3);
    size_t former = 0;
    for (size_t i = 0; i < bench->plan.cells.count; i++) {
        const struct cell *cell = &bench->plan.cells.cell[i];
        assert_int_equal(cell->kind, CELL_KNEE);
        assert_int_equal(cell->cold, strcmp(cell->level, "memory") == 0);
        assert_true(!cell->competes || (cell->cold && cell->threads == 3));
        assert_true(cell->competes ? cell->prefetch_bytes > former : cell->prefetch_bytes == 0);
        former = cell->competes ? cell->prefetch_bytes : former;
    }
}

/** A gamma cell with samples, as if it had been measured: one cycle a vector. */
static void give_gamma(struct bench *bench, const struct sequence *sequence)
{
    size_t at = bench->plan.cells.count;
    assert_int_equal(plan_add_gamma(&bench->plan, sequence, sequence->least_accumulators), 0);
    struct cell *cell = &bench->plan.cells.cell[at];
    cell->iterations = 100;
    double vectors = 100 * (double)cell->variant->dots * sequence_vectors_per_dot(sequence);
    for (unsigned i = 0; i < 8; i++) {
        struct sample sample = {.wall_s = (i % 2 ? 2 : 1) * vectors / 1e9, .core_hz = 1e9, .grade = SAMPLE_CHAIN};
        assert_int_equal(samples_append(&cell->samples, &sample, 1), 0);
    }
}

static void give_roof(struct bench *bench, const char *level)
{
    struct session_roof roof = {.count = 1};
    for (const struct stream *const *stream = stream_all(); *stream; stream++) {
        if (session_runs(bench->session, (*stream)->isa))
            roof.streams[0] = (struct session_stream){*stream, &(*stream)->variants[0], 0};
    }
    assert_non_null(roof.streams[0].stream);
    session_set_roof(bench->session, level, 1, &roof);
}

static void cold_cells_go_round_their_pool_where_asked(void **state)
{
    struct bench *bench = *state;
    const struct shape shape = {.m = 256, .k = 256};
    const struct kernel *kernel = NULL;
    for (const struct kernel *const *k = kernel_all(); *k && !kernel; k++)
        kernel = session_runs(bench->session, (*k)->isa) ? *k : NULL;
    if (!kernel)
        skip();
    assert_int_equal(plan_add_gemv(&bench->plan, kernel, &shape, 1, true), 0);
    assert_int_equal(plan_add_gemv(&bench->plan, kernel, &shape, 1, false), 0);
    give_roof(bench, "memory");
    struct execution execution = {.cold_laps = 2.5};
    size_t failed = 0, lap = measure_gemv_places(bench->session, &bench->plan.cells.cell[0]);
    assert_true(lap > 1);
    assert_int_equal(plan_visit(bench->session, &bench->plan, 0, 2, 1, 1, &execution, &failed), 0);
    assert_int_equal(bench->plan.cells.cell[0].samples.count, (5 * lap + 1) / 2);
    assert_int_equal(bench->plan.cells.cell[1].samples.count, 1);
    assert_int_equal(plan_visit(bench->session, &bench->plan, 0, 2, 1, 3 * (unsigned)lap, &execution, &failed), 0);
    assert_int_equal(bench->plan.cells.cell[0].samples.count, (5 * lap + 1) / 2 + 3 * lap);
}

static void a_matrix_without_copies_is_one_layer(void **state)
{
    struct bench *bench = *state;
    const struct shape small = {.m = 256, .k = 256}, large = {.m = 4096, .k = 1024};
    const struct kernel *kernel = kernel_find("f32.dot.avx2");
    if (!kernel || !session_runs(bench->session, kernel->isa))
        skip();
    bench->session->llc_bytes = 1 << 20; /* the large one is sixteen of them */
    assert_int_equal(plan_add_gemv(&bench->plan, kernel, &small, 1, true), 0);
    assert_int_equal(plan_add_gemv(&bench->plan, kernel, &small, 1, false), 0);
    assert_int_equal(plan_add_gemv(&bench->plan, kernel, &large, 1, true), 0);
    give_roof(bench, "memory");
    struct execution execution = {0};
    size_t failed = 0;
    for (size_t i = 0; i < 3; i++) /* in order: the large one makes the pool larger */
        assert_int_equal(plan_visit(bench->session, &bench->plan, i, i + 1, 1, 1, &execution, &failed), 0);
    assert_true(bench->plan.cells.cell[0].copies >= 16);
    assert_int_equal(bench->plan.cells.cell[1].copies, 0); /* warm */
    assert_int_equal(bench->plan.cells.cell[2].copies, 1);
    json_t *one = summary_record(bench->session, &bench->plan.cells, &bench->plan.cells.cell[2]);
    json_t *many = summary_record(bench->session, &bench->plan.cells, &bench->plan.cells.cell[0]);
    assert_true(json_is_true(json_object_get(one, "one_layer")));
    assert_true(json_is_false(json_object_get(many, "one_layer")));
    json_decref(one);
    json_decref(many);
}

static void streams_are_measured_once_gamma_and_roof_are_known(void **state)
{
    struct bench *bench = *state;
    const struct sequence *sequence = one_that_runs(bench);
    static const unsigned sizes[] = {1};
    static const char *const levels[] = {"memory", "L1"};
    if (!sequence)
        skip();
    bench->session->level_bytes[1] = 32 << 10;
    assert_int_equal(plan_add_knee(&bench->plan, sequence, levels, 2, sizes, 1), 0);
    size_t end = bench->plan.cells.count, failed = 0;
    struct execution execution = {.keep_going = true, .visited = note_visit, .context = bench};
    assert_int_equal(plan_knee(bench->session, &bench->plan, 0, end, 2, &execution, &failed), 0);
    assert_int_equal(bench->visits, 0); /* gamma is not known */
    plan_knee_say_why(&bench->plan);
    assert_non_null(strstr(bench->plan.cells.cell[0].why, "no sample of its gamma was kept"));
    for (size_t i = 0; i < end; i++)
        bench->plan.cells.cell[i].why[0] = 0;

    give_gamma(bench, sequence);
    give_roof(bench, "L1");
    execution.visited = NULL; /* roof samples come too */
    assert_int_equal(plan_knee(bench->session, &bench->plan, 0, end, 2, &execution, &failed), 0);
    size_t measured = 0;
    for (size_t i = 0; i < end; i++) {
        const struct cell *cell = &bench->plan.cells.cell[i];
        measured += cell->samples.count > 0;
        assert_int_equal(cell->samples.count, cell->roof.count);
        /* nothing is known of the distances, since memory has no roof */
        assert_true(cell->samples.count == 0 || (!cell->cold && !cell->prefetches));
        assert_true(!cell->cold || cell->competes == false || strstr(cell->why, "the read roof of memory"));
    }
    assert_int_equal(measured, 1);
    plan_knee_say_why(&bench->plan);
    assert_string_equal(bench->plan.cells.cell[end - 1].why, ""); /* no distance was tried */
    for (size_t i = 0; i < end; i++) {
        struct sample rejected = {.wall_s = 1e-6, .core_hz = 1e9, .cause = SAMPLE_INTERRUPT};
        if (bench->plan.cells.cell[i].competes)
            assert_int_equal(samples_append(&bench->plan.cells.cell[i].samples, &rejected, 1), 0);
    }
    plan_knee_say_why(&bench->plan);
    assert_non_null(strstr(bench->plan.cells.cell[end - 1].why, "prefetch distances"));
}

static void streams_of_every_level_are_right_and_complete(void **state)
{
    struct bench *bench = *state;
    const struct sequence *sequence = one_that_runs(bench);
    static const unsigned sizes[] = {1};
    if (!sequence)
        skip();
    bench->session->level_bytes[1] = 32 << 10;
    bench->session->level_bytes[2] = 256 << 10;
    bench->session->level_bytes[3] = 2 << 20;
    assert_int_equal(plan_add_knee(&bench->plan, sequence, session_levels, SESSION_LEVELS, sizes, 1), 0);
    size_t end = bench->plan.cells.count, failed = 0, distance = 0, unknown = 0;
    give_gamma(bench, sequence);
    for (size_t i = 0; i < SESSION_LEVELS; i++)
        give_roof(bench, session_levels[i]);
    struct execution execution = {0};
    assert_int_equal(plan_knee(bench->session, &bench->plan, 0, end, 2, &execution, &failed), 0);
    for (size_t i = 0; i < end; i++) {
        const struct cell *cell = &bench->plan.cells.cell[i];
        if (cell->prefetches && !cell->competes && !cell->samples.count) {
            unknown++; /* every sample of the distances was rejected */
            continue;
        }
        assert_true(cell->exact && cell->verified);
        assert_int_equal(cell->variant->accumulators, sequence->least_accumulators);
        assert_true(cell->samples.count >= 2 && cell->samples.count == cell->roof.count);
        assert_int_equal(cell->bytes % (cell->variant->stream_groups * sequence->weight_bytes), 0);
        if (cell->prefetches && !cell->competes) {
            assert_true(distance == 0 || distance == cell->prefetch_bytes);
            distance = cell->prefetch_bytes;
        }
    }
    assert_true(unknown == 0 || distance == 0);
}

static void a_wrong_stream_ends_it(void **state)
{
    struct bench *bench = *state;
    const struct sequence *right = one_that_runs(bench);
    static const unsigned sizes[] = {1};
    static const char *const levels[] = {"L1"};
    if (!right)
        skip();
    struct sequence wrong = *right;
    struct sequence_variant variants[SEQUENCE_ACCUMULATORS_MAX];
    for (uint64_t i = 0; i < right->variants; i++) {
        variants[i] = right->variant[i];
        variants[i].stream = right->variant[(i + 1) % right->variants].stream; /* of other accumulators */
    }
    wrong.variant = variants;
    bench->session->level_bytes[1] = 32 << 10;
    assert_int_equal(plan_add_knee(&bench->plan, &wrong, levels, 1, sizes, 1), 0);
    size_t end = bench->plan.cells.count, failed = 99;
    give_gamma(bench, &wrong);
    give_roof(bench, "L1");
    struct execution execution = {.keep_going = true};
    assert_int_equal(plan_knee(bench->session, &bench->plan, 0, end, 2, &execution, &failed), -EILSEQ);
    assert_in_range(failed, 0, end - 1);
    assert_non_null(strstr(bench->plan.cells.cell[failed].why, "is wrong as a stream in "));
}

/* ---- what ends it ---- */

static void a_cell_that_fails_ends_it_and_is_named(void **state)
{
    struct bench *bench = *state;
    add_quick_cells(bench, 3);
    add_failing_cell(bench);
    struct execution execution = execution_of(bench);
    size_t failed = 99;
    assert_true(visit(bench, &execution, 1, 2, &failed) < 0);
    assert_int_equal(failed, 3);
    assert_true(strlen(bench->plan.cells.cell[3].why) > 0);
}

static void keep_going_skips_a_cell_that_failed(void **state)
{
    struct bench *bench = *state;
    add_quick_cells(bench, 3);
    add_failing_cell(bench);
    struct execution execution = execution_of(bench);
    execution.keep_going = true;
    size_t failed = 99;
    assert_int_equal(visit(bench, &execution, 3, 2, &failed), 0);
    assert_int_equal(failed, 99);
    assert_int_equal(bench->visits, 9);
    assert_int_equal(bench->plan.cells.cell[3].visits, 1);
    assert_int_equal(bench->plan.cells.cell[3].samples.count, 0);
}

/** All streams are looked at, eight of them closely, and the fastest of those is the roof. */
static void find_roof(struct bench *bench, const char *level, unsigned roof_samples, size_t least, size_t most)
{
    assert_int_equal(plan_add_beta(&bench->plan, bench->session, level, 1), 0);
    if (!bench->plan.cells.count)
        skip();
    struct execution execution = execution_of(bench);
    execution.roof_samples = roof_samples;
    size_t failed = 0;
    assert_int_equal(plan_find_roof(bench->session, &bench->plan, 0, bench->plan.cells.count, &execution, &failed), 0);
    size_t finalists = 0, most_samples = 0;
    for (size_t i = 0; i < bench->plan.cells.count; i++) {
        size_t count = bench->plan.cells.cell[i].samples.count;
        most_samples = count > most_samples ? count : most_samples;
    }
    for (size_t i = 0; i < bench->plan.cells.count; i++) {
        assert_true(bench->plan.cells.cell[i].samples.count >= least);
        finalists += bench->plan.cells.cell[i].samples.count == most_samples;
    }
    assert_int_equal(most_samples, most);
    assert_int_equal(finalists, bench->plan.cells.count < 8 ? bench->plan.cells.count : 8);
}

static void the_roof_of_a_cache_level_is_found(void **state)
{
    struct bench *bench = *state;
    bench->session->level_bytes[1] = 32 << 10;
    find_roof(bench, "L1", 0, 3, 3 + 5 + 18);
    assert_non_null(summary_roof(&bench->plan.cells, "L1", 1));
    assert_int_equal(bench->session->roof[1].count, 0);
    assert_true(session_roof(bench->session, "L1", 1)->count > 0);
}

static void the_roof_of_memory_is_stored_in_the_session(void **state)
{
    struct bench *bench = *state;
    find_roof(bench, "memory", 2, 2, 2 + 2 + 2);
    const struct cell *roof = summary_roof(&bench->plan.cells, "memory", 1);
    assert_non_null(roof);
    assert_ptr_equal(bench->session->roof[1].streams[0].stream, roof->stream);
    assert_ptr_equal(bench->session->roof[1].streams[0].variant, roof->stream_variant);
    assert_int_equal(bench->session->roof[1].streams[0].prefetch_bytes, roof->prefetch_bytes);
    assert_true(bench->session->roof[1].bytes_per_s > 1e8);
    assert_true(bench->session->roof[1].bytes_per_cycle_per_core > 0.01);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, open_bench, close_bench)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(teams_double_up_to_the_widest),
        cmocka_unit_test(distinct_shapes_are_distinct_and_name_their_models),
        CASE(names_are_an_identity),
        CASE(an_operand_is_prepared_by_what_it_takes),
        CASE(one_number_of_accumulators_can_be_asked_for),
        CASE(streams_fit_their_level_even_if_a_cache_is_not_known),
        CASE(every_cell_is_visited_once_a_round_in_another_order),
        CASE(gemvs_of_one_filling_stand_together),
        CASE(only_the_cells_asked_for_are_visited),
        CASE(stop_ends_it_before_the_next_cell),
        CASE(nothing_is_begun_past_the_deadline_or_what_would_pass_it),
        CASE(the_best_gamma_and_its_neighbours_are_refined),
        CASE(distances_compete_in_the_deepest_level_with_the_widest_team),
        CASE(streams_are_measured_once_gamma_and_roof_are_known),
        CASE(cold_cells_go_round_their_pool_where_asked),
        CASE(a_matrix_without_copies_is_one_layer),
        CASE(streams_of_every_level_are_right_and_complete),
        CASE(a_wrong_stream_ends_it),
        CASE(a_cell_that_fails_ends_it_and_is_named),
        CASE(keep_going_skips_a_cell_that_failed),
        CASE(the_roof_of_a_cache_level_is_found),
        CASE(the_roof_of_memory_is_stored_in_the_session),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
