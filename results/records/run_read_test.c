/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "results/records/run_testing.h"
#include "unit_test.h"

static const char good_lines[] = "{\"type\":\"cell\",\"round\":1}\n{\"type\":\"cell\",\"round\":2}\n";

static void make_run(struct bench *bench, const char *first, const char *then)
{
    run_close(create(bench, "run"));
    char text[1024];
    snprintf(text, sizeof text, "%s%s", first, then);
    put_file("run/records.jsonl", text);
}

TEST_GIVEN_BY(truncated_last_line_is_left_out, struct bench *bench, set_up, tear_down)
{
    make_run(bench, good_lines, "{\"type\":\"cel");
    struct run_records records = read_run(bench, "run");
    assert_rounds(&records, (int[]){1, 2}, 2);
    assert_true(records.truncated);
    assert_int_equal(records.bad_lines, 0);
    run_records_free(&records);
}

TEST_GIVEN_BY(packed_records_are_read_and_not_added_to, struct bench *bench, set_up, tear_down)
{
    struct run *run;
    make_run(bench, good_lines, "");
    assert_int_equal(system("gzip -n run/records.jsonl"), 0);
    struct run_records records = read_run(bench, "run");
    assert_rounds(&records, (int[]){1, 2}, 2);
    run_records_free(&records);
    assert_int_equal(run_reopen("run", &run, bench->why, sizeof bench->why), -ENOENT);
    assert_string_equal(bench->why,
                        "the records of run are packed; `gunzip run/records.jsonl.gz` before you add to them");
    /* those that lie open come first */
    put_file("run/records.jsonl", "{\"type\":\"cell\",\"round\":3}\n");
    records = read_run(bench, "run");
    assert_rounds(&records, (int[]){3}, 1);
    run_records_free(&records);
    assert_int_equal(remove("run/records.jsonl"), 0);
    assert_int_equal(truncate("run/records.jsonl.gz", 40), 0);
    assert_int_equal(run_read("run", &records, bench->why, sizeof bench->why), -EBADMSG);
    assert_string_equal(
        bench->why,
        "cannot read run/records.jsonl.gz: it is damaged, or not all of it is there, as `gzip -t` says of it");
}

TEST_GIVEN_BY(malformed_line_in_the_middle_is_counted, struct bench *bench, set_up, tear_down)
{
    make_run(bench, good_lines,
             "{\"type\":\"cell\",\"rou\n\n[1]\n{\"name\":\"typeless\"}\n{\"type\":\"cell\",\"round\":3}\n");
    struct run_records records = read_run(bench, "run");
    assert_rounds(&records, (int[]){1, 2, 3}, 3);
    assert_false(records.truncated);
    assert_int_equal(records.bad_lines, 3);
    assert_int_equal(records.first_bad_line, 3);
    assert_string_equal(records.first_bad_reason, "unexpected newline near '\"rou'");
    run_records_free(&records);
}

/* What is there has to be right; what is missing may come from another version. */
TEST_GIVEN_BY(wrong_fields_are_left_out_with_line_field_and_reason, struct bench *bench, set_up, tear_down)
{
    make_run(bench, good_lines,
             "{\"type\":\"cell\",\"round\":3,\"repeats\":1,\"error\":null}\n"
             "{\"type\":\"cell\",\"round\":4,\"repeats\":\"few\"}\n"
             "{\"type\":\"sync\",\"round\":5,\"time_s\":\"felt\"}\n"
             "{\"type\":\"invented\",\"round\":6,\"time_s\":\"soon\"}\n");
    struct run_records records = read_run(bench, "run");
    assert_rounds(&records, (int[]){1, 2, 3, 6}, 4);
    assert_int_equal(records.bad_lines, 2);
    assert_int_equal(records.first_bad_line, 4);
    assert_string_equal(records.first_bad_reason, "repeats is \"few\", but must be integer");
    run_records_free(&records);

    put_file("run/records.jsonl", "{\"type\":\"sync\",\"time_s\":{\"median\":1,\"ci95\":[1,null]}}\n");
    records = read_run(bench, "run");
    assert_int_equal(records.first_bad_line, 1);
    assert_string_equal(records.first_bad_reason, "time_s.ci95[1] is null, but must be number");
    run_records_free(&records);
}

