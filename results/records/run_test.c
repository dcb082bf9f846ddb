/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "results/files/file_replace.h"
#include "results/records/run_testing.h"
#include "unit_test.h"

TEST_GIVEN_BY(created_run_is_read_back, struct bench *bench, set_up, tear_down)
{
    struct run *run = create(bench, "results/host/20261120T230000Z");
    assert_string_equal(run_path(run), "results/host/20261120T230000Z");
    append(run, 1);
    append(run, 2);
    run_close(run);

    struct run_records records = read_run(bench, "results/host/20261120T230000Z");
    assert_rounds(&records, (int[]){1, 2}, 2);
    assert_true(json_real_value(json_object_get(json_array_get(records.records, 0), "value")) == 0.1);
    assert_true(json_real_value(json_object_get(records.meta, "load")) == 0.1);
    assert_string_equal(json_string_value(json_object_get(records.meta, "kneepoint")), "0.1.0");
    assert_false(records.truncated);
    assert_int_equal(records.bad_lines, 0);
    assert_int_equal(records.first_bad_line, 0);
    run_records_free(&records);
    assert_int_equal(count_entries("results/host/20261120T230000Z"), 2);
}

TEST_GIVEN_BY(bare_records_have_an_empty_meta, struct bench *bench, set_up, tear_down)
{
    struct run *run = create(bench, "run");
    append(run, 7);
    run_close(run);
    struct run_records records = read_run(bench, "run/records.jsonl");
    assert_rounds(&records, (int[]){7}, 1);
    assert_true(json_is_object(records.meta));
    assert_int_equal(json_object_size(records.meta), 0);
    run_records_free(&records);
}

TEST_GIVEN_BY(run_without_records_is_a_run, struct bench *bench, set_up, tear_down)
{
    run_close(create(bench, "run/"));
    struct run_records records = read_run(bench, "run");
    assert_int_equal(json_array_size(records.records), 0);
    assert_false(records.truncated);
    run_records_free(&records);
}

TEST_GIVEN_BY(existing_run_is_refused_and_kept, struct bench *bench, set_up, tear_down)
{
    struct run *run = create(bench, "run");
    append(run, 1);
    run_close(run);
    assert_int_equal(create_error(bench, "run"), -EEXIST);
    assert_mentions(bench, "run");
    struct run_records records = read_run(bench, "run");
    assert_rounds(&records, (int[]){1}, 1);
    run_records_free(&records);

    assert_int_equal(unlink("run/meta.json"), 0);
    assert_int_equal(create_error(bench, "run"), -EEXIST);
    assert_true(exists("run/records.jsonl"));
}

TEST_GIVEN_BY(leftovers_of_a_killed_writer_do_not_matter, struct bench *bench, set_up, tear_down)
{
    mkdir("run", 0777);
    put_file("run/.meta.json.4242.tmp", "{\"kneepo");
    struct run *run = create(bench, "run");
    append(run, 1);
    run_close(run);
    struct run_records records = read_run(bench, "run");
    assert_rounds(&records, (int[]){1}, 1);
    run_records_free(&records);
}

TEST_GIVEN_BY(meta_without_version_is_refused, struct bench *bench, set_up, tear_down)
{
    json_t *meta = json_object();
    struct run *run = NULL;
    assert_int_equal(run_create("run", meta, &run, bench->why, sizeof bench->why), -EINVAL);
    assert_false(exists("run"));
    json_decref(meta);
}

TEST_GIVEN_BY(place_below_a_file_is_refused_with_nothing_made, struct bench *bench, set_up, tear_down)
{
    put_file("notes", "mine");
    assert_int_equal(create_error(bench, "notes/results/run"), -ENOTDIR);
    assert_mentions(bench, "notes is not a folder");
    assert_string_equal(get_file("notes"), "mine");
    assert_int_equal(create_error(bench, "notes"), -ENOTDIR);
    assert_int_equal(symlink("nowhere", "link"), 0);
    assert_int_equal(create_error(bench, "link/run"), -ENOTDIR);
    assert_false(exists("nowhere"));
    assert_int_equal(create_error(bench, ""), -EINVAL);
    assert_int_equal(count_entries("."), 2);
}

