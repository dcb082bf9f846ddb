/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "harness/prediction/prediction.h"
#include "platforms/described/described_open.h"
#include "roofline/overlap.h"
#include "unit_test.h"

static const double gib = 1024.0 * 1024.0 * 1024.0;
static char why[256];

static struct described_platform platform_of(const char *name)
{
    struct described_platform platform;
    if (described_find(name, &platform, why, sizeof why) != 0)
        fail_msg("%s", why);
    return platform;
}

TEST(teams_take_the_first_kind_first)
{
    struct described_platform arl = platform_of("arl");
    struct prediction_team team;
    assert_int_equal(prediction_plan_team(NULL, &arl, &team, why, sizeof why), 0);
    assert_true(team.cores[0] == 8 && team.cores[1] == 16 && team.total == 24);
    assert_int_equal(prediction_plan_team("10", &arl, &team, why, sizeof why), 0);
    assert_true(team.cores[0] == 8 && team.cores[1] == 2 && team.total == 10);
    assert_int_equal(prediction_plan_team("e=3,P=1", &arl, &team, why, sizeof why), 0);
    assert_true(team.cores[0] == 1 && team.cores[1] == 3 && team.total == 4);
    assert_int_equal(prediction_plan_team("25", &arl, &team, why, sizeof why), -ERANGE);
    assert_non_null(strstr(why, "P=8 E=16"));
    assert_int_equal(prediction_plan_team("P=9", &arl, &team, why, sizeof why), -ERANGE);
    static const char *const bad[] = {"", "0", "-1", "2,", "P", "P=", "P=0", "P=1,", "P=1,P=1", "X=1", "P=1 E=1"};
    for (size_t i = 0; i < COUNT(bad); i++) {
        if (prediction_plan_team(bad[i], &arl, &team, why, sizeof why) != -EINVAL)
            fail_msg("'%s' was taken", bad[i]);
    }
    described_free(&arl);
}

/* [envelope, IV-B]: 55 GiB/s on ARLH and 37 on LNL with 1-bit weights, the read bandwidth with 2-bit ones. */
TEST(machines_attain_what_the_paper_models)
{
    static const struct {
        const char *platform, *kernel;
        double gib_per_s;
    } table[] = {{"arl", "int2_vnni4.envelope", 98},
                 {"arlh", "int2_vnni4.envelope", 75},
                 {"lnl", "int2_vnni4.envelope", 97},
                 {"arlh", "int1_vnni4.envelope", 55},
                 {"lnl", "int1_vnni4.envelope", 37}};
    for (size_t i = 0; i < COUNT(table); i++) {
        struct described_platform platform = platform_of(table[i].platform);
        struct prediction_team team;
        struct prediction prediction;
        assert_int_equal(prediction_plan_team(NULL, &platform, &team, why, sizeof why), 0);
        assert_int_equal(prediction_make(&platform, table[i].kernel, &team, (struct prediction_shape){0}, &prediction,
                                         why, sizeof why),
                         0);
        if (!(fabs(prediction.bytes_per_s / gib - table[i].gib_per_s) < 0.5))
            fail_msg("%s %s: %g", table[i].platform, table[i].kernel, prediction.bytes_per_s / gib);
        assert_true(prediction.bytes_per_s_serial < prediction.bytes_per_s);
        assert_true(isnan(prediction.predicted_s));
        described_free(&platform);
    }
}

TEST(record_holds_the_time_and_the_side_that_binds)
{
    struct described_platform arl = platform_of("arl");
    struct prediction_team team;
    struct prediction prediction;
    assert_int_equal(prediction_plan_team("E=16", &arl, &team, why, sizeof why), 0);
    assert_int_equal(prediction_make(&arl, "int1_vnni4.envelope", &team, (struct prediction_shape){1600, 1600},
                                     &prediction, why, sizeof why),
                     0);
    json_auto_t *record = prediction_record(&prediction);
    const json_t *kinds = json_object_get(record, "kinds");
    assert_string_equal(json_string_value(json_object_get(record, "type")), "prediction");
    assert_string_equal(json_string_value(json_object_get(record, "name")), "arl/int1_vnni4.envelope");
    assert_int_equal(json_array_size(kinds), 1);
    assert_string_equal(json_string_value(json_object_get(json_array_get(kinds, 0), "binds")), "up-convert");
    assert_true(json_number_value(json_object_get(record, "packed_bytes")) == 320000);
    double expected = 320000 / (16 * 4.5e9 * 4 / 4.71) + 1e-6;
    assert_true(fabs(json_number_value(json_object_get(record, "predicted_s")) / expected - 1) < 1e-9);
    assert_true(json_number_value(json_object_get(record, "predicted_serial_s")) > expected);
    described_free(&arl);
}

