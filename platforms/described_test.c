/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "embedded.h"
#include "platforms/described.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const double gib = 1024.0 * 1024.0 * 1024.0;

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.6g is not within %.3g of %.6g", value, tolerance, expected);
}

struct paper_machine {
    const char *name;
    double gib_per_s;
    size_t cores[2];
    double hz[2], beta[2], tolerance;
};

/* [envelope, IV-A and IV-B]; on ARL the paper rounds a core's share to 4 before it divides. */
static void known_platforms_have_the_numbers_of_the_paper(void **state)
{
    (void)state;
    static const struct paper_machine machines[] = {
        {"arl", 98, {8, 16}, {5.4e9, 4.5e9}, {0.80, 0.95}, 0.03},
        {"arlh", 75, {6, 8}, {4.0e9, 3.6e9}, {1.44, 1.60}, 0.01},
        {"lnl", 97, {4, 4}, {4.1e9, 3.7e9}, {3.18, 3.52}, 0.01},
    };
    static const double gamma_2bit[] = {1.25, 2.175}, gamma_1bit[] = {2.4, 4.71};
    for (size_t i = 0; i < COUNT(machines); i++) {
        struct described_platform platform;
        char why[256];
        assert_int_equal(described_find(machines[i].name, &platform, why, sizeof why), 0);
        assert_string_equal(platform.name, machines[i].name);
        assert_near(platform.read_bytes_per_s / gib, machines[i].gib_per_s, 1e-9);
        assert_int_equal(platform.kind_count, 2);
        for (size_t k = 0; k < 2; k++) {
            const struct described_kind *kind = &platform.kinds[k];
            assert_string_equal(kind->kind, k == 0 ? "P" : "E");
            assert_int_equal(kind->cores, machines[i].cores[k]);
            assert_near(kind->core_hz, machines[i].hz[k], 1);
            assert_near(kind->beta, machines[i].beta[k], machines[i].tolerance);
            assert_true(kind->beta_is_derived);
            const struct described_gamma *two = described_gamma_of(kind, "int2_vnni4.paper");
            const struct described_gamma *one = described_gamma_of(kind, "int1_vnni4.paper");
            assert_true(two->cycles == gamma_2bit[k] && two->bits_per_weight == 2);
            assert_true(one->cycles == gamma_1bit[k] && one->bits_per_weight == 1);
            assert_null(described_gamma_of(kind, "int8_vnni4.paper"));
        }
        assert_true(i == 0 ? fabs(platform.synchronisation_s - 1e-6) < 1e-12 : isnan(platform.synchronisation_s));
        described_free(&platform);
    }
}

static void assert_sources(const json_t *value, const char *where)
{
    const char *key;
    json_t *member;
    size_t index;
    if (json_object_get(value, "value") && !json_is_string(json_object_get(value, "source")))
        fail_msg("%s: a number without its source", where);
    json_object_foreach((json_t *)value, key, member) assert_sources(member, key);
    json_array_foreach(value, index, member) assert_sources(member, where);
}

static void every_known_file_is_valid_named_after_itself_and_sourced(void **state)
{
    (void)state;
    size_t count = 0;
    char name[64], why[256];
    for (; described_known_name(count, name, sizeof name); count++) {
        struct described_platform platform;
        if (described_find(name, &platform, why, sizeof why) != 0)
            fail_msg("%s", why);
        assert_string_equal(platform.name, name);
        assert_true(strlen(platform.source) > 0);
        described_free(&platform);
    }
    assert_true(count >= 3);
    size_t sourced = 0;
    for (const struct embedded_file *file = embedded_files; file->path; file++) {
        if (strncmp(file->path, "platforms/known/", 16) != 0)
            continue;
        json_t *root = json_loadb(file->bytes, file->length, 0, NULL);
        assert_sources(root, file->path);
        json_decref(root);
        sourced++;
    }
    assert_int_equal(sourced, count);
}

static void unknown_platform_lists_the_known(void **state)
{
    (void)state;
    struct described_platform platform;
    char why[256];
    assert_int_equal(described_find("vax", &platform, why, sizeof why), -ENOENT);
    assert_non_null(strstr(why, "'vax'"));
    assert_non_null(strstr(why, "arl, arlh, lnl"));
    assert_int_equal(described_open("ar", &platform, why, sizeof why), -ENOENT);
    char small[12];
    assert_int_equal(described_find("vax", &platform, small, sizeof small), -ENOENT);
    assert_string_equal(small, "unknown pla");
}

