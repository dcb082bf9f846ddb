/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/kernels/time_parts.h"

#include "reports/select/run/testing.h"

/* 1 thread, 100 us: 60 of memory, 40 of computing by gamma, a start of 1. Times in us. */
#define CELL(time, compute)                                                                                            \
    "{'type':'gemv','name':'int2.mask.avx2','format':'int2','m':4096,'k':4096,'threads':1,'protocol':'cold',"          \
    "'packed_bytes':4194304,'exact':true,'time_s':{'median':" #time "e-6},'shared_read_s':60e-6,'compute_s':" #compute \
    "e-6,'start_s':1e-6}"
#define TERM(kernel, term, variant, fields)                                                                            \
    "{'type':'term','name':'" term "/" kernel "/" variant "','term':'" term "','subject':'" kernel                     \
    "','variant':'" variant "','threads':1,'m':4096,'k':4096," fields "}"
#define ENDS(where, cost) TERM("int2.mask.avx2", "panel_end", where, "'all_events':64,'cost_s':{'median':" #cost "e-9}")
#define FROM_L2(us)       TERM("int2.mask.avx2", "memory", "", "'without_s':{'median':" #us "e-6}")
#define DISTANCE(which, low, high)                                                                                     \
    TERM("int2.mask.avx2", "prefetch", which, "'difference_s':{'median':0,'ci95':[" #low "e-6," #high "e-6]}")

static struct time_parts parts_of(const char *meta, const char *lines)
{
    struct made_run run;
    struct time_parts parts;
    make_run(&run, meta, lines);
    assert_true(time_parts_of(&run.view, run.view.of[VIEW_GEMV].rows[0], &parts));
    double sum = 0;
    for (int part = 0; part < TIME_PARTS; part++)
        sum += parts.of_s[part];
    assert_near(sum, parts.total_s, 1e-15);
    free_run(&run);
    return parts;
}

TEST(without_terms_the_rest_has_what_is_not_known)
{
    struct time_parts parts = parts_of("{}", CELL(100, 40));
    assert_near(parts.of_s[TIME_MEMORY], 60e-6, 1e-12);
    assert_near(parts.of_s[TIME_COMPUTE], 0, 1e-12); /* shorter than memory: all of it can hide */
    assert_near(parts.of_s[TIME_ENDS], 0, 1e-12);
    assert_near(parts.of_s[TIME_PREFETCH], 0, 1e-12);
    assert_near(parts.of_s[TIME_START], 1e-6, 1e-12);
    assert_near(parts.of_s[TIME_UNEXPLAINED], 39e-6, 1e-12);
    assert_false(parts.ends_known || parts.compute_measured);
    parts = parts_of("{}", CELL(100, 90));
    assert_near(parts.of_s[TIME_COMPUTE], 30e-6, 1e-12);
    assert_near(parts.of_s[TIME_UNEXPLAINED], 9e-6, 1e-12);
}

TEST(the_rest_may_be_below_zero)
{
    struct time_parts parts = parts_of("{}", CELL(55, 40));
    assert_near(parts.of_s[TIME_UNEXPLAINED], -6e-6, 1e-12);
}

TEST(a_kernels_own_computing_counts_without_its_panel_ends)
{
    struct time_parts parts = parts_of("{}", RECORDS(CELL(100, 40), FROM_L2(80), ENDS("L2", 50), ENDS("memory", 100)));
    assert_true(parts.compute_measured && parts.ends_known);
    assert_near(parts.of_s[TIME_COMPUTE], 80e-6 - 64 * 50e-9 - 60e-6, 1e-12);
    assert_near(parts.of_s[TIME_ENDS], 64 * 100e-9, 1e-12);
    parts = parts_of("{}", RECORDS(CELL(100, 40), FROM_L2(80)));
    assert_near(parts.of_s[TIME_COMPUTE], 20e-6, 1e-12);
    assert_false(parts.ends_known);
}

TEST(terms_of_another_kernel_say_nothing)
{
    struct time_parts parts = parts_of("{}", RECORDS(CELL(100, 40), TERM("int2.other.avx2", "panel_end", "memory",
                                                                         "'all_events':64,'cost_s':{'median':1e-7}")));
    assert_false(parts.ends_known);
}

/* Of several distances the one that saves most for certain, and by no more than is certain. */
TEST(a_distance_counts_by_what_it_saves_at_least)
{
    struct time_parts parts = parts_of(
        "{}", RECORDS(CELL(100, 40), DISTANCE("+0", -30, 1), DISTANCE("+512", -12, -8), DISTANCE("+1024", -9, -5)));
    assert_near(parts.of_s[TIME_PREFETCH], 8e-6, 1e-12);
    parts = parts_of("{}", RECORDS(CELL(100, 40), DISTANCE("+0", 3, 5)));
    assert_near(parts.of_s[TIME_PREFETCH], 0, 1e-12);
}

TEST(pages_count_where_the_pool_is_not_on_huge_ones)
{
    static const char lines[] =
        RECORDS(CELL(100, 40), TERM("int2.mask.avx2", "pages", "", "'all_events':1024,'cost_s':{'median':10e-9}"));
    struct time_parts parts = parts_of("{'memory':{'huge_page_fraction':1.0}}", lines);
    assert_near(parts.of_s[TIME_ENDS], 0, 1e-12);
    parts = parts_of("{'memory':{'huge_page_fraction':0.25}}", lines);
    assert_near(parts.of_s[TIME_ENDS], 0.75 * 10.24e-6, 1e-12);
}

/* Records from before the model had its parts in them: from the roof, gamma, the clock and the barrier. */
TEST(older_records_are_enough)
{
    struct time_parts parts = parts_of(
        "{}",
        RECORDS("{'type':'gemv','name':'int2.mask.avx2','m':4096,'k':4096,'threads':2,'protocol':'cold','packed_bytes':"
                "4194304,'exact':true,'gamma':0.5,'time_s':{'median':70e-6},'bytes_per_s':{'median':6e10},"
                "'bytes_per_cycle_per_core':{'median':10}}",
                BETA(2, 83886080000.0, 10, true),
                "{'type':'sync','name':'barrier','threads':2,'time_s':{'median':2e-7}}"));
    assert_near(parts.of_s[TIME_MEMORY], 50e-6, 1e-9);
    assert_near(parts.of_s[TIME_COMPUTE], 0.5 * 262144 / 3e9 - 50e-6 > 0 ? 0.5 * 262144 / 3e9 - 50e-6 : 0, 1e-9);
    assert_near(parts.of_s[TIME_START], 2e-7, 1e-12);
}

TEST(without_beta_or_gamma_there_are_no_parts)
{
    struct time_parts parts = {.total_s = -1};
    MADE_RUN(run, GEMV("int2.mask.avx_vnni", "mask", 2.0, 64, 128, 2, "cold", 2e-6, 2.7, 0.9, 0.1));
    assert_false(time_parts_of(&run.view, run.view.of[VIEW_GEMV].rows[0], &parts));
    assert_near(parts.total_s, -1, 0);
}

RUN_TESTS(NULL, NULL)
