/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>

#include "harness/cells/on_paper.h"
#include "harness/cells/product/product_cell.h"
#include "harness/plan/peers_look.h"
#include "unit_test.h"

static const struct format wide = {
    .name = "int8_test", .bits = 8, .rows_per_panel = 64, .k_per_step = 4, .step_bytes = 256, .max_k = 65536};

/** Kernels of ours, of 2 bits and of 8; and of two plug-ins. */
enum { FAST, SLOW, NEAR, WIDE, PEER, PEER_SLOW, OTHER_PEER, KERNELS };
static const double us[KERNELS] = {10, 12, 10.2, 30, 20, 25, 22};

static struct kernel kernels[KERNELS];
static const struct kernel *of_one[] = {&kernels[PEER], &kernels[PEER_SLOW], NULL},
                           *of_other[] = {&kernels[OTHER_PEER], NULL};

static void add_all(struct bench *bench)
{
    for (int i = 0; i < KERNELS; i++) {
        kernels[i] = kernel;
        kernels[i].format = i == WIDE ? &wide : &format;
        struct cell *cell = add_gemv(bench, false, us[i] * 1e-6, 1e10);
        cell->kernel = &kernels[i];
        snprintf(cell->name, sizeof cell->name, "gemv/%d", i);
        /* a sample that was disturbed says nothing, however long */
        give(&cell->samples, kept_sample(1, CLOCK_HZ));
    }
    bench->session.plugins.count = 2;
    bench->session.plugins.plugin[0].kernels = of_one;
    bench->session.plugins.plugin[1].kernels = of_other;
}

static void assert_kept(struct bench *bench, const struct product_job *job, const char *expected)
{
    struct peers_look look;
    char kept[64] = "";
    assert_int_equal(peers_look_choose(job, &bench->session, &bench->cells, &look), 0);
    peers_look_keep(&look, &bench->cells, 0);
    for (size_t i = 0; i < bench->cells.count; i++)
        strcat(kept, bench->cells.cell[i].name + strlen("gemv/"));
    assert_string_equal(kept, expected);
    peers_look_release(&look);
}

TEST_GIVEN_BY(the_fastest_of_each_side_and_width_are_chosen, struct bench *bench, open_bench, close_bench)
{
    const struct product_job job = {.beside_peers = true};
    add_all(bench);
    assert_kept(bench, &job, "02346");
}

/** Of a plug-in alone, and what takes long. */
TEST_GIVEN_BY(what_a_trial_shows_to_be_far_behind_is_left_out, struct bench *bench, open_bench, close_bench)
{
    struct product_tried tried[2];
    struct product_job job = {.beside_peers = true, .tried = tried, .tried_count = 2};
    add_all(bench);
    for (int i = 0; i < 2; i++) {
        const struct cell *cell = &bench->cells.cell[PEER + i];
        const struct product_cell *own = product_cell(cell);
        tried[i] = (struct product_tried){
            {.kernel = cell->kernel, .m = own->m, .k = own->k, .tokens = own->tokens, .threads = cell->threads},
            i ? 2.9 * PEERS_LOOK_LONG_S : PEERS_LOOK_LONG_S};
    }
    peers_look_leave_out(&job, &bench->session, &bench->cells);
    assert_int_equal(bench->cells.count, KERNELS);
    tried[1].call_s = 3.1 * PEERS_LOOK_LONG_S;
    peers_look_leave_out(&job, &bench->session, &bench->cells);
    assert_int_equal(bench->cells.count, KERNELS - 1);
    assert_ptr_equal(bench->cells.cell[PEER_SLOW].kernel, &kernels[OTHER_PEER]);
}

TEST_GIVEN_BY(what_is_far_behind_or_alone_is_in_no_doubt, struct bench *bench, open_bench, close_bench)
{
    static const bool far_behind[KERNELS] = {[WIDE] = true, [OTHER_PEER] = true, [PEER_SLOW] = false};
    add_all(bench);
    peers_look_suspend(&bench->session, &bench->cells);
    for (int i = 0; i < KERNELS; i++)
        assert_int_equal(bench->cells.cell[i].suspended, far_behind[i]);
    for (size_t i = 0; i < bench->cells.cell[SLOW].samples.count; i++)
        bench->cells.cell[SLOW].samples.sample[i].wall_s = 16e-6;
    bench->cells.cell[NEAR].suspended = true; /* stays so */
    peers_look_suspend(&bench->session, &bench->cells);
    assert_true(bench->cells.cell[SLOW].suspended && bench->cells.cell[NEAR].suspended);
    assert_false(bench->cells.cell[FAST].suspended);
}

TEST_GIVEN_BY(what_is_named_is_always_measured, struct bench *bench, open_bench, close_bench)
{
    const struct product_job job = {.beside_peers = true, .kernels_named = true};
    add_all(bench);
    assert_kept(bench, &job, "012346");
}

TEST_GIVEN_BY(without_samples_nothing_is_ruled_out, struct bench *bench, open_bench, close_bench)
{
    const struct product_job job = {.beside_peers = true};
    add_all(bench);
    bench->cells.cell[SLOW].samples.count = 0;
    bench->cells.cell[FAST].samples.count = 0;
    assert_kept(bench, &job, "012346");
}

RUN_TESTS(NULL, NULL)
