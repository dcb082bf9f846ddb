/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How a pass is put together from samples of its pieces, and what a run keeps of them. Nothing is timed.
 */
#include <math.h>
#include <string.h>

#include "harness/cells/cell/kind.h"
#include "harness/cells/prefill/prefill_kinds.h"
#include "unit_test.h"

static const struct model small = {.name = "small",
                                   .layers = 3,
                                   .hidden = 512,
                                   .ffn = 768,
                                   .heads = 8,
                                   .kv_heads = 2,
                                   .head_size = 64,
                                   .vocabulary = 321,
                                   .rope_base = 10000,
                                   .rope_values = 64};

static const struct kernel *any_gemm(void)
{
    for (const struct kernel *const *at = kernel_all(); *at; at++) {
        if ((*at)->gemm.run && !(*at)->gemm.prepare_many && (*at)->takes == KERNEL_TAKES_INT8)
            return *at;
    }
    print_message("# not on this machine: no GEMM of int8 without operands is built\n");
    skip();
    return NULL;
}

static struct cell *add(struct cells *cells)
{
    const struct kernel *kernel = any_gemm();
    const struct decode_work work = {.model = small, .kernel = kernel, .head = kernel, .tokens = 40, .threads = 1};
    assert_int_equal(prefill_add(cells, &work), 0);
    return &cells->cell[cells->count - 1];
}

/* Every step one piece but the last of a layer, which has two of unequal size. */
static json_t *record_of(const struct prefill_cell *own)
{
    json_t *pieces = json_array(), *shares = json_array();
    for (size_t i = 0; i < own->steps; i++) {
        bool cut = own->step[i].stage.step == PREFILL_DOWN;
        json_array_append_new(pieces, json_integer(cut ? 2 : 1));
        json_array_append_new(shares, json_real(cut ? 0.25 : 1));
        if (cut)
            json_array_append_new(shares, json_real(0.75));
    }
    return json_pack("{s:o, s:o}", "pieces", pieces, "shares", shares);
}

TEST(a_pass_is_layers_times_the_steps_medians_and_the_head)
{
    struct cells cells = {0};
    struct cell *cell = add(&cells);
    struct prefill_cell *own = prefill_cell(cell);
    json_auto_t *record = record_of(own);
    assert_true(cell->kind->lacks_choice(cell));
    assert_int_equal(cell->kind->kept(cell), 0);
    cell->kind->restore(cell, record);
    assert_false(cell->kind->lacks_choice(cell));
    assert_int_equal(own->steps, 15); /* 13 of a layer, and the head's two */
    assert_int_equal(own->period, 16);
    for (size_t layer = 0; layer < 8; layer++) {
        for (size_t at = 0; at < own->period; at++) {
            struct sample sample = {.wall_s = at == 12   ? 1e-3 /* a quarter of what takes 4 ms */
                                              : at == 13 ? 3e-3
                                                         : 1e-3,
                                    .cause = at == 2 && layer > 5 ? SAMPLE_INTERRUPT : SAMPLE_KEPT};
            sample.wall_s *= layer == 7 ? 50 : 1; /* an outlier moves no median */
            assert_int_equal(samples_append(&cell->samples, &sample, 1), 0);
        }
    }
    struct graded time = prefill_time(cell);
    assert_int_equal(time.summary.n, 6);
    assert_int_equal(time.summary.rejected, 2);
    assert_true(fabs(time.summary.median - (3 * (12 * 1e-3 + 4e-3) + 2 * 1e-3)) < 1e-9);
    assert_true(time.summary.ci95[0] <= time.summary.median && time.summary.ci95[1] >= time.summary.median);
    assert_true(fabs(prefill_tokens(cell).summary.median - 40 / time.summary.median) < 1e-6);
    assert_true(fabs(prefill_part_time(cell, DECODE_PART_DOWN).summary.median - 12e-3) < 1e-9);
    assert_true(fabs(prefill_part_time(cell, DECODE_PART_HEAD).summary.median - 2e-3) < 1e-9);
    assert_true(prefill_part_time(cell, DECODE_PART_OPERAND).summary.median == 0); /* the kernel has none */
    assert_true(fabs(prefill_alpha(cell) - 3 * (3e-3 + 4e-3) / 50e-3) < 1e-9);
    assert_int_equal(cell->kind->kept(cell), 6);
    cell->samples.sample[3 * own->period + 2].cause = SAMPLE_CONTEXT_SWITCH; /* one less is no number */
    assert_int_equal(cell->kind->kept(cell), 5);
    assert_true(isnan(prefill_alpha(cell)));
    cells_release(&cells);
}

