/* SPDX-License-Identifier: BSD-3-Clause */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "results/run.h"

/* Every test works in a folder of its own, made and removed around it, and names paths relative to it. */
struct bench {
    char folder[64];
    int home; /* descriptor of the working directory to return to */
    char why[512];
};

static int set_up(void **state)
{
    struct bench *bench = calloc(1, sizeof *bench);
    strcpy(bench->folder, "/tmp/kneepoint-run-test.XXXXXX");
    bench->home = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    *state = bench;
    return bench->home < 0 || !mkdtemp(bench->folder) || chdir(bench->folder) != 0;
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    (void)status, (void)type, (void)walk;
    return remove(path);
}

static int tear_down(void **state)
{
    struct bench *bench = *state;
    int error = fchdir(bench->home) != 0 || nftw(bench->folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS) != 0;
    close(bench->home);
    free(bench);
    return error;
}

static bool exists(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0;
}

static void put_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static char *get_file(const char *path)
{
    static char text[65536];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static size_t count_entries(const char *folder)
{
    DIR *entries = opendir(folder);
    assert_non_null(entries);
    size_t count = 0;
    for (const struct dirent *entry; (entry = readdir(entries));)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(entries);
    return count;
}

static struct run *create(struct bench *bench, const char *path)
{
    json_t *meta = json_pack("{s:s,s:i,s:f}", "kneepoint", "0.1.0", "schema", 1, "load", 0.1);
    struct run *run = NULL;
    int error = run_create(path, meta, &run, bench->why, sizeof bench->why);
    json_decref(meta);
    if (error != 0)
        fail_msg("%s", bench->why);
    return run;
}

static int create_error(struct bench *bench, const char *path)
{
    json_t *meta = json_pack("{s:s}", "kneepoint", "0.1.0");
    struct run *run = NULL;
    bench->why[0] = '\0';
    int error = run_create(path, meta, &run, bench->why, sizeof bench->why);
    json_decref(meta);
    run_close(run);
    return error;
}

static void append(struct run *run, int number)
{
    json_t *record = json_pack("{s:s,s:s,s:i,s:f}", "type", "sample", "name", "cell", "round", number, "value", 0.1);
    assert_int_equal(run_append(run, record), 0);
    json_decref(record);
}

static struct run_records read_run(struct bench *bench, const char *path)
{
    struct run_records records;
    if (run_read(path, &records, bench->why, sizeof bench->why) != 0)
        fail_msg("%s", bench->why);
    return records;
}

static int read_error(struct bench *bench, const char *path)
{
    struct run_records records;
    bench->why[0] = '\0';
    int error = run_read(path, &records, bench->why, sizeof bench->why);
    if (error == 0)
        run_records_free(&records);
    else
        assert_true(records.meta == NULL && records.records == NULL);
    return error;
}

static void assert_rounds(const struct run_records *records, const int *rounds, size_t count)
{
    assert_int_equal(json_array_size(records->records), count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(json_integer_value(json_object_get(json_array_get(records->records, i), "round")), rounds[i]);
}

static void assert_mentions(const struct bench *bench, const char *text)
{
    if (!strstr(bench->why, text))
        fail_msg("'%s' does not mention '%s'", bench->why, text);
    assert_null(strchr(bench->why, '\n'));
}

static void created_run_is_read_back(void **state)
{
    struct bench *bench = *state;
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

static void bare_records_have_an_empty_meta(void **state)
{
    struct bench *bench = *state;
    struct run *run = create(bench, "run");
    append(run, 7);
    run_close(run);
    struct run_records records = read_run(bench, "run/records.jsonl");
    assert_rounds(&records, (int[]){7}, 1);
    assert_true(json_is_object(records.meta));
    assert_int_equal(json_object_size(records.meta), 0);
    run_records_free(&records);
}

static void run_without_records_is_a_run(void **state)
{
    struct bench *bench = *state;
    run_close(create(bench, "run/"));
    struct run_records records = read_run(bench, "run");
    assert_int_equal(json_array_size(records.records), 0);
    assert_false(records.truncated);
    run_records_free(&records);
}

static void existing_run_is_refused_and_kept(void **state)
{
    struct bench *bench = *state;
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

static void leftovers_of_a_killed_writer_do_not_matter(void **state)
{
    struct bench *bench = *state;
    mkdir("run", 0777);
    put_file("run/.meta.json.4242.tmp", "{\"kneepo");
    struct run *run = create(bench, "run");
    append(run, 1);
    run_close(run);
    struct run_records records = read_run(bench, "run");
    assert_rounds(&records, (int[]){1}, 1);
    run_records_free(&records);
}

static void meta_without_version_is_refused(void **state)
{
    struct bench *bench = *state;
    json_t *meta = json_object();
    struct run *run = NULL;
    assert_int_equal(run_create("run", meta, &run, bench->why, sizeof bench->why), -EINVAL);
    assert_false(exists("run"));
    json_decref(meta);
}

static void place_below_a_file_is_refused_with_nothing_made(void **state)
{
    struct bench *bench = *state;
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
static void read_only_place_is_refused(void **state)
{
    struct bench *bench = *state;
    int error = create_error(bench, "/proc/kneepoint/run");
    assert_true(error == -ENOENT || error == -EACCES || error == -EPERM || error == -EROFS);
    assert_mentions(bench, "/proc");
    assert_mentions(bench, "choose another place");
}

static void unprivileged_user_is_refused_before_anything_is_made(void **state)
{
    struct bench *bench = *state;
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
static void half_made_folders_are_taken_back(void **state)
{
    struct bench *bench = *state;
    char path[400] = "kept/made/also/";
    mkdir("kept", 0777);
    memset(path + strlen(path), 'x', 300);
    assert_int_equal(create_error(bench, path), -ENAMETOOLONG);
    assert_true(exists("kept"));
    assert_false(exists("kept/made"));
}

static void failing_meta_leaves_nothing(void **state)
{
    struct bench *bench = *state;
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
static void half_written_line_is_taken_back(void **state)
{
    struct bench *bench = *state;
    struct run *run = create(bench, "run");
    append(run, 1);
    struct stat before;
    assert_int_equal(stat("run/records.jsonl", &before), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGXFSZ, SIG_IGN);
        rlim_t limit = (rlim_t)before.st_size + 10;
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){limit, limit});
        json_t *record = json_pack("{s:s,s:s}", "type", "sample", "name", "long enough to be cut");
        _exit(run_append(run, record) < 0 ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    struct stat after;
    assert_int_equal(stat("run/records.jsonl", &after), 0);
    assert_int_equal(after.st_size, before.st_size);
    append(run, 2);
    run_close(run);
    struct run_records records = read_run(bench, "run");
    assert_rounds(&records, (int[]){1, 2}, 2);
    run_records_free(&records);
}

static void what_is_no_record_is_not_appended(void **state)
{
    struct bench *bench = *state;
    struct run *run = create(bench, "run");
    json_t *value = json_pack("{s:s}", "name", "typeless");
    assert_int_equal(run_append(run, value), -EINVAL);
    json_decref(value);
    run_close(run);
    assert_string_equal(get_file("run/records.jsonl"), "");
}

static const char good_lines[] = "{\"type\":\"sample\",\"round\":1}\n{\"type\":\"sample\",\"round\":2}\n";

static void make_run(struct bench *bench, const char *first, const char *then)
{
    run_close(create(bench, "run"));
    char text[1024];
    snprintf(text, sizeof text, "%s%s", first, then);
    put_file("run/records.jsonl", text);
}

static void truncated_last_line_is_left_out(void **state)
{
    struct bench *bench = *state;
    make_run(bench, good_lines, "{\"type\":\"samp");
    struct run_records records = read_run(bench, "run");
    assert_rounds(&records, (int[]){1, 2}, 2);
    assert_true(records.truncated);
    assert_int_equal(records.bad_lines, 0);
    run_records_free(&records);
}

static void malformed_line_in_the_middle_is_counted(void **state)
{
    struct bench *bench = *state;
    make_run(bench, good_lines,
             "{\"type\":\"sample\",\"rou\n\n[1]\n{\"name\":\"typeless\"}\n{\"type\":\"sample\",\"round\":3}\n");
    struct run_records records = read_run(bench, "run");
    assert_rounds(&records, (int[]){1, 2, 3}, 3);
    assert_false(records.truncated);
    assert_int_equal(records.bad_lines, 3);
    assert_int_equal(records.first_bad_line, 3);
    assert_string_equal(records.first_bad_reason, "unexpected newline near '\"rou'");
    run_records_free(&records);
}

/* What is there has to be right; what is missing may come from another version. */
static void wrong_fields_are_left_out_with_line_field_and_reason(void **state)
{
    struct bench *bench = *state;
    make_run(bench, good_lines,
             "{\"type\":\"sample\",\"round\":3,\"time_s\":1e-6,\"rejected\":null}\n"
             "{\"type\":\"sample\",\"round\":4,\"time_s\":\"soon\"}\n"
             "{\"type\":\"sample\",\"round\":5,\"grade\":\"felt\"}\n"
             "{\"type\":\"invented\",\"round\":6,\"time_s\":\"soon\"}\n");
    struct run_records records = read_run(bench, "run");
    assert_rounds(&records, (int[]){1, 2, 3, 6}, 4);
    assert_int_equal(records.bad_lines, 2);
    assert_int_equal(records.first_bad_line, 4);
    assert_string_equal(records.first_bad_reason, "time_s is \"soon\", but must be number");
    run_records_free(&records);

    put_file("run/records.jsonl", "{\"type\":\"sync\",\"time_s\":{\"median\":1,\"ci95\":[1,null]}}\n");
    records = read_run(bench, "run");
    assert_int_equal(records.first_bad_line, 1);
    assert_string_equal(records.first_bad_reason, "time_s.ci95[1] is null, but must be number");
    run_records_free(&records);
}

static void resume_cuts_the_truncated_line_off_and_keeps_it(void **state)
{
    struct bench *bench = *state;
    make_run(bench, good_lines, "{\"type\":\"samp");
    struct run *run = NULL;
    assert_int_equal(run_reopen("run", &run, bench->why, sizeof bench->why), 0);
    append(run, 3);
    run_close(run);
    struct run_records records = read_run(bench, "run");
    assert_rounds(&records, (int[]){1, 2, 3}, 3);
    assert_false(records.truncated);
    assert_int_equal(records.bad_lines, 0);
    run_records_free(&records);
    assert_string_equal(get_file("run/records.jsonl.truncated"), "{\"type\":\"samp\n");
}

/* Longer than the block in which the last newline is looked for, and without any newline before it. */
static void resume_finds_a_long_only_line(void **state)
{
    struct bench *bench = *state;
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

static void resume_completes_a_line_that_lacks_its_newline(void **state)
{
    struct bench *bench = *state;
    make_run(bench, good_lines, "{\"type\":\"sample\",\"round\":3}");
    struct run *run = NULL;
    assert_int_equal(run_reopen("run", &run, bench->why, sizeof bench->why), 0);
    append(run, 4);
    run_close(run);
    struct run_records records = read_run(bench, "run");
    assert_rounds(&records, (int[]){1, 2, 3, 4}, 4);
    run_records_free(&records);
    assert_false(exists("run/records.jsonl.truncated"));
}

static void second_writer_is_refused(void **state)
{
    struct bench *bench = *state;
    struct run *run = create(bench, "run");
    struct run *second = NULL;
    assert_int_equal(run_reopen("run", &second, bench->why, sizeof bench->why), -EBUSY);
    assert_mentions(bench, "another process");
    run_close(run);
    assert_int_equal(run_reopen("run", &second, bench->why, sizeof bench->why), 0);
    run_close(second);
}

static void what_cannot_be_resumed_is_refused(void **state)
{
    struct bench *bench = *state;
    struct run *run = NULL;
    assert_int_equal(run_reopen("absent", &run, bench->why, sizeof bench->why), -ENOENT);
    assert_mentions(bench, "absent");
    make_run(bench, good_lines, "");
    assert_int_equal(run_reopen("run/records.jsonl", &run, bench->why, sizeof bench->why), -EINVAL);
    assert_mentions(bench, "name the folder");
    assert_null(run);
}

static void foreign_files_are_refused(void **state)
{
    struct bench *bench = *state;
    assert_int_equal(read_error(bench, "absent"), -ENOENT);
    assert_mentions(bench, "absent");

    put_file("notes.txt", "shopping list\nmilk\n");
    assert_int_equal(read_error(bench, "notes.txt"), -EINVAL);
    assert_mentions(bench, "notes.txt line 1");
    put_file("one-line.txt", "shopping list");
    assert_int_equal(read_error(bench, "one-line.txt"), -EINVAL);
    put_file("other.jsonl", "{\"event\":\"start\"}\n{\"type\":\"sample\"}\n");
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
    put_file("folder/meta.json", "{\"kneepoint\":\"0.1.0\"}");
    assert_int_equal(read_error(bench, "folder"), -ENOENT);
    assert_mentions(bench, "folder/records.jsonl");
}

static void newest_run_is_found_by_its_timestamp(void **state)
{
    struct bench *bench = *state;
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
    char small[10];
    assert_int_equal(run_find_newest("results", small, sizeof small), -ENAMETOOLONG);
}

static void a_run_at_the_place_of_before_is_found(void **state)
{
    struct bench *bench = *state;
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

static void runs_lie_by_platform(void **state)
{
    (void)state;
    char path[32];
    assert_int_equal(run_folder("here", "some-cpu", path, sizeof path), 0);
    assert_string_equal(path, "here/runs/some-cpu");
    assert_int_equal(run_folder("here", "some-cpu", path, sizeof "here/runs/some-cp"), -ENAMETOOLONG);
}

static void replacing_a_file_is_all_or_nothing(void **state)
{
    struct bench *bench = *state;
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

/* Two machines that share a folder, in the same second and with the same process number. */
static void a_name_that_is_taken_gets_a_number(void **state)
{
    struct bench *bench = *state;
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

static void creators_at_the_same_time_get_a_run_each(void **state)
{
    struct bench *bench = *state;
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
            json_t *record = json_pack("{s:s,s:s,s:i}", "type", "sample", "name", "cell", "round", i);
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

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(created_run_is_read_back),
        TEST(bare_records_have_an_empty_meta),
        TEST(run_without_records_is_a_run),
        TEST(existing_run_is_refused_and_kept),
        TEST(a_name_that_is_taken_gets_a_number),
        TEST(creators_at_the_same_time_get_a_run_each),
        TEST(leftovers_of_a_killed_writer_do_not_matter),
        TEST(meta_without_version_is_refused),
        TEST(place_below_a_file_is_refused_with_nothing_made),
        TEST(read_only_place_is_refused),
        TEST(unprivileged_user_is_refused_before_anything_is_made),
        TEST(half_made_folders_are_taken_back),
        TEST(failing_meta_leaves_nothing),
        TEST(half_written_line_is_taken_back),
        TEST(what_is_no_record_is_not_appended),
        TEST(truncated_last_line_is_left_out),
        TEST(malformed_line_in_the_middle_is_counted),
        TEST(wrong_fields_are_left_out_with_line_field_and_reason),
        TEST(resume_cuts_the_truncated_line_off_and_keeps_it),
        TEST(resume_finds_a_long_only_line),
        TEST(resume_completes_a_line_that_lacks_its_newline),
        TEST(second_writer_is_refused),
        TEST(what_cannot_be_resumed_is_refused),
        TEST(foreign_files_are_refused),
        TEST(newest_run_is_found_by_its_timestamp),
        TEST(a_run_at_the_place_of_before_is_found),
        TEST(runs_lie_by_platform),
        TEST(replacing_a_file_is_all_or_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
