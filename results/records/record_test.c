/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "results/records/record.h"
#include "unit_test.h"

static const struct summary whole_summary = {
    .median = 1.25, .min = 0.5, .max = 3, .mad = 0.125, .ci95 = {1, 1.5}, .n = 31, .rejected = 2};

TEST(quantity_has_its_fields_in_order)
{
    json_t *quantity = record_quantity(&whole_summary, "cycles", "chain");
    char *text = json_dumps(quantity, JSON_COMPACT);
    assert_string_equal(text, "{\"median\":1.25,\"min\":0.5,\"mad\":0.125,\"ci95\":[1.0,1.5],\"n\":31,\"rejected\":2,"
                              "\"unit\":\"cycles\",\"grade\":\"chain\"}");
    free(text);
    json_decref(quantity);
}

TEST(quantity_of_nothing_is_null)
{
    const struct summary nothing = {.median = NAN};
    json_t *quantity = record_quantity(&nothing, "s", "wall");
    assert_true(json_is_null(quantity));
    json_decref(quantity);
}

/* Below the least count its numbers are null, with the count and the reason; there is nothing to read back but those. */
TEST(quantity_of_few_has_no_numbers)
{
    static const struct summary nothing_kept = {.median = NAN, .min = NAN, .mad = NAN, .rejected = 12};
    struct summary few = whole_summary;
    few.n = STATS_KEPT_LEAST - 1;
    const struct {
        const struct summary *summary;
        const char *text;
    } table[] = {{&few, "{\"median\":null,\"min\":null,\"mad\":null,\"ci95\":null,\"n\":5,\"rejected\":2,"
                        "\"unit\":\"s\",\"grade\":\"chain\",\"why\":\"5 kept, 6 needed\"}"},
                 {&nothing_kept, "{\"median\":null,\"min\":null,\"mad\":null,\"ci95\":null,\"n\":0,\"rejected\":12,"
                                 "\"unit\":\"s\",\"grade\":\"chain\",\"why\":\"0 kept, 6 needed\"}"}};
    for (size_t i = 0; i < COUNT(table); i++) {
        json_t *record = json_pack("{s:o}", "time_s", record_quantity(table[i].summary, "s", "chain"));
        char *text = json_dumps(json_object_get(record, "time_s"), JSON_COMPACT);
        assert_string_equal(text, table[i].text);
        struct summary read = whole_summary;
        assert_int_equal(record_quantity_read(record, "time_s", &read), -ENODATA);
        assert_true(isnan(read.median) && isnan(read.ci95[0]));
        assert_int_equal(read.n, table[i].summary->n);
        assert_int_equal(read.rejected, table[i].summary->rejected);
        free(text);
        json_decref(record);
    }
}

TEST(quantity_that_json_cannot_hold_is_refused)
{
    struct summary summary = whole_summary;
    summary.mad = INFINITY;
    assert_null(record_quantity(&summary, "s", "wall"));
    assert_null(record_quantity(&whole_summary, NULL, "wall"));
}

static json_t *record_with(json_t *quantity)
{
    return json_pack("{s:s,s:s,s:o}", "type", "gamma", "name", "x", "gamma", quantity);
}

/* Values that 15 or 16 digits would change. */
TEST(line_round_trips_every_number)
{
    static const double values[] = {0.1,      1.0 / 3, 2.4, 1e-9 / 7, DBL_MAX, DBL_MIN, 5e-324, 9007199254740993.0,
                                    0.1 + 0.2};
    for (size_t i = 0; i < COUNT(values); i++) {
        struct summary summary = {values[i], values[i], values[i], values[i], {values[i], values[i]}, 7, 1};
        json_t *record = record_with(record_quantity(&summary, "s", "wall"));
        json_object_set_new(record, "type", json_string("samples"));
        size_t length;
        char *line = record_format_line(record, &length);
        json_t *back = json_loads(line, 0, NULL);
        assert_true(json_equal(record, back));

        struct summary read;
        assert_int_equal(record_quantity_read(back, "gamma", &read), 0);
        assert_true(read.median == values[i] && read.min == values[i] && read.mad == values[i]);
        assert_true(read.ci95[0] == values[i] && read.ci95[1] == values[i]);
        assert_true(isnan(read.max));
        assert_int_equal(read.n, 7);
        assert_int_equal(read.rejected, 1);
        json_decref(back);
        free(line);
        json_decref(record);
    }
}

