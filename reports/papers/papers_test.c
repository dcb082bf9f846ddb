/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "embedded.h"
#include "reports/papers/papers.h"
#include "results/schema/record_schema.h"
#include "unit_test.h"

static int load_all(void **state)
{
    struct papers *papers = calloc(1, sizeof *papers);
    char why[512];
    if (papers_load(papers, why, sizeof why) != 0)
        fail_msg("%s", why);
    *state = papers;
    return 0;
}

static int free_all(void **state)
{
    papers_free(*state);
    free(*state);
    return 0;
}

static const struct papers_claim *find(const struct papers *papers, const char *paper, const char *id)
{
    for (size_t i = 0; i < papers->count; i++) {
        if (strcmp(papers->claims[i].paper, paper) == 0 && strcmp(papers->claims[i].id, id) == 0)
            return &papers->claims[i];
    }
    fail_msg("no claim %s of %s", id, paper);
    return NULL;
}

/* ---- what there is ---- */

TEST_GIVEN(five_papers_make_more_than_seventy_claims, const struct papers *papers)
{
    static const char *const names[] = {"apt-llm", "arm-kernels-codebooks", "bitnet-cpp", "envelope", "mixed-2-4-16"};
    const char *title;
    assert_true(papers->count >= 70);
    for (size_t p = 0; p < COUNT(names); p++) {
        size_t claims = 0;
        assert_string_equal(papers_name(papers, p, &title), names[p]);
        assert_true(strlen(title) > 10);
        for (size_t i = 0; i < papers->count; i++)
            claims += strcmp(papers->claims[i].paper, names[p]) == 0;
        assert_true(claims >= 20);
    }
    assert_null(papers_name(papers, COUNT(names), &title));
}

TEST(files_are_named_after_their_paper)
{
    size_t files = 0;
    for (const struct embedded_file *file = embedded_files; file->path; file++) {
        if (strncmp(file->path, "roofline/papers/", 16) != 0)
            continue;
        char expected[128];
        json_t *root = json_loadb(file->bytes, file->length, 0, NULL);
        snprintf(expected, sizeof expected, "roofline/papers/%s.json",
                 json_string_value(json_object_get(root, "name")));
        assert_string_equal(file->path, expected);
        json_decref(root);
        files++;
    }
    assert_int_equal(files, 5);
}

struct known {
    const char *paper, *id;
    double recomputed, tolerance; /* from the values as printed, in the stated unit */
    enum claim_verdict verdict;
    const char *with; /* part of it */
};

