/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "results/comparison/comparison.h"
#include "results/records/testing.h"
#include "results/schema/record_schema.h"
#include "results/schema/schema.h"
#include "unit_test.h"

enum { BLOCKS = 11 };

/** One cell of 11 processes, quiet: a microsecond times `ratio`, and a roof beside it times `roof`. */
static void add_cell(struct run_records *run, const char *name, double ratio, double roof)
{
    made_cell(run, name, 0, 1);
    for (unsigned b = 1; b <= BLOCKS; b++) {
        for (unsigned i = 0; i < 3; i++) {
            double jitter = 1 + 1e-4 * ((7 * b) % BLOCKS);
            if (roof > 0)
                made_roof(made_sample(run, name, b, 1, 1e-6 * roof * jitter, 1e9));
            made_sample(run, name, b, 1, 1e-6 * ratio * jitter, 1e9);
        }
    }
}

struct bench {
    struct run_records runs[2];
    struct blocks base, head;
    struct comparison comparison;
};

static void open_bench(struct bench *bench)
{
    bench->runs[0] = made_run();
    bench->runs[1] = made_run();
}

static void compare(struct bench *bench, const struct comparison_request *request)
{
    assert_int_equal(blocks_of_run(&bench->runs[0], &bench->base), 0);
    assert_int_equal(blocks_of_run(&bench->runs[1], &bench->head), 0);
    assert_int_equal(comparison_make(&bench->base, &bench->head, request, &bench->comparison), 0);
}

static void close_bench(struct bench *bench)
{
    comparison_release(&bench->comparison);
    blocks_release(&bench->base);
    blocks_release(&bench->head);
    run_records_free(&bench->runs[0]);
    run_records_free(&bench->runs[1]);
}

static const struct compare_outcome *outcome_of(const struct bench *bench, const char *name)
{
    for (size_t i = 0; i < bench->comparison.count; i++) {
        if (strcmp(bench->comparison.outcome[i].name, name) == 0)
            return &bench->comparison.outcome[i];
    }
    fail_msg("%s was not compared", name);
    return NULL;
}

TEST(a_planted_loss_is_found_among_others)
{
    struct bench bench;
    open_bench(&bench);
    for (int side = 0; side < 2; side++) {
        add_cell(&bench.runs[side], "gemv/a/1x1/t1/cold", 1, 0);
        add_cell(&bench.runs[side], "gemv/b/1x1/t1/cold", side ? 1.05 : 1, 0);
        add_cell(&bench.runs[side], "gemv/c/1x1/t1/cold", side ? 0.9 : 1, 0);
    }
    for (int paired = 0; paired < 2; paired++) {
        compare(&bench, &(struct comparison_request){.paired = paired});
        assert_int_equal(bench.comparison.count, 3);
        assert_string_equal(bench.comparison.outcome[0].name, "gemv/b/1x1/t1/cold");
        assert_int_equal(outcome_of(&bench, "gemv/b/1x1/t1/cold")->verdict, COMPARE_SUSPECTED);
        assert_close(outcome_of(&bench, "gemv/b/1x1/t1/cold")->effect, log(1.05));
        assert_int_equal(outcome_of(&bench, "gemv/a/1x1/t1/cold")->verdict, COMPARE_PASSED);
        assert_int_equal(outcome_of(&bench, "gemv/c/1x1/t1/cold")->verdict, COMPARE_PASSED);
        assert_true(fabs(bench.comparison.mean.effect - log(1.05 * 0.9) / 3) < 1e-9);
        assert_false(blocks_is_shared(&bench.comparison.sharing));
        comparison_release(&bench.comparison);
        blocks_release(&bench.base);
        blocks_release(&bench.head);
    }
    compare(&bench, &(struct comparison_request){0});
    close_bench(&bench);
}

/** As add_cell, without a roof, and every process with a luck of its own of up to +-half the scatter. */
static void add_noisy_cell(struct run_records *run, const char *name, double ratio, double scatter)
{
    made_cell(run, name, 0, 1);
    for (unsigned b = 1; b <= BLOCKS; b++) {
        double luck = 1 + scatter * (((5 * b) % BLOCKS) / (double)(BLOCKS - 1) - 0.5);
        for (unsigned i = 0; i < 3; i++)
            made_sample(run, name, b, 1, 1e-5 * ratio * luck * (1 + 1e-5 * i), 1e9);
    }
}

