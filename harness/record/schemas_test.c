/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The schemas against what the tool reads and writes: platforms/platform.schema.json says what the loader of platform
 * files does, and results/record.schema.json what records are.
 */
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "embedded.h"
#include "platforms/described/described_open.h"
#include "platforms/described/units.h"
#include "results/records/run.h"
#include "results/records/samples.h"
#include "results/schema/record_schema.h"
#include "results/schema/schema_testing.h"
#include "unit_test.h"

static const char accepted_path[] = "platforms/fixtures/described/accepted.jsonl";
static const char refused_path[] = "platforms/fixtures/described/refused.jsonl";

static json_t *platform_schema(void)
{
    for (const struct embedded_file *file = embedded_files; file->path; file++) {
        if (strcmp(file->path, "platforms/platform.schema.json") == 0)
            return json_loadb(file->bytes, file->length, JSON_REJECT_DUPLICATES, NULL);
    }
    return NULL;
}

/* The loader reads text, so a fixture becomes text again. */
static int load(const json_t *file, char why[256])
{
    struct described_platform platform;
    char *text = json_dumps(file, JSON_COMPACT | JSON_ENCODE_ANY);
    int error = described_parse(text, strlen(text), "file", &platform, why, 256);
    described_free(&platform);
    free(text);
    return error;
}

static json_t *read_lines(const char *path)
{
    FILE *file = fopen(path, "re");
    if (!file)
        fail_msg("no %s; run from the root of the repository", path);
    json_t *lines = json_array();
    char line[4096];
    while (fgets(line, sizeof line, file))
        json_array_append_new(lines, json_loads(line, JSON_REJECT_DUPLICATES, NULL));
    fclose(file);
    assert_true(json_array_size(lines) > 0);
    return lines;
}

static const char *text_or(const json_t *object, const char *field, const char *otherwise)
{
    const json_t *value = json_object_get(object, field);
    return value ? json_string_value(value) : otherwise;
}

TEST(the_schema_of_platforms_is_understood)
{
    char why[256];
    json_auto_t *schema = platform_schema();
    assert_non_null(schema);
    if (schema_check(schema, why, sizeof why) != 0)
        fail_msg("%s", why);
}

TEST(loader_and_schema_accept_the_same_files)
{
    json_t *schema = platform_schema(), *lines = read_lines(accepted_path), *line;
    size_t i;
    json_array_foreach(lines, i, line)
    {
        char why[256] = "";
        struct schema_violation violation = {0};
        const json_t *file = json_object_get(line, "file");
        if (load(file, why) != 0)
            fail_msg("loader, line %zu: %s", i + 1, why);
        if (schema_validate(schema, schema, file, SCHEMA_MISSING_IS_WRONG, &violation) != 0)
            fail_msg("schema, line %zu: %s %s", i + 1, violation.path, violation.reason);
    }
    json_decref(lines);
    json_decref(schema);
}

static void assert_refused(size_t line, const char *who, const char *field, const char *says, const char *path,
                           const char *reason)
{
    if (strcmp(field, path) != 0 || !strstr(reason, says))
        fail_msg("%s, line %zu of %s: '%s' '%s', not '%s' '%s'", who, line, refused_path, path, reason, field, says);
}

/* "file: kinds[0].cores is 0, …" */
static void assert_loader_says(size_t number, const json_t *line, const char *why)
{
    char path[256];
    const char *field = text_or(line, "loader_field", json_string_value(json_object_get(line, "field")));
    const char *says = text_or(line, "loader_says", json_string_value(json_object_get(line, "says")));
    int length = snprintf(path, sizeof path, "file: %s%s", field, *field ? " " : "");
    if (strncmp(why, path, (size_t)length) != 0 || !strstr(why + length, says))
        fail_msg("loader, line %zu of %s: '%s', not '%s' '%s'", number, refused_path, why, path, says);
}

TEST(loader_and_schema_refuse_the_same_fields)
{
    json_t *schema = platform_schema(), *lines = read_lines(refused_path), *line;
    size_t i, only_the_loader = 0;
    json_array_foreach(lines, i, line)
    {
        char why[256] = "";
        struct schema_violation violation = {0};
        const json_t *file = json_object_get(line, "file");
        assert_int_equal(load(file, why), -EINVAL);
        assert_loader_says(i + 1, line, why);
        int error = schema_validate(schema, schema, file, SCHEMA_MISSING_IS_WRONG, &violation);
        if (json_object_get(line, "schema")) { /* what a schema has no words for */
            assert_int_equal(error, 0);
            only_the_loader++;
            continue;
        }
        assert_int_equal(error, -EINVAL);
        const char *field = json_string_value(json_object_get(line, "field"));
        const char *says = json_string_value(json_object_get(line, "says"));
        bool is_version = strcmp(field, "kneepoint_platform") == 0 && !json_object_get(file, field);
        assert_refused(i + 1, "schema", text_or(line, "schema_field", field),
                       is_version ? "is missing" : text_or(line, "schema_says", says), violation.path,
                       violation.reason);
    }
    assert_int_equal(only_the_loader, 3);
    json_decref(lines);
    json_decref(schema);
}