TEST_GIVEN_BY(resume_cuts_the_truncated_line_off_and_keeps_it, struct bench *bench, set_up, tear_down)
{
    make_run(bench, good_lines, "{\"type\":\"cel");
    struct run *run = NULL;
    assert_int_equal(run_reopen("run", &run, bench->why, sizeof bench->why), 0);
    append(run, 3);
    run_close(run);
    struct run_records records = read_run(bench, "run");
    assert_rounds(&records, (int[]){1, 2, 3}, 3);
    assert_false(records.truncated);
    assert_int_equal(records.bad_lines, 0);
    run_records_free(&records);
    assert_string_equal(get_file("run/records.jsonl.truncated"), "{\"type\":\"cel\n");
}

/* Longer than the block in which the last newline is looked for, and without any newline before it. */
TEST_GIVEN_BY(resume_finds_a_long_only_line, struct bench *bench, set_up, tear_down)
{
    run_close(create(bench, "run"));
    char *text = malloc(10001);
    memset(text, 'x', 10000);
    text[10000] = '\0';
    put_file("run/records.jsonl", text);
    free(text);
    struct run *run = NULL;
    assert_int_equal(run_reopen("run", &run, bench->why, sizeof bench->why), 0);
    run_close(run);
    assert_string_equal(get_file("run/records.jsonl"), "");
    assert_int_equal(strlen(get_file("run/records.jsonl.truncated")), 10001);
}

TEST_GIVEN_BY(resume_completes_a_line_that_lacks_its_newline, struct bench *bench, set_up, tear_down)
{
    make_run(bench, good_lines, "{\"type\":\"cell\",\"round\":3}");
    struct run *run = NULL;
    assert_int_equal(run_reopen("run", &run, bench->why, sizeof bench->why), 0);
    append(run, 4);
    run_close(run);
    struct run_records records = read_run(bench, "run");
    assert_rounds(&records, (int[]){1, 2, 3, 4}, 4);
    run_records_free(&records);
    assert_false(exists("run/records.jsonl.truncated"));
}

TEST_GIVEN_BY(second_writer_is_refused, struct bench *bench, set_up, tear_down)
{
    struct run *run = create(bench, "run");
    struct run *second = NULL;
    assert_int_equal(run_reopen("run", &second, bench->why, sizeof bench->why), -EBUSY);
    assert_mentions(bench, "another process");
    run_close(run);
    assert_int_equal(run_reopen("run", &second, bench->why, sizeof bench->why), 0);
    run_close(second);
}

TEST_GIVEN_BY(what_cannot_be_resumed_is_refused, struct bench *bench, set_up, tear_down)
{
    struct run *run = NULL;
    assert_int_equal(run_reopen("absent", &run, bench->why, sizeof bench->why), -ENOENT);
    assert_mentions(bench, "absent");
    make_run(bench, good_lines, "");
    assert_int_equal(run_reopen("run/records.jsonl", &run, bench->why, sizeof bench->why), -EINVAL);
    assert_mentions(bench, "name the folder");
    assert_null(run);
}