/** The threshold is the machine's and BASE's; a HEAD that scatters is not told, and does not pass. */
TEST(a_noisy_head_does_not_widen_its_own_threshold)
{
    static const double scatter[] = {0.002, 0.04, 0.08, 0.12, 0.3};
    for (size_t i = 0; i < sizeof scatter / sizeof *scatter; i++) {
        struct bench bench;
        open_bench(&bench);
        add_noisy_cell(&bench.runs[0], "gemv/a/1x1/t1/cold", 1, 0.002);
        add_noisy_cell(&bench.runs[1], "gemv/a/1x1/t1/cold", 1.05, scatter[i]);
        compare(&bench, &(struct comparison_request){0});
        const struct compare_outcome *outcome = outcome_of(&bench, "gemv/a/1x1/t1/cold");
        assert_close(outcome->threshold, log1p(0.02));
        assert_int_not_equal(outcome->verdict, COMPARE_PASSED);
        assert_int_equal(outcome->verdict, i == 0 ? COMPARE_SUSPECTED : outcome->verdict);
        close_bench(&bench);
    }
}

/** Controls that scatter, in either run, are the machine's. */
TEST(controls_of_either_side_set_the_threshold)
{
    for (int noisy = 0; noisy < 2; noisy++) {
        struct bench bench;
        open_bench(&bench);
        for (int side = 0; side < 2; side++) {
            add_noisy_cell(&bench.runs[side], "gemv/a/1x1/t1/cold", 1, 0.002);
            add_noisy_cell(&bench.runs[side], "sync/barrier/t2", 1, side == noisy ? 0.2 : 0.002);
        }
        compare(&bench, &(struct comparison_request){0});
        assert_close(outcome_of(&bench, "gemv/a/1x1/t1/cold")->threshold, log1p(0.08));
        assert_non_null(strstr(bench.comparison.sharing.why, noisy ? "controls of HEAD" : "controls of BASE"));
        assert_false(bench.comparison.rule.shared[COMPARE_CORE]);
        close_bench(&bench);
    }
}

TEST(only_what_is_asked_for_is_compared)
{
    struct bench bench;
    static const char *const patterns[] = {"gemv/a/*", "*/t2/cold"};
    open_bench(&bench);
    for (int side = 0; side < 2; side++) {
        add_cell(&bench.runs[side], "gemv/a/1x1/t1/cold", 1, 0);
        add_cell(&bench.runs[side], "gemv/b/1x1/t2/cold", 1, 0);
        add_cell(&bench.runs[side], "gemv/b/1x1/t1/cold", 1, 0);
    }
    add_cell(&bench.runs[1], "gemv/z/1x1/t1/cold", 1, 0); /* only there, but not asked for */
    compare(&bench, &(struct comparison_request){.patterns = patterns, .pattern_count = 2});
    assert_int_equal(bench.comparison.count, 2);
    outcome_of(&bench, "gemv/a/1x1/t1/cold");
    outcome_of(&bench, "gemv/b/1x1/t2/cold");
    assert_false(bench.comparison.comparable.differs[COMPARABLE_CELLS]);
    close_bench(&bench);
}

TEST(pairs_are_blocks_that_both_have)
{
    struct bench bench;
    open_bench(&bench);
    for (int side = 0; side < 2; side++) {
        made_cell(&bench.runs[side], "gemv/a/1x1/t1/cold", 0, 1);
        for (unsigned b = 1; b <= 9; b++) {
            /* base lacks 2 and 9, head lacks 5; drift that both share must cancel */
            if (b == (side ? 5 : 2) || (!side && b == 9))
                continue;
            for (int i = 0; i < 2; i++)
                made_sample(&bench.runs[side], "gemv/a/1x1/t1/cold", b, 1, 1e-6 * b * (side ? 1.03 : 1), 1e9);
        }
        add_cell(&bench.runs[side], "gemv/keeps-the-numbers/1x1/t1/cold", 1, 0);
    }
    compare(&bench, &(struct comparison_request){.paired = true});
    const struct compare_outcome *outcome = outcome_of(&bench, "gemv/a/1x1/t1/cold");
    assert_int_equal(outcome->base_blocks, 6);
    assert_int_equal(outcome->head_blocks, 6);
    assert_close(outcome->effect, log(1.03));
    assert_close(outcome->upper, log(1.03));
    close_bench(&bench);
}

static double floor_of(const void *context, const char *cell, size_t blocks)
{
    assert_int_equal(blocks, BLOCKS);
    return strcmp(cell, context) == 0 ? log(1.04) : NAN;
}

