/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tokens per second of several users at once, and the figures of the kernels for Arm CPUs.
 */

#include "reports/draw/figure_testing.h"
#include "reports/select/tokens/batch_rate.h"

/* Records as text. */
struct text {
    char bytes[65536];
    size_t length;
};

static void add_text(struct text *text, const char *more)
{
    text->length += (size_t)snprintf(text->bytes + text->length, sizeof text->bytes - text->length, "%s%s",
                                     RECORDS(text->length ?, : ""), more);
    assert_true(text->length < sizeof text->bytes);
}

/* Whose kernels add_products adds. */
static const char *origin = "kneepoint";

/* One record for each shape of llama3.2-1b: 32, 32, 32 and 16 matrices of the layers, and of the head one. */
static void add_products(struct text *text, const char *type, const char *format, unsigned n, double time_s, bool head)
{
    static const unsigned shapes[][2] = {{2048, 2048}, {512, 2048}, {8192, 2048}, {2048, 8192}, {128256, 2048}};
    char row[512];
    for (size_t i = 0; i < (head ? 5 : 4); i++) {
        snprintf(row, sizeof row,
                 "{'type':'%s','name':'%s.%s.avx2','format':'%s','sequence':'x','origin':'%s','isa':'avx2',"
                 "'format_bits':4.5,'bits':4.5,'m':%u,'k':%u,'n':%u,'threads':2,'protocol':'cold','exact':true,"
                 "'packed_bytes':%u,'time_s':{'median':%g,'ci95':[%g,%g]}}",
                 type, format, strcmp(origin, "kneepoint") == 0 ? "x" : "reference", format,
                 strncmp(format, "cb", 2) == 0 ? "arm-kernels-codebooks" : origin, shapes[i][0], shapes[i][1], n,
                 shapes[i][0], time_s, time_s, time_s);
        add_text(text, row);
    }
}

static const struct batch_kernels rows = {"q4_0", BATCH_ROWS, NULL}, orders = {"q4_0", BATCH_ORDERS, NULL},
                                  llama_cpp = {"q4_0", BATCH_EITHER, "llama.cpp"},
                                  published = {"q4_0", BATCH_ORDERS, BATCH_PUBLISHED};
static const char model[] = "llama3.2-1b";

TEST(rows_orders_and_origins_look_different)
{
    static const struct {
        const char *row;
        bool is_rows, is_order, is_llama_cpp, is_published;
    } of[] = {{"{\"format\":\"q4_0\",\"origin\":\"kneepoint\"}", true, false, false, false},
              {"{\"format\":\"q4_0\",\"origin\":\"llama.cpp\"}", true, false, true, false},
              {"{\"format\":\"q4_0_8x8\",\"origin\":\"llama.cpp\"}", false, true, true, true},
              {"{\"format\":\"q4_0_8x8\",\"origin\":\"kneepoint\"}", false, true, false, false},
              {"{\"format\":\"q4_01\",\"origin\":\"llama.cpp\"}", false, false, false, false},
              {"{\"format\":5}", false, false, false, false}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        json_t *row = json_loads(of[i].row, 0, NULL);
        assert_int_equal(batch_kernels_are(&rows, row), of[i].is_rows);
        assert_int_equal(batch_kernels_are(&orders, row), of[i].is_order);
        assert_int_equal(batch_kernels_are(&llama_cpp, row), of[i].is_llama_cpp);
        assert_int_equal(batch_kernels_are(&published, row), of[i].is_published);
        json_decref(row);
    }
}

