/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The gate against blocks that were recorded where nothing changed: live comparisons of a kernel with itself, each
 * block a process, on a two-core guest that others were busy on. results/fixtures/a_a/<session>.base.json and
 * .head.json are both sides of one, as `kneepoint compare --live X X --keep` and `kneepoint baseline save` left them;
 * sessions were some minutes apart. Pairs whose roof moved are left out, as the gate does.
 *
 * A simulated live comparison draws pairs from one session, and which of a pair is called head; it looks at them as
 * the live gate does, and again at fresh ones of what it suspects. A simulated stored one takes stretches of consecutive
 * processes, base and head each from any session, so that what drifted between is in it; what it suspects is drawn anew
 * on both sides, as --confirm-base and --confirm-run are, or on that of head alone.
 *
 * slow: thousands of comparisons are simulated.
 */
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/blocks/baseline.h"
#include "results/gate/compare.h"
#include "results/gate/looks_testing.h"
#include "results/statistics/resample.h"
#include "unit_test.h"

#define SESSIONS "results/fixtures/a_a/*.base.json"

enum {
    BLOCKS_QUICK = 7,
    BLOCKS_DEFAULT = 9,
    BLOCKS_CONFIRM = 21,
    BLOCKS_STORED = 11,
    BLOCKS_MOST = LOOKS * BLOCKS_CONFIRM,
    BLOCKS_LEAST = 15, /* of a cell that is drawn from */
    SESSIONS_MOST = 16,
    CELLS_MOST = 8,
    COMPARISONS = 1000,
    DETECTIONS = 300
};

/** Both sides of a live A/A comparison. */
struct aa_session {
    struct blocks base, head;
};

struct bench {
    struct aa_session session[SESSIONS_MOST];
    size_t sessions;
};

static int set_up(void **state)
{
    struct bench *bench = calloc(1, sizeof *bench);
    glob_t found;
    char why[512];
    *state = bench;
    if (glob(SESSIONS, 0, NULL, &found) != 0 || found.gl_pathc > SESSIONS_MOST)
        return -1;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct aa_session *session = &bench->session[bench->sessions++];
        char head[512];
        snprintf(head, sizeof head, "%.*s.head.json", (int)(strlen(found.gl_pathv[i]) - strlen(".base.json")),
                 found.gl_pathv[i]);
        if (baseline_read(found.gl_pathv[i], &session->base, why, sizeof why) ||
            baseline_read(head, &session->head, why, sizeof why)) {
            fprintf(stderr, "%s\n", why);
            return -1;
        }
    }
    globfree(&found);
    return 0;
}

static int tear_down(void **state)
{
    struct bench *bench = *state;
    for (size_t i = 0; i < bench->sessions; i++) {
        blocks_release(&bench->session[i].base);
        blocks_release(&bench->session[i].head);
    }
    free(bench);
    return 0;
}

/* ---- drawing ---- */

/** What is simulated: some cells of a session, the first slower by the loss. */
struct scene {
    const struct bench *bench;
    const struct aa_session *session;
    const struct blocks_cell *cell[CELLS_MOST];
    size_t count, blocks; /* blocks of a live scene: of its first look */
    bool paired, same_base;
    double luck; /* of a stored run as a whole, up to +-, a ratio */
    double loss[CELLS_MOST];
    struct compare_rule rule;
};

struct simulated {
    double base[CELLS_MOST][BLOCKS_MOST], head[CELLS_MOST][BLOCKS_MOST];
    unsigned block[BLOCKS_MOST];
    struct compare_cell cell[CELLS_MOST];
    struct compare_outcome outcome[CELLS_MOST];
};

/** Where a block of that number is in a cell, as large as count if it is not. */
static size_t place_of(const struct blocks *blocks, const struct blocks_cell *cell, unsigned number)
{
    size_t i = 0;
    while (i < cell->count && blocks->number[cell->block[i]] != number)
        i++;
    return i;
}

/** Pairs of one cell, drawn from those that both sides have. */
static void draw_pairs(const struct scene *scene, const struct blocks_cell *base, struct resample_random *random,
                       double *before, double *after)
{
    const struct aa_session *session = scene->session;
    const struct blocks_cell *head = blocks_find(&session->head, base->name);
    for (size_t b = 0; b < LOOKS * scene->blocks;) {
        size_t i = resample_below(random, base->count);
        size_t j = place_of(&session->head, head, session->base.number[base->block[i]]);
        if (j == head->count)
            continue;
        bool turned = resample_below(random, 2);
        before[b] = turned ? head->value[j] : base->value[i];
        after[b] = turned ? base->value[i] : head->value[j];
        b++;
    }
}