/* A valid description; tests replace one part of it. */
static const char valid[] =
    "{\"kneepoint_platform\":1,\"name\":\"host\",\"read_bandwidth\":{\"value\":12,\"unit\":\"GB/s\"},"
    "\"kinds\":[{\"kind\":\"P\",\"cores\":2,\"clock\":{\"value\":3000,\"unit\":\"MHz\"},"
    "\"gamma\":{\"q.mask.avx2\":{\"value\":2,\"unit\":\"cycles\",\"bits\":2},"
    "\"q.mask.avx_vnni\":{\"value\":1,\"unit\":\"cycles\",\"bits\":2},"
    "\"q.masked.avx_vnni\":{\"value\":0.5,\"unit\":\"cycles\",\"bits\":2}}}],"
    "\"synchronisation\":{\"value\":500,\"unit\":\"ns\"}}";

static int parse(const char *text, struct described_platform *platform, char why[256])
{
    why[0] = '\0';
    return described_parse(text, strlen(text), "file.json", platform, why, 256);
}

static void units_are_converted_and_beta_derived(void **state)
{
    (void)state;
    struct described_platform platform;
    char why[256];
    assert_int_equal(parse(valid, &platform, why), 0);
    assert_string_equal(platform.title, "host");
    assert_string_equal(platform.source, "");
    assert_near(platform.read_bytes_per_s, 12e9, 1);
    assert_near(platform.synchronisation_s, 5e-7, 1e-15);
    assert_near(platform.kinds[0].core_hz, 3e9, 1);
    assert_near(platform.kinds[0].beta, 2, 1e-12);
    described_free(&platform);
}

static void sequence_without_isa_takes_the_fastest_variant(void **state)
{
    (void)state;
    struct described_platform platform;
    char why[256];
    assert_int_equal(parse(valid, &platform, why), 0);
    const struct described_kind *kind = &platform.kinds[0];
    assert_string_equal(described_gamma_of(kind, "q.mask")->name, "q.mask.avx_vnni");
    assert_string_equal(described_gamma_of(kind, "q.mask.avx2")->name, "q.mask.avx2");
    assert_null(described_gamma_of(kind, "q.mas"));
    assert_null(described_gamma_of(kind, "q.mask.avx512_vnni"));
    described_free(&platform);
}

struct damage {
    const char *part, *replacement, *complaint;
};

static char *replace_part(const char *part, const char *replacement)
{
    const char *at = strstr(valid, part);
    char *text = NULL;
    assert_non_null(at);
    assert_true(asprintf(&text, "%.*s%s%s", (int)(at - valid), valid, replacement, at + strlen(part)) > 0);
    return text;
}