static void add_bias(struct run_records *run, const char *class, const char *factor, bool layout, double net)
{
    json_array_append_new(run->records, json_pack("{s:s, s:s, s:s, s:s, s:b, s:f}", "type", "bias", "name", "k",
                                                  "class", class, "factor", factor, "layout", (int)layout, "net", net));
}

/** HEAD's own scatter over addresses is no excuse for it. */
TEST(the_layout_of_base_is_a_floor_and_that_of_head_is_not)
{
    for (int side = 0; side < 2; side++) {
        struct bench bench;
        open_bench(&bench);
        for (int run = 0; run < 2; run++)
            add_cell(&bench.runs[run], "gemv/a/1x1/t1/cold", run ? 1.05 : 1, 0);
        add_bias(&bench.runs[side], "memory", "stack", true, log(1.01));
        add_bias(&bench.runs[side], "memory", "buffer", true, log(1.04));
        add_bias(&bench.runs[side], "core", "stack", true, log(1.5));
        add_bias(&bench.runs[side], "memory", "addresses", true, log(1.5));  /* of the first block, */
        add_bias(&bench.runs[side], "memory", "addresses", true, log(1.02)); /* and with those of the second */
        add_bias(&bench.runs[side], "memory", "pages", false, log(1.5));
        compare(&bench, &(struct comparison_request){0});
        const struct compare_outcome *outcome = outcome_of(&bench, "gemv/a/1x1/t1/cold");
        assert_int_equal(outcome->reason, side == 0 ? COMPARE_LAYOUT : COMPARE_UNCONFIRMED);
        assert_true(side == 0 ? fabs(outcome->layout - log(1.04)) < 1e-12 : isnan(outcome->layout));
        json_t *record = comparison_record(&bench.comparison, outcome);
        const char *from = json_string_value(json_object_get(record, "layout_from"));
        assert_true(side == 0 ? strcmp(from, "base") == 0 : !from);
        json_decref(record);
        close_bench(&bench);
    }
}

/** One cell of each class that is 5% slower, and what is known of layouts; which reasons they end with. */
static void assert_layout(const double *kept, double base_net, bool paired, double layout, const char *from,
                          enum compare_reason reason)
{
    struct bench bench;
    open_bench(&bench);
    for (int run = 0; run < 2; run++)
        add_cell(&bench.runs[run], "gemv/a/1x1/t1/cold", run ? 1.05 : 1, 0);
    if (base_net >= 0)
        add_bias(&bench.runs[0], "memory", "stack", true, base_net);
    compare(&bench, &(struct comparison_request){.layout = kept, .paired = paired});
    const struct compare_outcome *outcome = outcome_of(&bench, "gemv/a/1x1/t1/cold");
    assert_int_equal(outcome->reason, reason);
    json_t *record = comparison_record(&bench.comparison, outcome);
    const char *is = json_string_value(json_object_get(record, "layout_from"));
    assert_string_equal(is ? is : "", from);
    if (isnan(layout))
        assert_true(json_is_null(json_object_get(record, "layout")));
    else
        assert_close(json_real_value(json_object_get(record, "layout")), layout);
    json_decref(record);
    close_bench(&bench);
}

TEST(a_layout_of_the_machine_serves_where_base_has_none)
{
    const double kept[COMPARE_CLASSES] = {[COMPARE_CORE] = NAN, [COMPARE_MEMORY] = log(1.04)};
    const double none[COMPARE_CLASSES] = {NAN, NAN}, nothing[COMPARE_CLASSES] = {0, 0};
    assert_layout(kept, -1, false, 0.04, "noise_floor", COMPARE_LAYOUT);
    assert_layout(none, -1, false, NAN, "", COMPARE_UNCONFIRMED);
    assert_layout(NULL, -1, false, NAN, "", COMPARE_UNCONFIRMED);
    assert_layout(nothing, -1, false, 0, "noise_floor", COMPARE_UNCONFIRMED); /* measured: nothing beyond noise */
    assert_layout(kept, log(1.01), false, 0.01, "base", COMPARE_UNCONFIRMED);
    assert_layout(kept, 0, false, 0, "base", COMPARE_UNCONFIRMED);
    assert_layout(NULL, log(1.04), true, 0.04, "measured", COMPARE_LAYOUT); /* records of a live comparison */
}