/** Consecutive processes of one cell, in either side of any session that has it. */
static void draw_stretch(const struct scene *scene, const char *name, struct resample_random *random, double *value)
{
    const struct blocks_cell *cell = NULL;
    while (!cell || cell->count < scene->blocks) {
        const struct aa_session *session = &scene->bench->session[resample_below(random, scene->bench->sessions)];
        cell = blocks_find(resample_below(random, 2) ? &session->base : &session->head, name);
    }
    size_t first = resample_below(random, cell->count - scene->blocks + 1);
    memcpy(value, cell->value + first, scene->blocks * sizeof *value);
}

/** One factor for a whole run: the hour that it was measured in. */
static double draw_luck(const struct scene *scene, struct resample_random *random)
{
    double evenly = (double)(resample_next(random) >> 11) * 0x1p-53;
    return exp(scene->luck * (2 * evenly - 1));
}

static size_t base_of(const struct simulated *simulated, const char *cell)
{
    size_t c = 0;
    while (strcmp(simulated->cell[c].name, cell) != 0)
        c++;
    return c;
}

/** @param base  of an earlier comparison, taken again; NULL: drawn anew */
static void simulate(const struct scene *scene, const struct simulated *base, struct resample_random *random,
                     struct simulated *simulated)
{
    struct looks looks = looks_of(scene->blocks, scene->rule.alpha);
    size_t most = scene->paired ? LOOKS * scene->blocks : scene->blocks;
    double luck_of_base = base ? 1 : draw_luck(scene, random), luck_of_head = draw_luck(scene, random);
    for (size_t c = 0; c < scene->count; c++) {
        const struct blocks_cell *cell = scene->cell[c];
        if (scene->paired) {
            draw_pairs(scene, cell, random, simulated->base[c], simulated->head[c]);
        } else {
            if (base)
                memcpy(simulated->base[c], base->base[base_of(base, cell->name)], sizeof simulated->base[c]);
            else
                draw_stretch(scene, cell->name, random, simulated->base[c]);
            draw_stretch(scene, cell->name, random, simulated->head[c]);
        }
        for (unsigned b = 0; b < most; b++) {
            simulated->block[b] = b;
            simulated->base[c][b] *= luck_of_base;
            simulated->head[c][b] *= luck_of_head * (1 + scene->loss[c]);
        }
        simulated->cell[c] = (struct compare_cell){
            .name = cell->name,
            .class = cell->class,
            .paired = scene->paired,
            .base = simulated->base[c],
            .head = simulated->head[c],
            .base_block = simulated->block,
            .head_block = simulated->block,
            .base_count = most,
            .head_count = most,
            .base_s = cell->timed_s,
            .floor = NAN,
        };
    }
    if (scene->paired)
        judge_by_looks(&scene->rule, &looks, simulated->cell, scene->count, simulated->outcome);
    else
        assert_int_equal(compare_cells(&scene->rule, simulated->cell, scene->count, simulated->outcome), 0);
}

/** The whole gate: a comparison, and a fresh one of what was suspected in it. */
static void run_gate(const struct scene *scene, struct resample_random *random, struct simulated *first)
{
    static struct simulated again;
    simulate(scene, NULL, random, first);
    struct scene fresh = *scene;
    fresh.count = 0;
    for (size_t c = 0; c < scene->count; c++) {
        if (first->outcome[c].verdict != COMPARE_SUSPECTED)
            continue;
        fresh.loss[fresh.count] = scene->loss[c];
        fresh.cell[fresh.count++] = scene->cell[c];
    }
    if (!fresh.count)
        return;
    simulate(&fresh, scene->same_base ? first : NULL, random, &again);
    compare_confirm(first->outcome, scene->count, scene->same_base ? COMPARE_BASE_AGAIN : COMPARE_FRESH_BASE,
                    again.outcome, fresh.count);
}

