/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/findings/findings.h"

#include "reports/select/testing.h"

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
    assert_contains(knee,
                    "Memory gives one core 4.00 bytes per cycle with 1 thread, 3.00 bytes per cycle with 2 threads");
    assert_contains(
        knee, "Limited by memory, knee above β: the papers' 2-bit 6.4 (int2.envelope.avx_vnni, latency), our 2-bit 16 "
              "(int2.mask.avx_vnni, latency).");
    assert_lacks(knee, "Limited by up-converting");
    const char *memory = text_of(findings, count, "What memory gives");
    assert_contains(memory, "Read roof 10.0 GB/s with 1 thread (s), 15.0 GB/s with 2 threads (s).");
    assert_contains(memory, "Core clock 2.50 GHz, measured;");
    const char *riders = text_of(findings, count, "What rides the memory roof");
    assert_contains(
        riders, "\nWith 2 threads these ride it (85% or more): our 2-bit 90%; these do not: the papers' 2-bit 50%.\n"
                "Threads it takes to read 85% of what memory gives 2: the papers' 2-bit more than 2, our 2-bit 2.");
    assert_contains(text_of(findings, count, "Against the papers' and llama.cpp's sequences"),
                    "2-bit, avx_vnni: ours 0.50 cycles per vector (int2.mask); the paper's 1.25 cycles per vector "
                    "(int2.envelope), ours 2.50× the speed, GEMV 2.00× cold (1 cell).");
    assert_contains(text_of(findings, count, "The papers' claims"),
                    "int2.envelope.avx_vnni: 1.25 cycles claimed, 1.25 measured with 4 accumulators (+0.0%)");
    const char *model = text_of(findings, count, "How well the model predicts");
    assert_contains(model, "2 cold cells of less than 2²⁰ weights: measured over predicted time +10.0% (median), "
                           "within ±20.0% for half of "
                           "them;");
    assert_contains(model, "the worst +30%, int2.envelope.avx_vnni on 64×128 with 2 threads.");
    assert_lacks(model, "at least 2²⁰");
    free_run(&run);
}

#define POOL(times, rate, cold)                                                                                        \
    "{'type':'pool','name':'t2/x" #times "','threads':2,'times':" #times ",'bytes':" #times                            \
    "000,'stated_bytes':32000000,'bytes_per_s':{'median':" #rate "},'cold':" #cold "}"

static void cold_is_said_to_be_cold_from_a_size_on(void **state)
{
    (void)state;
    struct made_run run;
    struct finding findings[FINDINGS_MAX];
    make_run(&run, "{}",
             SMALL_RUN "," POOL(1, 9, false) "," POOL(2, 5, false) "," POOL(4, 4, true) "," POOL(8, 4, true));
    size_t count = findings_collect(&run.view, findings, FINDINGS_MAX);
    assert_contains(text_of(findings, count, "What memory gives"),
                    "\nCold is cold from 4 times the last-level cache on (32 MB are stated).");
    free_run(&run);
    make_run(&run, "{}", SMALL_RUN "," POOL(1, 9, null) "," POOL(2, 5, null) "," POOL(4, 0, null));
    count = findings_collect(&run.view, findings, FINDINGS_MAX);
    assert_contains(text_of(findings, count, "What memory gives"),
                    "\nReading still gets slower at 2 times the last-level cache, so cold numbers may be too fast");
    free_run(&run);
    make_run(&run, "{}", SMALL_RUN);
    count = findings_collect(&run.view, findings, FINDINGS_MAX);
    assert_lacks(text_of(findings, count, "What memory gives"), "last-level");
    free_run(&run);
}

static void up_convert_binds_beyond_the_knee(void **state)
{
    (void)state;
    struct made_run run;
    struct finding findings[FINDINGS_MAX];
    make_run(&run, "{}", BETA(1, 10e9, 4.0, true) "," GAMMA("p", "envelope", 4.0, 4, 2.5, 2.4, true));
    size_t count = findings_collect(&run.view, findings, FINDINGS_MAX);
    assert_contains(text_of(findings, count, "Where the knee is"),
                    "Limited by up-converting, knee below β: the papers' 1-bit 1.6 (p, latency).");
    free_run(&run);
}