TEST(a_known_floor_is_used)
{
    struct bench bench;
    open_bench(&bench);
    for (int side = 0; side < 2; side++) {
        add_cell(&bench.runs[side], "gemv/a/1x1/t1/cold", side ? 1.05 : 1, 0);
        add_cell(&bench.runs[side], "gemv/b/1x1/t1/cold", side ? 1.05 : 1, 0);
    }
    compare(&bench, &(struct comparison_request){.floor = floor_of, .context = "gemv/a/1x1/t1/cold"});
    assert_int_equal(outcome_of(&bench, "gemv/a/1x1/t1/cold")->reason, COMPARE_WITHIN_NOISE);
    assert_int_equal(outcome_of(&bench, "gemv/b/1x1/t1/cold")->reason, COMPARE_UNCONFIRMED);
    assert_true(outcome_of(&bench, "gemv/b/1x1/t1/cold")->floor_simulated);
    close_bench(&bench);
}

TEST(a_roof_that_moved_with_it_excuses_a_cell)
{
    struct bench bench;
    open_bench(&bench);
    for (int side = 0; side < 2; side++) {
        add_cell(&bench.runs[side], "gemv/a/1x1/t1/cold", side ? 1.05 : 1, side ? 1.05 : 1);
        add_cell(&bench.runs[side], "gemv/b/1x1/t1/cold", side ? 1.05 : 1, side ? 1.005 : 1);
        add_cell(&bench.runs[side], "sync/barrier/t2", side ? 1.5 : 1, 0);
    }
    compare(&bench, &(struct comparison_request){0});
    assert_int_equal(bench.comparison.count, 2);
    assert_int_equal(outcome_of(&bench, "gemv/a/1x1/t1/cold")->reason, COMPARE_ROOF_MOVED);
    assert_int_equal(outcome_of(&bench, "gemv/b/1x1/t1/cold")->reason, COMPARE_UNCONFIRMED);
    assert_int_equal(bench.comparison.controls, 1); /* the barrier is the machine's: shown, not judged */
    assert_string_equal(bench.comparison.control[0].name, "sync/barrier/t2");
    assert_close(bench.comparison.control[0].effect, log(1.5));
    close_bench(&bench);
}

/* ---- what makes runs incomparable ---- */

static struct comparable look(struct run_records *base, struct run_records *head)
{
    struct blocks before, after;
    struct comparable comparable;
    assert_int_equal(blocks_of_run(base, &before), 0);
    assert_int_equal(blocks_of_run(head, &after), 0);
    comparable_make(&before, &after, NULL, NULL, &comparable);
    blocks_release(&before);
    blocks_release(&after);
    return comparable;
}

static void assert_differs(const struct comparable *comparable, int expected, const char *how)
{
    for (int fact = 0; fact < COMPARABLE_FACTS; fact++) {
        if (comparable->differs[fact] != (fact == expected))
            fail_msg("%s %s", comparable_fact_name((enum comparable_fact)fact),
                     comparable->differs[fact] ? comparable->how[fact] : "does not differ");
    }
    if (expected < COMPARABLE_FACTS && !strstr(comparable->how[expected], how))
        fail_msg("'%s' does not say '%s'", comparable->how[expected], how);
}

TEST(differences_are_named)
{
    static const struct {
        const char *outer, *inner, *value, *how;
        int fact;
    } table[] = {
        {"cpu", "name", "Other CPU", "name 'Test CPU' in BASE, 'Other CPU' in HEAD", COMPARABLE_CPU},
        {"cpu", "stepping", "9", "stepping 8 in BASE, '9' in HEAD", COMPARABLE_CPU},
        {"cpu", "microarchitecture", "Other", "microarchitecture 'Test' in BASE, 'Other' in HEAD", COMPARABLE_CPU},
        {"cpu", "model", NULL, "model unknown in HEAD", COMPARABLE_CPU},
        {"cpu", "features", NULL, "", COMPARABLE_FACTS},
        {NULL, "topology", NULL, "", COMPARABLE_FACTS},
        {NULL, "flags", "-O3", "flags '-O2' in BASE, '-O3' in HEAD", COMPARABLE_FLAGS},
        {NULL, "compiler", NULL, "compiler 'gcc 12' in BASE, unknown in HEAD", COMPARABLE_FLAGS},
        {"cpu", "microcode", "0x2", "", COMPARABLE_FACTS},
        {"host", "kernel", "6.2", "", COMPARABLE_FACTS},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct run_records base = made_run(), head = made_run();
        add_cell(&base, "gemv/a/1x1/t1/cold", 1, 0);
        add_cell(&head, "gemv/a/1x1/t1/cold", 1, 0);
        json_t *object = table[i].outer ? json_object_get(head.meta, table[i].outer) : head.meta;
        if (table[i].value)
            set_text(object, table[i].inner, table[i].value);
        else
            json_object_del(object, table[i].inner);
        struct comparable comparable = look(&base, &head);
        assert_differs(&comparable, table[i].fact, table[i].how);
        assert_int_equal(comparable.notes[0] != 0, table[i].fact == COMPARABLE_FACTS);
        run_records_free(&base);
        run_records_free(&head);
    }
}

