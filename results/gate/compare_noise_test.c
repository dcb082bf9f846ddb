/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The gate against the noise that a run recorded on a host that others were busy on (its meta.json says which): 1,000
 * comparisons in which nothing changed, and losses planted into the same noise.
 *
 * A simulated block is a visit of the cell, drawn at random, and fewer kept samples than a block takes, drawn from that
 * visit; so what differs between visits is in it as well as what differs within. Base and head are drawn from visits of
 * their own, as stored runs are, or both from the same one, as a live comparison meets the same moment of the machine.
 *
 * slow: thousands of comparisons are simulated.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/blocks/blocks.h"
#include "results/gate/compare.h"
#include "results/gate/looks_testing.h"
#include "results/records/record.h"
#include "results/records/samples.h"
#include "results/statistics/resample.h"
#include "results/statistics/stats.h"
#include "unit_test.h"

#define RUN "results/fixtures/noise"

enum { BLOCKS_DEFAULT = 9, BLOCKS_CONFIRM = 21, BLOCKS_MOST = LOOKS * BLOCKS_CONFIRM };
enum { SAMPLES = 24, CELLS = 12, VISITS_MOST = 64, VISITS_LEAST = 4 };

/** How base and head meet. */
enum meeting { APART, PAIRED_APART, SIDE_BY_SIDE };

/** Kept values of one cell, visit after visit. */
struct recorded {
    const char *name;
    enum compare_class class;
    double timed_s, *value;
    size_t count, first[VISITS_MOST + 1], visits;
};

struct bench {
    struct run_records records;
    struct blocks blocks;
    struct recorded *cell;
    size_t count;
};

/* ---- reading the noise ---- */

static double cycles(const struct recorded_sample *sample)
{
    return sample->time_s * sample->core_hz;
}

static bool is_kept(const struct recorded_sample *sample, bool graded)
{
    return !sample->rejected && (!graded || strcmp(sample->grade, "wall") != 0);
}

/** The value of a sample for this cell, given the one before it, if there is one; NaN for none. */
static double value_of(const struct recorded *cell, const struct recorded_sample *former,
                       const struct recorded_sample *sample)
{
    bool graded = cell->class == COMPARE_CORE;
    if (sample->roof || !is_kept(sample, graded))
        return NAN;
    if (strncmp(cell->name, "gamma/", 6) != 0)
        return graded ? cycles(sample) : sample->time_s;
    bool pair = sample->unroll == 2 && former && is_kept(former, graded);
    return pair ? cycles(sample) - cycles(former) : NAN;
}

static void add_value(struct recorded *cell, json_int_t visit, json_int_t *last_visit, double value)
{
    if (visit != *last_visit && cell->visits < VISITS_MOST) {
        cell->first[cell->visits++] = cell->count;
        *last_visit = visit;
    }
    cell->value[cell->count++] = value;
    cell->first[cell->visits] = cell->count;
}

/** Cells of the samples by name; a gamma is that of its sequence's best number of accumulators. */
static json_t *index_cells(struct bench *bench)
{
    json_t *index = json_object();
    bench->cell = calloc(bench->blocks.cells, sizeof *bench->cell);
    for (size_t i = 0; i < bench->blocks.cells; i++) {
        const struct blocks_cell *cell = &bench->blocks.cell[i];
        if (cell->control || cell->count < VISITS_LEAST)
            continue;
        bench->cell[bench->count] =
            (struct recorded){.name = cell->name, .class = cell->class, .timed_s = cell->timed_s};
        bench->cell[bench->count].value = calloc(cell->kept + 1024, sizeof(double));
        json_object_set_new(index, cell->name, json_integer((json_int_t)bench->count++));
    }
    size_t i;
    json_t *record;
    json_array_foreach(bench->records.records, i, record)
    {
        char sequence[160], sampled[176];
        if (strcmp(record_text(record, "type"), "gamma") != 0 || !json_is_true(json_object_get(record, "best")))
            continue;
        snprintf(sequence, sizeof sequence, "gamma/%s", record_text(record, "name"));
        snprintf(sampled, sizeof sampled, "%s/a%d", sequence, (int)record_number(record, "accumulators"));
        json_object_set(index, sampled, json_object_get(index, sequence));
    }
    return index;
}

static void add_visit(struct recorded *cell, const struct recorded_samples *visit, json_int_t *last_visit)
{
    for (size_t i = 0; i < visit->count; i++) {
        double value = value_of(cell, i ? &visit->sample[i - 1] : NULL, &visit->sample[i]);
        if (value > 0)
            add_value(cell, visit->visit, last_visit, value);
    }
}