TEST_GIVEN_BY(foreign_files_are_refused, struct bench *bench, set_up, tear_down)
{
    assert_int_equal(read_error(bench, "absent"), -ENOENT);
    assert_mentions(bench, "absent");

    put_file("notes.txt", "shopping list\nmilk\n");
    assert_int_equal(read_error(bench, "notes.txt"), -EINVAL);
    assert_mentions(bench, "notes.txt line 1");
    put_file("one-line.txt", "shopping list");
    assert_int_equal(read_error(bench, "one-line.txt"), -EINVAL);
    put_file("other.jsonl", "{\"event\":\"start\"}\n{\"type\":\"cell\"}\n");
    assert_int_equal(read_error(bench, "other.jsonl"), -EINVAL);
    put_file("empty.jsonl", "");
    assert_int_equal(read_error(bench, "empty.jsonl"), -EINVAL);
    assert_mentions(bench, "empty.jsonl");
    assert_int_equal(read_error(bench, "/dev/null"), -EINVAL);

    mkdir("folder", 0777);
    assert_int_equal(read_error(bench, "folder"), -ENOENT);
    assert_mentions(bench, "no meta.json");
    put_file("folder/meta.json", "{\"name\":\"someone else\"}\n");
    assert_int_equal(read_error(bench, "folder"), -EINVAL);
    assert_mentions(bench, "kneepoint");
    put_file("folder/meta.json", "{\n\"kneepoint\":\n");
    assert_int_equal(read_error(bench, "folder"), -EINVAL);
    assert_mentions(bench, "folder/meta.json line ");
    put_file("folder/meta.json", "");
    assert_int_equal(read_error(bench, "folder"), -EINVAL);
    for (int schema = RECORD_SCHEMA - 1; schema <= RECORD_SCHEMA + 1; schema += 2) {
        char text[64];
        snprintf(text, sizeof text, "{\"kneepoint\":\"0.1.0\",\"schema\":%d}", schema);
        put_file("folder/meta.json", text);
        assert_int_equal(read_error(bench, "folder"), -EINVAL);
        assert_mentions(bench, "but this version reads 2: measure again");
    }
    put_file("old.jsonl", "{\"type\":\"sync\"}\n{\"type\":\"sample\",\"name\":\"x\",\"time_s\":1e-6}\n");
    assert_int_equal(read_error(bench, "old.jsonl"), -EINVAL);
    assert_mentions(bench, "old.jsonl: its records have schema 1, but this version reads 2");
    put_file("folder/meta.json", "{\"kneepoint\":\"0.1.0\"}");
    assert_int_equal(read_error(bench, "folder"), -ENOENT);
    assert_mentions(bench, "folder/records.jsonl");
}

TEST_GIVEN_BY(newest_run_is_found_by_its_timestamp, struct bench *bench, set_up, tear_down)
{
    char path[256];
    assert_int_equal(run_find_newest("results", path, sizeof path), -ENOENT);
    run_close(create(bench, "results/runs/zeta/20261119T000000Z"));
    run_close(create(bench, "results/runs/alpha/20261120T230000Z"));
    run_close(create(bench, "results/runs/alpha/20261120T225959Z"));
    run_close(create(bench, "results/runs/alpha/my-run"));
    mkdir("results/runs/alpha/20270101T000000Z", 0777);
    put_file("results/notes", "");
    put_file("results/runs/notes", "");
    assert_int_equal(run_find_newest("results", path, sizeof path), 0);
    assert_string_equal(path, "results/runs/alpha/20261120T230000Z");
    assert_int_equal(run_find_newest("results/runs", path, sizeof path), 0);
    assert_string_equal(path, "results/runs/alpha/20261120T230000Z");
    assert_int_equal(run_find_newest("results/runs/zeta", path, sizeof path), 0);
    assert_string_equal(path, "results/runs/zeta/20261119T000000Z");
    put_file("results/runs/alpha/20261120T225959Z/platform.json", "{}");
    assert_int_equal(run_find_newest_with("results", "platform.json", path, sizeof path), 0);
    assert_string_equal(path, "results/runs/alpha/20261120T225959Z");
    assert_int_equal(run_find_newest_with("results", "absent.json", path, sizeof path), -ENOENT);
    char small[10];
    assert_int_equal(run_find_newest("results", small, sizeof small), -ENAMETOOLONG);
}

/** A run of a machine that something emulates. */
static void create_emulated(struct bench *bench, const char *path)
{
    json_t *meta = json_pack("{s:s,s:{s:s}}", "kneepoint", "0.1.0", "cpu", "emulated", "QEMU TCG");
    struct run *run = NULL;
    assert_int_equal(run_create(path, meta, &run, bench->why, sizeof bench->why), 0);
    run_close(run);
    json_decref(meta);
}

