/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Gammas that llvm-mca predicts stand alone: what was measured or published is not among them.
 */

#include "reports/draw/figure_testing.h"

static struct described_gamma gammas[] = {
    {(char *)"q4_0.signed.neon_dotprod", 1.375, 4.5,
     (char *)"llvm-mca (LLVM 19) for neoverse-v1: predicted, not measured"},
    {(char *)"int8_vnni4.dot.neon_dotprod", 0.5, 8,
     (char *)"llvm-mca (LLVM 19) for neoverse-v1: predicted, not measured"},
    {(char *)"q4_0.prefix.neon_dotprod", 1.19, 4.5,
     (char *)"llvm-mca (LLVM 19) for neoverse-v1: predicted, not measured"},
    {(char *)"int2_vnni4.envelope", 1.25, 2, (char *)"envelope, Table 1"},
};

static struct described_platform platform_of(struct described_kind *kind, size_t first, size_t count)
{
    *kind = (struct described_kind){.kind = (char *)"P", .gammas = gammas + first, .gamma_count = count};
    return (struct described_platform){
        .name = (char *)"a", .title = (char *)"a, gamma predicted", .kinds = kind, .kind_count = 1};
}

TEST(only_what_is_predicted_is_drawn)
{
    struct described_kind kinds[3];
    const struct described_platform platforms[] = {platform_of(&kinds[0], 0, 4), platform_of(&kinds[1], 3, 1),
                                                   platform_of(&kinds[2], 1, 1)};
    char *settings, *data, why[512];
    MADE_RUN(run, SMALL_RUN);
    run.view.platforms = platforms;
    run.view.platform_count = 3;
    assert_int_equal(figure_select(figure_find("gamma_predicted"), &run.view, &settings, &data, why, sizeof why), 0);
    assert_contains(
        data,
        "1 \"q4_0.prefix.neon_dotprod\" 4.5\n2 \"q4_0.signed.neon_dotprod\" 4.5\n3 \"int8_vnni4.dot.neon_dotprod\" 8\n",
        "2 1.375 \"q4_0.signed.neon_dotprod\" \"llvm-mca (LLVM 19) for neoverse-v1: predicted, not measured\"");
    assert_lacks(data, "envelope");
    assert_contains(settings, "cores = 2\n");
    free(settings);
    free(data);
    run.view.platform_count = 0;
    assert_missing("gamma_predicted", &run.view, "scripts/measuring/predicted_platform");
}

RUN_TESTS(NULL, NULL)