static void knee_between_the_teams_is_said_so(void **state)
{
    (void)state;
    struct made_run run;
    struct finding findings[FINDINGS_MAX];
    // clang-format off
    make_run(&run, "{}",
             BETA(1, 10e9, 7.0, true) ","
             BETA(2, 15e9, 6.0, true) ","
             GAMMA("p", "envelope", 8.0, 4, 1.25, 1.25, true) ","
             GAMMA("p", "envelope", 8.0, 8, 0.9, 1.25, true));
    // clang-format on
    size_t count = findings_collect(&run.view, findings, FINDINGS_MAX);
    const char *knee = text_of(findings, count, "Where the knee is");
    assert_contains(knee, "Knee between the β of the teams, so it depends on how many cores read: the papers' 2-bit as "
                          "published 6.4 (p with 4 accumulators, latency).");
    assert_contains(knee, "Limited by memory, knee above β: the papers' 2-bit 8.89 (p, latency).");
    free_run(&run);
}

/* A fast cell that is not valid, a slower kernel of the family, and an ISA that only one side has change nothing. */
static void only_the_fastest_valid_cell_of_an_isa_is_compared(void **state)
{
    (void)state;
    struct made_run run;
    struct finding findings[FINDINGS_MAX];
    make_run(&run, "{}",
             SMALL_RUN
             ",{'type':'gemv','name':'hasty','sequence':'mask','isa':'avx_vnni','bits':2.0,'m':64,'k':128,'threads':2,"
             "'protocol':'cold','time_s':1e-9,'roof_fraction':1.5,'residual':-0.99,'above_roof':true},"
             "{'type':'gemv','name':'wrong','sequence':'mask','isa':'avx_vnni','bits':2.0,'m':64,'k':128,'threads':2,"
             "'protocol':'cold','time_s':1e-9,'roof_fraction':0.1,'residual':-0.99,'exact':false},"
             "{'type':'gemv','name':'slow','sequence':'mask','isa':'avx_vnni','bits':2.0,'m':64,'k':128,'threads':2,"
             "'protocol':'cold','time_s':9e-6,'roof_fraction':0.2,'residual':0.1},"
             "{'type':'gemv','name':'other','sequence':'mask','isa':'avx9','bits':2.0,'m':64,'k':128,'threads':2,"
             "'protocol':'cold','time_s':1.9e-6,'roof_fraction':0.92,'residual':0.1}");
    size_t count = findings_collect(&run.view, findings, FINDINGS_MAX);
    const char *riders = text_of(findings, count, "What rides the memory roof");
    assert_contains(riders, "our 2-bit 92%");
    assert_contains(riders, "1 cell above the roof (by more than 3%) is left out");
    const char *paper = text_of(findings, count, "Against the papers' and llama.cpp's sequences");
    assert_contains(paper, "GEMV 2.00× cold (1 cell)");
    assert_lacks(paper, "avx9");
    assert_contains(text_of(findings, count, "How well the model predicts"), "4 cold cells");
    free_run(&run);
}

