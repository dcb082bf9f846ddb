/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "harness/cells/product/best_peer.h"
#include "harness/cells/product/product_cell.h"
#include "unit_test.h"

TEST(widths_are_whole_bits_and_ternary)
{
    static const struct {
        double bits, width;
    } cases[] = {{1, 1},   {1.125, 1},  {1.5, 1.58}, {1.67, 1.58}, {1.6875, 1.58}, {1.9, 2},
                 {2, 2},   {2.0625, 2}, {2.5, 2},    {2.625, 2},   {3.4375, 3},    {4, 4},
                 {4.5, 4}, {5.5, 5},    {8.5, 8},    {6.5625, 6},  {16, 16},       {32, 32}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_true(best_peer_width(cases[i].bits) == cases[i].width);
}

enum { SAMPLES_MOST = 32 };

/** Samples of visits: each this many, of a wall time; 0: rejected. */
static void sampled(struct cell *cell, struct sample *sample, const double *wall_s, const long *turn, size_t count)
{
    for (size_t i = 0; i < count; i++)
        sample[i] = (struct sample){.wall_s = wall_s[i],
                                    .core_hz = 1e9,
                                    .turn = turn[i],
                                    .cause = wall_s[i] > 0 ? SAMPLE_KEPT : SAMPLE_INTERRUPT};
    cell->repeats = 1;
    cell->samples = (struct samples){sample, count, count};
}

TEST(samples_of_the_same_round_are_pairs)
{
    struct sample own[SAMPLES_MOST], others[SAMPLES_MOST];
    struct cell cell = {0}, other = {0};
    /* the machine is twice as slow in the second round; one sample of each is lost, and the other has one more */
    const double own_s[] = {1, 1, 1, 2, 2, 0, 2}, others_s[] = {3, 3, 3, 9, 6, 0, 6, 6};
    const long own_turn[] = {4, 4, 4, 8, 8, 8, 8}, others_turn[] = {5, 5, 5, 5, 7, 7, 7, 7};
    sampled(&cell, own, own_s, own_turn, 7);
    sampled(&other, others, others_s, others_turn, 8);
    struct summary ratio = best_peer_ratio(&cell, &other);
    assert_int_equal(ratio.n, 6); /* 3 of each round; what is left over of a round has none beside it */
    assert_true(ratio.median == 3 && ratio.min == 3 && ratio.max == 3);
    assert_true(ratio.ci95[0] == 3 && ratio.ci95[1] == 3);
    own[6].cause = SAMPLE_INTERRUPT; /* as many pairs as the round has kept of the one that kept fewer */
    assert_int_equal(best_peer_ratio(&cell, &other).n, 5);
    assert_true(isnan(best_peer_ratio(&cell, &other).ci95[0]));
    assert_true(best_peer_ratio(&other, &cell).median == 1.0 / 3);
    other.samples.count = 0;
    assert_int_equal(best_peer_ratio(&cell, &other).n, 0);
}

/** Scales of blocks take instructions, and so do activations of 8 bits: neither is held against what does without. */
TEST(formats_of_one_width_compare_if_they_are_of_one_kind)
{
    static const struct {
        const char *one, *other;
        bool compare;
    } cases[] = {{"q4_0", "q4_k", true},      {"int4_vnni4", "q4_k", false}, {"q4_k_m16", "q4_k", true},
                 {"iq4_nl", "q4_0", false},   {"iq4_nl", "mxfp4", true},     {"int2_planes", "i2_s", true},
                 {"int2_planes", "w2", true}, {"tq2_0", "i2_s", false},      {"q4_0", "q8_0", false},
                 {"f16", "bf16", true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct kernel one = {.format = format_find(cases[i].one)},
                            other = {.format = format_find(cases[i].other)};
        if (one.format && other.format && best_peer_compares(&one, &other) != cases[i].compare)
            fail_msg("%s and %s", cases[i].one, cases[i].other);
    }
    const struct kernel narrow = {.format = format_find("w2"), .error_bound = 0.3},
                        wide = {.format = narrow.format, .error_bound = 0.004};
    assert_non_null(narrow.format);
    assert_false(best_peer_compares(&narrow, &wide));
    assert_true(best_peer_compares(&wide, &wide));
}

TEST(alike_is_the_same_product_of_one_width)
{
    const struct format four = {.bits = 4, .weight_max = 7}, four_and_half = {.bits = 4.5, .weight_max = 7},
                        two = {.bits = 2, .weight_max = 1};
    const struct kernel ours = {.format = &four_and_half}, theirs = {.format = &four}, narrow = {.format = &two};
    struct product_cell gemv = {.m = 64, .k = 96}, longer = {.m = 64, .k = 128},
                        beside = {.m = 64, .k = 96, .beside = true};
    struct product_cell one = {.m = 64, .k = 96, .tokens = 1}, many = {.m = 64, .k = 96, .tokens = 16};
    struct cell a = {.kind = &cell_kind_gemv, .kernel = &ours, .own = &gemv, .threads = 1}, b = a;
    b.kernel = &theirs;
    assert_true(best_peer_is_alike(&a, &b));
    b.kernel = &narrow;
    assert_false(best_peer_is_alike(&a, &b));
    b.kernel = &theirs;
    b.own = &longer;
    assert_false(best_peer_is_alike(&a, &b));
    b.own = &beside;
    assert_false(best_peer_is_alike(&a, &b));
    b.own = &gemv;
    b.threads = 2;
    assert_false(best_peer_is_alike(&a, &b));
    b.threads = 1;
    b.cold = true;
    assert_false(best_peer_is_alike(&a, &b));
    struct cell c = {.kind = &cell_kind_gemm, .kernel = &ours, .own = &one, .threads = 1}, d = c;
    d.own = &many;
    assert_true(best_peer_is_alike(&c, &c));
    assert_false(best_peer_is_alike(&c, &d));
    assert_false(best_peer_is_alike(&a, &c));
}

RUN_TESTS(NULL, NULL)
