/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/beta/beta.h"
#include "harness/cells/cell/testing.h"
#include "harness/cells/gamma/gamma.h"
#include "harness/cells/product/product_cells.h"
#include "harness/record/recorder.h"
#include "platforms/clock/quiet.h"
#include "unit_test.h"

#define TSC_HZ 2e9

/** Sample i, of every grade and cause, different from each other. */
static struct sample numbered(unsigned i)
{
    struct sample sample = kept_sample(2000 * (i + 1) / TSC_HZ, 1e9 + 1e3 * i);
    sample.grade = (enum sample_grade)(i % SAMPLE_GRADES);
    sample.cause = (enum sample_cause)(i % SAMPLE_CAUSES);
    sample.interrupted = !interrupts_undetectable() && i % 2;
    sample.switched = sample.cause == SAMPLE_KEPT && i % 3 == 0;
    sample.off_core_share = sample.switched ? 1e-3 * i : 0;
    return sample;
}

static void assert_same(const struct sample *a, const struct sample *b)
{
    assert_true(a->wall_s == b->wall_s && a->core_hz == b->core_hz);
    assert_int_equal(a->grade, b->grade);
    assert_int_equal(a->cause, b->cause);
    assert_int_equal(a->interrupted, b->interrupted);
    assert_int_equal(a->switched, b->switched);
    assert_true(a->off_core_share == b->off_core_share);
    assert_int_equal(a->stream, b->stream);
    assert_int_equal(a->counted, b->counted);
    for (int q = 0; q < COUNTER_QUANTITIES; q++)
        assert_true(a->count[q] == b->count[q]);
    assert_int_equal(a->proven, b->proven);
    for (int e = 0; e < OS_ENTRIES; e++)
        assert_int_equal(a->entered.of[e], b->entered.of[e]);
}

TEST(a_visit_is_restored_as_it_was_measured)
{
    struct cell cell = {.kind = &cell_kind_gemv, .cold = true, .name = "gemv/k/64x64/t1/cold", .visits = 4};
    for (unsigned i = 0; i < 12; i++) {
        struct sample roof = numbered(20 + i), sample = numbered(i);
        roof.stream = i % 3;
        for (int q = 0; q < COUNTER_QUANTITIES; q++) { /* each with and without each of the others */
            if (!(i >> q % 4 & 1))
                continue;
            sample.counted |= COUNTER_SET(q);
            sample.count[q] = 1000.0 * i + q + 0.5 * (q % 2);
        }
        sample.proven = i % 3 == 0;
        for (int e = 0; sample.proven && e < OS_ENTRIES; e++)
            sample.entered.of[e] = e == 2 ? -1 : e;
        give(&cell.samples, sample);
        give(&cell.roof, roof);
    }
    json_auto_t *record = sample_line(&cell, 2, 2, 3, TSC_HZ);
    struct recorded_samples samples = {0};
    assert_int_equal(samples_read(record, &samples), 0);
    assert_int_equal(samples.count, 20);
    assert_int_equal(samples.visit, 4);
    assert_int_equal(samples.block, 3);
    for (unsigned i = 0; i < 20; i++) {
        struct sample sample = sample_restored(&samples.sample[i]);
        assert_int_equal(samples.sample[i].roof, i % 2 == 0);
        assert_same(&sample, &(i % 2 ? &cell.samples : &cell.roof)->sample[2 + i / 2]);
    }
    samples_release(&samples);
    cell_release(&cell);
}

TEST(gammas_say_how_far_they_are_unrolled)
{
    struct cell cell = {.kind = &cell_kind_gamma, .name = "gamma/s/a4"};
    for (unsigned i = 0; i < 6; i++)
        give(&cell.samples, numbered(i));
    json_auto_t *record = sample_line(&cell, 2, 0, 1, TSC_HZ);
    struct recorded_samples samples = {0};
    assert_int_equal(samples_read(record, &samples), 0);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(samples.sample[i].unroll, i % 2 ? 2 : 1);
    samples_release(&samples);
    cell_release(&cell);
}

TEST(a_line_names_every_quantity_that_was_counted)
{
    for (int q = 0; q < COUNTER_QUANTITIES; q++) {
        struct cell cell = {.kind = &cell_kind_beta, .name = "beta/memory/t1/read.avx2.s1"};
        struct sample sample = numbered(0);
        sample.counted = COUNTER_SET(q);
        sample.count[q] = 1000 + q;
        give(&cell.samples, sample);
        json_t *record = sample_line(&cell, 0, 0, 1, TSC_HZ), *counts = json_object_get(record, "counts");
        const json_t *column = json_object_get(counts, counter_quantity_name((enum counter_quantity)q));
        assert_int_equal(json_object_size(counts), 1);
        assert_int_equal(json_integer_value(json_array_get(column, 0)), 1000 + q);
        json_decref(record);
        cell_release(&cell);
    }
}

RUN_TESTS(NULL, NULL)
