/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Energy of cells, on a machine whose package takes 100 steps of its counter between any two readings.
 *
 * steady: every window is kept, so that what they say is certain
 */

#include "platforms/counters/fake_system.h"

#include "harness/cells/cell/cell.h"
#include "harness/cells/cell/energy.h"
#include "harness/cells/cell/kind.h"
#include "harness/cells/cell/testing.h"
#include "harness/measure/session.h"
#include "platforms/clock/clock.h"

static const double step_j = 100 * 2.3283064365386962890625e-10;

struct bench {
    struct fake_machine machine;
    struct topology *topology;
    struct session *session;
    struct cell cell;
    unsigned calls, numbers[8]; /* of its work: how often, and the first numbers of samples */
    unsigned prepared;
};

static struct cell_kind kind; /* says nothing: no cell of the test is planned or visited */

static int open_bench(void **state)
{
    static struct bench bench;
    char why[SESSION_WHY] = "";
    unsigned cpu;
    struct team_request request = {.threads = 1};
    memset(&bench, 0, sizeof bench);
    fake_machine_open(&bench.machine);
    bench.session = calloc(1, sizeof *bench.session);
    assert_non_null(bench.session);
    assert_int_equal(topology_open(NULL, &bench.topology, why, sizeof why), 0);
    assert_int_equal(topology_plan_team(bench.topology, &request, &cpu, 1, why, sizeof why), 1);
    assert_int_equal(team_create(bench.topology, &cpu, 1, &bench.session->team, why, sizeof why), 0);
    instruments_clocks(&bench.session->instruments, tsc_calibrate_hz(0.02));
    bench.cell = (struct cell){.kind = &kind, .name = "gemv/a.b.c/64x64/t1/cold", .threads = 1, .repeats = 2};
    *state = &bench;
    return 0;
}

static int close_bench(void **state)
{
    struct bench *bench = *state;
    counters_close(bench->session->instruments.machine);
    team_destroy(bench->session->team);
    topology_close(bench->topology);
    cell_release(&bench->cell);
    free(bench->session);
    fake_machine_close(&bench->machine);
    return 0;
}

/** From now on the fake package's energy is counted around samples. */
static void count_energy(struct bench *bench)
{
    struct instruments *instruments = &bench->session->instruments;
    struct counters_request request = {.quantities = COUNTER_SET(COUNTER_PACKAGE_ENERGY_J), .system_calls = true};
    char why[512] = "";
    fake_cpu_pmu(&bench->machine);
    fake_rapl(&bench->machine);
    instruments->system = bench->machine.system;
    counters_probe_all(&instruments->system, 0, instruments->probes);
    assert_int_equal(instruments_choose("perf", instruments, why, sizeof why), 0);
    assert_int_equal(instruments->around_sample, COUNTER_SET(COUNTER_PACKAGE_ENERGY_J));
    instruments->in_sample = 0;
    assert_int_equal(
        counters_open(&instruments->plan, &instruments->system, &request, &instruments->machine, why, sizeof why), 0);
}

static void prepare(void *context, unsigned member, unsigned sample)
{
    struct bench *bench = context;
    (void)member, (void)sample;
    bench->prepared++;
}

static void work(void *context, unsigned member, unsigned sample)
{
    struct bench *bench = context;
    (void)member;
    uint64_t end = tsc_begin().ticks + (uint64_t)(1e-3 * bench->session->instruments.tsc_hz);
    while (tsc_begin().ticks < end)
        continue;
    if (bench->calls < 8)
        bench->numbers[bench->calls] = sample;
    bench->calls++;
}

static int take(struct bench *bench)
{
    const struct sampler_work of_samples = {.context = bench, .before = prepare, .run = work};
    return energy_take(bench->session, &bench->cell, &of_samples, 9, 2);
}

TEST_GIVEN_BY(windows_say_what_a_call_takes, struct bench *bench, open_bench, close_bench)
{
    bool of_windows;
    count_energy(bench);
    give_many(&bench->cell.samples, kept_sample(1e-3, 2e9), 4); /* so 30 calls to a window */
    for (int visit = 0; visit < 3; visit++)
        assert_int_equal(take(bench), 0);
    assert_true(bench->calls >= 3 * 2 * 30 && bench->calls == bench->prepared);
    assert_int_equal(bench->calls % 60, 0); /* a take that was disturbed is taken again */
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(bench->numbers[i], 9 + 2 * i);
    assert_int_equal(bench->cell.energy.count, 6);

    struct graded joules = energy_of(&bench->cell, &of_windows);
    assert_true(of_windows);
    assert_int_equal(joules.summary.n, 6);
    assert_near(joules.summary.median, step_j / 30 / 2); /* of one of two repeats */

    for (int visit = 0; visit < 9; visit++)
        assert_int_equal(take(bench), 0);
    assert_int_equal(bench->cell.energy.count, ENERGY_WINDOWS_MOST);
}