TEST(missing_gamma_names_what_there_is)
{
    struct described_platform lnl = platform_of("lnl");
    struct prediction_team team;
    struct prediction prediction;
    assert_int_equal(prediction_plan_team(NULL, &lnl, &team, why, sizeof why), 0);
    assert_int_equal(
        prediction_make(&lnl, "int8_vnni4.envelope", &team, (struct prediction_shape){0}, &prediction, why, sizeof why),
        -ENOENT);
    assert_non_null(strstr(why, "lnl has no gamma of 'int8_vnni4.envelope'"));
    assert_non_null(strstr(why, "int2_vnni4.envelope, int1_vnni4.envelope"));
    described_free(&lnl);
}

/* One core: 8 bytes a vector at 4 bytes a cycle, 2 cycles; 1 cycle of computing, half of it hidden. */
static const char host[] =
    "{\"kneepoint_platform\":1,\"name\":\"host\",\"read_bandwidth\":{\"value\":12,\"unit\":\"GB/s\"},\"start\":{\"value\":2,"
    "\"unit\":\"us\"},\"synchronisation\":{\"value\":1,\"unit\":\"us\"},\"kinds\":[{\"kind\":\"P\",\"cores\":2,\"clock\":{"
    "\"value\":3,\"unit\":\"GHz\"},\"beta_alone\":{\"value\":4,\"unit\":\"B/cycle\"},\"gamma\":{\"q.mask.avx2\":{\"value\":1,"
    "\"unit\":\"cycles\",\"bits\":2},\"q.other.avx2\":{\"value\":1,\"unit\":\"cycles\",\"bits\":2}},\"kernels\":{"
    "\"q.mask.avx2\":{\"bits\":2,\"gamma\":{\"value\":1,\"unit\":\"cycles\"},\"omega\":{\"value\":0.5,\"unit\":\"1\"}}}}]}";

TEST(omega_of_the_platform_is_used)
{
    struct described_platform platform;
    struct prediction_team team;
    struct prediction prediction;
    const struct prediction_shape shape = {1600, 1600};
    assert_int_equal(described_parse(host, strlen(host), "host", &platform, why, sizeof why), 0);
    assert_int_equal(prediction_plan_team(NULL, &platform, &team, why, sizeof why), 0);
    assert_int_equal(prediction_make(&platform, "q.mask", &team, shape, &prediction, why, sizeof why), 0);
    /* while both read each has 2 bytes a cycle, 4 cycles a vector; half a cycle of computing is not hidden */
    double rate = 2 * 3e9 * 8 / overlap_team_time(2, 4, 2, 1, 0.5);
    assert_true(rate < 12e9 && rate > 2 * 3e9 * 8 / 4.5);
    assert_true(fabs(prediction.bytes_per_s_overlap / rate - 1) < 1e-12);
    assert_true(fabs(prediction.predicted_overlap_s / (640000 / rate + 2e-6) - 1) < 1e-12);
    platform.kinds[0].beta = 4; /* memory that has enough for both */
    assert_int_equal(prediction_make(&platform, "q.mask", &team, shape, &prediction, why, sizeof why), 0);
    assert_true(fabs(prediction.bytes_per_s_overlap / (2 * 3e9 * 8 / 2.5) - 1) < 1e-12);
    json_auto_t *record = prediction_record(&prediction);
    assert_string_equal(json_string_value(json_object_get(record, "model")), "overlap");
    assert_true(json_number_value(json_object_get(record, "predicted_overlap_s")) > prediction.predicted_s);
    described_free(&platform);
}

TEST(without_omega_the_model_is_max)
{
    struct described_platform platform;
    struct prediction_team team;
    struct prediction prediction;
    assert_int_equal(described_parse(host, strlen(host), "host", &platform, why, sizeof why), 0);
    assert_int_equal(prediction_plan_team(NULL, &platform, &team, why, sizeof why), 0);
    assert_int_equal(
        prediction_make(&platform, "q.other", &team, (struct prediction_shape){64, 64}, &prediction, why, sizeof why),
        0);
    assert_true(isnan(prediction.bytes_per_s_overlap) && isnan(prediction.predicted_overlap_s));
    json_auto_t *record = prediction_record(&prediction);
    assert_string_equal(json_string_value(json_object_get(record, "model")), "max");
    assert_true(json_is_null(json_object_get(record, "predicted_overlap_s")));
    described_free(&platform);
}

RUN_TESTS(NULL, NULL)