TEST(a_rate_is_of_all_matrices_of_the_model)
{
    struct text text = {.length = 0};
    add_products(&text, "gemv", "q4_0", 1, 1e-3, true);
    add_products(&text, "gemm", "q4_0", 1, 1e-4, true); /* of one token the GEMVs count, where there are any */
    add_products(&text, "gemm", "q4_0", 8, 2e-3, false);
    add_products(&text, "gemm", "q4_0_m16", 1, 5e-4, true);
    add_products(&text, "gemm", "q4_0_m16", 64, 4e-3, false);
    add_products(&text, "gemm", "q4_0_m16", 128, 8e-3, false);
    MADE_RUN(run, text.bytes);
    struct batch_rate rate = batch_rate(&run.view, model, &rows, 1, false, 2);
    assert_near(rate.tokens_per_s, 1 / 0.113, 1e-6);
    assert_near(rate.ci95[0], rate.tokens_per_s, 1e-9);
    assert_near(rate.token_bytes, 32 * (2048 + 512 + 8192) + 16 * 2048 + 128256, 1);
    assert_near(batch_rate(&run.view, model, &orders, 1, false, 2).tokens_per_s, 2 / 0.113, 1e-6);
    assert_true(isnan(batch_rate(&run.view, model, &rows, 8, false, 2).tokens_per_s));
    assert_near(batch_rate(&run.view, model, &rows, 8, true, 2).tokens_per_s, 8 / (112 * 2e-3), 1e-6);
    assert_true(isnan(batch_rate(&run.view, model, &rows, 1, false, 1).tokens_per_s));
    assert_true(isnan(batch_rate(&run.view, "gpt", &rows, 1, false, 2).tokens_per_s));
    assert_int_equal(batch_longest_prompt(&run.view, model, &orders, 64, 2, false), 128);
    assert_int_equal(batch_longest_prompt(&run.view, model, &rows, 64, 2, false), 0);
    assert_int_equal(batch_widest_team(&run.view, &rows), 2);
    assert_int_equal(batch_widest_team(&run.view, &llama_cpp), 0);
}

#define PASS(type, format, tokens, rate)                                                                               \
    "{'type':'" type "','name':'" format "','model':'llama3.2-1b','format':'" format "','origin':'kneepoint',"         \
    "'threads':2,'context':" #tokens ",'tokens':" #tokens ",'tokens_per_s':{'median':" #rate "}}"

TEST(the_longest_prompt_of_those_run_counts)
{
    MADE_RUN(run, RECORDS(PASS("prefill", "q4_0_m16", 512, 90), PASS("prefill", "q4_0_8x8", 512, 95),
                          PASS("prefill", "q4_0_4x4", 16, 200), PASS("decode", "q4_0", 64, 11),
                          PASS("decode", "q4_0_m16", 32, null)));
    assert_near(view_median(batch_pass(&run.view, model, &orders, 0, 2), "tokens_per_s"), 95, 1e-9);
    assert_near(view_median(batch_pass(&run.view, model, &rows, 1, 2), "tokens_per_s"), 11, 1e-9);
    assert_null(batch_pass(&run.view, model, &orders, 1, 2));
    assert_null(batch_pass(&run.view, model, &rows, 1, 1));
}

#define BATCH(format, users, rate)                                                                                     \
    "{'type':'decode','name':'" format "','model':'llama3.2-1b','format':'" format "','origin':'kneepoint',"           \
    "'threads':2,'context':64,'users':" #users ",'tokens_per_s':{'median':" #rate "}}"

/* A batch of one goes through GEMMs: it is no token alone. */
TEST(a_pass_of_several_users_is_of_as_many_tokens)
{
    MADE_RUN(run, RECORDS(PASS("decode", "q4_0", 64, 11), BATCH("q4_0", 1, 99), BATCH("q4_0", 4, 30),
                          BATCH("q4_0", 8, 40), BATCH("q4_0_8x8", 4, 35)));
    assert_near(view_median(batch_pass(&run.view, model, &rows, 1, 2), "tokens_per_s"), 11, 1e-9);
    assert_near(view_median(batch_pass(&run.view, model, &rows, 4, 2), "tokens_per_s"), 30, 1e-9);
    assert_near(view_median(batch_pass(&run.view, model, &rows, 8, 2), "tokens_per_s"), 40, 1e-9);
    assert_near(view_median(batch_pass(&run.view, model, &orders, 4, 2), "tokens_per_s"), 35, 1e-9);
    assert_null(batch_pass(&run.view, model, &rows, 16, 2));
    assert_null(batch_pass(&run.view, model, &rows, 0, 2));
    assert_int_equal(batch_widest_team(&run.view, &orders), 2);
}

