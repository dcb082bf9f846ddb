/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tuning tables: what is written is read, and of what is damaged each field is refused in one line or means what it says.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "results/tuned/tuning.h"
#include "results/tuned/tuning_match.h"
#include "unit_test.h"

static char folder[64], path[128];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/tuning_test.XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/table.json", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    (void)unlink(path);
    return rmdir(folder);
}

static struct tuning_cell cell(const char *kernel, size_t m)
{
    struct tuning_cell made = {
        .problem = {.format = "w2",
                    .takes = "f32",
                    .error_bound = 0.25,
                    .threads = 2,
                    .cold = true,
                    .m = m,
                    .k = 4096,
                    .n = 64},
        .isa = "avx2",
        .gemm = true,
        .best = true,
        .prefetch_bytes = 1024,
        .shares_tokens = true,
        .variant = "r4t8",
        .time_s = 1.5e-3,
        .default_time_s = 2e-3,
        .kept = 12,
        .default_kept = 11,
        .candidates = 64,
        .seen = 60,
        .left_out_kernel = "w2.other.avx2",
        .left_out_m = 1024,
        .left_out_k = 4096,
        .left_out_n = 64,
        .left_out_time_s = 1.6e-3,
    };
    snprintf(made.kernel, sizeof made.kernel, "%s", kernel);
    return made;
}

static struct tuning_table table_of(const struct tuning_cell *cells, size_t count)
{
    struct tuning_table table = {0};
    table.made_by = json_pack("{s:s, s:{s:s}, s:{}, s:s, s:s, s:{s:s}}", "kneepoint", "1.0", "cpu", "name", "a CPU",
                              "isa", "compiler", "gcc", "flags", "-O2", "code", cells[0].kernel, "0123");
    for (size_t i = 0; i < count; i++)
        assert_int_equal(tuning_add(&table, &cells[i]), 0);
    return table;
}

static void write_table(void)
{
    struct tuning_cell cells[] = {cell("w2.popcount.avx2", 4096), cell("w2.popcount.avx2", 2048)};
    cells[1].variant[0] = cells[1].left_out_kernel[0] = '\0';
    cells[1].default_time_s = NAN;
    cells[1].shares_tokens = cells[1].best = false;
    struct tuning_table table = table_of(cells, 2);
    char why[256];
    assert_int_equal(tuning_write(path, &table, why, sizeof why), 0);
    tuning_release(&table);
}

TEST(what_is_written_is_read)
{
    write_table();
    struct tuning_table table;
    char why[512];
    assert_int_equal(tuning_read(path, &table, why, sizeof why), 0);
    assert_int_equal(table.count, 2);
    const struct tuning_cell *read = &table.cell[0], *first = &table.cell[1]; /* by name: 2048 first */
    const struct tuning_cell wrote = cell("w2.popcount.avx2", 4096);
    assert_int_equal(read->problem.m, 2048);
    assert_true(isnan(read->default_time_s) && !read->best && !read->shares_tokens && !read->variant[0]);
    assert_true(isnan(read->left_out_time_s) && !read->left_out_kernel[0]);
    assert_string_equal(first->kernel, wrote.kernel);
    assert_true(tuning_is_of_family(&first->problem, &wrote.problem));
    assert_true(tuning_distance(&first->problem, &wrote.problem) == 0);
    assert_true(first->time_s == wrote.time_s && first->left_out_time_s == wrote.left_out_time_s);
    assert_string_equal(first->variant, "r4t8");
    assert_true(first->kept == 12 && first->default_kept == 11 && first->candidates == 64 && first->seen == 60);
    assert_true(first->best && first->gemm && first->shares_tokens && first->prefetch_bytes == 1024);
    assert_string_equal(json_string_value(json_object_get(json_object_get(table.made_by, "cpu"), "name")), "a CPU");
    tuning_release(&table);
}

/** A problem that was tuned anew brings all of its kernels; others stay. */
TEST(tables_merge_by_problem)
{
    const struct tuning_cell now[] = {cell("w2.new.avx2", 4096)},
                             before[] = {cell("w2.old.avx2", 4096), cell("w2.old.avx2", 1024)};
    struct tuning_table table = table_of(now, 1), old = table_of(before, 2);
    assert_int_equal(tuning_merge(&table, &old), 0);
    assert_int_equal(table.count, 2);
    assert_string_equal(table.cell[0].kernel, "w2.new.avx2");
    assert_int_equal(table.cell[1].problem.m, 1024);
    tuning_release(&table);
    tuning_release(&old);
}

