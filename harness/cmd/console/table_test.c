/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "harness/cmd/console/table.h"
#include "unit_test.h"

static const char *note(const json_t *record, char *text, size_t size)
{
    const char *said = json_string_value(json_object_get(record, "note"));
    snprintf(text, size, "%s", said ? said : "");
    return text;
}

static bool stands_out(const json_t *record)
{
    return json_is_true(json_object_get(record, "best"));
}

static const struct table_column columns[] = {
    {"name", "name", .left = true},
    {"thr", .field = "threads"},
    {"time us", "time_s", TABLE_NUMBER, .scale = 1e6, .digits = 2, .rank = 1},
    {"+-", "time_s", TABLE_HALF, .scale = 1e6, .digits = 1, .rank = 4},
    {"share", "share", TABLE_SHARE, .rank = 3},
    {"binds", "binds", .rank = 2, .left = true, .limit = true},
    {"why", "why", .rank = 5, .left = true, .clips = 6},
};

static const struct table table = {
    "row",       "Rows", columns, sizeof columns / sizeof *columns, .needs = "time_s", .stands_out = stands_out,
    .note = note};

static const char lines[] =
    "[{\"type\":\"row\",\"name\":\"b\",\"threads\":10,\"time_s\":{\"median\":2e-6,\"min\":1e-6,\"mad\":0,\"ci95\":[1e-6,3e-6],\"n\":8,"
    "\"rejected\":1,\"unit\":\"s\",\"grade\":\"chain\"},\"share\":0.5,\"binds\":\"memory\",\"why\":\"a long reason\",\"note\":\"not valid\"},"
    "{\"type\":\"row\",\"name\":\"a|1\",\"threads\":9,\"time_s\":{\"median\":null,\"min\":null,\"mad\":null,\"ci95\":null,\"n\":2,"
    "\"rejected\":3,\"unit\":\"s\",\"grade\":\"chain\",\"why\":\"2 kept, 6 needed\"},\"share\":0.25,\"binds\":null,\"why\":null},"
    "{\"type\":\"row\",\"name\":\"c, \\\"quoted\\\"\",\"threads\":2,\"time_s\":{\"median\":1e-6,\"min\":1e-6,\"mad\":0,\"ci95\":[1e-6,1e-6],\"n\":8,"
    "\"rejected\":0,\"unit\":\"s\",\"grade\":\"chain\"},\"share\":null,\"binds\":\"up-convert\",\"why\":\"x\",\"best\":true}]";

static void expect(const struct table_style *style, const char *wanted)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    json_auto_t *records = json_loads(lines, 0, NULL);
    assert_non_null(records);
    assert_int_equal(table_write(stream, &table, records, style), 0);
    fclose(stream);
    assert_string_equal(text, wanted);
    free(text);
}

TEST(a_table_is_whole_where_there_is_no_width)
{
    expect(&(struct table_style){0},
           "name        thr time us  +- share binds      why            notes\n"
           "b            10    2.00 1.0 50.0% memory     a long reason  not valid\n"
           "a|1           9       -   -     - -          -              2 of 5 samples kept, 6 needed\n"
           "c, \"quoted\"   2    1.00 0.0     - up-convert x\n");
}

TEST(a_number_has_the_format_of_its_column_and_a_range_two_ends)
{
    static const struct table_column of_range[] = {{"error", "error", TABLE_NUMBER, .format = "%.2e"},
                                                   {"%", "error", TABLE_NUMBER, .scale = 100, .format = "%.3g%%"},
                                                   {"from", "range", TABLE_LOW, .digits = 2},
                                                   {"to", "range", TABLE_HIGH, .digits = 2}};
    static const struct table ranges = {.columns = of_range, .count = COUNT(of_range)};
    json_auto_t *records =
        json_pack("[{s:f, s:[f, f]}, {s:n, s:n}]", "error", 0.25, "range", 1.0, 2.5, "error", "range");
    char text[256] = "";
    FILE *stream = fmemopen(text, sizeof text, "w");
    assert_int_equal(table_write(stream, &ranges, records, &(struct table_style){0}), 0);
    fclose(stream);
    assert_string_equal(text, "   error   % from   to\n"
                              "2.50e-01 25% 1.00 2.50\n"
                              "       -   -    -    -\n");
}