/** What is computed from samples has the digits that it can have. */
TEST(computed_numbers_have_eight_digits)
{
    static const double values[] = {1.0 / 3, 2.0 / 3e9, 1e12 / 7, 2.4};
    for (size_t i = 0; i < COUNT(values); i++) {
        double value = values[i];
        struct summary summary = {value, value, value, value, {value, value}, 7, 1}, read;
        json_t *record = record_with(record_quantity(&summary, "s", "wall"));
        size_t length;
        char *line = record_format_line(record, &length);
        json_t *back = json_loads(line, 0, NULL);
        assert_true(length < 200);
        assert_int_equal(record_quantity_read(back, "gamma", &read), 0);
        assert_true(fabs(read.median / value - 1) < 1e-7);
        json_decref(back);
        free(line);
        json_decref(record);
    }
}

TEST(absent_and_malformed_quantities_differ)
{
    json_t *record = json_pack("{s:s,s:n}", "type", "gamma", "gamma");
    struct summary summary = whole_summary;
    assert_int_equal(record_quantity_read(record, "gamma", &summary), -ENOENT);
    assert_int_equal(record_quantity_read(record, "beta", &summary), -ENOENT);
    assert_true(summary.median == 1.25);
    json_decref(record);
}

TEST(malformed_quantities_are_refused)
{
    static const char *const bad[] = {
        "3.5",
        "\"fast\"",
        "[]",
        "{}",
        "{\"median\":\"1\",\"min\":1,\"mad\":0,\"ci95\":[1,1],\"n\":1,\"rejected\":0,\"unit\":\"s\",\"grade\":\"w\"}",
        "{\"median\":1,\"min\":1,\"mad\":0,\"ci95\":[1],\"n\":1,\"rejected\":0,\"unit\":\"s\",\"grade\":\"w\"}",
        "{\"median\":1,\"min\":1,\"mad\":0,\"ci95\":[1,1,1],\"n\":1,\"rejected\":0,\"unit\":\"s\",\"grade\":\"w\"}",
        "{\"median\":1,\"min\":1,\"mad\":0,\"ci95\":[2,1],\"n\":1,\"rejected\":0,\"unit\":\"s\",\"grade\":\"w\"}",
        "{\"median\":1,\"min\":2,\"mad\":0,\"ci95\":[1,1],\"n\":1,\"rejected\":0,\"unit\":\"s\",\"grade\":\"w\"}",
        "{\"median\":1,\"min\":1,\"mad\":-1,\"ci95\":[1,1],\"n\":1,\"rejected\":0,\"unit\":\"s\",\"grade\":\"w\"}",
        "{\"median\":1,\"min\":1,\"mad\":0,\"ci95\":[1,1],\"n\":0,\"rejected\":0,\"unit\":\"s\",\"grade\":\"w\"}",
        "{\"median\":1,\"min\":1,\"mad\":0,\"ci95\":[1,1],\"n\":1.5,\"rejected\":0,\"unit\":\"s\",\"grade\":\"w\"}",
        "{\"median\":1,\"min\":1,\"mad\":0,\"ci95\":[1,1],\"n\":1,\"rejected\":-1,\"unit\":\"s\",\"grade\":\"w\"}",
        "{\"median\":1,\"min\":1,\"mad\":0,\"ci95\":[1,1],\"n\":1,\"rejected\":0,\"grade\":\"w\"}",
        "{\"median\":1,\"min\":1,\"mad\":0,\"ci95\":[1,1],\"n\":1,\"rejected\":0,\"unit\":\"s\",\"grade\":7}",
        "{\"median\":null,\"min\":null,\"mad\":null,\"ci95\":null,\"n\":6,\"rejected\":0,\"unit\":\"s\",\"grade\":\"w\"}",
        "{\"median\":null,\"min\":null,\"mad\":null,\"ci95\":null,\"rejected\":0,\"unit\":\"s\",\"grade\":\"w\"}",
    };
    for (size_t i = 0; i < COUNT(bad); i++) {
        json_t *record = record_with(json_loads(bad[i], JSON_DECODE_ANY, NULL));
        struct summary summary;
        int error = record_quantity_read(record, "gamma", &summary);
        if (error != -EINVAL)
            fail_msg("%s was read with %d", bad[i], error);
        json_decref(record);
    }
}