TEST_GIVEN_BY(a_record_says_energy_where_it_is_from_and_what_idling_takes, struct bench *bench, open_bench, close_bench)
{
    json_auto_t *record = json_object();
    count_energy(bench);
    give_many(&bench->cell.samples, kept_sample(1e-3, 2e9), 4);
    for (int visit = 0; visit < 3; visit++)
        assert_int_equal(take(bench), 0);
    json_object_set_new(record, "package_energy_j", json_null());
    json_object_set_new(record, "package_energy_j_reason", json_string("no sample lasts 20 ms"));
    energy_set(record, bench->session, &bench->cell);
    energy_set_token(record, bench->session, &bench->cell, 4);
    assert_near(field_median(record, "package_energy_j"), step_j / 30 / 2);
    assert_near(field_median(record, "joules_per_token"), step_j / 30 / 2 / 4);
    assert_near(field_number(json_object_get(record, "joules_per_token"), "min"), step_j / 30 / 2 / 4);
    assert_string_equal(field_text(record, "package_energy_from"), "windows");
    assert_null(json_object_get(record, "package_energy_j_reason"));
    assert_int_equal(bench->session->instruments.idle_readings, INSTRUMENTS_IDLE_READINGS);
    assert_near(field_median(record, "package_idle_w"), step_j / 30.001e-3); /* a look at the clock takes 1 us there */
}

TEST_GIVEN_BY(samples_that_are_long_enough_have_their_own_energy, struct bench *bench, open_bench, close_bench)
{
    bool of_windows;
    json_auto_t *record = json_object();
    count_energy(bench);
    struct sample sample = kept_sample(0.5, 2e9);
    sample.counted = COUNTER_SET(COUNTER_PACKAGE_ENERGY_J);
    sample.count[COUNTER_PACKAGE_ENERGY_J] = 30;
    give_many(&bench->cell.samples, sample, 8);
    assert_int_equal(take(bench), 0);
    assert_int_equal(bench->calls, 0);
    assert_near(energy_of(&bench->cell, &of_windows).summary.median, 15);
    assert_false(of_windows);
    energy_set(record, bench->session, &bench->cell);
    assert_string_equal(field_text(record, "package_energy_from"), "samples");
}

/* Some of a cell's samples may last long enough and others not. */
TEST_GIVEN_BY(windows_stand_for_samples_that_are_fewer, struct bench *bench, open_bench, close_bench)
{
    bool of_windows;
    count_energy(bench);
    struct sample sample = kept_sample(0.5, 2e9);
    sample.counted = COUNTER_SET(COUNTER_PACKAGE_ENERGY_J);
    sample.count[COUNTER_PACKAGE_ENERGY_J] = 30;
    give_many(&bench->cell.samples, sample, 2);
    give_many(&bench->cell.samples, kept_sample(1e-3, 2e9), 4);
    for (int visit = 0; visit < 3; visit++)
        assert_int_equal(take(bench), 0);
    assert_int_equal(energy_of(&bench->cell, &of_windows).summary.n, 6);
    assert_true(of_windows);
}

TEST_GIVEN_BY(without_a_counter_nothing_runs_and_a_token_has_a_reason, struct bench *bench, open_bench, close_bench)
{
    json_auto_t *record = json_object();
    give_many(&bench->cell.samples, kept_sample(1e-3, 2e9), 4);
    assert_int_equal(take(bench), 0);
    assert_int_equal(bench->calls, 0);
    assert_true(energy_visit_s(bench->session) == 0);
    assert_int_equal(bench->session->instruments.idle_readings, 0);
    energy_set(record, bench->session, &bench->cell);
    assert_int_equal(json_object_size(record), 0);
    energy_set_token(record, bench->session, &bench->cell, 1);
    assert_null_field(record, "joules_per_token");
    assert_non_null(strstr(field_text(record, "joules_per_token_reason"), "no energy counter works here"));
}

TEST_GIVEN_BY(windows_go_into_a_record_of_their_visit_and_back, struct bench *bench, open_bench, close_bench)
{
    struct energy *energy = &bench->cell.energy;
    json_t *first = json_object(), *second = json_object();
    energy->window[0] = (struct energy_window){1.5, 0.1, 4};
    energy->window[1] = (struct energy_window){2.5, 0.2, 8};
    energy->count = 2;
    energy_describe(&bench->cell, 0, first);
    energy_describe(&bench->cell, 4, second);
    assert_int_equal(json_array_size(json_object_get(json_object_get(first, "energy"), "joules")), 2);

    struct cell restored = {.kind = &kind};
    assert_int_equal(energy_restore(&restored, second), 0);
    assert_int_equal(restored.energy.count, 1);
    assert_near(restored.energy.window[0].joules, 2.5);
    assert_near(restored.energy.window[0].time_s, 0.2);

    json_object_set_new(second, "energy", json_pack("{s:[f], s:[f]}", "joules", -1.0, "time_s", 1.0));
    assert_int_equal(energy_restore(&restored, second), -EINVAL);
    json_object_set_new(second, "energy", json_pack("{s:[f], s:[]}", "joules", 1.0, "time_s"));
    assert_int_equal(energy_restore(&restored, second), -EINVAL);
    json_object_set_new(second, "energy", json_pack("{s:[f], s:[f]}", "joules", 1.0, "time_s", 0.0));
    assert_int_equal(energy_restore(&restored, second), -EINVAL);
    json_object_del(second, "energy");
    assert_int_equal(energy_restore(&restored, second), 0);
    energy->count = 0;
    json_decref(first);
    json_decref(second);
}

RUN_TESTS(NULL, NULL)