TEST(columns_are_left_out_by_rank_and_named)
{
    /* cut first, then the least important, and what is smaller and still fits is there */
    expect(&(struct table_style){.width = 51}, "name        thr time us  +- share binds      why\n"
                                               "b            10    2.00 1.0 50.0% memory     a lo..\n"
                                               "    not valid\n"
                                               "a|1           9       -   -     - -          -\n"
                                               "    2 of 5 samples kept, 6 needed\n"
                                               "c, \"quoted\"   2    1.00 0.0     - up-convert x\n");
    expect(&(struct table_style){.width = 38}, "name        thr time us  +- binds\n"
                                               "b            10    2.00 1.0 memory\n"
                                               "    not valid\n"
                                               "a|1           9       -   - -\n"
                                               "    2 of 5 samples kept, 6 needed\n"
                                               "c, \"quoted\"   2    1.00 0.0 up-convert\n"
                                               "Not shown in 38 columns: share, why.\n"
                                               "    --wide shows them.\n");
    /* what the rows are about stays, whatever the width */
    expect(&(struct table_style){.width = 10}, "name        thr\n"
                                               "b            10\n"
                                               "    not\n"
                                               "    valid\n"
                                               "a|1           9\n"
                                               "    2 of 5\n"
                                               "    samples\n"
                                               "    kept,\n"
                                               "    6\n"
                                               "    needed\n"
                                               "c, \"quoted\"   2\n"
                                               "Not shown in 10 columns:\n"
                                               "    time us,\n"
                                               "    +-,\n"
                                               "    share,\n"
                                               "    binds,\n"
                                               "    why.\n"
                                               "    --wide shows them.\n");
}

TEST(rows_are_sorted_and_what_has_no_number_is_last)
{
    char *text = NULL;
    size_t size;
    static const char *const orders[][2] = {{"time us", "cba"}, {"-time_s", "bca"}, {"thr", "cab"},
                                            {"-name", "cba"},   {"name", "abc"},    {"none", "bac"}};
    json_t *records = json_loads(lines, 0, NULL);
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        FILE *stream = open_memstream(&text, &size);
        assert_int_equal(table_write(stream, &table, records, &(struct table_style){.sort = orders[i][0]}), 0);
        fclose(stream);
        const char *line = text;
        for (size_t row = 0; row < 3; row++) {
            line = strchr(line, '\n') + 1;
            assert_int_equal(*line, orders[i][1][row]);
        }
        free(text);
    }
    json_decref(records);
    assert_null(table_column_find(&table, "none"));
    assert_ptr_equal(table_column_find(&table, "-time us"), &columns[2]);
    assert_ptr_equal(table_column_find(&table, "share"), &columns[4]);
}

TEST(limits_are_coloured_and_the_best_is_bold_where_colour_is)
{
    expect(&(struct table_style){.width = 24, .colour = true, .sort = "thr"},
           "\033[1mname        thr time us\033[0m\n"
           "\033[1mc, \"quoted\"   2    1.00\033[0m\n"
           "a|1           9       -\n"
           "    2 of 5 samples kept,\n"
           "    6 needed\n"
           "b            10    2.00\n"
           "    not valid\n"
           "Not shown in 24 columns:\n"
           "    +-, share, binds,\n"
           "    why.\n"
           "    --wide shows them.\n");
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    json_auto_t *records = json_loads(lines, 0, NULL);
    assert_int_equal(table_write(stream, &table, records, &(struct table_style){.colour = true}), 0);
    fclose(stream);
    assert_non_null(strstr(text, "\033[34mmemory\033[0m"));
    assert_non_null(strstr(text, "\033[33mup-convert\033[0m\033[1m"));
    free(text);
}