/* By hand, each from the numbers of its paper. */
TEST_GIVEN(known_claims_get_the_value_and_verdict_computed_by_hand, const struct papers *papers)
{
    static const struct known table[] = {
        {"envelope", "knee-2bit-p", 6.4, 1e-9, CLAIM_HOLDS, ""},
        {"envelope", "knee-2bit-e", 3.678, 1e-3, CLAIM_HOLDS, ""},
        {"envelope", "knee-1bit-p", 1.667, 1e-3, CLAIM_HOLDS, ""},
        {"envelope", "knee-1bit-e", 0.849, 1e-3, CLAIM_HOLDS, ""},
        {"envelope", "arl-1600-time", 6.531, 1e-3, CLAIM_HOLDS, ""},
        {"envelope", "arl-beta-p", 0.756, 1e-3, CLAIM_HOLDS, ""},
        {"envelope", "arl-beta-e", 0.907, 1e-3, CLAIM_HOLDS_WITH, "rounded to 4 first"},
        {"envelope", "arlh-beta-p", 1.339, 1e-3, CLAIM_HOLDS_WITH, "GiB/s"},
        {"envelope", "arlh-beta-e", 1.488, 1e-3, CLAIM_HOLDS_WITH, "GiB/s"},
        {"envelope", "lnl-beta-p", 2.957, 1e-3, CLAIM_HOLDS_WITH, "GiB/s"},
        {"envelope", "lnl-beta-e", 3.277, 1e-3, CLAIM_HOLDS_WITH, "GiB/s"},
        {"envelope", "arlh-1bit-e", 3.057, 1e-3, CLAIM_HOLDS_WITH, "GiB/s"},
        {"envelope", "arlh-1bit-all", 56.60, 1e-2, CLAIM_HOLDS_WITH, "GiB/s"},
        {"envelope", "lnl-1bit-p", 6.833, 1e-3, CLAIM_HOLDS_WITH, "GiB/s"},
        {"envelope", "lnl-1bit-e", 3.142, 1e-3, CLAIM_HOLDS_WITH, "GiB/s"},
        {"envelope", "lnl-1bit-all", 39.90, 1e-2, CLAIM_HOLDS_WITH, "GiB/s"},
        {"envelope", "amdahl-1b-2bit", 4.188, 1e-3, CLAIM_HOLDS, ""},
        {"envelope", "amdahl-1b-1bit", 5.424, 1e-3, CLAIM_HOLDS, ""},
        {"envelope", "amdahl-8b-2bit", 6.25, 1e-9, CLAIM_HOLDS, ""},
        {"envelope", "amdahl-8b-1bit", 10, 1e-9, CLAIM_HOLDS, ""},
        {"envelope", "observed-8b-1bit", 10, 1e-9, CLAIM_HOLDS, ""},
        {"envelope", "lnl-gpu-read", 97, 1e-9, CLAIM_DIFFERS, ""}, /* their intervals touch and do not meet */
        {"envelope", "lnl-gpu-1600-bandwidth", 80, 1e-9, CLAIM_DIFFERS, ""},
        {"envelope", "arl-1600-measured", 7, 1e-9, CLAIM_DIFFERS, ""},
        {"envelope", "arl-1bit-e-side", 1.119, 1e-3, CLAIM_DIFFERS, ""},
        {"envelope", "arl-1bit-all", 0.957, 1e-3, CLAIM_HOLDS, ""},
        {"envelope", "observed-8b-2bit-lnl", 6.25, 1e-9, CLAIM_DIFFERS, ""},
        {"envelope", "a100-least-bandwidth", 18.61, 1e-2, CLAIM_DIFFERS, ""},
        {"envelope", "bmg-2bit-bandwidth", 270, 1e-9, CLAIM_DIFFERS, ""},
        {"bitnet-cpp", "tq1-bits", 1.6875, 1e-9, CLAIM_HOLDS, ""},
        {"bitnet-cpp", "tl2-best-i7-30b", 0.9505, 1e-4, CLAIM_DIFFERS, ""},
        {"bitnet-cpp", "table-3-element-wise-c3", 5.0 / 3, 1e-9, CLAIM_HOLDS, ""},
        {"bitnet-cpp", "table-3-bit-wise-c5", 3, 1e-9, CLAIM_HOLDS, ""},
        {"bitnet-cpp", "g3-saves-work", 1.0 / 3, 1e-9, CLAIM_HOLDS_WITH, "not relative to g = 2"},
        {"bitnet-cpp", "i2s-over-f16", 6.248, 1e-3, CLAIM_HOLDS, ""},
        {"bitnet-cpp", "tl2-over-tmac-i7", 2.315, 1e-3, CLAIM_HOLDS, ""},
        {"bitnet-cpp", "tl2-over-tq1-i7", 1.332, 1e-3, CLAIM_HOLDS, ""},
        {"bitnet-cpp", "tl2-over-tq1-m2", 1.646, 1e-3, CLAIM_HOLDS, ""},
        {"bitnet-cpp", "tbl-add-cvt-over-mad", 64.46, 1e-2, CLAIM_HOLDS_WITH, "TBL as the base, not MAD"},
        {"arm-kernels-codebooks", "prefill-least", 2.993, 1e-3, CLAIM_HOLDS, ""},
        {"arm-kernels-codebooks", "prefill-most", 3.184, 1e-3, CLAIM_HOLDS, ""},
        {"arm-kernels-codebooks", "decode-most", 1.017, 1e-3, CLAIM_HOLDS_WITH, "32 users in place of one"},
        {"arm-kernels-codebooks", "prefill-least-3b", 2.775, 1e-3, CLAIM_DIFFERS, ""},
        {"arm-kernels-codebooks", "iq4-decode-batch-1-8b", 1, 1e-9, CLAIM_UNDECIDED, ""}, /* 45.5 against 45.5 */
        {"arm-kernels-codebooks", "iq4-comparable-prefill-8b", 0.7774, 1e-4, CLAIM_DIFFERS, ""},
        {"arm-kernels-codebooks", "iq4-comparable-prefill-3b", 0.8543, 1e-4, CLAIM_DIFFERS, ""},
        {"arm-kernels-codebooks", "decode-batch-1-8b", 1.017, 1e-3, CLAIM_HOLDS, ""},
        {"apt-llm", "ii-w1a2[64/4k/4k]", 6.398, 1e-3, CLAIM_HOLDS, ""},
        {"apt-llm", "ii-4k-share-of-int1", 92.47, 1e-2, CLAIM_HOLDS, ""},
        {"apt-llm", "iii-total-over-int1", 1.231, 1e-3, CLAIM_HOLDS, ""},
        {"apt-llm", "iii-w1a2-over-int4-most", 5.572, 1e-3, CLAIM_DIFFERS, ""},
        {"apt-llm", "ii-2k-over-int1", 1, 1e-9, CLAIM_UNDECIDED, ""}, /* 11.8 against 11.8 */
        {"apt-llm", "iii-all-over-fp16", 0.6508, 1e-4, CLAIM_DIFFERS, ""},
        {"apt-llm", "iv-all-over-fp16", 0.75, 1e-9, CLAIM_DIFFERS, ""},
        {"apt-llm", "iv-approaches-int1", 69.42, 1e-2, CLAIM_DIFFERS, ""},
        {"apt-llm", "iv-fp16-14k", 125.4, 0.1, CLAIM_DIFFERS, ""},
        {"apt-llm", "iv-fp16-14k-transposed", 162, 1e-9, CLAIM_DIFFERS, ""},
        {"apt-llm", "h800-int8", 4.2, 1e-9, CLAIM_DIFFERS, ""},
        {"apt-llm", "shared-memory-size", 2048, 1e-9, CLAIM_DIFFERS, ""},
        {"apt-llm", "bipolar-value", 0, 1e-9, CLAIM_HOLDS, ""},
        {"apt-llm", "iv-total-over-fp32", 5.672, 1e-3, CLAIM_HOLDS, ""},
        {"apt-llm", "iv-total-over-fp16", 3.923, 1e-3, CLAIM_HOLDS, ""},
        {"mixed-2-4-16", "outlier-bits", 0.16, 1e-9, CLAIM_HOLDS, ""},
        {"mixed-2-4-16", "price-a100", 0.2854, 1e-4, CLAIM_HOLDS, ""},
        {"mixed-2-4-16", "dense-bits", 2.84375, 1e-9, CLAIM_HOLDS, ""},
        {"mixed-2-4-16", "zero-padding", 4.0 / 256, 1e-9, CLAIM_HOLDS, ""},
        {"mixed-2-4-16", "loss-llama2-7b", 2.4, 1e-9, CLAIM_HOLDS_WITH, "averages as printed"},
        {"mixed-2-4-16", "loss-llama2-13b-gptq", 5.275, 1e-9, CLAIM_DIFFERS, ""},
        {"mixed-2-4-16", "runtime-cost-llama3-8b-2080", 2.481, 1e-3, CLAIM_DIFFERS, ""},
        {"mixed-2-4-16", "table-4-bits[25%]", 2.84375, 1e-9, CLAIM_HOLDS_WITH, "each row's count of outliers"},
        {"mixed-2-4-16", "table-4-bits[10%]", 2.59375, 1e-9, CLAIM_HOLDS_WITH, "each row's count of outliers"},
        {"mixed-2-4-16", "runtime-cost-llama2-7b-2080", 2.538, 1e-3, CLAIM_HOLDS, ""},
        {"mixed-2-4-16", "total-cost-llama2-7b-2080", 2.287, 1e-3, CLAIM_HOLDS, ""},
        {"mixed-2-4-16", "total-cost-llama3-8b", 1.17, 1e-2, CLAIM_DIFFERS, ""},
        {"mixed-2-4-16", "table-1-average[llama1-7b]", 74.525, 1e-9, CLAIM_DIFFERS, ""},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        const struct papers_claim *claim = find(papers, table[i].paper, table[i].id);
        if (fabs(claim->readings[0].nominal - table[i].recomputed) > table[i].tolerance ||
            claim->verdict != table[i].verdict || !strstr(claim->readings[claim->which].with, table[i].with))
            fail_msg("%s: %g, %s %s", claim->id, claim->readings[0].nominal, claim_verdict_name(claim->verdict),
                     claim->readings[claim->which].with);
    }
}