static void model_is_judged_on_large_cells_apart_from_small(void **state)
{
    (void)state;
    struct made_run run;
    struct finding findings[FINDINGS_MAX];
    // clang-format off
    make_run(&run, "{}",
             GEMV("big", "mask", 2.0, 4096, 4096, 1, "cold", 1e-4, 1.0, 0.9, 0.05) ","
             GEMV("small", "mask", 2.0, 64, 128, 1, "cold", 1e-6, 1.0, 0.5, 0.9) ","
             "{'type':'gemv','name':'even','isa':'a','sequence':'mask','bits':2.0,'m':8192,'k':4096,'threads':1,"
             "'protocol':'cold','time_s':1e-4,'residual':0.05,'overlap':0.75,'predicted_s':1e-4,"
             "'predicted_serial_s':1.5e-4}");
    // clang-format on
    size_t count = findings_collect(&run.view, findings, FINDINGS_MAX);
    const char *model = text_of(findings, count, "How well the model predicts");
    assert_contains(model, "2 cold cells of at least 2²⁰ weights: measured over predicted time +5.0% (median)");
    assert_contains(model, "1 cold cell of less than 2²⁰ weights: measured over predicted time +90.0%");
    assert_contains(model,
                    "overlap by 75% (median of the 1 large"); /* the cell without a serial prediction does not count */
    assert_contains(text_of(findings, count, "What rides the memory roof"),
                    "On 4096×4096 with 1 thread: our 2-bit 90%.");
    free_run(&run);
}

static void gamma_alone_says_what_is_not_known(void **state)
{
    (void)state;
    struct made_run run;
    struct finding findings[FINDINGS_MAX];
    make_run(&run, "{}", GAMMA("p", "envelope", 4.0, 4, 2.5, 2.4, true));
    size_t count = findings_collect(&run.view, findings, FINDINGS_MAX);
    assert_contains(text_of(findings, count, "Where the knee is"), "this run has no memory bandwidth");
    assert_string_equal(text_of(findings, count, "What rides the memory roof"), "");
    free_run(&run);
}

static void streams_say_whether_the_model_holds(void **state)
{
    (void)state;
    struct made_run run;
    struct finding findings[FINDINGS_MAX];
    // clang-format off
    make_run(&run, "{}",
             BETA(2, 15e9, 6.0, true) ","
             "{'type':'beta','name':'one','level':'memory','threads':2,'streams':1,'prefetch':'none',"
             "'bytes_per_cycle_per_core':{'median':4.5},'bytes_per_s':{'median':9e9}},"
             KNEE("int2.envelope.avx_vnni", "memory", 2, 0, 6.4, 4.0, 1.0, 0.4, 0.6) ","
             KNEE("int2.envelope.avx_vnni", "memory", 2, 2048, 6.4, 6.0, 1.0, 0.9, 0.07) ","
             KNEE("int2.envelope.avx_vnni", "L3", 2, 0, 12, 6.3, 1.9, 0.95, 0.02) ","
             KNEE("int2.envelope.avx_vnni", "L1", 2, 0, 60, 6.3, 9.4, 0.8, 0.03));
    // clang-format on
    size_t count = findings_collect(&run.view, findings, FINDINGS_MAX);
    const char *text = text_of(findings, count, "Whether the model holds");
    assert_contains(
        text, "3 streams without software prefetch: time of a byte over that of min(β, B/γ) +3.0% (median), within "
              "±3.0% for half of them; over the time without any overlap, ±50.0%.");
    assert_contains(text, "Loading and computing overlap by 95% from L3 (1), 40% from memory (1) (medians");
    assert_contains(text, "With software prefetch: 90% from memory (1).");
    assert_contains(text, "Software prefetch changes the rate of a stream by +50% from memory (medians).");
    assert_contains(text,
                    "More than 10% slower than the model: 1 of 1 from memory; the worst +60%, int2.envelope.avx_vnni "
                    "from memory with 2 threads, where β is 1 times its knee.");
    assert_contains(text, "plain loads of one stream reach 75% of β with 2 threads.");
    free_run(&run);

    make_run(&run, "{}", KNEE("int2.envelope.avx_vnni", "L3", 1, 0, 12, 6.3, 1.9, 0.95, 0.02));
    count = findings_collect(&run.view, findings, FINDINGS_MAX);
    text = text_of(findings, count, "Whether the model holds");
    assert_contains(text, "None is more than 10% slower than the model.");
    assert_lacks(text, "With software prefetch");
    assert_lacks(text, "one stream");
    free_run(&run);
}