TEST_GIVEN_BY(an_emulated_run_is_never_the_newest, struct bench *bench, set_up, tear_down)
{
    char path[256];
    create_emulated(bench, "results/runs/alpha/20261121T000000Z");
    assert_int_equal(run_find_newest("results", path, sizeof path), -EXDEV);
    assert_int_equal(run_find_newest_with("results", "platform.json", path, sizeof path), -ENOENT);
    run_close(create(bench, "results/runs/alpha/20261120T000000Z"));
    assert_int_equal(run_find_newest("results", path, sizeof path), 0);
    assert_string_equal(path, "results/runs/alpha/20261120T000000Z");
    put_file("results/runs/alpha/20261121T000000Z/meta.json", "{\"kneepoint\":"); /* damage is found, and said */
    assert_int_equal(run_find_newest("results", path, sizeof path), 0);
    assert_string_equal(path, "results/runs/alpha/20261121T000000Z");
}

TEST_GIVEN_BY(an_emulated_run_says_so, struct bench *bench, set_up, tear_down)
{
    create_emulated(bench, "emulated");
    struct run_records run = read_run(bench, "emulated");
    assert_string_equal(run_emulator(&run), "QEMU TCG");
    assert_int_equal(run_needs_machine("emulated", &run, bench->why, sizeof bench->why), -EXDEV);
    assert_mentions(bench, "emulated is of a machine that QEMU TCG emulates");
    run_records_free(&run);

    run_close(create(bench, "real"));
    run = read_run(bench, "real");
    assert_string_equal(run_emulator(&run), "");
    assert_int_equal(run_needs_machine("real", &run, bench->why, sizeof bench->why), 0);
    run_records_free(&run);

    put_file("bare.jsonl",
             "{\"type\":\"gamma\",\"name\":\"x\"}\n{\"type\":\"gamma\",\"name\":\"y\",\"emulated\":\"gem5\"}\n"
             "{\"type\":\"gamma\",\"name\":\"z\",\"emulated\":true}\n");
    run = read_run(bench, "bare.jsonl");
    assert_string_equal(run_emulator(&run), "gem5");
    assert_int_equal(run.bad_lines, 1);
    assert_non_null(strstr(run.first_bad_reason, "emulated"));
    run_records_free(&run);

    put_file("emulated/meta.json", "{\"kneepoint\":\"0.1.0\",\"cpu\":{\"emulated\":true}}");
    assert_int_equal(read_error(bench, "emulated"), -EINVAL);
    assert_mentions(bench, "emulated/meta.json: \"emulated\" of \"cpu\" is not the name of an emulator");
}

TEST_GIVEN_BY(a_run_at_its_former_place_is_found, struct bench *bench, set_up, tear_down)
{
    char path[256];
    run_close(create(bench, "results/alpha/20261120T230000Z"));
    assert_int_equal(run_find_newest("results", path, sizeof path), 0);
    assert_string_equal(path, "results/alpha/20261120T230000Z");
    run_close(create(bench, "results/runs/alpha/20261119T000000Z"));
    assert_int_equal(run_find_newest("results", path, sizeof path), 0);
    assert_string_equal(path, "results/alpha/20261120T230000Z");
    run_close(create(bench, "results/runs/alpha/20261121T000000Z"));
    assert_int_equal(run_find_newest("results", path, sizeof path), 0);
    assert_string_equal(path, "results/runs/alpha/20261121T000000Z");
}

TEST_WITH(runs_lie_by_platform, set_up, tear_down)
{
    char path[32];
    assert_int_equal(run_folder("here", "some-cpu", path, sizeof path), 0);
    assert_string_equal(path, "here/runs/some-cpu");
    assert_int_equal(run_folder("here", "some-cpu", path, sizeof "here/runs/some-cp"), -ENAMETOOLONG);
}

RUN_TESTS(NULL, NULL)