/* ---- is the arithmetic sound? ---- */

static struct interval end_of(const struct papers_value *value, bool high)
{
    struct interval range = value->printed.range;
    return interval_point((high ? range.high : range.low) * value->factor);
}

/* The formula with every uncertain value at one of its ends, the bits of corner saying which. */
static double at_corner(const struct papers_reading *reading, size_t corner)
{
    struct expression_name names[16];
    struct expression_value value;
    char why[256];
    size_t bit = 0;
    for (size_t i = 0; i < reading->input_count; i++) {
        const struct papers_input *input = &reading->inputs[i];
        snprintf(names[i].name, sizeof names[i].name, "%s", input->name);
        names[i].value.count = input->values.count;
        for (size_t v = 0; v < input->values.count; v++)
            names[i].value.of[v] = end_of(&input->values.of[v], corner >> (bit++ % 60) & 1);
    }
    assert_int_equal(expression_evaluate(reading->formula, names, reading->input_count, &value, why, sizeof why), 0);
    return value.of[0].low / reading->stated.factor;
}

static bool is_uncertain(const struct papers_values *values)
{
    for (size_t v = 0; v < values->count; v++) {
        if (values->of[v].printed.range.low < values->of[v].printed.range.high)
            return true;
    }
    return false;
}

/*
 * A value that stands twice in a formula could make the recomputed interval wider than it is, and a claim hold that
 * does not. So the ends must be attained: the formula at some corner of the values' ranges gives them.
 */
