/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "embedded.h"
#include "platforms/described/described_open.h"
#include "unit_test.h"

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
TEST(known_platforms_have_the_numbers_of_the_paper)
{
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
            const struct described_gamma *two = described_gamma_of(kind, "int2_vnni4.envelope");
            const struct described_gamma *one = described_gamma_of(kind, "int1_vnni4.envelope");
            assert_true(two->cycles == gamma_2bit[k] && two->bits_per_weight == 2);
            assert_true(one->cycles == gamma_1bit[k] && one->bits_per_weight == 1);
            assert_null(described_gamma_of(kind, "int8_vnni4.envelope"));
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

TEST(every_known_file_is_valid_named_after_itself_and_sourced)
{
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
    assert_true(count >= 15);
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

TEST(unknown_platform_lists_the_known)
{
    struct described_platform platform;
    char why[256];
    assert_int_equal(described_find("vax", &platform, why, sizeof why), -ENOENT);
    assert_non_null(strstr(why, "'vax'"));
    assert_non_null(strstr(why, "a100, arc-140v, arl, arlh,"));
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

TEST(units_are_converted_and_beta_derived)
{
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

TEST(sequence_without_isa_takes_the_fastest_variant)
{
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

/* Only what JSON cannot hold in a fixture; the rest: platforms/fixtures/described, harness/record/schemas_test.c. */
TEST(each_wrong_text_is_named_with_its_reason)
{
    static const struct damage damages[] = {
        {"\"kneepoint_platform\":1,", "", "is no platform file"},
        {"q.mask.avx_vnni", "q.mask.avx2", "duplicate"},
        {"\"value\":500", "\"value\":1e999", "line 1"},
        {"\"value\":12,", "\"value\":1e308,", "read_bandwidth.unit makes the value too large"},
        {"}],\"sync", "},],\"sync", "line 1"},
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

struct stated {
    const char *name;
    double read_gb_per_s, peak_gb_per_s; /* NaN: not stated */
    enum described_limit read_limit, peak_limit;
    double memory_gb;
};

/*
 * [envelope, IV-A, IV-C and IV-G], [apt-llm, Table I], [bitnet-cpp, C.1]; the other lower limits are derived. Memory of the
 * RTX 2080 and of the phone is from the makers' data sheets.
 */
TEST(what_the_papers_state_of_other_machines)
{
    static const struct stated table[] = {
        {"arc-140v", 104.153, NAN, DESCRIBED_EXACT, DESCRIBED_EXACT, 16},
        {"b580", 380, 456, DESCRIBED_AT_LEAST, DESCRIBED_EXACT, 12},
        {"a100", NAN, NAN, DESCRIBED_EXACT, DESCRIBED_EXACT, 80},
        {"rtx-3090", NAN, 936.2, DESCRIBED_EXACT, DESCRIBED_EXACT, 24},
        {"rtx-2080", NAN, 448, DESCRIBED_EXACT, DESCRIBED_EXACT, 8},
        {"redmi-k60", NAN, 51.2, DESCRIBED_EXACT, DESCRIBED_AT_MOST, NAN},
        {"rtx-4090", NAN, 1000, DESCRIBED_EXACT, DESCRIBED_EXACT, 24},
        {"h800", NAN, 2000, DESCRIBED_EXACT, DESCRIBED_EXACT, 80},
        {"i7-13700h", 44, 100, DESCRIBED_AT_LEAST, DESCRIBED_AT_MOST, 64},
        {"i5-13400f", NAN, NAN, DESCRIBED_EXACT, DESCRIBED_EXACT, NAN},
        {"m2-ultra", 236, 800, DESCRIBED_AT_LEAST, DESCRIBED_AT_LEAST, NAN},
        {"graviton2", 126, NAN, DESCRIBED_AT_LEAST, DESCRIBED_EXACT, NAN},
        {"graviton3", 203, NAN, DESCRIBED_AT_LEAST, DESCRIBED_EXACT, NAN},
        {"graviton4", 288, NAN, DESCRIBED_AT_LEAST, DESCRIBED_EXACT, NAN},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        struct described_platform platform;
        char why[256];
        if (described_find(table[i].name, &platform, why, sizeof why) != 0)
            fail_msg("%s", why);
        double expected[] = {table[i].read_gb_per_s, table[i].peak_gb_per_s, table[i].memory_gb};
        double is[] = {platform.read_bytes_per_s / 1e9, platform.peak_bytes_per_s / 1e9, platform.memory_bytes / 1e9};
        for (size_t v = 0; v < COUNT(is); v++) {
            if (isnan(expected[v]) != isnan(is[v]) || fabs(expected[v] - is[v]) > 1e-3)
                fail_msg("%s: %g, not %g", table[i].name, is[v], expected[v]);
        }
        assert_int_equal(platform.read_limit, table[i].read_limit);
        assert_int_equal(platform.peak_limit, table[i].peak_limit);
        assert_non_null(described_lacks(&platform));
        for (size_t f = 0; f < platform.fact_count; f++)
            assert_true(strlen(platform.facts[f].source) > 0 && strlen(platform.facts[f].unit) > 0);
        described_free(&platform);
    }
}

/* [envelope, IV-A and IV-C] */
TEST(gpus_have_matrix_units_and_a_roof)
{
    struct described_platform platform;
    char why[256];
    assert_int_equal(described_find("arc-140v", &platform, why, sizeof why), 0);
    assert_true(described_is_gpu(&platform));
    assert_near(platform.matrix_ops_per_s, 53e12, 1);
    assert_int_equal(platform.matrix_limit, DESCRIBED_AT_LEAST);
    assert_near(platform.launch_s, 2e-6, 1e-12);
    assert_near(described_roof_bytes_per_s(&platform) / gib, 97, 1e-9);
    described_free(&platform);
    assert_int_equal(described_find("b580", &platform, why, sizeof why), 0);
    assert_true(described_is_gpu(&platform) && isnan(platform.launch_s));
    assert_near(described_roof_bytes_per_s(&platform), 456e9, 1); /* 380 were read, and that is only a limit */
    described_free(&platform);
    static const char *const others[] = {"a100", "arl", "rtx-2080",
                                         "rtx-4090"}; /* no bandwidth, no GPU, no matrix units */
    for (size_t i = 0; i < COUNT(others); i++) {
        assert_int_equal(described_find(others[i], &platform, why, sizeof why), 0);
        assert_false(described_is_gpu(&platform));
        described_free(&platform);
    }
}

TEST(facts_keep_their_unit_and_limit)
{
    char *text = replace_part("\"kinds\":", "\"facts\":{\"power\":{\"value\":250,\"unit\":\"W\",\"limit\":\"at_most\","
                                            "\"source\":\"a label\"}},\"kinds\":");
    struct described_platform platform;
    char why[256];
    assert_int_equal(parse(text, &platform, why), 0);
    assert_int_equal(platform.fact_count, 1);
    assert_string_equal(platform.facts[0].name, "power");
    assert_string_equal(platform.facts[0].unit, "W");
    assert_string_equal(platform.facts[0].source, "a label");
    assert_true(platform.facts[0].value == 250 && platform.facts[0].limit == DESCRIBED_AT_MOST);
    assert_null(described_lacks(&platform));
    described_free(&platform);
    free(text);
}

TEST(stated_beta_is_kept)
{
    char *text = replace_part("\"gamma\":", "\"beta\":{\"value\":0.8,\"unit\":\"B/cycle\"},\"gamma\":");
    struct described_platform platform;
    char why[256];
    assert_int_equal(parse(text, &platform, why), 0);
    assert_true(platform.kinds[0].beta == 0.8 && !platform.kinds[0].beta_is_derived);
    described_free(&platform);
    free(text);
}

TEST(broken_json_is_refused_with_its_line)
{
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

TEST(files_are_loaded_or_refused_by_name)
{
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

RUN_TESTS(NULL, NULL)