/* Names do not tell whose a sequence is, the origin does; each paper is compared for itself. */
static void each_paper_is_compared_for_itself(void **state)
{
    (void)state;
    struct made_run run;
    struct finding findings[FINDINGS_MAX];
    static const char row[] =
        "{'type':'gamma','name':'%s','isa':'avx2','sequence':'%s','accumulators':4,%s'bytes_per_vector':8,"
        "'gamma':{'median':%g},'usable':true}";
    static const char cell[] =
        "{'type':'gemv','name':'%s','sequence':'%s','isa':'avx2','origin':'%s','format_bits':2,'bits':2,'m':"
        "4096,'k':4096,'threads':1,'protocol':'cold','time_s':%g,'bytes_per_s':1e9,'roof_fraction':0.5}";
    static const struct {
        const char *name, *sequence, *fields, *origin;
        double gamma, time_s;
    } made[] = {{"i2.madd.avx2", "madd", "'origin':'bitnet-cpp','format_bits':2,", "bitnet-cpp", 1.0, 4e-3},
                {"v.envelope.avx2", "envelope", "'origin':'envelope','format_bits':2,", "envelope", 1.5, 3e-3},
                {"own.mask.avx2", "mask", "'origin':'kneepoint','format_bits':2,", "kneepoint", 0.5, 1e-3},
                {"no.kernel.avx2", "mask", "'origin':'kneepoint',", "kneepoint", 0.1, NAN}};
    char lines[4096] = "", text[1024];
    for (size_t i = 0; i < 4; i++) {
        snprintf(text, sizeof text, row, made[i].name, made[i].sequence, made[i].fields, made[i].gamma);
        snprintf(lines + strlen(lines), sizeof lines - strlen(lines), "%s%s", i ? "," : "", text);
        snprintf(text, sizeof text, cell, made[i].name, made[i].sequence, made[i].origin, made[i].time_s);
        if (made[i].time_s > 0)
            snprintf(lines + strlen(lines), sizeof lines - strlen(lines), ",%s", text);
    }
    make_run(&run, "{}", lines);
    size_t count = findings_collect(&run.view, findings, FINDINGS_MAX);
    assert_contains(
        text_of(findings, count, "Against the papers' and llama.cpp's sequences"),
        "\n2-bit, avx2: ours 0.50 cycles per vector (own.mask); bitnet-cpp's 1.00 cycles per vector (i2.madd), ours "
        "2.00× the speed, GEMV 4.00× cold (1 cell); envelope's 1.50 cycles per vector (v.envelope), ours 3.00× the "
        "speed, GEMV 3.00× cold (1 cell).");
    assert_contains(text_of(findings, count, "Where the knee is"),
                    "the papers' 2-bit 8 (i2.madd.avx2), our 2-bit 16 (own.mask.avx2)");
    free_run(&run);
}

#define PREFETCHING(name, sequence, time, prefetch, settings)                                                          \
    "{'type':'gemv','name':'" name "','sequence':'" sequence "','isa':'avx_vnni','bits':2.0,'m':64,'k':128,'n':1,"     \
    "'threads':1,'protocol':'cold','prefetch_bytes':" #prefetch ",'settings':'" settings "','time_s':{'median':" #time \
    "}}"

/* Two numbers of the paper's kernel: as published, and with a prefetch of ours. */
static void what_is_ours_in_their_prefetch_is_a_number_of_its_own(void **state)
{
    (void)state;
    struct made_run run;
    struct finding findings[FINDINGS_MAX];
    const char *title = "Against the papers' and llama.cpp's sequences";
    make_run(&run, "{}",
             SMALL_RUN "," PREFETCHING("int2.envelope.avx_vnni", "envelope", 3e-6, 0, "default") "," PREFETCHING(
                 "int2.envelope.avx_vnni", "envelope", 1.5e-6, 2048,
                 "our prefetch") "," PREFETCHING("int2.mask.avx_vnni", "mask", 1e-6, 512, "default"));
    size_t count = findings_collect(&run.view, findings, FINDINGS_MAX);
    assert_contains(text_of(findings, count, title),
                    "GEMV 2.50× cold (2 cells) as published, 1.50× cold (1 cell) with our prefetch in theirs.");
    free_run(&run);
    make_run(&run, "{}",
             SMALL_RUN "," PREFETCHING("int2.envelope.avx_vnni", "envelope", 3e-6, 2048,
                                       "default") "," PREFETCHING("int2.mask.avx_vnni", "mask", 1e-6, 512, "default"));
    count = findings_collect(&run.view, findings, FINDINGS_MAX);
    assert_contains(text_of(findings, count, title), "GEMV 2.50× cold (2 cells) with our prefetch in theirs.");
    free_run(&run);
}