TEST_GIVEN(recomputed_intervals_are_attained, const struct papers *papers)
{
    size_t checked = 0;
    for (size_t i = 0; i < papers->count; i++) {
        for (size_t r = 0; r < papers->claims[i].reading_count; r++) {
            const struct papers_reading *reading = &papers->claims[i].readings[r];
            size_t values = 0, twice = 0;
            for (size_t n = 0; n < reading->input_count; n++) {
                values += reading->inputs[n].values.count;
                twice += is_uncertain(&reading->inputs[n].values) &&
                         expression_uses(reading->formula, reading->inputs[n].name) > 1;
            }
            if (twice == 0)
                continue; /* then it is exact */
            assert_true(values <= 20);
            double low = INFINITY, high = -INFINITY;
            for (size_t corner = 0; corner < (size_t)1 << values; corner++) {
                double value = at_corner(reading, corner);
                low = fmin(low, value);
                high = fmax(high, value);
            }
            if (fabs(low - reading->recomputed.low) > 1e-9 * fabs(low) ||
                fabs(high - reading->recomputed.high) > 1e-9 * fabs(high))
                fail_msg("%s: [%g, %g], but attained is [%g, %g]", papers->claims[i].id, reading->recomputed.low,
                         reading->recomputed.high, low, high);
            checked++;
        }
    }
    assert_true(checked > 0);
}

TEST_GIVEN(what_is_printed_lies_within_its_interval, const struct papers *papers)
{
    for (size_t i = 0; i < papers->count; i++) {
        for (size_t r = 0; r < papers->claims[i].reading_count; r++) {
            const struct papers_reading *reading = &papers->claims[i].readings[r];
            double slack = 1e-9 * fabs(reading->nominal);
            if (!(reading->nominal >= reading->recomputed.low - slack &&
                  reading->nominal <= reading->recomputed.high + slack))
                fail_msg("%s: %g is not in [%g, %g]", papers->claims[i].id, reading->nominal, reading->recomputed.low,
                         reading->recomputed.high);
        }
    }
}

/* ---- verdicts ---- */

static char *with_replaced(const char *text, const char *part, const char *replacement)
{
    const char *at = strstr(text, part);
    char *result = NULL;
    assert_non_null(at);
    assert_true(asprintf(&result, "%.*s%s%s", (int)(at - text), text, replacement, at + strlen(part)) > 0);
    return result;
}

static const char *paper_text(const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "roofline/papers/%s.json", name);
    for (const struct embedded_file *file = embedded_files; file->path; file++) {
        if (strcmp(file->path, path) == 0)
            return file->bytes;
    }
    fail_msg("no %s", path);
    return NULL;
}