TEST(what_a_run_keeps_comes_back)
{
    struct cells cells = {0};
    struct cell *cell = add(&cells), *again;
    json_t *record = record_of(prefill_cell(cell)), *kept = json_object();
    cell->kind->restore(cell, record);
    cell->kind->describe(cell, kept);
    assert_true(json_equal(json_object_get(kept, "pieces"), json_object_get(record, "pieces")));
    again = add(&cells);
    again->kind->restore(again, kept);
    assert_int_equal(prefill_cell(again)->period, 16);
    assert_true(prefill_shares(prefill_cell(again))[12] == 0.25);
    json_decref(kept);
    json_decref(record);
    cells_release(&cells);
}

/* Of kernels that differ each kind of layer is timed, and counts as often as there are layers of it. */
TEST(layers_of_other_kernels_are_steps_of_their_own)
{
    struct cells cells = {0};
    const struct kernel *one = any_gemm();
    struct kernel other = *one;
    const struct kernel *kernel[3 * DECODE_ROLES + 1];
    const struct decode_given given = {.kernel = kernel};
    const struct decode_work work = {
        .model = small, .kernel = one, .head = one, .tokens = 40, .threads = 1, .given = &given};
    for (size_t i = 0; i <= 3 * DECODE_ROLES; i++)
        kernel[i] = i == DECODE_ROLES + DECODE_V ? &other : one;
    assert_int_equal(prefill_add(&cells, &work), 0);
    struct cell *cell = &cells.cell[0];
    struct prefill_cell *own = prefill_cell(cell);
    assert_int_equal(own->steps, 13 + 14 + 2); /* v has a step of its own in layer 1 */
    assert_int_equal(own->step[13].layer, 1);
    assert_int_equal(prefill_layers_of_kind(own, 0), 2);
    assert_int_equal(prefill_layer_of_round(own, 0, 0), 0);
    assert_int_equal(prefill_layer_of_round(own, 0, 3), 2);
    assert_int_equal(prefill_layer_of_round(own, 1, 5), 1);
    json_auto_t *record = record_of(own);
    cell->kind->restore(cell, record);
    assert_int_equal(own->period, own->steps + 2);
    for (size_t i = 0; i < 8 * own->period; i++) {
        size_t at = i % own->period;
        bool quarter = at == 12 || at == 13 + 1 + 13, rest = at == 13 || at == 13 + 1 + 14;
        struct sample sample = {.wall_s = quarter ? 1e-3 : rest ? 3e-3 : at < 14 ? 1e-3 : 2e-3, .cause = SAMPLE_KEPT};
        assert_int_equal(samples_append(&cell->samples, &sample, 1), 0);
    }
    struct graded time = prefill_time(cell);
    assert_true(fabs(time.summary.median - (2 * (12 * 1e-3 + 4e-3) + 13 * 2e-3 + 4e-3 + 2 * 2e-3)) < 1e-9);
    cells_release(&cells);
}

/* A record that contradicts itself says nothing of what the samples are of. */
TEST(broken_records_are_no_choice)
{
    for (int broken = 0; broken < 5; broken++) {
        struct cells cells = {0};
        struct cell *cell = add(&cells);
        json_t *record = record_of(prefill_cell(cell));
        json_t *pieces = json_object_get(record, "pieces"), *shares = json_object_get(record, "shares");
        switch (broken) {
        case 0: json_array_remove(pieces, 0); break;
        case 1: json_array_set_new(pieces, 0, json_integer(0)); break;
        case 2: json_array_set_new(pieces, 0, json_integer((json_int_t)1 << 60)); break;
        case 3: json_array_set_new(shares, 3, json_real(-1)); break;
        default: json_object_del(record, "shares"); break;
        }
        cell->kind->restore(cell, record);
        assert_true(cell->kind->lacks_choice(cell));
        json_decref(record);
        cells_release(&cells);
    }
}

RUN_TESTS(NULL, NULL)