static void write_text(const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/** As some write JSON. */
TEST(whole_numbers_with_a_point_are_read)
{
    write_table();
    json_t *object = json_load_file(path, 0, NULL), *written = json_array_get(json_object_get(object, "cells"), 0);
    assert_int_equal(json_object_set_new(written, "n", json_real(64)), 0);
    char *text = json_dumps(object, 0);
    write_text(text);
    struct tuning_table table;
    char why[512];
    assert_int_equal(tuning_read(path, &table, why, sizeof why), 0);
    assert_int_equal(table.cell[0].problem.n, 64);
    tuning_release(&table);
    free(text);
    json_decref(object);
}

static void refused(int error, const char *reason)
{
    struct tuning_table table;
    char why[512] = "";
    assert_int_equal(tuning_read(path, &table, why, sizeof why), error);
    if (!strstr(why, reason) || !strstr(why, path) || strchr(why, '\n'))
        fail_msg("'%s' does not say '%s'", why, reason);
    assert_true(!table.cell && !table.count && !table.made_by);
}

TEST(what_is_no_table_is_refused)
{
    (void)unlink(path);
    refused(-ENOENT, "no file");
    write_text("{");
    refused(-EINVAL, "line 1");
    write_text("[]");
    refused(-EINVAL, "is not a tuning table");
    write_text("{\"kneepoint_baseline\": 1, \"cells\": []}");
    refused(-EINVAL, "is not a tuning table");
    write_text("{\"kneepoint_tuning\": 2}");
    refused(-EINVAL, "of version 2, but this program writes 1");
    write_text("{\"kneepoint_tuning\": 1}");
    refused(-EINVAL, "`kneepoint tune` writes another");
}

TEST(a_place_that_cannot_be_written_is_named)
{
    const struct tuning_cell one = cell("w2.popcount.avx2", 64);
    struct tuning_table table = table_of(&one, 1);
    char why[512];
    assert_true(tuning_write("/proc/none/table.json", &table, why, sizeof why) < 0);
    /* root may write to /proc, where nothing can be made */
    assert_non_null(strstr(why, geteuid() == 0 ? "cannot create /proc/none: " : "cannot write to /proc: "));
    tuning_release(&table);
}

/* ---- hostile ---- */

/** Values that no table has; each in turn takes the place of a field. */
static json_t *hostile(size_t i)
{
    switch (i) {
    case 0: return json_null();
    case 1: return json_string("\x1b[31m%s%n");
    case 2: return json_integer(-1);
    case 3: return json_integer(INT64_MAX);
    case 4: return json_real(-1e308);
    case 5: return json_array();
    case 6: return json_object();
    case 7: return json_true();
    case 8:
        return json_string(
            "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789");
    case 9: return json_real(0);
    default: return NULL;
    }
}

/** Read what was damaged, ask for a match, and look at the loss: whatever happens, it ends, in one line or with numbers. */
static void read_damaged(const json_t *object)
{
    struct tuning_table table;
    char why[512] = "";
    assert_int_equal(json_dump_file(object, path, 0), 0);
    if (tuning_read(path, &table, why, sizeof why)) {
        assert_true(why[0] && !strchr(why, '\n') && !table.count);
        return;
    }
    for (size_t i = 0; i < table.count; i++) {
        const struct tuning_query query = {.problem = &table.cell[i].problem, .leave_out = true};
        (void)tuning_match(&table, &query);
    }
    struct tuning_loss loss = tuning_loss(&table);
    assert_true(loss.problems == 0 || (loss.geometric_mean > 0 && loss.worst > 0));
    tuning_release(&table);
}

/** Every field below a value taken away, and replaced by each hostile one. */
static size_t damage(json_t *root, json_t *object)
{
    json_t *whole = json_copy(object), *value; /* of which it is a change: a loop over what changes would not end */
    const char *field;
    size_t damaged = 0;
    json_object_foreach(whole, field, value)
    {
        json_object_del(object, field);
        read_damaged(root);
        json_t *bad;
        for (size_t i = 0; (bad = hostile(i)); i++) {
            json_object_set_new(object, field, bad);
            read_damaged(root);
            damaged++;
        }
        json_object_set(object, field, value);
    }
    json_decref(whole);
    return damaged;
}

TEST(hostile_tables_are_refused_or_read)
{
    write_table();
    json_t *object = json_load_file(path, 0, NULL);
    json_t *first = json_array_get(json_object_get(object, "cells"), 1);
    assert_true(damage(object, object) >= 80);
    assert_true(damage(object, first) >= 200);
    assert_true(damage(object, json_object_get(first, "left_out")) >= 50);
    json_decref(object);
}

RUN_TESTS(make_folder, remove_folder)