/* The test that every other one leans on: a paper that stated something else would be caught. */
TEST(a_changed_value_differs)
{
    static const struct {
        const char *paper, *id, *part, *replacement;
    } table[] = {
        {"envelope", "knee-2bit-p", "\"stated\": \"6.4 B/cycle\"", "\"stated\": \"6.6 B/cycle\""},
        {"envelope", "knee-1bit-e", "\"gamma\": \"4.71 cycles\"}", "\"gamma\": \"4.17 cycles\"}"},
        {"envelope", "lnl-1bit-all", "\"stated\": \"~37 GiB/s\"", "\"stated\": \"~47 GiB/s\""},
        {"envelope", "observed-1b-2bit", "\"stated\": \">=4.1 x\"", "\"stated\": \">=4.4 x\""},
        {"bitnet-cpp", "i2s-over-f16", "\"stated\": \"6.25 x\"", "\"stated\": \"6.52 x\""},
        {"apt-llm", "iv-w2a2[1/14k/4k]", "\"stated\": [\"3.18 x\", \"6.45 x\"", "\"stated\": [\"3.18 x\", \"6.54 x\""},
        {"mixed-2-4-16", "price-a100", "\"stated\": \"0.285 $/h\"", "\"stated\": \"0.258 $/h\""},
        {"arm-kernels-codebooks", "prefill-most", "\"stated\": \"3.2 x\"", "\"stated\": \"3.3 x\""},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        struct papers as_it_is = {0}, flipped = {0};
        char why[512] = "";
        const char *text = paper_text(table[i].paper);
        char *changed = with_replaced(text, table[i].part, table[i].replacement);
        assert_int_equal(papers_add(&as_it_is, text, strlen(text), "file", why, sizeof why), 0);
        if (papers_add(&flipped, changed, strlen(changed), "file", why, sizeof why) != 0)
            fail_msg("%s", why);
        assert_int_not_equal(find(&as_it_is, table[i].paper, table[i].id)->verdict, CLAIM_DIFFERS);
        if (find(&flipped, table[i].paper, table[i].id)->verdict != CLAIM_DIFFERS)
            fail_msg("%s holds with %s", table[i].id, table[i].replacement);
        papers_free(&as_it_is);
        papers_free(&flipped);
        free(changed);
    }
}

/* Claims in single quotes. */
static int add(struct papers *papers, const char *claims, char why[512])
{
    char *text = NULL;
    *papers = (struct papers){0};
    assert_true(asprintf(&text,
                         "{'kneepoint_papers':1,'name':'p','title':'a paper','values':{'column':{'unit':'us','values':"
                         "['10','20','40']},'units':['1 GB/s','2 GiB/s']},'claims':[%s]}",
                         claims) > 0);
    for (char *at = text; *at; at++)
        *at = *at == '\'' ? '"' : *at;
    why[0] = '\0';
    int error = papers_add(papers, text, strlen(text), "file", why, 512);
    free(text);
    return error;
}

#define CLAIM(formula, inputs, rest)                                                                                   \
    "{'id':'c','section':'1','says':'s','formula':'" formula "','inputs':{" inputs "}," rest "}"

