/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "harness/cells/decode/decode.h"
#include "harness/cells/product/product_cells.h"
#include "harness/plan/plan_schedules.h"
#include "platforms/described/described_open.h"
#include "unit_test.h"

#define FIXTURE "platforms/fixtures/topology/lunar_lake_4p4e.xml"

static const struct format format = {
    .name = "int2_vnni4", .bits = 2, .rows_per_panel = 64, .k_per_step = 4, .step_bytes = 64, .max_k = 65536};
static const struct kernel kernel = {
    .name = "int2_vnni4.envelope.avx2", .sequence = "envelope", .isa = "avx2", .origin = "envelope", .format = &format};
static const struct kernel *const kernels[] = {&kernel};
static const struct shape shape = {.m = 1024, .k = 1024};

/** Four P cores, then four E cores, on paper. */
static int open_hybrid(void **state)
{
    static struct session session;
    char why[256];
    session = (struct session){.threads = 8};
    assert_int_equal(topology_open(FIXTURE, &session.machine.topology, why, sizeof why), 0);
    for (unsigned t = 0; t < session.threads; t++)
        session.cpus[t] = topology_cores(session.machine.topology)[t].cpu;
    *state = &session;
    return 0;
}

static int close_hybrid(void **state)
{
    topology_close(((struct session *)*state)->machine.topology);
    return 0;
}

static void expect_refusal(const struct plan_schedules *schedules, const struct session *session, unsigned widest,
                           const char *text)
{
    char why[SESSION_WHY] = "";
    assert_int_equal(plan_schedules_check(schedules, session, kernels, 1, widest, why, sizeof why), -EINVAL);
    if (!strstr(why, text))
        fail_msg("'%s' does not say '%s'", why, text);
}

TEST_GIVEN_BY(what_cannot_be_carried_out_is_refused, const struct session *session, open_hybrid, close_hybrid)
{
    char why[SESSION_WHY] = "";
    struct plan_schedules none = {0}, schedules = {.kinds = {SCHEDULE_WEIGHTED}, .count = 1};
    assert_int_equal(plan_schedules_check(&none, session, kernels, 1, 1, why, sizeof why), 0);
    assert_int_equal(plan_schedules_check(&schedules, session, kernels, 1, 8, why, sizeof why), 0);
    expect_refusal(&schedules, session, 1, "needs a team of two threads or more");
    schedules.weights_source = "P=2";
    schedules.weights[CORE_KIND_PERFORMANCE] = 2;
    assert_int_equal(plan_schedules_check(&schedules, session, kernels, 1, 4, why, sizeof why), 0);
    expect_refusal(&schedules, session, 8, "--weights=P=2 has no weight of this team's E cores for int2_vnni4");
    schedules.kinds[0] = SCHEDULE_STATIC; /* which asks for none */
    assert_int_equal(plan_schedules_check(&schedules, session, kernels, 1, 8, why, sizeof why), 0);
    struct plan_schedules slow = {.slow_member = 8, .slow_speed = 0.5};
    expect_refusal(&slow, session, 8, "--slow-member 8 is not in a team of 8, whose members are 0 to 7");
}

TEST_GIVEN_BY(a_platform_gives_each_kind_its_e_bw_times_clock, const struct session *session, open_hybrid, close_hybrid)
{
    struct described_platform platform;
    char why[SESSION_WHY] = "";
    assert_int_equal(described_find("lnl", &platform, why, sizeof why), 0);
    struct plan_schedules schedules = {
        .kinds = {SCHEDULE_WEIGHTED}, .count = 1, .weights_source = "lnl", .platform = &platform};
    double p = plan_schedules_weight(&schedules, &kernel, CORE_KIND_PERFORMANCE);
    double e = plan_schedules_weight(&schedules, &kernel, CORE_KIND_EFFICIENCY);
    assert_true(p > 0 && e > 0 && p >= e);
    assert_true(plan_schedules_weight(&schedules, &kernel, CORE_KIND_LOW_POWER) == 0);
    assert_int_equal(plan_schedules_check(&schedules, session, kernels, 1, 8, why, sizeof why), 0);
    struct kernel unknown = kernel;
    const struct kernel *const others[] = {&unknown};
    unknown.name = "int2_nobody.knows.avx2";
    assert_int_equal(plan_schedules_check(&schedules, session, others, 1, 8, why, sizeof why), -EINVAL);
    described_free(&platform);
}