/** Fill the scene with the cells of a session, in random order: all of that class, or of both. */
static void choose(struct scene *scene, enum compare_class class, struct resample_random *random)
{
    scene->count = 0;
    while (!scene->count) {
        scene->session = &scene->bench->session[resample_below(random, scene->bench->sessions)];
        const struct blocks *base = &scene->session->base;
        for (size_t i = 0; i < base->cells && scene->count < CELLS_MOST; i++) {
            const struct blocks_cell *cell = &base->cell[i];
            if (!cell->control && cell->count >= BLOCKS_LEAST && (class == COMPARE_CLASSES || cell->class == class))
                scene->cell[scene->count++] = cell;
        }
    }
    for (size_t i = scene->count; i > 1; i--) {
        size_t j = resample_below(random, i);
        const struct blocks_cell *swap = scene->cell[i - 1];
        scene->cell[i - 1] = scene->cell[j];
        scene->cell[j] = swap;
    }
}

/* ---- the recorded noise itself ---- */

TEST_GIVEN(it_was_recorded_in_processes_on_a_host_that_is_shared, const struct bench *bench)
{
    size_t pairs[COMPARE_CLASSES] = {0};
    assert_true(bench->sessions >= 2);
    for (size_t s = 0; s < bench->sessions; s++) {
        const struct aa_session *session = &bench->session[s];
        assert_true(session->base.processes && session->head.processes);
        struct blocks_sharing sharing = {0};
        blocks_add_sharing(&session->base.noise, BLOCKS_BASE, &sharing);
        assert_true(blocks_is_shared(&sharing));
        for (size_t i = 0; i < session->base.cells; i++) {
            const struct blocks_cell *cell = &session->base.cell[i];
            if (!cell->control && blocks_find(&session->head, cell->name))
                pairs[cell->class] += cell->count;
        }
    }
    assert_true(pairs[COMPARE_CORE] > 800 && pairs[COMPARE_MEMORY] > 70);
}

/* ---- nothing changed ---- */

struct tally {
    size_t of[COMPARE_VERDICTS], cells[COMPARE_VERDICTS], unconfirmed, same_base;
};

/** As the gate has it: pairs keep the thresholds of a quiet host, stored runs of these sessions those of a shared one. */
static struct scene scene_of(const struct bench *bench, bool paired, size_t blocks, uint64_t seed)
{
    struct scene scene = {.bench = bench, .blocks = blocks, .paired = paired, .rule = compare_rule_default()};
    scene.rule.shared[COMPARE_CORE] = scene.rule.shared[COMPARE_MEMORY] = !paired;
    scene.rule.seed = seed;
    return scene;
}

/** What a stored comparison is confirmed by, and the luck of its runs. */
struct confirming {
    bool same_base;
    double luck;
};

static struct tally tally_null(const struct bench *bench, bool paired, struct confirming confirming, size_t blocks)
{
    static struct simulated simulated;
    struct tally tally = {0};
    struct resample_random random = {(paired ? 100 : 200) + blocks};
    for (uint64_t comparison = 1; comparison <= COMPARISONS; comparison++) {
        struct scene scene = scene_of(bench, paired, blocks, comparison);
        scene.same_base = confirming.same_base;
        scene.luck = confirming.luck;
        choose(&scene, COMPARE_CLASSES, &random);
        run_gate(&scene, &random, &simulated);
        tally.of[compare_overall(simulated.outcome, scene.count)]++;
        for (size_t c = 0; c < scene.count; c++) {
            tally.cells[simulated.outcome[c].verdict]++;
            tally.unconfirmed += simulated.outcome[c].reason == COMPARE_NOT_CONFIRMED;
            tally.same_base += simulated.outcome[c].reason == COMPARE_SAME_BASE;
        }
    }
    print_message("%s, %2zu blocks: %zu passed, %zu failed, %zu inconclusive; cells %zu passed, %zu failed, %zu not; "
                  "%zu not confirmed, %zu of the same base\n",
                  paired ? "live" : "stored", blocks, tally.of[COMPARE_PASSED], tally.of[COMPARE_FAILED],
                  tally.of[COMPARE_INCONCLUSIVE], tally.cells[COMPARE_PASSED], tally.cells[COMPARE_FAILED],
                  tally.cells[COMPARE_INCONCLUSIVE], tally.unconfirmed, tally.same_base);
    return tally;
}

TEST(live_false_alarms_are_one_in_a_hundred_at_most)
{
    static const size_t blocks[] = {BLOCKS_QUICK, BLOCKS_DEFAULT};
    for (size_t i = 0; i < 2; i++) {
        struct tally tally = tally_null(*state, true, (struct confirming){0}, blocks[i]);
        assert_true(tally.of[COMPARE_FAILED] <= COMPARISONS / 100);
        /* a gate that says nothing raises no false alarm either */
        assert_true(tally.cells[COMPARE_INCONCLUSIVE] <= tally.cells[COMPARE_PASSED] / 9);
    }
}