TEST(each_kind_of_verdict)
{
    static const struct {
        const char *claims;
        enum claim_verdict verdict;
        size_t which;
        double difference;
    } table[] = {
        {CLAIM("a / b", "'a':'10 us','b':'=3'", "'stated':'3.3 us'"), CLAIM_HOLDS, 0, 0.0101},
        {CLAIM("a / b", "'a':'10.00 us','b':'=3'", "'stated':'3.4 us'"), CLAIM_DIFFERS, 0, -0.0196},
        {CLAIM("a / b", "'a':'=10 us','b':'=4'", "'stated':'2500 ns'"), CLAIM_HOLDS, 0, 0},
        {CLAIM("a", "'a':'=1 GB/s'", "'stated':'1.07 GB/s','readings':[{'with':'tens','stated':'~1 GB/s'}]"),
         CLAIM_HOLDS_WITH, 1, -0.0654},
        {CLAIM("a", "'a':'=1 GB/s'",
               "'stated':'1.07 GB/s','readings':[{'with':'x','inputs':{'a':'=2 GB/s'}},{'with':'GiB/s','inputs':{'a':"
               "'=1 GiB/s'}}]"),
         CLAIM_HOLDS_WITH, 2, -0.0654},
        {CLAIM("a", "'a':'=1 GB/s','b':'=3 GB/s'",
               "'stated':'1.07 GB/s','readings':[{'with':'another base','formula':'b / 2'}]"),
         CLAIM_DIFFERS, 0, -0.0654},
        {CLAIM("a", "'a':'4.01 x'", "'stated':'>=4 x'"), CLAIM_HOLDS, 0, 0.0025},
        {CLAIM("a", "'a':'3.98 x'", "'stated':'>=4 x'"), CLAIM_DIFFERS, 0, -0.005},
        {CLAIM("a", "'a':'4.0 x'", "'stated':'>=4 x'"), CLAIM_UNDECIDED, 0, 0},
        {CLAIM("a", "'a':'50 %'", "'stated':'=0.5'"), CLAIM_HOLDS, 0, 0},
        {CLAIM("max(l)", "'l':'@column'", "'stated':'=0.04 ms'"), CLAIM_HOLDS, 0, 0},
        {CLAIM("l", "'l':'@column[1]'", "'stated':'20 us'"), CLAIM_HOLDS, 0, 0},
        {CLAIM("sum(l)", "'l':['1 us','2 us']", "'stated':'4 us'"), CLAIM_HOLDS, 0, -0.25},
        {CLAIM("min(l) / 1e9", "'l':'@units'", "'stated':'=1'"), CLAIM_HOLDS, 0, 0},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        struct papers papers;
        char why[512];
        if (add(&papers, table[i].claims, why) != 0)
            fail_msg("%s: %s", table[i].claims, why);
        assert_int_equal(papers.count, 1);
        const struct papers_claim *claim = &papers.claims[0];
        if (claim->verdict != table[i].verdict || claim->which != table[i].which ||
            fabs(papers_difference(claim) - table[i].difference) > 1e-4)
            fail_msg("%s: %s %zu %g", table[i].claims, claim_verdict_name(claim->verdict), claim->which,
                     papers_difference(claim));
        papers_free(&papers);
    }
}

TEST(rows_make_a_claim_each)
{
    struct papers papers;
    char why[512];
    assert_int_equal(
        add(&papers, CLAIM("l / b", "'l':'@column','b':'=10 us'", "'stated':['1 x','2 x','3 x'],'rows':['r','s','t']"),
            why),
        0);
    assert_int_equal(papers.count, 3);
    static const enum claim_verdict verdicts[] = {CLAIM_HOLDS, CLAIM_HOLDS, CLAIM_DIFFERS};
    for (size_t i = 0; i < 3; i++) {
        char id[] = "c[r]";
        id[2] = (char)('r' + i);
        assert_string_equal(papers.claims[i].id, id);
        assert_int_equal(papers.claims[i].verdict, verdicts[i]);
        assert_int_equal(papers.claims[i].readings[0].inputs[0].values.count, 1);
    }
    papers_free(&papers);
}

TEST(what_a_paper_states_is_found_by_column_and_by_claim)
{
    struct papers papers;
    char why[256];
    if (papers_open("envelope", &papers, why, sizeof why) != 0)
        fail_msg("%s", why);
    assert_true(papers_column_value(&papers, "envelope", "gemv_share_1b", 0) == 0.87);   /* a plain list */
    assert_true(papers_column_value(&papers, "envelope", "speedup_arl_2bit", 2) == 5.8); /* one with a unit */
    assert_true(isnan(papers_column_value(&papers, "envelope", "speedup_arl_2bit", 3)));
    assert_true(isnan(papers_column_value(&papers, "envelope", "speedup_lnl_1bit", 0))); /* no further speed-up seen */
    assert_true(isnan(papers_column_value(&papers, "bitnet-cpp", "i7_f16", 0)));         /* another paper's */
    assert_true(papers_claim_of(&papers, "envelope", "knee-2bit-p")->readings[0].stated.printed.nominal == 6.4);
    assert_null(papers_claim_of(&papers, "envelope", "no-such"));
    assert_null(papers_claim_of(&papers, "bitnet-cpp", "i2s-over-f16"));
    papers_free(&papers);
}

