/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "harness/compare/live_process.h"
#include "harness/compare/live_withheld.h"
#include "platforms/process/fake_program.h"
#include "unit_test.h"

struct bench {
    struct fake_program *fake;
    struct live_process process;
    json_t *records;
    char why[512];
};

static const char *const given_arguments[] = {"--threads=1", "--shape=64x64", NULL};

static int open_bench(void **state)
{
    struct bench *bench = calloc(1, sizeof *bench);
    bench->fake = fake_program_make();
    bench->records = json_array();
    bench->process = (struct live_process){
        .given = {"a.kernel", "-odd.so"},
        .program = bench->fake->path,
        .arguments = given_arguments,
        .limit_s = 10,
        .random = {1},
    };
    *state = bench;
    return 0;
}

static int close_bench(void **state)
{
    struct bench *bench = *state;
    json_decref(bench->records);
    fake_program_remove(bench->fake);
    free(bench);
    return 0;
}

static int run_block(struct bench *bench, int side, const char *script)
{
    fake_program_does(bench->fake, script);
    bench->why[0] = 0;
    return live_process_run(&bench->process, side, 3, NULL, 0, bench->records, bench->why, sizeof bench->why);
}

static void assert_said(const char *text, const char *expected)
{
    if (!strstr(text, expected))
        fail_msg("'%s' does not say '%s'", text, expected);
}

TEST_GIVEN_BY(a_block_is_told_what_to_do, struct bench *bench, open_bench, close_bench)
{
    static const char *const only[] = {"gemv/64x64/t1/warm"};
    bench->process.roof_arguments[0] = (char *)"--roof=1:read.avx2";
    bench->process.pool_bytes = 5ull << 30;
    fake_program_does(bench->fake, ":");
    assert_int_equal(live_process_run(&bench->process, 1, 7, only, 1, bench->records, bench->why, sizeof bench->why),
                     0);
    const char *log = fake_program_log(bench->fake);
    assert_said(log, "compare --block=7 --seed=");
    assert_said(
        log, " --pool=5368709120 --roof=1:read.avx2 --only=gemv/64x64/t1/warm --threads=1 --shape=64x64 -- -odd.so\n");
    /* what is only asked needs no roof, and the next one gets another seed */
    char first[4096];
    strcpy(first, log);
    live_process_run(&bench->process, 1, 0, NULL, 0, bench->records, bench->why, sizeof bench->why);
    log = fake_program_log(bench->fake) + strlen(first);
    assert_said(log, "compare --block=0 --seed=");
    assert_null(strstr(log, "--roof"));
    assert_null(strstr(log, "--pool"));
    assert_int_not_equal(strncmp(strstr(first, "--seed="), strstr(log, "--seed="), 20), 0);
}

TEST_GIVEN_BY(its_records_are_taken, struct bench *bench, open_bench, close_bench)
{
    assert_int_equal(
        run_block(bench, 0, "echo '{\"type\":\"cell\",\"name\":\"x\"}'; echo '{\"type\":\"end\",\"name\":\"y\"}'"), 0);
    assert_int_equal(json_array_size(bench->records), 2);
    assert_string_equal(json_string_value(json_object_get(json_array_get(bench->records, 1), "type")), "end");
}

TEST_GIVEN_BY(a_refusal_is_passed_on_with_the_side, struct bench *bench, open_bench, close_bench)
{
    assert_int_equal(run_block(bench, 0, "echo 'kneepoint compare: no such thing' >&2; exit 2"), -EINVAL);
    assert_string_equal(bench->why, "BASE a.kernel: no such thing");
    assert_int_equal(run_block(bench, 1, "exit 2"), -EINVAL);
    assert_string_equal(bench->why, "HEAD -odd.so: ended with exit status 2");
}

TEST_GIVEN_BY(a_wrong_result_a_crash_and_a_hang_are_the_subjects_fault, struct bench *bench, open_bench, close_bench)
{
    assert_int_equal(run_block(bench, 1, "echo 'kneepoint compare: wrong in 3 rows' >&2; exit 1"), -EILSEQ);
    assert_string_equal(bench->why, "HEAD -odd.so: wrong in 3 rows");
    assert_int_equal(run_block(bench, 1, "kill -SEGV $$"), -EILSEQ);
    assert_string_equal(bench->why, "HEAD -odd.so: crashed: Segmentation fault");
    bench->process.limit_s = 0.2;
    assert_int_equal(run_block(bench, 0, "exec sleep 30"), -EILSEQ);
    assert_string_equal(bench->why, "BASE a.kernel: hung and was killed");
}

TEST_GIVEN_BY(what_it_withholds_is_told_and_the_rest_is_taken, struct bench *bench, open_bench, close_bench)
{
    assert_int_equal(
        run_block(bench, 1,
                  "echo '{\"type\":\"cell\",\"name\":\"gemv/a.b.c/1x1/t1/warm\"}'; "
                  "echo '{\"type\":\"withheld\",\"name\":\"d.e.f\",\"reason\":\"d.e.f crashed\"}'; exit 1"),
        0);
    assert_int_equal(json_array_size(bench->records), 2);
    struct live_withheld withheld = {0};
    assert_int_equal(live_withheld_take(bench->records, live_side_name(1), "-odd.so", &withheld), 0);
    assert_int_equal(withheld.count, 1);
    assert_string_equal(withheld.fault[0].why, "HEAD -odd.so: d.e.f crashed");
    assert_string_equal(json_string_value(json_object_get(withheld.fault[0].record, "side")), "HEAD");
    assert_true(live_withheld_has(&withheld, "gemv/d.e.f/1x1/t1/warm"));
    assert_false(live_withheld_has(&withheld, "gemv/a.b.c/1x1/t1/warm"));
    live_withheld_release(&withheld);
    /* records alone are no excuse */
    assert_int_equal(run_block(bench, 1, "echo '{\"type\":\"cell\",\"name\":\"x\"}'; exit 1"), -EILSEQ);
    assert_int_equal(json_array_size(bench->records), 2);
}

TEST_GIVEN_BY(what_is_no_record_is_refused, struct bench *bench, open_bench, close_bench)
{
    static const char *const scripts[] = {"echo hello", "echo '{\"a\":1}'",
                                          "echo '{\"type\":\"x\",\"name\":\"y\"}'; printf '{\"type\"'"};
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        assert_int_equal(run_block(bench, 0, scripts[i]), -EILSEQ);
        assert_said(bench->why, "wrote something that is not a record");
    }
}

TEST_GIVEN_BY(a_program_that_cannot_be_started, struct bench *bench, open_bench, close_bench)
{
    fake_program_does(bench->fake, ":");
    bench->process.program = "/absent/kneepoint";
    assert_int_equal(live_process_run(&bench->process, 0, 1, NULL, 0, bench->records, bench->why, sizeof bench->why),
                     -ENOENT);
    assert_said(bench->why, "could not be run");
}

RUN_TESTS(NULL, NULL)
