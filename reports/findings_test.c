/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/findings.h"

#include "reports/testing.h"

/* Text of the finding with this title; "" if it was not made. */
static const char *text_of(const struct finding *findings, size_t count, const char *title)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(findings[i].title, title) == 0)
            return findings[i].text;
    }
    return "";
}

static void small_run_is_told_in_words(void **state)
{
    (void)state;
    struct made_run run;
    struct finding findings[FINDINGS_MAX];
    make_run(&run, "{}", SMALL_RUN);
    size_t count = findings_collect(&run.view, findings, FINDINGS_MAX);
    assert_int_equal(count, 6);
    const char *knee = text_of(findings, count, "Where the knee is");
    assert_contains(knee, "than 6.4 (the paper's 2-bit) or 16 (our 2-bit)");
    assert_contains(knee, "Memory gives 3.00 here, so the paper's 2-bit, our 2-bit are limited by memory; none is "
                          "limited by up-converting.");
    assert_contains(text_of(findings, count, "What memory gives"),
                    "4.00 bytes per cycle with 1 thread (10.0 GB/s in all), 3.00 bytes per cycle with 2 threads (15.0 "
                    "GB/s in all)");
    const char *riders = text_of(findings, count, "What rides the memory roof");
    assert_contains(riders, "Rides it (85% or more): our 2-bit 90%. Does not: the paper's 2-bit 50%.");
    assert_contains(text_of(findings, count, "Against the paper's sequences"),
                    "needs 0.50 cycles per vector, the paper's 1.25: 2.50 times the speed; in cold GEMV 2.00 times.");
    assert_contains(text_of(findings, count, "The paper's figures"),
                    "int2.paper.avx_vnni: 1.25 cycles claimed, 1.25 measured with 4 accumulators (+0.0%)");
    const char *model = text_of(findings, count, "How well the model predicts");
    assert_contains(model, "10.0% longer than predicted (median over 2 cells)");
    assert_contains(model, "the worst cell is +30%: int2.paper.avx_vnni on 64×128 with 2 threads.");
    free_run(&run);
}

static void up_convert_binds_beyond_the_knee(void **state)
{
    (void)state;
    struct made_run run;
    struct finding findings[FINDINGS_MAX];
    make_run(&run, "{}", BETA(1, 10e9, 4.0, true) "," GAMMA("p", "paper", 4.0, 4, 2.5, 2.4, true));
    size_t count = findings_collect(&run.view, findings, FINDINGS_MAX);
    assert_contains(text_of(findings, count, "Where the knee is"),
                    "so none is limited by memory; the paper's 1-bit is limited by up-converting.");
    free_run(&run);
}

static void gamma_alone_says_what_is_not_known(void **state)
{
    (void)state;
    struct made_run run;
    struct finding findings[FINDINGS_MAX];
    make_run(&run, "{}", GAMMA("p", "paper", 4.0, 4, 2.5, 2.4, true));
    size_t count = findings_collect(&run.view, findings, FINDINGS_MAX);
    assert_contains(text_of(findings, count, "Where the knee is"), "this run has no memory bandwidth");
    assert_string_equal(text_of(findings, count, "What rides the memory roof"), "");
    free_run(&run);
}

static void nothing_is_said_of_nothing(void **state)
{
    (void)state;
    struct made_run run;
    struct finding findings[FINDINGS_MAX];
    make_run(&run, "{}", "{'type':'gemv','protocol':'cold'},{'type':'beta','level':'memory'}");
    assert_int_equal(findings_collect(&run.view, findings, FINDINGS_MAX), 0);
    free_run(&run);
}

static void capacity_is_kept(void **state)
{
    (void)state;
    struct made_run run;
    struct finding findings[2];
    make_run(&run, "{}", SMALL_RUN);
    assert_int_equal(findings_collect(&run.view, findings, 2), 2);
    assert_int_equal(findings_collect(&run.view, findings, 0), 0);
    free_run(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_run_is_told_in_words),
        cmocka_unit_test(up_convert_binds_beyond_the_knee),
        cmocka_unit_test(gamma_alone_says_what_is_not_known),
        cmocka_unit_test(nothing_is_said_of_nothing),
        cmocka_unit_test(capacity_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