/* A unit that the table gains is a unit that the schema must gain. */
TEST(the_schema_knows_the_units_of_the_loader)
{
    json_t *schema = platform_schema(), *name;
    const json_t *any = json_object_get(schema_at(schema, "#/$defs/any_unit"), "enum");
    size_t i, count = 0;
    json_array_foreach(any, i, name) assert_non_null(unit_find(json_string_value(name)));
    for (int dimension = 0; dimension < DIMENSIONS; dimension++) {
        char list[128], *rest;
        unit_names((enum dimension)dimension, list, sizeof list);
        for (char *unit = strtok_r(list, ", ", &rest); unit; unit = strtok_r(NULL, ", ", &rest))
            count++;
    }
    assert_int_equal(count, json_array_size(any));
    static const struct {
        const char *at;
        enum dimension dimension;
    } lists[] = {{"#/$defs/bandwidth/properties/unit", DIMENSION_BANDWIDTH},
                 {"#/$defs/kind/properties/clock/properties/unit", DIMENSION_FREQUENCY},
                 {"#/properties/memory_capacity/properties/unit", DIMENSION_BYTES},
                 {"#/properties/synchronisation/properties/unit", DIMENSION_TIME}};
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
        char names[128] = "", of_table[128];
        json_array_foreach(json_object_get(schema_at(schema, lists[l].at), "enum"), i, name)
        {
            size_t used = strlen(names);
            snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", json_string_value(name));
        }
        assert_string_equal(names, unit_names(lists[l].dimension, of_table, sizeof of_table));
    }
    json_decref(schema);
}

TEST(every_platform_file_here_fits_its_schema)
{
    json_auto_t *schema = platform_schema();
    glob_t found;
    assert_int_equal(glob("platforms/known/*.json", 0, NULL, &found), 0);
    size_t known = found.gl_pathc;
    assert_int_equal(glob("results/fixtures/run/platform.json", GLOB_APPEND, NULL, &found), 0);
    assert_true(known >= 15 && found.gl_pathc > known);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct schema_violation violation;
        struct described_platform platform;
        char why[256];
        json_t *file = json_load_file(found.gl_pathv[i], JSON_REJECT_DUPLICATES, NULL);
        if (schema_validate(schema, schema, file, SCHEMA_MISSING_IS_WRONG, &violation) != 0)
            fail_msg("%s: %s %s", found.gl_pathv[i], violation.path, violation.reason);
        if (described_load(found.gl_pathv[i], &platform, why, sizeof why) != 0)
            fail_msg("%s", why);
        described_free(&platform);
        json_decref(file);
    }
    globfree(&found);
}

static void check_run(const json_t *schema, const char *path)
{
    struct run_records run;
    char why[512];
    if (run_read(path, &run, why, sizeof why) != 0)
        fail_msg("%s", why);
    assert_int_equal(run.bad_lines, 0);
    size_t i, samples = 0;
    json_t *record;
    json_array_foreach(run.records, i, record)
    {
        struct schema_violation violation;
        if (record_check(schema, record, SCHEMA_MISSING_IS_WRONG, &violation) != 0)
            fail_msg("%s, record %zu: %s %s", path, i + 1, violation.path, violation.reason);
        samples += samples_are_in(record);
    }
    assert_true(samples < i);
    run_records_free(&run);
}

TEST(every_record_of_a_run_fits_its_schema)
{
    json_auto_t *schema = record_schema();
    glob_t found;
    assert_int_equal(glob("results/fixtures/run/records.jsonl", 0, NULL, &found), 0);
    assert_int_equal(glob("reports/fixtures/run/records.jsonl", GLOB_APPEND, NULL, &found), 0);
    assert_int_equal(found.gl_pathc, 2);
    for (size_t i = 0; i < found.gl_pathc; i++)
        check_run(schema, found.gl_pathv[i]);
    globfree(&found);
}

RUN_TESTS(NULL, NULL)