/* Even root makes no folder in /proc. */
TEST_GIVEN_BY(read_only_place_is_refused, struct bench *bench, set_up, tear_down)
{
    int error = create_error(bench, "/proc/kneepoint/run");
    assert_true(error == -ENOENT || error == -EACCES || error == -EPERM || error == -EROFS);
    assert_mentions(bench, "/proc");
    assert_mentions(bench, "choose another place");
}

TEST_GIVEN_BY(unprivileged_user_is_refused_before_anything_is_made, struct bench *bench, set_up, tear_down)
{
    mkdir("locked", 0777);
    assert_int_equal(chmod("locked", 0555), 0);
    assert_int_equal(chmod(".", 0777), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (geteuid() == 0 && setresuid(65534, 65534, 65534) != 0)
            _exit(99);
        char why[256];
        json_t *meta = json_pack("{s:s}", "kneepoint", "0.1.0");
        struct run *run;
        int error = run_create("locked/a/b", meta, &run, why, sizeof why);
        _exit(error == -EACCES && strstr(why, "locked") ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_false(exists("locked/a"));
    (void)bench;
}

/* A component that is too long fails only in mkdir, after its parents were made. */
TEST_GIVEN_BY(half_made_folders_are_taken_back, struct bench *bench, set_up, tear_down)
{
    char path[400] = "kept/made/also/";
    mkdir("kept", 0777);
    memset(path + strlen(path), 'x', 300);
    assert_int_equal(create_error(bench, path), -ENAMETOOLONG);
    assert_true(exists("kept"));
    assert_false(exists("kept/made"));
}

TEST_GIVEN_BY(failing_meta_leaves_nothing, struct bench *bench, set_up, tear_down)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){4, 4});
        _exit(create_error(bench, "new/run") == -EFBIG ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_false(exists("new"));
}

/* The limit lets half of the second line through. */
TEST_GIVEN_BY(half_written_line_is_taken_back, struct bench *bench, set_up, tear_down)
{
    struct run *run = create(bench, "run");
    append(run, 1);
    struct stat before;
    assert_int_equal(stat("run/records.jsonl", &before), 0);
    struct rlimit usual;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &usual), 0);
    json_t *record = json_pack("{s:s,s:s}", "type", "cell", "name", "long enough to be cut");
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){(rlim_t)before.st_size + 10, usual.rlim_max});
    int error = run_append(run, record);
    setrlimit(RLIMIT_FSIZE, &usual);
    signal(SIGXFSZ, handler);
    json_decref(record);
    assert_int_equal(error, -EFBIG);
    struct stat after;
    assert_int_equal(stat("run/records.jsonl", &after), 0);
    assert_int_equal(after.st_size, before.st_size);
    append(run, 2);
    run_close(run);
    struct run_records records = read_run(bench, "run");
    assert_rounds(&records, (int[]){1, 2}, 2);
    run_records_free(&records);
}

TEST_GIVEN_BY(a_fork_cannot_write_into_the_run, struct bench *bench, set_up, tear_down)
{
    struct run *run = create(bench, "run");
    append(run, 1);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        for (int descriptor = 3; descriptor < 64; descriptor++) {
            if (write(descriptor, "scribbled", 9) < 0)
                continue;
        }
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    append(run, 2);
    run_close(run);
    struct run_records records = read_run(bench, "run");
    assert_rounds(&records, (int[]){1, 2}, 2);
    assert_int_equal(records.bad_lines, 0);
    run_records_free(&records);
}

TEST_GIVEN_BY(what_is_no_record_is_not_appended, struct bench *bench, set_up, tear_down)
{
    struct run *run = create(bench, "run");
    json_t *value = json_pack("{s:s}", "name", "typeless");
    assert_int_equal(run_append(run, value), -EINVAL);
    json_decref(value);
    run_close(run);
    assert_string_equal(get_file("run/records.jsonl"), "");
}
/* Two machines that share a folder, in the same second and with the same process number. */
TEST_GIVEN_BY(a_name_that_is_taken_gets_a_number, struct bench *bench, set_up, tear_down)
{
    json_t *meta = json_pack("{s:s}", "kneepoint", "0.1.0");
    static const char *const path[] = {"shared/run", "shared/run-2", "shared/run-3"};
    for (size_t i = 0; i < 3; i++) {
        struct run *run = NULL;
        assert_int_equal(run_create_unique("shared", "run", meta, &run, bench->why, sizeof bench->why), 0);
        assert_string_equal(run_path(run), path[i]);
        append(run, (int)i);
        run_close(run);
    }
    struct run_records records = read_run(bench, "shared/run");
    assert_rounds(&records, (const int[]){0}, 1);
    run_records_free(&records);

    put_file("file", "");
    struct run *run = NULL;
    assert_int_equal(run_create_unique("file", "run", meta, &run, bench->why, sizeof bench->why), -ENOTDIR);
    assert_mentions(bench, "file");
    json_decref(meta);
}

