/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/papers/published.h"

#include "reports/draw/figure.h"
#include "reports/select/run/testing.h"

#define ROW(sequence, isa, origin, gamma)                                                                              \
    "{'type':'gamma','name':'int2_vnni4." sequence "." isa "','sequence':'" sequence "','isa':'" isa                   \
    "','origin':'" origin "','bits':2,'format_bits':2,'bytes_per_vector':8,'claimed':1.25,'gamma':{'median':" gamma    \
    ",'ci95':[" gamma "," gamma "],'n':12}}"

/* Its own at 256 bits; not the port, which is faster, nor ours. */
static const char lines[] = ROW("envelope", "avx512_vnni", "envelope", "0.5") "," ROW(
    "envelope", "avx_vnni", "envelope", "1.28") "," ROW("mask", "avx_vnni", "kneepoint", "0.8");

static void ports_and_ours_are_not_as_published(void **state)
{
    (void)state;
    struct made_run run;
    make_run(&run, "{}", lines);
    assert_int_equal(run.view.of[VIEW_GAMMA].count, 3);
    for (size_t i = 0; i < 3; i++)
        assert_true(published_is(run.view.of[VIEW_GAMMA].rows[i]) ==
                    (strcmp(view_text(run.view.of[VIEW_GAMMA].rows[i], "name"), "int2_vnni4.envelope.avx_vnni") == 0));
    free_run(&run);
}

static void figure_4_draws_the_published_one(void **state)
{
    (void)state;
    struct made_run run;
    char *settings, *data, why[256];
    make_run(&run, "{}", lines);
    assert_int_equal(figure_select(figure_find("envelope_4"), &run.view, &settings, &data, why, sizeof why), 0);
    assert_contains(settings, "'host, 2-bit, published: 6.25'");
    assert_lacks(settings, ": 16'");
    free(settings);
    free(data);
    free_run(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ports_and_ours_are_not_as_published),
        cmocka_unit_test(figure_4_draws_the_published_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