static bool has(const struct cells *cells, const char *name)
{
    return cells_find(cells, name) != NULL;
}

TEST_GIVEN_BY(each_schedule_has_a_cell_and_each_kind_of_member_one_alone, const struct session *session, open_hybrid,
              close_hybrid)
{
    struct cells cells = {0};
    const struct plan_schedules schedules = {.kinds = {SCHEDULE_STATIC, SCHEDULE_DYNAMIC},
                                             .count = 2,
                                             .tail_share = SCHEDULE_TAIL_SHARE,
                                             .slow_member = 5,
                                             .slow_speed = 0.25};
    for (int again = 0; again < 2; again++)
        assert_int_equal(
            plan_schedules_add(&schedules, session, &cells, &kernel, &shape, PRODUCT_GEMV, again ? 4 : 8, true), 0);
#define BASE "gemv/int2_vnni4.envelope.avx2/1024x1024/"
    assert_true(has(&cells, BASE "t8/cold/speed=5:0.25"));
    assert_true(has(&cells, BASE "t8/cold/schedule=dynamic/speed=5:0.25"));
    assert_true(has(&cells, BASE "t4/cold"));
    assert_true(has(&cells, BASE "t4/cold/schedule=dynamic"));
    assert_true(has(&cells, BASE "t1/cold"));
    assert_true(has(&cells, BASE "t1/cold/member=4"));
    assert_true(has(&cells, BASE "t1/cold/member=5/speed=5:0.25"));
    assert_true(has(&cells, BASE "t8/cold/schedule=weighted/speed=5:0.25/contended"));
    assert_true(has(&cells, BASE "t4/cold/schedule=weighted/contended"));
    assert_int_equal(cells.count, 9);
    const struct product_schedule *dynamic =
        gemv_cell(cells_find(&cells, BASE "t8/cold/schedule=dynamic/speed=5:0.25"))->schedule;
    assert_int_equal(dynamic->leader[3], 0);
    assert_int_equal(dynamic->leader[7], 4);
    assert_true(dynamic->speed[5] == 0.25 && dynamic->speed[6] == 1);
    cells_release(&cells);
}

TEST_GIVEN_BY(a_pass_has_a_cell_for_each_schedule_and_a_plain_one_its_former_name, const struct session *session,
              open_hybrid, close_hybrid)
{
    struct cells cells = {0};
    struct plan_schedules_members members;
    const struct decode_work work = {
        .model = {.name = "paper"}, .kernel = &kernel, .head = &kernel, .context = {1, {5}}, .threads = 8};
    const struct plan_schedules schedules = {
        .kinds = {SCHEDULE_STATIC, SCHEDULE_DYNAMIC}, .count = 2, .tail_share = SCHEDULE_TAIL_SHARE};
    for (size_t i = 0; i < plan_schedules_times(&schedules); i++) {
        const struct product_schedule_request request =
            plan_schedules_request(&schedules, session, &kernel, 8, i, &members);
        assert_int_equal(decode_add_scheduled(&cells, &work, &request, &request), 0);
    }
#define PASS "decode/paper/int2_vnni4.envelope.avx2/int2_vnni4.envelope.avx2/c5/t8"
    assert_true(has(&cells, PASS) && has(&cells, PASS "/schedule=dynamic"));
    assert_null(decode_cell(&cells.cell[0])->schedule);
    const struct decode_cell *own = decode_cell(&cells.cell[1]);
    assert_true(product_schedule_needs_weights(own->schedule) && product_schedule_needs_weights(own->head_schedule));
    cells_release(&cells);
}

RUN_TESTS(NULL, NULL)