static int set_up(void **state)
{
    struct bench *bench = calloc(1, sizeof *bench);
    char why[512];
    *state = bench;
    if (run_read(RUN, &bench->records, why, sizeof why) || blocks_of_run(&bench->records, &bench->blocks))
        return -1;
    json_t *index = index_cells(bench), *record;
    json_int_t *last_visit = calloc(bench->blocks.cells, sizeof *last_visit);
    struct recorded_samples visit = {0};
    size_t i;
    json_array_foreach(bench->records.records, i, record)
    {
        const json_t *known = json_object_get(index, record_text(record, "name"));
        if (!known || samples_read(record, &visit))
            continue;
        size_t c = (size_t)json_integer_value(known);
        add_visit(&bench->cell[c], &visit, &last_visit[c]);
    }
    samples_release(&visit);
    free(last_visit);
    json_decref(index);
    return 0;
}

static int tear_down(void **state)
{
    struct bench *bench = *state;
    for (size_t i = 0; i < bench->count; i++)
        free(bench->cell[i].value);
    free(bench->cell);
    blocks_release(&bench->blocks);
    run_records_free(&bench->records);
    free(bench);
    return 0;
}

/* ---- simulating ---- */

static double draw_block(const struct recorded *cell, size_t visit, struct resample_random *random)
{
    size_t first = cell->first[visit], count = cell->first[visit + 1] - first;
    double drawn[SAMPLES];
    for (int i = 0; i < SAMPLES; i++)
        drawn[i] = cell->value[first + resample_below(random, count)];
    return stats_median(drawn, SAMPLES);
}

/** What is simulated: cells, each with the loss planted into it. */
struct scene {
    const struct recorded *cell[CELLS];
    double loss[CELLS];
    size_t count, blocks;
    enum meeting meeting;
    struct compare_rule rule;
};

struct simulated {
    double base[CELLS][BLOCKS_MOST], head[CELLS][BLOCKS_MOST];
    unsigned block[BLOCKS_MOST];
    struct compare_cell cell[CELLS];
    struct compare_outcome outcome[CELLS];
};

static void draw_cell(const struct scene *scene, size_t c, struct resample_random *random, struct simulated *simulated)
{
    const struct recorded *cell = scene->cell[c];
    size_t blocks = scene->meeting == APART ? scene->blocks : LOOKS * scene->blocks;
    for (size_t b = 0; b < blocks; b++) {
        size_t visit = resample_below(random, cell->visits);
        simulated->block[b] = (unsigned)b;
        simulated->base[c][b] = draw_block(cell, visit, random);
        if (scene->meeting != SIDE_BY_SIDE)
            visit = resample_below(random, cell->visits);
        simulated->head[c][b] = draw_block(cell, visit, random) * (1 + scene->loss[c]);
    }
    simulated->cell[c] = (struct compare_cell){
        .name = cell->name,
        .class = cell->class,
        .paired = scene->meeting != APART,
        .base = simulated->base[c],
        .head = simulated->head[c],
        .base_block = simulated->block,
        .head_block = simulated->block,
        .base_count = blocks,
        .head_count = blocks,
        .base_s = cell->timed_s,
        .floor = NAN,
    };
}

static void simulate(const struct scene *scene, struct resample_random *random, struct simulated *simulated)
{
    for (size_t c = 0; c < scene->count; c++)
        draw_cell(scene, c, random, simulated);
    struct looks looks = looks_of(scene->blocks, scene->rule.alpha);
    if (scene->meeting == APART)
        assert_int_equal(compare_cells(&scene->rule, simulated->cell, scene->count, simulated->outcome), 0);
    else
        judge_by_looks(&scene->rule, &looks, simulated->cell, scene->count, simulated->outcome);
}

/** The whole gate: a comparison, and a fresh one of what was suspected in it. Outcomes end up in *first. */
static void run_gate(const struct scene *scene, struct resample_random *random, struct simulated *first)
{
    static struct simulated again;
    struct scene suspects = *scene;
    simulate(scene, random, first);
    suspects.count = 0;
    for (size_t c = 0; c < scene->count; c++) {
        if (first->outcome[c].verdict != COMPARE_SUSPECTED)
            continue;
        suspects.loss[suspects.count] = scene->loss[c];
        suspects.cell[suspects.count++] = scene->cell[c];
    }
    simulate(&suspects, random, &again);
    compare_confirm(first->outcome, scene->count, COMPARE_FRESH_BASE, again.outcome, suspects.count);
}

/** Fill the scene with different cells that `takes` wants. */
static void choose(const struct bench *bench, bool (*takes)(const struct recorded *cell), size_t count,
                   struct resample_random *random, struct scene *scene)
{
    int left = 100000;
    for (scene->count = 0; scene->count < count;) {
        if (left-- == 0)
            fail_msg("the run has no %zu such cells", count);
        const struct recorded *cell = &bench->cell[resample_below(random, bench->count)];
        bool taken = cell->visits < VISITS_LEAST || (takes && !takes(cell));
        for (size_t former = 0; former < scene->count; former++)
            taken = taken || scene->cell[former] == cell;
        if (!taken)
            scene->cell[scene->count++] = cell;
    }
}