TEST(a_paper_that_is_not_there_is_an_error)
{
    struct papers papers;
    char why[256];
    assert_int_equal(papers_open("no-such", &papers, why, sizeof why), -ENOENT);
    assert_string_equal(why, "no paper 'no-such'");
    papers_free(&papers);
    assert_int_equal(papers_open("../../platforms/known/arl", &papers, why, sizeof why), -ENOENT);
    papers_free(&papers);
}

TEST(a_wrong_column_is_refused_where_it_stands)
{
    static const struct {
        const char *values, *why;
    } table[] = {
        {"[]", "values must be an object"},
        {"{\"c\": \"1 us\"}", "values.c must be a list of numbers"},
        {"{\"c\": {\"unit\": \"us\"}}", "values.c must be a list of numbers"},
        {"{\"c\": [\"1 us\", \"x\"]}", "values.c[1] is 'x', which does not begin with a number"},
        {"{\"c\": {\"unit\": \"furlongs\", \"values\": [\"1\"]}}", "values.c[0] is 'furlongs', an unknown unit"},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        struct papers papers = {0};
        char why[512], *text = NULL;
        assert_true(asprintf(&text,
                             "{\"kneepoint_papers\": 1, \"name\": \"p\", \"title\": \"t\", \"values\": %s, "
                             "\"claims\": [{}]}",
                             table[i].values) > 0);
        assert_int_equal(papers_add(&papers, text, strlen(text), "file", why, sizeof why), -EINVAL);
        if (!strstr(why, table[i].why))
            fail_msg("'%s' does not say '%s'", why, table[i].why);
        papers_free(&papers);
        free(text);
    }
}

TEST(a_wrong_file_is_refused_with_field_and_reason)
{
    static const struct {
        const char *claims, *why;
    } table[] = {
        {"", "claims must be an array of claims"},
        {"7", "claims[0] must be an object"},
        {"{'section':'1'}", "claims[0].id is missing"},
        {"{'id':7}", "claims[0].id must be text"},
        {"{'id':'c','page':3}", "claims[0].page is not a known field"},
        {"{'id':'c','section':'1'}", "claims[0].says is missing"},
        {"{'id':'c','section':'1','says':'s'}", "claims[0].formula must be a formula"},
        {"{'id':'c','section':'1','says':'s','formula':'1'}", "claims[0].stated must be a number"},
        {"{'id':'c','section':'1','says':'s','formula':'1','stated':'1'}", "claims[0].inputs is missing"},
        {CLAIM("a +", "'a':'1'", "'stated':'1'"),
         "claims[0].formula a number, a name or '(' is missing at character 4"},
        {CLAIM("b", "'a':'1'", "'stated':'1'"), "claims[0].formula unknown name 'b'"},
        {CLAIM("1 / a", "'a':'0'", "'stated':'1'"), "claims[0].formula no value"},
        {CLAIM("1", "'a':'1'", "'stated':'1'"), "claims[0].inputs.a is not used by the formula"},
        {CLAIM("a", "'a':1", "'stated':'1'"), "claims[0].inputs.a must be a number with its unit as text"},
        {CLAIM("a", "'a':'about 5'", "'stated':'1'"),
         "claims[0].inputs.a is 'about 5', which does not begin with a number"},
        {CLAIM("a", "'a':'5 furlongs'", "'stated':'1'"), "claims[0].inputs.a is 'furlongs', an unknown unit"},
        {CLAIM("a", "'a':'@colon'", "'stated':'1'"), "claims[0].inputs.a names 'colon', and there is no such column"},
        {CLAIM("a", "'a':'@column[3]'", "'stated':'1'"),
         "claims[0].inputs.a names 'column[3]', and there is no such row"},
        {CLAIM("a", "'a':'@column[x]'", "'stated':'1'"), "there is no such row"},
        {CLAIM("a", "'a':'@column'", "'stated':'1'"), "claims[0].formula gives a list of 3 numbers"},
        {CLAIM("sum(a)", "'a':['1','x']", "'stated':'1'"), "claims[0].inputs.a[1] is 'x'"},
        {CLAIM("sum(a)", "'a':[]", "'stated':'1'"), "claims[0].inputs.a must be a list of 1 to 32"},
        {CLAIM("a", "'a':'1'", "'stated':['1','2']"), "claims[0].stated is a list, but the claim has no rows"},
        {CLAIM("a", "'a':'1'", "'stated':['1','2'],'rows':['r']"),
         "claims[0].stated has 2 numbers, but the claim has 1 rows"},
        {CLAIM("a", "'a':'1'", "'stated':['1'],'rows':[5]"), "claims[0] has rows that are not text"},
        {CLAIM("a", "'a':'1'", "'stated':'1','readings':{}"), "claims[0].readings must be an array"},
        {CLAIM("a", "'a':'1'", "'stated':'1','readings':[{}]"), "claims[0].readings[0].with must say what"},
        {CLAIM("a", "'a':'1'", "'stated':'1','readings':[{'with':'x','inputs':{'a':'y'}}]"),
         "claims[0].readings[0].inputs.a is 'y'"},
        {CLAIM("a", "'a':'1'", "'stated':'1','readings':[{'with':'x','inputs':[]}]"),
         "claims[0].readings[0].inputs must be an object"},
        {CLAIM("a", "'a':'1'", "'stated':'1','readings':[{'with':'x','inout':{}}]"),
         "claims[0].readings[0].inout is not a known field"},
        {CLAIM("a", "'a':'1'", "'stated':'1'") "," CLAIM("a", "'a':'1'", "'stated':'1'"),
         "claims[1] is the second claim called 'c'"},
        {CLAIM("a_name_that_is_far_too_long_for_a_formula", "'a_name_that_is_far_too_long_for_a_formula':'1'",
               "'stated':'1'"),
         "is a name of over 31 characters"},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        struct papers papers;
        char why[512];
        assert_int_equal(add(&papers, table[i].claims, why), -EINVAL);
        if (strncmp(why, "file: ", 6) != 0 || !strstr(why, table[i].why))
            fail_msg("'%s' does not say '%s'", why, table[i].why);
        papers_free(&papers);
    }
    static const char *const texts[] = {"", "[]", "{}", "{\"kneepoint_papers\":2,\"name\":\"p\"}",
                                        "{\"kneepoint_papers\":1,\"title\":\"t\",\"claims\":[]}"};
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct papers papers = {0};
        char why[512] = "";
        assert_int_equal(papers_add(&papers, texts[i], strlen(texts[i]), "file", why, sizeof why), -EINVAL);
        assert_int_equal(strncmp(why, "file: ", 6), 0);
        papers_free(&papers);
    }
}