static void each_wrong_field_is_named_with_its_reason(void **state)
{
    (void)state;
    static const struct damage damages[] = {
        {"\"kneepoint_platform\":1,", "", "is no platform file"},
        {"\"kneepoint_platform\":1", "\"kneepoint_platform\":2", "kneepoint_platform must be 1"},
        {"\"name\":\"host\",", "", "name is missing"},
        {"\"host\"", "\"\"", "name must not be empty"},
        {"\"host\"", "7", "name must be a string, not a number"},
        {"\"value\":12,", "\"value\":-12,", "read_bandwidth.value is -12, but must be above 0"},
        {"\"GB/s\"", "\"furlongs\"", "read_bandwidth.unit is 'furlongs', an unknown unit; known: B/s, GB/s, GiB/s"},
        {"\"GB/s\"", "\"GHz\"", "read_bandwidth.unit is 'GHz', which does not fit here"},
        {",\"unit\":\"GB/s\"", "", "read_bandwidth.unit is missing"},
        {"\"read_bandwidth\":{\"value\":12,\"unit\":\"GB/s\"},", "", "kinds[0].beta is missing, and there is no"},
        {"\"kinds\":", "\"sorts\":", "kinds is missing"},
        {"\"kind\":\"P\",", "", "kinds[0].kind is missing"},
        {"\"cores\":2", "\"cores\":0", "kinds[0].cores is 0, but must be 1 to"},
        {"\"cores\":2", "\"cores\":2.5", "kinds[0].cores must be a whole number"},
        {"\"value\":3000", "\"value\":-3000", "kinds[0].clock.value is -3000, but must be above 0"},
        {"\"value\":3000", "\"value\":0", "kinds[0].clock.value is 0"},
        {"\"value\":3000", "\"value\":\"3\"", "kinds[0].clock.value must be a number, not a string"},
        {"{\"value\":3000,\"unit\":\"MHz\"}", "3.0", "kinds[0].clock must be an object, not a number"},
        {"\"gamma\":", "\"beta\":{\"value\":0,\"unit\":\"B/cycle\"},\"gamma\":", "kinds[0].beta.value is 0"},
        {"\"gamma\":", "\"delta\":", "kinds[0].gamma is missing"},
        {"\"value\":2,\"unit\":\"cycles\"", "\"value\":2,\"unit\":\"s\"", "kinds[0].gamma.q.mask.avx2.unit is 's'"},
        {"\"bits\":2}", "\"bits\":65}", "kinds[0].gamma.q.mask.avx2.bits is 65"},
        {",\"bits\":2}", "}", "kinds[0].gamma.q.mask.avx2.bits is missing"},
        {"q.mask.avx_vnni", "q.mask.avx2", "duplicate"},
        {"}],\"sync", "},{\"kind\":\"P\",\"cores\":1,\"clock\":{\"value\":1,\"unit\":\"GHz\"},\"gamma\":{}}],\"sync",
         "kinds[1].kind 'P' is already kinds[0]"},
        {"\"value\":500", "\"value\":-1", "synchronisation.value is -1, but must be 0 or more"},
        {"\"value\":500", "\"value\":1e999", "line 1"},
    };
    for (size_t i = 0; i < COUNT(damages); i++) {
        char *text = replace_part(damages[i].part, damages[i].replacement);
        struct described_platform platform;
        char why[256];
        assert_int_equal(parse(text, &platform, why), -EINVAL);
        if (strncmp(why, "file.json: ", 11) != 0 || !strstr(why, damages[i].complaint))
            fail_msg("'%s' does not say '%s'", why, damages[i].complaint);
        assert_null(platform.kinds);
        free(text);
    }
}

static void stated_beta_is_kept(void **state)
{
    (void)state;
    char *text = replace_part("\"gamma\":", "\"beta\":{\"value\":0.8,\"unit\":\"B/cycle\"},\"gamma\":");
    struct described_platform platform;
    char why[256];
    assert_int_equal(parse(text, &platform, why), 0);
    assert_true(platform.kinds[0].beta == 0.8 && !platform.kinds[0].beta_is_derived);
    described_free(&platform);
    free(text);
}

static void broken_json_is_refused_with_its_line(void **state)
{
    (void)state;
    struct described_platform platform;
    char why[256];
    assert_int_equal(parse("{\n\"kneepoint_platform\": 1,\n\"name\" \"x\"}", &platform, why), -EINVAL);
    assert_non_null(strstr(why, "file.json: line 3: "));
    assert_null(strchr(why, '\n'));
    assert_int_equal(parse("", &platform, why), -EINVAL);
    assert_int_equal(parse("[]", &platform, why), -EINVAL);
    char *path = NULL;
    assert_true(asprintf(&path, "{\"kneepoint_platform\":1,\"name\":\"x\",\"kinds\":[]}") > 0);
    assert_int_equal(parse(path, &platform, why), -EINVAL);
    assert_non_null(strstr(why, "at least one kind"));
    free(path);
}

static void files_are_loaded_or_refused_by_name(void **state)
{
    (void)state;
    char path[] = "/tmp/kneepoint-described-test.XXXXXX.json";
    int descriptor = mkstemps(path, 5);
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, valid, strlen(valid)), strlen(valid));
    close(descriptor);
    struct described_platform platform;
    char why[256];
    assert_int_equal(described_open(path, &platform, why, sizeof why), 0);
    assert_string_equal(platform.name, "host");
    described_free(&platform);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(described_open(path, &platform, why, sizeof why), -ENOENT);
    assert_non_null(strstr(why, path));
    assert_int_equal(described_open("/tmp/", &platform, why, sizeof why), -EISDIR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_platforms_have_the_numbers_of_the_paper),
        cmocka_unit_test(every_known_file_is_valid_named_after_itself_and_sourced),
        cmocka_unit_test(unknown_platform_lists_the_known),
        cmocka_unit_test(units_are_converted_and_beta_derived),
        cmocka_unit_test(sequence_without_isa_takes_the_fastest_variant),
        cmocka_unit_test(each_wrong_field_is_named_with_its_reason),
        cmocka_unit_test(stated_beta_is_kept),
        cmocka_unit_test(broken_json_is_refused_with_its_line),
        cmocka_unit_test(files_are_loaded_or_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
