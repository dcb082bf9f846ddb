/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <ftw.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness/cells/cell/execution.h"
#include "harness/cells/cell/testing.h"
#include "harness/cells/sync/sync.h"
#include "harness/record/run_writer.h"
#include "unit_test.h"

enum { WHY = 512, CELLS = 2, MEASURED = 0, UNTOUCHED = 1 };

/** A session of one thread, and two cells, of which one was measured. */
struct bench {
    char folder[64];
    struct session *session;
    struct cell cell[CELLS];
    struct cells cells;
};

static void add_cells(struct cell cell[CELLS])
{
    for (int i = 0; i < CELLS; i++)
        cell[i] = (struct cell){.kind = &cell_kind_sync, .threads = 1, .repeats = 100};
    strcpy(cell[MEASURED].name, "sync/barrier/t1");
    strcpy(cell[UNTOUCHED].name, "sync/barrier/t2");
}

static int open_bench(void **state)
{
    struct bench *bench = calloc(1, sizeof *bench);
    struct session_request request = {.team.threads = 1, .seed = 1};
    char why[WHY];
    assert_non_null(bench);
    strcpy(bench->folder, "/tmp/kneepoint-writer-XXXXXX");
    assert_non_null(mkdtemp(bench->folder));
    assert_int_equal(session_open(&request, &bench->session, why, sizeof why), 0);
    add_cells(bench->cell);
    bench->cells = (struct cells){.cell = bench->cell, .count = CELLS};
    *state = bench;
    return 0;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    (void)status, (void)type, (void)walk;
    return remove(path);
}

