/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* For tests only: runs in a folder of the test's own. Include cmocka.h before it. */

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "results/records/run.h"
#include "unit_test.h"

/* Every test works in a folder of its own, made and removed around it, and names paths relative to it. */
struct bench {
    char folder[64];
    int home; /* descriptor of the working directory to return to */
    char why[512];
};

static inline int set_up(void **state)
{
    struct bench *bench = calloc(1, sizeof *bench);
    strcpy(bench->folder, "/tmp/kneepoint-run-test.XXXXXX");
    bench->home = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    *state = bench;
    return bench->home < 0 || !mkdtemp(bench->folder) || chdir(bench->folder) != 0;
}

static inline int remove_entry(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    (void)status, (void)type, (void)walk;
    return remove(path);
}

static inline int tear_down(void **state)
{
    struct bench *bench = *state;
    int error = fchdir(bench->home) != 0 || nftw(bench->folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS) != 0;
    close(bench->home);
    free(bench);
    return error;
}

static inline bool exists(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0;
}

static inline void put_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static inline char *get_file(const char *path)
{
    static char text[65536];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static inline size_t count_entries(const char *folder)
{
    DIR *entries = opendir(folder);
    assert_non_null(entries);
    size_t count = 0;
    for (const struct dirent *entry; (entry = readdir(entries));)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(entries);
    return count;
}

static inline struct run *create(struct bench *bench, const char *path)
{
    json_t *meta = json_pack("{s:s,s:i,s:f}", "kneepoint", "0.1.0", "schema", RECORD_SCHEMA, "load", 0.1);
    struct run *run = NULL;
    int error = run_create(path, meta, &run, bench->why, sizeof bench->why);
    json_decref(meta);
    if (error != 0)
        fail_msg("%s", bench->why);
    return run;
}

static inline int create_error(struct bench *bench, const char *path)
{
    json_t *meta = json_pack("{s:s}", "kneepoint", "0.1.0");
    struct run *run = NULL;
    bench->why[0] = '\0';
    int error = run_create(path, meta, &run, bench->why, sizeof bench->why);
    json_decref(meta);
    run_close(run);
    return error;
}

static inline void append(struct run *run, int number)
{
    json_t *record = json_pack("{s:s,s:s,s:i,s:f}", "type", "cell", "name", "cell", "round", number, "value", 0.1);
    assert_int_equal(run_append(run, record), 0);
    json_decref(record);
}

static inline struct run_records read_run(struct bench *bench, const char *path)
{
    struct run_records records;
    if (run_read(path, &records, bench->why, sizeof bench->why) != 0)
        fail_msg("%s", bench->why);
    return records;
}

static inline int read_error(struct bench *bench, const char *path)
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

static inline void assert_rounds(const struct run_records *records, const int *rounds, size_t count)
{
    assert_int_equal(json_array_size(records->records), count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(json_integer_value(json_object_get(json_array_get(records->records, i), "round")), rounds[i]);
}

static inline void assert_mentions(const struct bench *bench, const char *text)
{
    if (!strstr(bench->why, text))
        fail_msg("'%s' does not mention '%s'", bench->why, text);
    assert_null(strchr(bench->why, '\n'));
}
