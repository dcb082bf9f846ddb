/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/draw/figure.h"
#include "reports/select/papers/claims.h"
#include "reports/select/run/testing.h"

TEST(the_row_nearest_to_the_claim_is_as_published)
{
    MADE_RUN(run, RECORDS(GAMMA("p", "paper", 8.0, 1, 5.0, 1.25, false), GAMMA("p", "paper", 8.0, 4, 1.26, 1.25, true),
                          GAMMA("p", "paper", 8.0, 8, 0.9, 1.25, true), GAMMA("q", "paper", 8.0, 4, 1.25, null, true)));
    const struct view_rows *rows = &run.view.of[VIEW_GAMMA];
    assert_int_equal(rows->count, 4);
    assert_false(claims_is_as_published(&run.view, rows->rows[0]));
    assert_true(claims_is_as_published(&run.view, rows->rows[1]));
    assert_false(claims_is_as_published(&run.view, rows->rows[2]));
    assert_false(claims_is_as_published(&run.view, rows->rows[3])); /* nothing is claimed */
}

#define ROW(sequence, isa, origin, gamma)                                                                              \
    "{'type':'gamma','name':'int2_vnni4." sequence "." isa "','sequence':'" sequence "','isa':'" isa                   \
    "','origin':'" origin "','bits':2,'format_bits':2,'bytes_per_vector':8,'claimed':1.25,'gamma':{'median':" gamma    \
    ",'ci95':[" gamma "," gamma "],'n':12}}"

/* Its own at 256 bits; not the port, which is faster, nor ours. */
static const char lines[] =
    RECORDS(ROW("envelope", "avx512_vnni", "envelope", "0.5"), ROW("envelope", "avx_vnni", "envelope", "1.28"),
            ROW("mask", "avx_vnni", "kneepoint", "0.8"));

TEST(ports_and_ours_are_not_as_published)
{
    MADE_RUN(run, lines);
    assert_int_equal(run.view.of[VIEW_GAMMA].count, 3);
    for (size_t i = 0; i < 3; i++)
        assert_true(published_is(run.view.of[VIEW_GAMMA].rows[i]) ==
                    (strcmp(view_text(run.view.of[VIEW_GAMMA].rows[i], "name"), "int2_vnni4.envelope.avx_vnni") == 0));
}

TEST(figure_4_draws_the_published_one)
{
    char *settings, *data, why[256];
    MADE_RUN(run, lines);
    assert_int_equal(figure_select(figure_find("envelope_4"), &run.view, &settings, &data, why, sizeof why), 0);
    assert_contains(settings, "'host, 2-bit, published: 6.25'");
    assert_lacks(settings, ": 16'");
    free(settings);
    free(data);
}

RUN_TESTS(NULL, NULL)