static void nothing_is_said_of_nothing(void **state)
{
    (void)state;
    struct made_run run;
    struct finding findings[FINDINGS_MAX];
    make_run(&run, "{}", "{'type':'gemv','protocol':'cold'},{'type':'beta','level':'memory'},{'type':'knee'}");
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

#define HELD_OUT(side, max, overlap)                                                                                   \
    "{'type':'gemv','name':'k','origin':'kneepoint','m':" #side                                                        \
    ",'k':4096,'threads':1,'protocol':'cold','time_s':{'median':1e-5,'ci95':[9.8e-6,1.02e-5],'n':8},"                  \
    "'held_out':true,'residual':" #max ",'residual_overlap':" #overlap "}"
#define OMEGA(value)                                                                                                   \
    "{'type':'omega','name':'k','omega':{'median':" #value ",'ci95':[-1,1],'n':8,'unit':'1','grade':'chain'}}"

static void residuals_stand_beside_their_target(void **state)
{
    (void)state;
    struct made_run run;
    struct finding findings[FINDINGS_MAX];
    make_run(
        &run, "{}",
        OMEGA(-0.25) "," HELD_OUT(1024, 0.5, 0.01) "," HELD_OUT(1025, 0.5, 0.02) "," HELD_OUT(
            1026, 0.5, 0.02) "," HELD_OUT(1027, 0.5, -0.02) "," HELD_OUT(1028, 0.5, 0.03) "," HELD_OUT(1029, 0.5, 0.2));
    size_t count = findings_collect(&run.view, findings, FINDINGS_MAX);
    const struct finding *found = NULL;
    for (size_t i = 0; i < count; i++)
        found = strcmp(findings[i].title, "How well the model predicts") == 0 ? &findings[i] : found;
    assert_non_null(found);
    assert_contains(found->text, "6 cold cells of at least 2²⁰ weights of our kernels");
    assert_contains(found->text, "within 2.0% for half of them and 20.0% for nine of ten, target 3% and 8%: missed;");
    assert_contains(found->text, "max(bytes/β, γ·vectors/clock) within 50.0% and 50.0%.");
    assert_contains(found->text, "known within ±2.0% for half of them and ±2.0% for nine of ten.");
    assert_contains(found->text, "Kernels of ours beyond that: k (2.0%, 20.0%); 1 of 1.");
    assert_contains(found->text, "ω is below 0 for 1 of 1 kernels");
    free_run(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_run_is_told_in_words),
        cmocka_unit_test(cold_is_said_to_be_cold_from_a_size_on),
        cmocka_unit_test(up_convert_binds_beyond_the_knee),
        cmocka_unit_test(knee_between_the_teams_is_said_so),
        cmocka_unit_test(only_the_fastest_valid_cell_of_an_isa_is_compared),
        cmocka_unit_test(model_is_judged_on_large_cells_apart_from_small),
        cmocka_unit_test(gamma_alone_says_what_is_not_known),
        cmocka_unit_test(streams_say_whether_the_model_holds),
        cmocka_unit_test(each_paper_is_compared_for_itself),
        cmocka_unit_test(what_is_ours_in_their_prefetch_is_a_number_of_its_own),
        cmocka_unit_test(nothing_is_said_of_nothing),
        cmocka_unit_test(capacity_is_kept),
        cmocka_unit_test(residuals_stand_beside_their_target),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