/* Written by hand with integers, as other tools print round numbers. */
TEST(integers_are_read_as_numbers)
{
    json_t *record = record_with(json_loads(
        "{\"median\":2,\"min\":1,\"mad\":0,\"ci95\":[1,3],\"n\":6,\"rejected\":0,\"unit\":\"s\",\"grade\":\"wall\"}", 0,
        NULL));
    struct summary summary;
    assert_int_equal(record_quantity_read(record, "gamma", &summary), 0);
    assert_true(summary.median == 2 && summary.ci95[1] == 3);
    json_decref(record);
}

TEST(line_is_one_line_in_insertion_order)
{
    json_t *record = json_pack("{s:s,s:s,s:s}", "type", "end", "name", "two\nlines", "a", "\u00b5");
    size_t length;
    char *line = record_format_line(record, &length);
    assert_string_equal(line, "{\"type\":\"end\",\"name\":\"two\\nlines\",\"a\":\"\u00b5\"}\n");
    assert_int_equal(length, strlen(line));
    free(line);
    json_decref(record);
}

TEST(what_is_no_record_is_not_written)
{
    json_t *values[] = {json_array(), json_object(), json_pack("{s:i}", "type", 3), json_string("type"), NULL};
    for (size_t i = 0; i < COUNT(values); i++) {
        size_t length;
        assert_false(record_is_valid(values[i]));
        assert_null(record_format_line(values[i], &length));
        assert_int_equal(record_write_line(stdout, values[i]), -EINVAL);
        json_decref(values[i]);
    }
}

/*
 * A packet pipe keeps the boundaries of writes: one read returns one write, even of a line longer than stdio's buffer.
 */
TEST(line_is_written_at_once_after_what_is_buffered)
{
    char long_name[3000];
    memset(long_name, 'n', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = '\0';
    json_t *record = json_pack("{s:s,s:s}", "type", "end", "name", long_name);
    size_t length;
    char *line = record_format_line(record, &length);

    int ends[2];
    assert_int_equal(pipe2(ends, O_DIRECT), 0);
    FILE *stream = fdopen(ends[1], "w");
    setvbuf(stream, NULL, _IOFBF, 1024);
    fputs("before", stream);
    assert_int_equal(record_write_line(stream, record), 0);

    char packet[4096];
    assert_int_equal(read(ends[0], packet, sizeof packet), 6);
    assert_int_equal(read(ends[0], packet, sizeof packet), length);
    assert_memory_equal(packet, line, length);
    fclose(stream);
    close(ends[0]);
    free(line);
    json_decref(record);
}

TEST(stream_without_descriptor_takes_the_line)
{
    json_t *record = json_pack("{s:s}", "type", "end");
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_int_equal(record_write_line(stream, record), 0);
    fclose(stream);
    assert_string_equal(text, "{\"type\":\"end\"}\n");
    free(text);
    json_decref(record);
}

TEST(full_device_is_reported)
{
    json_t *record = json_pack("{s:s}", "type", "end");
    FILE *full = fopen("/dev/full", "w");
    assert_non_null(full);
    assert_int_equal(record_write_line(full, record), -ENOSPC);
    fclose(full);
    json_decref(record);
}

TEST(counts_that_are_none_are_0)
{
    json_t *record = json_pack("{s:i,s:f,s:f,s:i,s:s}", "two", 2, "whole", 3.0, "huge", 1e30, "below", -1, "text", "2");
    assert_int_equal(record_count(record, "two"), 2);
    assert_int_equal(record_count(record, "whole"), 3);
    static const char *const none[] = {"huge", "below", "text", "absent"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_int_equal(record_count(record, none[i]), 0);
    json_decref(record);
}

RUN_TESTS(NULL, NULL)
