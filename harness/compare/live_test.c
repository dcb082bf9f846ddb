/* SPDX-License-Identifier: BSD-3-Clause
 *
 * steady: every sample is kept, so that what is counted here is certain.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/gamma/gamma.h"
#include "harness/cells/product/product_cells.h"
#include "harness/compare/live.h"
#include "harness/compare/live_block.h"
#include "harness/compare/live_roofs.h"
#include "harness/compare/subject.h"
#include "unit_test.h"

/* ---- order of the pairs ---- */

TEST(orders_are_balanced)
{
    struct resample_random random = {1};
    bool first[21];
    size_t odd_extra = 0;
    for (int round = 0; round < 200; round++) {
        for (size_t pairs = 1; pairs <= 21; pairs++) {
            size_t base = 0;
            live_orders(pairs, &random, first);
            for (size_t i = 0; i < pairs; i++)
                base += first[i];
            assert_true(base == pairs / 2 || base == (pairs + 1) / 2);
            odd_extra += pairs == 21 && base == 11;
        }
    }
    assert_true(odd_extra > 60 && odd_extra < 140); /* nor does one side begin more often where it cannot be even */
}

TEST(orders_are_random_in_every_place)
{
    struct resample_random random = {2};
    size_t base[10] = {0}, same_as_before = 0;
    bool first[10];
    for (int round = 0; round < 2000; round++) {
        live_orders(10, &random, first);
        for (size_t i = 0; i < 10; i++)
            base[i] += first[i];
        for (size_t i = 1; i < 10; i++)
            same_as_before += first[i] == first[i - 1];
    }
    for (size_t i = 0; i < 10; i++)
        assert_true(base[i] > 880 && base[i] < 1120);
    assert_true(same_as_before > 7600 && same_as_before < 8400); /* 4 of 9 in a balanced order of 10 */
}

/* ---- roofs ---- */

/** A reading of samples that all cost the same. */
static struct live_roof_reading reading_of(double core_cycles, double memory_s)
{
    struct live_roof_reading reading = {.count = {LIVE_ROOF_SAMPLES, LIVE_ROOF_SAMPLES}};
    for (size_t i = 0; i < LIVE_ROOF_SAMPLES; i++) {
        reading.cost[COMPARE_CORE][i] = core_cycles;
        reading.cost[COMPARE_MEMORY][i] = memory_s;
    }
    return reading;
}

static const struct live_roofs both_roofs = {.measured = {true, true}};

TEST(a_roof_moves_by_more_than_the_threshold)
{
    const struct live_roofs none = {.measured = {false, false}};
    const struct live_roof_reading before = reading_of(100, 1e-3), unknown = reading_of(NAN, NAN);
    static const struct {
        double core, memory;
        bool shared, core_moved, memory_moved;
    } table[] = {
        {100, 1e-3, false, false, false},      {100.9, 1.019e-3, false, false, false},
        {101.1, 1.021e-3, false, true, true},  {98.9, 0.979e-3, false, true, true}, /* faster is another machine, too */
        {102.9, 1.079e-3, true, false, false}, {103.1, 1.081e-3, true, true, true},
        {NAN, NAN, true, true, true}, /* every sample was rejected */
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const struct live_roof_reading after = reading_of(table[i].core, table[i].memory);
        assert_int_equal(live_roof_moved(&both_roofs, &before, &after, COMPARE_CORE, table[i].shared),
                         table[i].core_moved);
        assert_int_equal(live_roof_moved(&both_roofs, &before, &after, COMPARE_MEMORY, table[i].shared),
                         table[i].memory_moved);
        assert_false(live_roof_moved(&none, &before, &after, COMPARE_CORE, table[i].shared));
    }
    assert_true(live_roof_moved(&both_roofs, &unknown, &before, COMPARE_CORE, true));
}