static int close_bench(void **state)
{
    struct bench *bench = *state;
    assert_int_equal(nftw(bench->folder, remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
    for (int i = 0; i < CELLS; i++)
        cell_release(&bench->cell[i]);
    session_close(bench->session);
    free(bench);
    return 0;
}

/** Six more samples of the first cell, written as a visit's. */
static void visit(struct bench *bench, struct run_writer *writer)
{
    struct cell *cell = &bench->cell[MEASURED];
    size_t first = cell->samples.count;
    give_many(&cell->samples, kept_sample(1e-4, 1e9), 6);
    run_writer_visited(writer, cell, first, 0);
}

/** Types of the records in their order, each once where several of it stand together. */
static void list_types(const json_t *records, char *list, size_t size)
{
    const char *former = "";
    size_t i, length = 0;
    const json_t *record;
    list[0] = 0;
    json_array_foreach(records, i, record)
    {
        const char *type = field_text(record, "type");
        if (strcmp(type, former) != 0)
            length += (size_t)snprintf(list + length, size - length, "%s%s", length ? " " : "", type);
        former = type;
    }
}

static struct run_records read_back(const char *path)
{
    struct run_records records;
    char why[WHY];
    if (run_read(path, &records, why, sizeof why) != 0)
        fail_msg("%s", why);
    return records;
}

TEST_GIVEN_BY(a_new_run_begins_with_the_machine_and_ends_with_its_end, struct bench *bench, open_bench, close_bench)
{
    struct run_writer writer;
    const struct run_request request = {.results = bench->folder, .node = "n7"};
    const struct run_end end = {.command = "test", .seconds = 1, .budget_s = 2, .unreached = "no time"};
    char why[WHY], types[256];
    assert_int_equal(run_writer_open(&writer, &request, bench->session, NULL, why, sizeof why), 0);
    assert_true(writer.created);
    assert_int_equal(run_writer_machine(&writer, bench->session, why, sizeof why), 0);
    visit(bench, &writer);
    assert_int_equal(run_writer_finish(&writer, bench->session, &bench->cells, &end, why, sizeof why), 0);
    struct run_records records = read_back(run_writer_path(&writer));
    list_types(records.records, types, sizeof types);
    assert_string_equal(types, "machine counters clock cell samples sync end");
    assert_string_equal(field_text(records.meta, "node"), "n7");
    run_records_free(&records);
    run_writer_close(&writer);
    assert_null(run_writer_path(&writer));
}

/** A run with one visit of the first cell. */
static void make_run(struct bench *bench, char *path, size_t size)
{
    const struct run_request request = {.results = bench->folder};
    struct run_writer writer;
    char why[WHY];
    assert_int_equal(run_writer_open(&writer, &request, bench->session, NULL, why, sizeof why), 0);
    visit(bench, &writer);
    snprintf(path, size, "%s", run_writer_path(&writer));
    run_writer_close(&writer);
}

TEST_GIVEN_BY(a_run_is_gone_on_with_under_the_next_number, struct bench *bench, open_bench, close_bench)
{
    struct run_writer writer;
    char why[WHY], path[256], types[256];
    make_run(bench, path, sizeof path);

    struct cell fresh[CELLS];
    add_cells(fresh);
    struct cells cells = {.cell = fresh, .count = CELLS};
    const struct run_request request = {.into = path};
    assert_int_equal(run_writer_open(&writer, &request, bench->session, &cells, why, sizeof why), 0);
    assert_false(writer.created);
    assert_int_equal(fresh[MEASURED].samples.count, 6);
    assert_int_equal(writer.recorder.block, 2);
    visit(bench, &writer);
    assert_int_equal(run_writer_finish(&writer, bench->session, &bench->cells, NULL, why, sizeof why), 0);
    run_writer_close(&writer);
    struct run_records records = read_back(path);
    list_types(records.records, types, sizeof types);
    assert_string_equal(types, "cell samples sync"); /* neither machine nor end were asked for */
    run_records_free(&records);
    cell_release(&fresh[MEASURED]);
}

static int added(void *context, struct cells *cells, size_t first, size_t end)
{
    return run_writer_added(context, cells, first, end);
}

/** Cells that are known only later: those that are added get what the run has of them, and need no visit. */
TEST_GIVEN_BY(what_is_added_to_a_run_gets_what_it_has, struct bench *bench, open_bench, close_bench)
{
    struct run_writer writer;
    char why[WHY], path[256];
    make_run(bench, path, sizeof path);

    struct cell fresh[CELLS];
    add_cells(fresh);
    struct cells cells = {.cell = fresh, .count = CELLS};
    const struct execution execution = {.added = added, .context = &writer};
    size_t failed = CELLS;
    const struct run_request request = {.into = path};
    assert_int_equal(run_writer_open(&writer, &request, bench->session, NULL, why, sizeof why), 0);
    assert_int_equal(fresh[MEASURED].samples.count, 0);
    assert_int_equal(execution_added(&execution, &cells, UNTOUCHED, CELLS, 6, &failed), 0);
    assert_int_equal(fresh[MEASURED].samples.count, 0); /* it was not among them */
    assert_int_equal(execution_added(&execution, &cells, MEASURED, UNTOUCHED, 7, &failed), 0);
    assert_int_equal(fresh[MEASURED].samples.count, 6);
    assert_false(fresh[MEASURED].suspended); /* one more is wanted */
    cell_release(&fresh[MEASURED]);
    add_cells(fresh);
    assert_int_equal(execution_added(&execution, &cells, 0, CELLS, 6, &failed), 0);
    assert_true(fresh[MEASURED].suspended);
    assert_false(fresh[UNTOUCHED].suspended);
    run_writer_close(&writer);
    cell_release(&fresh[MEASURED]);
}

/** Samples that no visit would have taken here end it, and the first of the cells says why. */
TEST_GIVEN_BY(what_is_added_to_a_damaged_run_is_refused, struct bench *bench, open_bench, close_bench)
{
    struct run_writer writer;
    char why[WHY], path[256];
    bench->cell[MEASURED].repeats = 99;
    make_run(bench, path, sizeof path);

    struct cell fresh[CELLS];
    add_cells(fresh);
    struct cells cells = {.cell = fresh, .count = CELLS};
    const struct execution execution = {.added = added, .context = &writer};
    size_t failed = CELLS;
    const struct run_request request = {.into = path};
    assert_int_equal(run_writer_open(&writer, &request, bench->session, NULL, why, sizeof why), 0);
    assert_int_equal(execution_added(&execution, &cells, 0, CELLS, 6, &failed), -EINVAL);
    assert_int_equal(failed, 0);
    assert_non_null(strstr(fresh[0].why, "cannot be continued: the record of sync/barrier/t1 has repeats 99"));
    run_writer_close(&writer);
}

TEST_GIVEN_BY(a_stream_gets_the_same_records, struct bench *bench, open_bench, close_bench)
{
    struct run_writer writer;
    char why[WHY], *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    assert_non_null(stream);
    run_writer_to_stream(&writer, stream, 7, bench->session);
    visit(bench, &writer);
    assert_int_equal(run_writer_finish(&writer, bench->session, &bench->cells, NULL, why, sizeof why), 0);
    assert_null(run_writer_path(&writer));
    run_writer_close(&writer);
    fclose(stream);
    assert_int_equal(strncmp(text, "{\"type\":\"cell\"", 14), 0);
    assert_non_null(strstr(text, "\"block\":7"));
    assert_non_null(strstr(text, "\n{\"type\":\"sync\""));
    assert_null(strstr(text, "\"type\":\"end\""));
    free(text);
}

TEST_GIVEN_BY(nothing_is_written_where_nothing_was_asked_for, struct bench *bench, open_bench, close_bench)
{
    struct run_writer writer;
    const struct run_request request = {0};
    const struct run_end end = {.command = "test"};
    char why[WHY] = "";
    assert_int_equal(run_writer_open(&writer, &request, bench->session, NULL, why, sizeof why), 0);
    assert_int_equal(run_writer_machine(&writer, bench->session, why, sizeof why), 0);
    visit(bench, &writer);
    assert_int_equal(run_writer_finish(&writer, bench->session, &bench->cells, &end, why, sizeof why), 0);
    assert_null(run_writer_path(&writer));
    run_writer_close(&writer);
    assert_string_equal(why, "");
}

/** A disk that is full at one record and has room again for the next. */
struct full_disk {
    unsigned appended, full_at;
};

static int append_unless_full(void *context, const json_t *record)
{
    struct full_disk *disk = context;
    assert_non_null(record);
    return ++disk->appended == disk->full_at ? -ENOSPC : 0;
}

TEST_GIVEN_BY(the_first_failure_is_told_at_the_end_and_ends_nothing, struct bench *bench, open_bench, close_bench)
{
    struct full_disk disk = {.full_at = 1};
    struct run_writer writer = {.recorder = {.append = append_unless_full, .context = &disk, .block = 1}};
    const struct run_end end = {.command = "test"};
    char why[WHY] = "";
    visit(bench, &writer);
    unsigned lost = disk.appended;
    visit(bench, &writer);
    assert_true(disk.appended > lost);
    unsigned before = disk.appended;
    assert_int_equal(run_writer_finish(&writer, bench->session, &bench->cells, &end, why, sizeof why), -ENOSPC);
    assert_int_equal(disk.appended, before + 2); /* a summary and the end */
    assert_non_null(strstr(why, "cannot write records"));
}

TEST_GIVEN_BY(a_run_that_cannot_be_is_refused, struct bench *bench, open_bench, close_bench)
{
    struct run_writer writer;
    char why[WHY] = "", path[128], long_path[4096];
    struct run_request request = {.into = path};
    snprintf(path, sizeof path, "%s/none", bench->folder);
    assert_int_equal(run_writer_open(&writer, &request, bench->session, NULL, why, sizeof why), -ENOENT);
    assert_true(strlen(why) > 0);
    run_writer_close(&writer); /* harmless */
    memset(long_path, 'x', sizeof long_path - 1);
    long_path[sizeof long_path - 1] = 0;
    request = (struct run_request){.results = long_path};
    assert_int_equal(run_writer_open(&writer, &request, bench->session, NULL, why, sizeof why), -ENAMETOOLONG);
    assert_non_null(strstr(why, "choose a shorter --results"));
}

/* ---- how it ended ---- */

static const json_t *skipped_of(const json_t *record)
{
    const json_t *skipped = json_object_get(record, "skipped");
    assert_int_equal(json_array_size(skipped), 1);
    return json_array_get(skipped, 0);
}

TEST_GIVEN_BY(the_end_names_what_has_no_sample_and_why, struct bench *bench, open_bench, close_bench)
{
    const struct run_end end = {.command = "test", .seconds = 3, .budget_s = 4, .unreached = "no time"};
    give_many(&bench->cell[MEASURED].samples, kept_sample(1e-4, 1e9), 5);
    bench->cell[MEASURED].samples.sample[0].cause = SAMPLE_PAGE_FAULT;
    json_auto_t *record = end_record(&end, &bench->cells);
    assert_string_equal(field_text(record, "type"), "end");
    assert_string_equal(field_text(record, "name"), "test");
    assert_flag(record, "complete", false);
    assert_flag(record, "interrupted", false);
    assert_near(field_number(record, "seconds"), 3);
    assert_near(field_number(record, "budget_s"), 4);
    assert_int_equal(field_number(record, "cells"), 2);
    assert_int_equal(field_number(record, "cells_skipped"), 1);
    assert_int_equal(field_number(record, "samples"), 5);
    assert_int_equal(field_number(json_object_get(record, "rejected"), sample_cause_name(SAMPLE_PAGE_FAULT)), 1);
    assert_string_equal(field_text(skipped_of(record), "name"), "sync/barrier/t2");
    assert_string_equal(field_text(skipped_of(record), "reason"), "no time");
    assert_null(json_object_get(record, "withheld"));
    assert_null(json_object_get(record, "disturbance"));
    json_decref(record);

    strcpy(bench->cell[UNTOUCHED].why, "one CPU");
    record = end_record(&end, &bench->cells);
    assert_string_equal(field_text(skipped_of(record), "reason"), "one CPU");
}

TEST_GIVEN_BY(the_end_says_which_budgets_have_what_was_left_out, struct bench *bench, open_bench, close_bench)
{
    struct run_end end = {.command = "test", .left_out = "beyond the budget"};
    bench->cell[UNTOUCHED].left_out = true;
    json_auto_t *record = end_record(&end, &bench->cells);
    assert_null(json_object_get(json_object_get(record, "left_out"), "least_budgets_s"));
    json_decref(record);
    end.least_budgets = json_pack("{s:f}", "gemm", 310.0);
    record = end_record(&end, &bench->cells);
    const json_t *left_out = json_object_get(record, "left_out");
    assert_string_equal(field_text(left_out, "reason"), "beyond the budget");
    assert_near(field_number(json_object_get(left_out, "least_budgets_s"), "gemm"), 310);
    json_decref(end.least_budgets);
}

/** So that who distrusts the plan may hold it against what it took. */
TEST_GIVEN_BY(the_end_says_what_was_estimated, struct bench *bench, open_bench, close_bench)
{
    struct run_end end = {.command = "test", .seconds = 3, .planned_s = 4, .measured_s = 2.5};
    json_auto_t *record = end_record(&end, &bench->cells);
    assert_null(json_object_get(record, "estimate")); /* nothing was */
    json_decref(record);
    end.pace = json_pack("{s:{s:f, s:f}}", "sync", "estimated_s", 2.0, "taken_s", 3.0);
    record = end_record(&end, &bench->cells);
    const json_t *estimate = json_object_get(record, "estimate");
    assert_near(field_number(estimate, "planned_s"), 4);
    assert_near(field_number(estimate, "measured_s"), 2.5);
    assert_true(json_equal(json_object_get(estimate, "kinds"), end.pace));
    json_decref(end.pace);
}

TEST_GIVEN_BY(all_measured_is_complete_unless_it_was_interrupted, struct bench *bench, open_bench, close_bench)
{
    struct run_end end = {.command = "test"};
    bench->cells.count = 1;
    give_many(&bench->cell[MEASURED].samples, kept_sample(1e-4, 1e9), 5);
    for (int interrupted = 0; interrupted < 2; interrupted++) {
        end.interrupted = interrupted;
        json_t *record = end_record(&end, &bench->cells);
        assert_flag(record, "complete", !interrupted);
        assert_flag(record, "interrupted", interrupted);
        json_decref(record);
    }
}

TEST_GIVEN_BY(what_was_withheld_and_what_disturbed_are_told_where_asked, struct bench *bench, open_bench, close_bench)
{
    const struct host_disturbance before = {0};
    struct plugin_fault fault = {.name = "k", .why = "it is wrong"};
    const struct plugins plugins = {.count = 1, .fault = &fault, .faults = 1};
    const struct run_end end = {.command = "test", .plugins = &plugins, .before = &before};
    struct host_disturbance now;
    json_auto_t *record = end_record(&end, &bench->cells);
    const json_t *withheld = json_object_get(record, "withheld");
    assert_int_equal(json_array_size(withheld), 1);
    assert_string_equal(field_text(json_array_get(withheld, 0), "name"), "k");
    assert_string_equal(field_text(json_array_get(withheld, 0), "reason"), "it is wrong");
    if (host_disturbance_read("", &now) == 0)
        assert_true(field_number(json_object_get(record, "disturbance"), "context_switches") > 0);
}

RUN_TESTS(NULL, NULL)