TEST(markdown_escapes_bars_and_keeps_notes)
{
    expect(&(struct table_style){.form = TABLE_FORM_MARKDOWN, .width = 10},
           "| name | thr | time us | +- | share | binds | why | notes |\n"
           "|:--|--:|--:|--:|--:|:--|:--|:--|\n"
           "| b | 10 | 2.00 | 1.0 | 50.0% | memory | a long reason | not valid |\n"
           "| a\\|1 | 9 | - | - | - | - | - | 2 of 5 samples kept, 6 needed |\n"
           "| c, \"quoted\" | 2 | 1.00 | 0.0 | - | up-convert | x |  |\n");
}

static void write_to(char **text, const struct table *of, const json_t *records, size_t width)
{
    size_t size;
    FILE *stream = open_memstream(text, &size);
    assert_int_equal(table_write(stream, of, records, &(struct table_style){.width = width}), 0);
    fclose(stream);
}

TEST(names_are_cut_in_the_middle_and_still_tell_rows_apart)
{
    static const struct table_column name_column[] = {
        {"kernel", "name", .left = true, .clips = 8},
        {"x", "x", .rank = 1},
    };
    static const struct table of_names = {.type = "x", .columns = name_column, .count = 2};
    static const struct {
        const char *other;
        const char *text;
    } wanted[] = {
        {"int8.dot.avx512_vnni", "kernel\nint..nni\nint..nni\n"}, /* the same name twice */
        {"int2.mask.avx512_vnni", "kernel\nint8..nni\nint2..nni\n"},
        {"int8.mask.avx512_vnni", "kernel\nint8.d.._vnni\nint8.m.._vnni\n"}, /* they differ where it is cut */
        {"int9.a", "kernel\nint..nni\nint9.a\n"},                            /* not cut */
        {"abc.defgh.avx2", "kernel\nint..nni\nabc..vx2\n"},                  /* no third dot */
        {"int8.dot.avx2", "kernel\nint..nni\nint..vx2\n"},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        json_t *records = json_pack("[{s:s, s:i}, {s:s, s:i}]", "name", "int8.dot.avx512_vnni", "x", 1, "name",
                                    wanted[i].other, "x", 2);
        char *text;
        write_to(&text, &of_names, records, 8);
        assert_memory_equal(text, wanted[i].text, strlen(wanted[i].text));
        free(text);
        json_decref(records);
    }
}

TEST(a_column_of_one_table_is_in_no_other_and_what_is_shown_is_explained)
{
    static const struct table_column both[] = {
        {"name", "name", .left = true},
        {"tokens", "n", .only = "gemm", .explains = "how many vectors"},
        {"roof", "roof", .rank = 1, .explains = "attained over the roof"},
        {"error", "error", .rank = 2, .explains = "largest distance"},
    };
    static const struct table of_gemv = {.type = "gemv", .columns = both, .count = 4},
                              of_gemm = {.type = "gemm", .columns = both, .count = 4};
    json_t *records = json_pack("[{s:s, s:i, s:i, s:i}]", "name", "a", "n", 7, "roof", 1, "error", 0),
           *no_rows = json_array();
    char *text;
    write_to(&text, &of_gemv, records, 0);
    assert_string_equal(text, "name roof error\na       1     0\n\n"
                              "roof: attained over the roof. error: largest distance.\n");
    free(text);
    write_to(&text, &of_gemm, records, 18);
    assert_string_equal(text, "name tokens roof\na         7    1\n"
                              "Not shown in 18 columns:\n    error.\n    --wide shows them.\n\n"
                              "tokens: how many\nvectors. roof:\nattained over the\nroof.\n");
    free(text);
    write_to(&text, &of_gemv, no_rows, 0);
    assert_string_equal(text, "name roof error\n");
    free(text);
    assert_null(table_column_find(&of_gemv, "tokens"));
    assert_ptr_equal(table_column_find(&of_gemm, "-tokens"), &both[1]);
    json_decref(records);
    json_decref(no_rows);
}