static struct scene scene_of(bool shared, size_t blocks, enum meeting meeting, uint64_t seed)
{
    struct scene scene = {.blocks = blocks, .meeting = meeting, .rule = compare_rule_default()};
    scene.rule.shared[COMPARE_CORE] = scene.rule.shared[COMPARE_MEMORY] = shared;
    scene.rule.seed = seed;
    return scene;
}

/* ---- nothing changed ---- */

/** Comparisons out of 1,000 in which any cell failed though nothing changed. */
static size_t false_alarms(const struct bench *bench, enum meeting meeting, size_t *suspected)
{
    static struct simulated simulated;
    size_t alarms = 0;
    struct resample_random random = {17 + (uint64_t)meeting};
    for (uint64_t comparison = 1; comparison <= 1000; comparison++) {
        /* the thresholds of a quiet host, which this was not: they must not be what saves the gate */
        struct scene scene = scene_of(false, BLOCKS_DEFAULT, meeting, comparison);
        choose(bench, NULL, CELLS, &random, &scene);
        run_gate(&scene, &random, &simulated);
        alarms += compare_overall(simulated.outcome, CELLS) == COMPARE_FAILED;
        for (size_t c = 0; c < CELLS; c++)
            *suspected +=
                simulated.outcome[c].reason == COMPARE_NOT_CONFIRMED || simulated.outcome[c].reason == COMPARE_LOSS;
    }
    return alarms;
}

TEST(false_alarms_are_one_in_a_hundred_at_most)
{
    static const char *const name[] = {"stored", "paired", "live"};
    size_t suspected = 0;
    for (int meeting = APART; meeting <= SIDE_BY_SIDE; meeting++) {
        size_t alarms = false_alarms(*state, (enum meeting)meeting, &suspected);
        if (alarms > 10)
            fail_msg("%s: %zu false alarms in 1000 comparisons of %d cells", name[meeting], alarms, CELLS);
    }
    /* the noise is not so tame that nothing could fire: without the confirmation something would have */
    assert_true(suspected > 0);
}

/* ---- losses ---- */

static bool is_core(const struct recorded *cell)
{
    return cell->class == COMPARE_CORE;
}

static bool is_memory(const struct recorded *cell)
{
    return cell->class == COMPARE_MEMORY;
}

/** As on a quiet host: no visit strays from the others by more than 1%. */
static bool is_quiet(const struct recorded *cell)
{
    double logarithm[VISITS_MOST];
    for (size_t v = 0; v < cell->visits; v++)
        logarithm[v] = log(stats_median(cell->value + cell->first[v], cell->first[v + 1] - cell->first[v]));
    double center = stats_median(logarithm, cell->visits);
    for (size_t v = 0; v < cell->visits; v++) {
        if (fabs(logarithm[v] - center) > 0.01)
            return false;
    }
    return is_core(cell);
}

/** Share of 200 comparisons in which the first cell, the only slower one, failed. */
static double detected(const struct bench *bench, bool (*takes)(const struct recorded *cell), double loss, size_t cells,
                       size_t blocks, bool shared)
{
    static struct simulated simulated;
    struct resample_random random = {3};
    size_t caught = 0;
    for (uint64_t comparison = 1; comparison <= 200; comparison++) {
        struct scene scene = scene_of(shared, blocks, SIDE_BY_SIDE, comparison);
        choose(bench, takes, cells, &random, &scene);
        scene.loss[0] = loss;
        run_gate(&scene, &random, &simulated);
        caught += simulated.outcome[0].verdict == COMPARE_FAILED;
    }
    return (double)caught / 200;
}

static void assert_detected(double share)
{
    if (share < 0.95)
        fail_msg("detected in %.1f%% of the comparisons", 100 * share);
}

TEST(five_percent_in_one_cell_is_detected)
{
    assert_detected(detected(*state, is_core, 0.05, 1, BLOCKS_DEFAULT, true));
}

TEST(five_percent_among_twelve_cells_is_detected_by_confirm)
{
    assert_detected(detected(*state, is_core, 0.05, CELLS, BLOCKS_CONFIRM, true));
}

TEST(three_percent_among_four_cells_is_detected_where_it_is_quiet)
{
    assert_detected(detected(*state, is_quiet, 0.03, 4, BLOCKS_DEFAULT, false));
}

TEST(fifteen_percent_from_shared_memory_is_detected)
{
    assert_detected(detected(*state, is_memory, 0.15, CELLS, BLOCKS_DEFAULT, true));
}

/** A loss below the threshold of the host must not fail, however well it is seen. */
TEST(two_percent_on_a_shared_host_never_fails)
{
    assert_true(detected(*state, is_quiet, 0.02, 4, BLOCKS_CONFIRM, true) <= 0.01);
}

RUN_TESTS(set_up, tear_down)