TEST_GIVEN_BY(creators_at_the_same_time_get_a_run_each, struct bench *bench, set_up, tear_down)
{
    enum { CREATORS = 8 };
    json_t *meta = json_pack("{s:s}", "kneepoint", "0.1.0");
    int start[2];
    assert_int_equal(pipe(start), 0);
    for (int i = 0; i < CREATORS; i++) {
        if (fork() == 0) {
            struct run *run = NULL;
            close(start[1]);
            if (read(start[0], &(char){0}, 1) != 0) /* until all are there, and the parent closes its end */
                _exit(2);
            int error = run_create_unique("shared", "run", meta, &run, bench->why, sizeof bench->why);
            json_t *record = json_pack("{s:s,s:s,s:i}", "type", "cell", "name", "cell", "round", i);
            _exit(error || run_append(run, record) ? 1 : 0);
        }
    }
    close(start[0]);
    close(start[1]);
    for (int i = 0, status; i < CREATORS; i++) {
        assert_true(wait(&status) > 0);
        assert_int_equal(status, 0);
    }
    json_decref(meta);
    assert_int_equal(count_entries("shared"), CREATORS);
    int seen = 0;
    for (int i = 1; i <= CREATORS; i++) {
        char path[32];
        snprintf(path, sizeof path, i == 1 ? "shared/run" : "shared/run-%d", i);
        struct run_records records = read_run(bench, path);
        assert_int_equal(json_array_size(records.records), 1);
        seen |= 1 << json_integer_value(json_object_get(json_array_get(records.records, 0), "round"));
        run_records_free(&records);
    }
    assert_int_equal(seen, (1 << CREATORS) - 1);
}

TEST_GIVEN_BY(a_run_that_was_removed_or_replaced_is_not_written, struct bench *bench, set_up, tear_down)
{
    struct run *run = create(bench, "run");
    append(run, 1);
    assert_int_equal(run_commit(run, bench->why, sizeof bench->why), 0);
    assert_int_equal(rename("run", "moved"), 0);
    append(run, 2); /* goes where the folder went */
    assert_int_equal(run_commit(run, bench->why, sizeof bench->why), -ENOENT);
    assert_mentions(bench, "the run run was removed or replaced while it was measured");
    struct run *other = create(bench, "run");
    assert_int_equal(run_commit(run, bench->why, sizeof bench->why), -ENOENT);
    assert_int_equal(run_commit(other, bench->why, sizeof bench->why), 0);
    run_close(other);
    run_close(run);
}

TEST_GIVEN_BY(replacing_a_file_is_all_or_nothing, struct bench *bench, set_up, tear_down)
{
    assert_int_equal(file_replace("page", "first", 5, bench->why, sizeof bench->why), 0);
    assert_int_equal(file_replace("page", "second", 6, bench->why, sizeof bench->why), 0);
    assert_string_equal(get_file("page"), "second");
    assert_int_equal(file_replace("page", "", 0, bench->why, sizeof bench->why), 0);
    assert_string_equal(get_file("page"), "");
    assert_int_equal(count_entries("."), 1);

    mkdir("folder", 0777);
    put_file("folder/kept", "kept");
    assert_true(file_replace("folder", "x", 1, bench->why, sizeof bench->why) < 0);
    assert_mentions(bench, "folder");
    assert_string_equal(get_file("folder/kept"), "kept");
    assert_int_equal(file_replace("absent/page", "x", 1, bench->why, sizeof bench->why), -ENOENT);
    assert_mentions(bench, "absent/page");
    assert_int_equal(file_replace("page/below", "x", 1, bench->why, sizeof bench->why), -ENOTDIR);
    assert_int_equal(count_entries("."), 2);
}

RUN_TESTS(NULL, NULL)