TEST(a_column_that_no_row_has_is_left_out_if_it_may_be)
{
    static const struct table_column two[] = {
        {"name", "name", .left = true},
        {"tiles", "tiles", TABLE_NUMBER, .rank = 1, .optional = true, .explains = "of tiles"}};
    static const struct table of_two = {.type = "gemm", .columns = two, .count = 2};
    json_auto_t *records = json_pack("[{s:s, s:n}, {s:s}]", "name", "a", "tiles", "name", "b");
    char *text;
    write_to(&text, &of_two, records, 0);
    assert_string_equal(text, "name\na\nb\n");
    free(text);
    json_object_set_new(json_array_get(records, 1), "tiles", json_integer(7));
    write_to(&text, &of_two, records, 0);
    assert_string_equal(text, "name tiles\na        -\nb        7\n\ntiles: of tiles.\n");
    free(text);
}

TEST(what_is_emulated_is_said_once_above)
{
    static const struct table_column name_column[] = {{"name", "name", .left = true}};
    static const struct table of_names = {.type = "x", .columns = name_column, .count = 1};
    static const struct {
        enum table_form form;
        const char *text;
    } wanted[] = {
        {TABLE_FORM_TEXT, "EMULATED by QEMU TCG: no speed of a machine\nname\na\nb\n"},
        {TABLE_FORM_MARKDOWN, "EMULATED by QEMU TCG: no speed of a machine\n\n| name |\n|:--|\n| a |\n| b |\n"},
    };
    json_t *records =
        json_pack("[{s:s, s:s}, {s:s, s:s}]", "name", "a", "emulated", "QEMU TCG", "name", "b", "emulated", "QEMU TCG");
    for (size_t i = 0; i < 2; i++) {
        char *text = NULL;
        size_t size;
        FILE *stream = open_memstream(&text, &size);
        assert_int_equal(table_write(stream, &of_names, records, &(struct table_style){.form = wanted[i].form}), 0);
        fclose(stream);
        assert_string_equal(text, wanted[i].text);
        free(text);
    }
    json_decref(records);
}

TEST(records_become_csv_and_markdown_by_type)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    json_auto_t *records = json_loads(lines, 0, NULL);
    json_array_remove(records, 1);
    json_array_append_new(records,
                          json_pack("{s:s, s:{s:f}, s:[i, i]}", "type", "other", "of", "depth", 0.5, "list", 1, 2));
    assert_int_equal(table_write_csv(stream, records), 0);
    fclose(stream);
    assert_string_equal(
        text,
        "type,name,threads,time_s,time_s.low,time_s.high,time_s.n,time_s.grade,share,binds,why,note,best,of.depth,list\n"
        "row,b,10,2e-06,1e-06,3e-06,8,chain,0.5,memory,a long reason,not valid,,,\n"
        "row,\"c, \"\"quoted\"\"\",2,1e-06,1e-06,1e-06,8,chain,,up-convert,x,,true,,\n"
        "other,,,,,,,,,,,,,0.5,\"[1,2]\"\n");
    free(text);
    stream = open_memstream(&text, &size);
    static const struct table *const tables[] = {&table, NULL};
    assert_int_equal(table_write_markdown(stream, tables, records, "-time us"), 0);
    fclose(stream);
    assert_ptr_equal(strstr(text, "### Rows\n\n| name | thr |"), text);
    assert_non_null(strstr(text, "\n\n### other\n\n| of.depth | list |\n|:--|:--|\n| 0.5 | [1,2] |\n"));
    free(text);
    json_decref(records);
    records = json_array();
    stream = open_memstream(&text, &size);
    assert_int_equal(table_write_csv(stream, records) | table_write_markdown(stream, NULL, records, NULL), 0);
    fclose(stream);
    assert_string_equal(text, "");
    free(text);
}

RUN_TESTS(NULL, NULL)