/** Half of a virtual machine's memory lies on another node of its host, and is slower by a quarter. */
TEST(memory_of_two_speeds_is_no_roof_that_moved)
{
    struct live_roof_reading before = reading_of(100, 1e-3), after;
    for (size_t i = 0; i < LIVE_ROOF_SAMPLES; i += 2)
        before.cost[COMPARE_MEMORY][i] = 1.25e-3;
    after = before;
    /* the median of all that was kept is fast memory in one reading, slow memory in the other */
    for (size_t i = 0; i < 10; i++) {
        before.cost[COMPARE_MEMORY][2 * i] = NAN;
        after.cost[COMPARE_MEMORY][2 * i + 21] = NAN;
    }
    assert_false(live_roof_moved(&both_roofs, &before, &after, COMPARE_MEMORY, false));
    for (size_t i = 0; i < LIVE_ROOF_SAMPLES; i++)
        after.cost[COMPARE_MEMORY][i] *= 1.03;
    assert_true(live_roof_moved(&both_roofs, &before, &after, COMPARE_MEMORY, false));
    assert_false(live_roof_moved(&both_roofs, &before, &after, COMPARE_MEMORY, true));
    /* too few places that both have kept */
    after = before;
    for (size_t i = 4; i < LIVE_ROOF_SAMPLES; i++)
        after.cost[COMPARE_MEMORY][i] = NAN;
    assert_true(live_roof_moved(&both_roofs, &before, &after, COMPARE_MEMORY, true));
}

/* ---- what a change of layout does ---- */

TEST(a_floor_is_of_what_stands_for_a_cell)
{
    assert_int_equal(live_layout_subject("gamma/int2_vnni4.mask.avx2/a4", COMPARE_CORE), BIAS_GAMMA);
    assert_int_equal(live_layout_subject("gemv/int2_vnni4.mask.avx2/320x320/t1/warm", COMPARE_CORE), BIAS_WARM);
    assert_int_equal(live_layout_subject("prepare/q4_0.signed.avx2/4096", COMPARE_CORE), BIAS_WARM);
    assert_int_equal(live_layout_subject("gemv/int2_vnni4.mask.avx2/4096x4096/t1/cold", COMPARE_MEMORY), BIAS_COLD);
}

/* ---- subjects ---- */

static void assert_label(const char *given, const char *cell, const char *expected)
{
    char *label = subject_label(subject_kind_of(given), cell);
    assert_string_equal(label, expected);
    free(label);
}

TEST(labels_leave_the_name_of_a_kernel_out)
{
    assert_label("int2_vnni4.mask.avx2", "gemv/int2_vnni4.mask.avx2/4096x4096/t1/cold", "gemv/4096x4096/t1/cold");
    assert_label("int2_vnni4.mask.avx2", "gamma/int2_vnni4.mask.avx2/a4", "gamma");
    assert_label("./mine.S", "gamma/two.mine.avx2/a4", "gamma");
    /* two builds of a plug-in have the same names within */
    assert_label("./base.so", "gemv/mine.step.avx2/4096x4096/t1/cold", "gemv/mine.step.avx2/4096x4096/t1/cold");
    assert_label("base.so", "gamma/mine.step.avx2/a4", "gamma/mine.step.avx2");
    assert_label("/lib/base", "gamma/mine.step.avx2/a4", "gamma/mine.step.avx2");
}

/** A session that runs these ISAs and was never opened. */
static struct session *made_session(void)
{
    struct session *session = calloc(1, sizeof *session);
    assert_non_null(session);
    session->threads = 2;
    return session;
}

static const struct kernel *runnable_kernel(const struct session *session)
{
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        if ((*kernel)->gemv && session_runs(session, (*kernel)->isa))
            return *kernel;
    }
    return NULL;
}

static int plan_of(const char *given, struct session *session, const struct subject_wants *wants, struct cells *cells,
                   char *why, size_t size)
{
    *cells = (struct cells){0};
    why[0] = 0;
    return subject_kind_of(given)->plan(given, session, wants, cells, why, size);
}