TEST(pages_and_clock_are_held_against_each_other)
{
    static const struct {
        const char *base, *head;
        bool differs;
    } pages[] = {
        {"thp 1.00", "thp 0.97", false},
        {"thp 1.00", "thp 0.50", true},
        {"thp 1.00", "hugetlb 1.00", true},
        {"", "thp 1.00", false},
        {"", "", false},
    };
    struct blocks base = {.meta = json_object()}, head = {.meta = json_object()};
    struct comparable comparable;
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        strcpy(base.pages, pages[i].base);
        strcpy(head.pages, pages[i].head);
        comparable_make(&base, &head, NULL, NULL, &comparable);
        assert_int_equal(comparable.differs[COMPARABLE_PAGES], pages[i].differs);
    }
    strcpy(base.clock, "pmu");
    strcpy(head.clock, "chain");
    comparable_make(&base, &head, NULL, NULL, &comparable);
    assert_true(comparable.differs[COMPARABLE_CLOCK]);
    assert_non_null(strstr(comparable.how[COMPARABLE_CLOCK], "core cycles by pmu in BASE, by chain in HEAD"));
    /* runs of bare records know no CPU and no flags: that must not pass for the same */
    assert_true(comparable.differs[COMPARABLE_CPU] && comparable.differs[COMPARABLE_FLAGS]);
    assert_non_null(strstr(comparable.how[COMPARABLE_CPU], "name unknown in BASE, unknown in HEAD"));
    json_decref(base.meta);
    json_decref(head.meta);
}

TEST(other_cells_are_counted_and_one_is_named)
{
    struct run_records base = made_run(), head = made_run();
    add_cell(&base, "gemv/a/1x1/t1/cold", 1, 0);
    add_cell(&head, "gemv/a/1x1/t1/cold", 1, 0);
    add_cell(&base, "gemv/b/1x1/t1/cold", 1, 0);
    add_cell(&head, "gemv/c/1x1/t1/cold", 1, 0);
    add_cell(&head, "gemv/d/1x1/t1/cold", 1, 0);
    add_cell(&head, "sync/barrier/t1", 1, 0); /* a control is no cell */
    struct comparable comparable = look(&base, &head);
    assert_differs(&comparable, COMPARABLE_CELLS,
                   "1 cell only in BASE (gemv/b/1x1/t1/cold), 2 cells only in HEAD (gemv/c/1x1/t1/cold, …)");
    run_records_free(&base);
    run_records_free(&head);
}

/* ---- records ---- */

TEST(records_say_ratios_and_null_what_is_unknown)
{
    struct bench bench;
    open_bench(&bench);
    for (int side = 0; side < 2; side++) {
        add_cell(&bench.runs[side], "gemv/a/1x1/t1/cold", side ? 1.05 : 1, 0);
        made_cell(&bench.runs[side], "gemv/few/1x1/t1/cold", 0, 1);
        for (unsigned b = 1; b <= 2; b++) {
            made_sample(&bench.runs[side], "gemv/few/1x1/t1/cold", b, 1, 1e-6, 1e9);
            made_sample(&bench.runs[side], "gemv/few/1x1/t1/cold", b, 1, 1e-6, 1e9);
        }
    }
    compare(&bench, &(struct comparison_request){.seed = 42});
    json_t *record = comparison_record(&bench.comparison, outcome_of(&bench, "gemv/a/1x1/t1/cold"));
    assert_close(json_number_value(json_object_get(record, "effect")), 0.05);
    assert_close(json_number_value(json_object_get(record, "threshold")), 0.02);
    assert_true(fabs(json_number_value(json_object_get(record, "change_s")) - 0.05e-6) < 1e-10);
    assert_string_equal(json_string_value(json_object_get(record, "verdict")), "suspected");
    json_decref(record);
    record = comparison_record(&bench.comparison, outcome_of(&bench, "gemv/few/1x1/t1/cold"));
    assert_true(json_is_null(json_object_get(record, "lower")) && json_is_null(json_object_get(record, "upper")));
    assert_string_equal(json_string_value(json_object_get(record, "verdict")), "inconclusive");
    json_decref(record);
    record = comparison_verdict_record(&bench.comparison, "a", "b");
    assert_int_equal(json_integer_value(json_object_get(record, "suspected")), 1);
    assert_int_equal(json_integer_value(json_object_get(record, "inconclusive")), 1);
    assert_int_equal(json_integer_value(json_object_get(record, "seed")), 42);
    assert_string_equal(json_string_value(json_object_get(record, "name")), "inconclusive");
    json_decref(record);
    close_bench(&bench);
}