/* ---- records ---- */

TEST_GIVEN(records_fit_their_schema, const struct papers *papers)
{
    json_auto_t *schema = record_schema();
    for (size_t i = 0; i < papers->count; i++) {
        struct schema_violation violation;
        json_t *record = papers_record(&papers->claims[i]);
        if (record_check(schema, record, SCHEMA_MISSING_IS_WRONG, &violation) != 0)
            fail_msg("%s: %s %s", papers->claims[i].id, violation.path, violation.reason);
        json_decref(record);
    }
}

TEST_GIVEN(a_record_has_all_that_was_computed, const struct papers *papers)
{
    json_auto_t *record = papers_record(find(papers, "envelope", "arlh-1bit-e"));
    const char *name, *verdict, *with, *unit, *text;
    double nominal, low, stated, difference, input;
    json_t *readings;
    assert_int_equal(json_unpack(record, "{s:s, s:s, s:s, s:{s:F, s:F, s:s}, s:{s:F}, s:F, s:{s:{s:F, s:s}}, s:o}",
                                 "name", &name, "verdict", &verdict, "with", &with, "recomputed", "nominal", &nominal,
                                 "low", &low, "unit", &unit, "stated", "nominal", &stated, "difference", &difference,
                                 "inputs", "clock", "value", &input, "text", &text, "readings", &readings),
                     0);
    assert_string_equal(name, "envelope/arlh-1bit-e");
    assert_string_equal(verdict, "holds-with");
    assert_string_equal(with, "GiB/s in place of GB/s");
    assert_string_equal(unit, "GB/s");
    assert_string_equal(text, "3.6 GHz");
    assert_true(fabs(nominal - 4 / 4.71 * 3.6) < 1e-9 && fabs(low - 4 / 4.715 * 3.55) < 1e-9);
    assert_true(stated == 2.85 && fabs(difference - (nominal / 2.85 - 1)) < 1e-9 && input == 3.6);
    assert_int_equal(json_array_size(readings), 1);
}

RUN_TESTS(load_all, free_all)