TEST(a_kernel_offers_what_is_wanted)
{
    struct session *session = made_session();
    cpuid_dump_host(&session->machine.dump);
    session->machine.features = isa_features_of(&session->machine.dump);
    const struct kernel *kernel = runnable_kernel(session);
    if (!kernel) {
        free(session);
        print_message("# not on this machine: no kernel runs here\n");
        skip();
    }
    const struct shape shapes[] = {{.m = 64, .k = 64}, {.m = 128, .k = 64}};
    struct subject_wants wants = {
        .cells = {.shapes = shapes, .shape_count = 2, .cold = true, .warm = true, .teams = {1, 2}, .team_count = 2}};
    struct cells cells;
    char why[SESSION_WHY];
    assert_int_equal(plan_of(kernel->name, session, &wants, &cells, why, sizeof why), 0);
    size_t products = 0, gammas = 0;
    for (size_t i = 0; i < cells.count; i++) {
        products += gemv_cell(&cells.cell[i]) != NULL;
        gammas += gamma_cell(&cells.cell[i]) != NULL;
    }
    assert_int_equal(products, 8);
    assert_int_equal(gammas, sequence_find(kernel_gamma(kernel)) ? 1 : 0); /* with as many accumulators as there are */
    cells_release(&cells);

    const struct shape wrong = {.m = 64, .k = (size_t)kernel->format->max_k + 1};
    wants.cells.shapes = &wrong;
    wants.cells.shape_count = 1;
    assert_int_equal(plan_of(kernel->name, session, &wants, &cells, why, sizeof why), -EINVAL);
    assert_non_null(strstr(why, "beyond"));
    cells_release(&cells);
    free(session);
}

TEST(what_is_no_subject_is_refused)
{
    struct session *session = made_session(); /* a CPU that has nothing */
    const struct subject_wants wants = {0};
    struct cells cells;
    char why[SESSION_WHY];
    assert_int_equal(plan_of("bees", session, &wants, &cells, why, sizeof why), -ENOENT);
    assert_non_null(strstr(why, "no kernel or sequence 'bees'"));
    assert_int_equal(plan_of("./bees.S", session, &wants, &cells, why, sizeof why), -ENOENT);
    assert_non_null(strstr(why, "cannot read ./bees.S"));
    assert_int_equal(plan_of("./bees.so", session, &wants, &cells, why, sizeof why), -ENOENT);
    assert_non_null(strstr(why, "cannot read plug-in ./bees.so"));
    const char *lacking = NULL;
    for (const struct sequence *const *sequence = sequence_all(); *sequence && !lacking; sequence++)
        lacking = session_runs(session, (*sequence)->isa) ? NULL : (*sequence)->name;
    if (lacking) {
        assert_int_equal(plan_of(lacking, session, &wants, &cells, why, sizeof why), -ENOTSUP);
        assert_non_null(strstr(why, "cannot run on this CPU"));
    }
    free(session);
}

TEST(a_stream_that_is_none_is_refused)
{
    struct session *session = made_session();
    cpuid_dump_host(&session->machine.dump);
    session->machine.features = isa_features_of(&session->machine.dump);
    const struct kernel *kernel = runnable_kernel(session);
    static const char *const wrong[] = {"1:no.such.stream", "3:read", "read", "0:read", ":read"};
    const struct shape shape = {.m = 64, .k = 64};
    for (size_t i = 0; kernel && i < sizeof wrong / sizeof *wrong; i++) {
        struct live_block job = {
            .subject = kernel->name,
            .block = 1,
            .wants.cells = {.shapes = &shape, .shape_count = 1, .cold = true, .teams = {1}, .team_count = 1},
            .roofs = {wrong[i]},
            .roof_count = 1,
        };
        char why[SESSION_WHY];
        assert_true(live_block_run(session, &job, stdout, why, sizeof why) < 0);
        assert_non_null(strstr(why, "no read stream"));
    }
    free(session);
    skip_if(!kernel, "not on this machine: no kernel runs here");
}

RUN_TESTS(NULL, NULL)