static void assert_fits(const json_t *schema, json_t *record)
{
    struct schema_violation violation;
    char reference[64];
    assert_non_null(record);
    snprintf(reference, sizeof reference, "#/$defs/record_%s", json_string_value(json_object_get(record, "type")));
    assert_non_null(schema_at(schema, reference));
    if (record_check(schema, record, SCHEMA_MISSING_IS_WRONG, &violation) != 0)
        fail_msg("%s %s", violation.path, violation.reason);
    json_object_set_new(record, "replicate", json_string("crowd"));
    assert_int_equal(record_check(schema, record, SCHEMA_MISSING_IS_WRONG, &violation), -EINVAL);
    assert_string_equal(violation.path, "replicate");
    json_decref(record);
}

TEST(records_fit_their_schema)
{
    struct bench bench;
    json_t *schema = record_schema();
    open_bench(&bench);
    for (int side = 0; side < 2; side++) {
        add_cell(&bench.runs[side], "gemv/a/1x1/t1/cold", side ? 1.05 : 1, 0);
        made_cell(&bench.runs[side], "gemv/few/1x1/t1/cold", 0, 1); /* without bounds */
        made_sample(&bench.runs[side], "gemv/few/1x1/t1/cold", 1, 1, 1e-6, 1e9);
    }
    compare(&bench, &(struct comparison_request){.seed = 42});
    assert_int_equal(bench.comparison.count, 2);
    for (size_t i = 0; i < bench.comparison.count; i++)
        assert_fits(schema, comparison_record(&bench.comparison, &bench.comparison.outcome[i]));
    assert_fits(schema, comparison_verdict_record(&bench.comparison, "a", "b"));
    close_bench(&bench);
    json_decref(schema);
}

static bool is_not_b(const void *context, const char *cell)
{
    (void)context;
    return strcmp(cell, "gemv/b/1x1/t1/cold") != 0;
}

TEST(what_is_left_out_afterwards_is_in_no_number)
{
    struct bench bench;
    struct comparison_terms terms;
    open_bench(&bench);
    for (int side = 0; side < 2; side++) {
        add_cell(&bench.runs[side], "gemv/a/1x1/t1/cold", side ? 1.02 : 1, 0);
        add_cell(&bench.runs[side], "gemv/b/1x1/t1/cold", side ? 1.5 : 1, 0);
        add_cell(&bench.runs[side], "gemv/c/1x1/t1/cold", side ? 1.04 : 1, 0);
    }
    compare(&bench, &(struct comparison_request){.seed = 42});
    assert_int_equal(comparison_leave_out(&bench.comparison, is_not_b, NULL), 0);
    assert_int_equal(bench.comparison.count, 2);
    assert_string_equal(bench.comparison.outcome[0].name, "gemv/c/1x1/t1/cold"); /* largest effect first */
    assert_string_equal(bench.comparison.outcome[1].name, "gemv/a/1x1/t1/cold");
    assert_close(expm1(bench.comparison.mean.effect), sqrt(1.02 * 1.04) - 1);
    comparison_terms_of(&bench.comparison, &bench.comparison.outcome[0], &terms);
    close_bench(&bench);
}

TEST(nothing_in_common_is_inconclusive)
{
    struct bench bench;
    open_bench(&bench);
    add_cell(&bench.runs[0], "gemv/a/1x1/t1/cold", 1, 0);
    add_cell(&bench.runs[1], "gemv/b/1x1/t1/cold", 1, 0);
    compare(&bench, &(struct comparison_request){0});
    assert_int_equal(bench.comparison.count, 0);
    assert_true(isnan(bench.comparison.mean.effect));
    assert_int_equal(compare_overall(bench.comparison.outcome, 0), COMPARE_INCONCLUSIVE);
    close_bench(&bench);
}

RUN_TESTS(NULL, NULL)