TEST(bars_and_ratios_stand_beside_each_other)
{
    freed char *settings, *data;
    struct text text = {.length = 0};
    add_products(&text, "gemv", "q4_0", 1, 1e-3, true);
    add_products(&text, "gemv", "q4_0_m16", 1, 5e-4, true);
    add_text(&text, PASS("decode", "q4_0", 64, 7.5));
    origin = "llama.cpp";
    add_products(&text, "gemv", "q4_0", 1, 4e-3, true);
    add_products(&text, "gemm", "q4_0_8x8", 1, 1e-3, true);
    origin = "kneepoint";
    select_records("arm_6", text.bytes, &settings, &data);
    assert_contains(data, "0.2000 2.2124 nan \"llama3.2-1b\" ", "0.4000 8.8496 7.5 \"llama3.2-1b\" ",
                    "0.6000 8.8496 nan \"llama3.2-1b\" ", "0.8000 17.699 nan \"llama3.2-1b\" ",
                    "0.5000 4 4 4 \"llama3.2-1b\"", "0.5000 0.5 0.5 0.5 \"llama3.2-1b\"");
    assert_contains(
        settings, "teams = 2\n", "passes = 1\n",
        "array side_title[4] = ['llama.cpp’s rows', 'rows, ours', 'interleaved, as published', 'interleaved, ours']");
}

TEST(not_measured_and_too_few_samples_look_different)
{
    freed char *settings, *data;
    struct text text = {.length = 0};
    add_products(&text, "gemv", "q4_0", 1, 1e-3, true);
    add_products(&text, "gemv", "q4_0_m16", 1, (double)NAN, true);
    for (char *at = text.bytes; (at = strstr(at, "nan"));) /* as records have it */
        memcpy(at, "0.0", 3);
    MADE_RUN(run, text.bytes);
    assert_true(batch_rate(&run.view, model, &orders, 1, false, 2).few);
    assert_false(batch_rate(&run.view, model, &rows, 1, false, 2).few);
    assert_false(batch_rate(&run.view, model, &orders, 1, false, 1).few);
    assert_false(batch_rate(&run.view, "llama3-8b", &orders, 1, false, 2).few);
    select_figure("arm_6", &run, &settings, &data);
    assert_contains(data, "0.8000 nan nan \"llama3.2-1b\" \"too few samples kept\"");
    assert_contains(settings, "few = 1\n");
    assert_contains(settings, "array group_title[1] = ['llama3.2-1b']"); /* of the others nothing was measured */
    assert_contains(settings, "array column_title[1] = ['a token']");
}

TEST(tables_have_the_papers_numbers)
{
    freed char *settings, *data;
    select_records(
        "arm_1",
        "{'type':'decode','name':'x','model':'llama3-8b','format':'q4_0_m16','origin':'kneepoint','threads':1,"
        "'tokens_per_s':{'median':3}}",
        &settings, &data);
    assert_contains(data, "0.8000 nan 3 \"N = 1\"", "4.6000 342.9 nan \"32\"");
    assert_contains(data, "5.6000 570.9 nan \"prompt\""); /* that of one user */
    assert_contains(data, "5.5000 2.998 nan nan \"prompt\"");
    assert_contains(settings, "bar_rows = 2\n");
}

TEST(lines_are_of_the_model_with_the_most_points)
{
    freed char *settings, *data;
    struct text text = {.length = 0};
    add_text(&text, BETA(2, 12e9, 3.0, true));
    add_products(&text, "gemv", "q4_0_m16", 1, 5e-4, true);
    add_products(&text, "gemv", "cb2_4", 1, 4e-4, true);
    add_text(&text, PASS("decode", "cb2_4", 512, 17));
    select_records("arm_7", text.bytes, &settings, &data);
    assert_contains(settings, "model = 'llama3.2-1b'", "lines = 2\n", "'Q4_0 interleaved', '4 codebooks of 4'");
    assert_contains(data, "2 22.124 ");
    assert_contains(settings, "passes = 1\n");
    assert_contains(
        data, "\nNaN NaN NaN\n\n\n# threads, tokens/s of a pass, GB/s of weights\n2 17 "); /* of the second line */
}

TEST(what_is_missing_names_the_command_that_measures_it)
{
    static const char *const figures[] = {"arm_1", "arm_2", "arm_3", "arm_6", "arm_7"};
    MADE_RUN(run, SMALL_RUN);
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        assert_missing(figures[i], &run.view, " --cold --best ");
        assert_missing(figures[i], &run.view, " --model=llama3.2-");
    }
}

RUN_TESTS(NULL, NULL)