TEST(stored_false_alarms_are_one_in_a_hundred_at_most)
{
    struct tally quick = tally_null(*state, false, (struct confirming){0}, BLOCKS_QUICK);
    struct tally tally = tally_null(*state, false, (struct confirming){0}, BLOCKS_STORED);
    assert_true(quick.of[COMPARE_FAILED] <= COMPARISONS / 100 && tally.of[COMPARE_FAILED] <= COMPARISONS / 100);
    assert_true(tally.of[COMPARE_PASSED] >= COMPARISONS * 9 / 10);
}

/**
 * Runs that each have a luck beyond any threshold: two comparisons with one BASE agree far more often than two that have
 * a BASE each. It is no more than a suspicion, so it raises no alarm.
 */
TEST(the_same_base_confirms_what_a_fresh_one_does_not)
{
    const double luck = 0.1;
    struct tally same = tally_null(*state, false, (struct confirming){.same_base = true, .luck = luck}, BLOCKS_STORED);
    struct tally fresh = tally_null(*state, false, (struct confirming){.luck = luck}, BLOCKS_STORED);
    assert_int_equal(same.of[COMPARE_FAILED], 0);
    assert_true(same.same_base > fresh.cells[COMPARE_FAILED] * 5 / 4);
}

/* ---- losses ---- */

/** How many of the comparisons of this many cells at most failed the first, which is slower. */
static size_t detected(const struct bench *bench, enum compare_class class, bool paired, size_t blocks, size_t cells,
                       double loss)
{
    static struct simulated simulated;
    struct resample_random random = {300 + blocks};
    size_t caught = 0;
    for (uint64_t comparison = 1; comparison <= DETECTIONS; comparison++) {
        struct scene scene = scene_of(bench, paired, blocks, comparison);
        scene.loss[0] = loss;
        choose(&scene, class, &random);
        scene.count = scene.count < cells ? scene.count : cells;
        run_gate(&scene, &random, &simulated);
        caught += simulated.outcome[0].verdict == COMPARE_FAILED;
    }
    print_message("%s, %2zu blocks, %zu %s cells at most: a loss of %.0f%% in one failed in %zu of %d\n",
                  paired ? "live" : "stored", blocks, cells, compare_class_name(class), 100 * loss, caught, DETECTIONS);
    return caught;
}

TEST(five_percent_is_detected_live)
{
    assert_true(detected(*state, COMPARE_CORE, true, BLOCKS_DEFAULT, 1, 0.05) >= DETECTIONS * 95 / 100);
    assert_true(detected(*state, COMPARE_CORE, true, BLOCKS_QUICK, 1, 0.05) >= DETECTIONS * 95 / 100);
    assert_true(detected(*state, COMPARE_CORE, true, BLOCKS_DEFAULT, CELLS_MOST, 0.05) >= DETECTIONS * 95 / 100);
    assert_true(detected(*state, COMPARE_CORE, true, BLOCKS_DEFAULT, CELLS_MOST, 0.02) >= DETECTIONS * 70 / 100);
}

TEST(five_percent_is_detected_in_stored_runs)
{
    assert_true(detected(*state, COMPARE_CORE, false, BLOCKS_STORED, CELLS_MOST, 0.05) >= DETECTIONS * 95 / 100);
}

TEST(ten_percent_is_detected_in_memory_live)
{
    assert_true(detected(*state, COMPARE_MEMORY, true, BLOCKS_DEFAULT, CELLS_MOST, 0.10) >= DETECTIONS * 95 / 100);
    assert_true(detected(*state, COMPARE_MEMORY, true, BLOCKS_DEFAULT, CELLS_MOST, 0.05) >= DETECTIONS * 95 / 100);
}

/** Below 8% is no news there: no session is that much like another. */
TEST(fifteen_percent_is_detected_in_memory_of_stored_runs)
{
    assert_true(detected(*state, COMPARE_MEMORY, false, BLOCKS_STORED, CELLS_MOST, 0.15) >= DETECTIONS * 95 / 100);
    assert_true(detected(*state, COMPARE_MEMORY, false, BLOCKS_STORED, CELLS_MOST, 0.05) <= DETECTIONS / 100);
}

RUN_TESTS(set_up, tear_down)
