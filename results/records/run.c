/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/records/run.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "results/files/file_replace.h"
#include "results/files/folder.h"
#include "results/files/input.h"
#include "results/records/record.h"
#include "results/text/refuse.h"

struct run {
    char *path;
    int records; /* O_APPEND descriptor of records.jsonl, locked */
    struct run *next;
};

/** Those that this process writes. A fork does not: what runs there may write into every descriptor that it finds. */
static struct run *open_runs;

static void close_in_fork(void)
{
    for (struct run *run = open_runs; run; run = run->next) {
        close(run->records);
        run->records = -1;
    }
}

static char *file_in(const char *folder, const char *name)
{
    char *path;
    return asprintf(&path, "%s/%s", folder, name) < 0 ? NULL : path;
}

static int open_records(const char *folder, int flags, int *descriptor)
{
    char *path = file_in(folder, "records.jsonl");
    if (!path)
        return -ENOMEM;
    *descriptor = open(path, flags | O_APPEND | O_CLOEXEC, 0666);
    int error = *descriptor < 0 ? -errno : 0;
    free(path);
    return error;
}

/* Two writers would mix their records: the second one is refused. */
static int claim_records(int descriptor)
{
    if (flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        return 0;
    return errno == EWOULDBLOCK ? -EBUSY : -errno;
}

/* Takes the descriptor over, also on failure. */
static int new_run(const char *path, int records, struct run **run)
{
    struct run *made = calloc(1, sizeof *made);
    char *copy = strdup(path);
    if (!made || !copy) {
        free(made);
        free(copy);
        close(records);
        return -ENOMEM;
    }
    *made = (struct run){.path = copy, .records = records, .next = open_runs};
    static bool forks_close;
    if (!forks_close)
        forks_close = pthread_atfork(NULL, NULL, close_in_fork) == 0;
    open_runs = made;
    *run = made;
    return 0;
}

static void remove_file_in(const char *folder, const char *name)
{
    char *path = file_in(folder, name);
    if (path)
        unlink(path);
    free(path);
}

static bool holds_file(const char *folder, const char *name)
{
    struct stat status;
    char *path = file_in(folder, name);
    bool held = path && lstat(path, &status) == 0;
    free(path);
    return held;
}

static int write_meta(const char *folder, const json_t *meta, char *why, size_t size)
{
    char *path = file_in(folder, "meta.json");
    char *text = json_dumps(meta, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    int error = path && text ? file_replace(path, text, strlen(text), why, size)
                             : refuse(-ENOMEM, why, size, "no memory left to describe the run %s", folder);
    free(text);
    free(path);
    return error;
}

/* The records come first and exclusively, so that of two creators of the same run only one gets to write meta.json. */
static int fill_folder(const char *path, const json_t *meta, struct run **run, char *why, size_t size)
{
    int records;
    int error = open_records(path, O_RDWR | O_CREAT | O_EXCL, &records);
    if (error != 0)
        return refuse(error, why, size, "cannot create %s/records.jsonl: %s", path, strerror(-error));
    error = claim_records(records);
    if (error != 0) {
        close(records);
        refuse(error, why, size, "cannot lock %s/records.jsonl: %s", path, strerror(-error));
    } else {
        error = write_meta(path, meta, why, size);
        if (error != 0)
            close(records);
        else if ((error = new_run(path, records, run)) != 0)
            refuse(error, why, size, "no memory left for the run %s", path);
    }
    if (error != 0) {
        remove_file_in(path, "meta.json");
        remove_file_in(path, "records.jsonl");
    }
    return error;
}

int run_create(const char *path, const json_t *meta, struct run **run, char *why, size_t size)
{
    if (!json_is_object(meta) || !json_object_get(meta, "kneepoint"))
        return refuse(-EINVAL, why, size, "the description of the run %s has no \"kneepoint\" version", path);
    if (holds_file(path, "meta.json") || holds_file(path, "records.jsonl"))
        return refuse(-EEXIST, why, size, "%s already holds a run; resume it, or choose another folder", path);

    size_t made_from;
    int error = folder_create(path, &made_from, why, size);
    if (error != 0)
        return error;
    error = fill_folder(path, meta, run, why, size);
    if (error != 0)
        folder_remove(path, made_from);
    return error;
}

int run_create_unique(const char *folder, const char *name, const json_t *meta, struct run **run, char *why,
                      size_t size)
{
    enum { MOST_OF_A_NAME = 100 };
    int error = -EEXIST;
    for (int number = 1; error == -EEXIST && number <= MOST_OF_A_NAME; number++) {
        char *path, suffix[16] = "";
        if (number > 1)
            snprintf(suffix, sizeof suffix, "-%d", number);
        if (asprintf(&path, "%s/%s%s", folder, name, suffix) < 0)
            return refuse(-ENOMEM, why, size, "no memory left for the run %s/%s", folder, name);
        error = run_create(path, meta, run, why, size);
        free(path);
    }
    return error;
}

/* Offset just past the last newline. */
static int find_tail(int descriptor, off_t length, off_t *tail)
{
    char block[4096];
    for (off_t end = length; end > 0;) {
        off_t start = end > (off_t)sizeof block ? end - (off_t)sizeof block : 0;
        ssize_t count = pread(descriptor, block, (size_t)(end - start), start);
        if (count != end - start)
            return count < 0 ? -errno : -EIO;
        const char *newline = memrchr(block, '\n', (size_t)count);
        if (newline) {
            *tail = start + (newline - block) + 1;
            return 0;
        }
        end = start;
    }
    *tail = 0;
    return 0;
}

static bool is_whole_record(const char *text, size_t length)
{
    json_t *value = json_loadb(text, length, 0, NULL);
    bool whole = record_is_valid(value);
    json_decref(value);
    return whole;
}

static int append_bytes(const char *path, const char *bytes, size_t length)
{
    int descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor < 0)
        return -errno;
    ssize_t written = write(descriptor, bytes, length);
    int error = written == (ssize_t)length ? 0 : written < 0 ? -errno : -ENOSPC;
    close(descriptor);
    return error;
}

/* A tail that is a whole record lacks its newline only; any other is kept aside, then cut off. */
static int settle_tail(const char *folder, int descriptor, off_t tail, char *text, size_t length)
{
    text[length] = '\n';
    if (is_whole_record(text, length))
        return write(descriptor, "\n", 1) == 1 ? 0 : -errno;
    char *aside = file_in(folder, "records.jsonl.truncated");
    if (!aside)
        return -ENOMEM;
    int error = append_bytes(aside, text, length + 1);
    if (error == 0 && ftruncate(descriptor, tail) != 0)
        error = -errno;
    free(aside);
    return error;
}

static int repair_last_line(const char *folder, int descriptor)
{
    struct stat status;
    if (fstat(descriptor, &status) != 0)
        return -errno;
    off_t tail;
    int error = find_tail(descriptor, status.st_size, &tail);
    if (error != 0 || tail == status.st_size)
        return error;

    size_t length = (size_t)(status.st_size - tail);
    char *text = malloc(length + 1);
    if (!text)
        return -ENOMEM;
    ssize_t count = pread(descriptor, text, length, tail);
    if (count == (ssize_t)length)
        error = settle_tail(folder, descriptor, tail, text, length);
    else
        error = count < 0 ? -errno : -EIO;
    free(text);
    return error;
}

int run_reopen(const char *path, struct run **run, char *why, size_t size)
{
    struct run_records before;
    int error = run_read(path, &before, why, size);
    if (error != 0)
        return error;
    run_records_free(&before);

    int records;
    error = open_records(path, O_RDWR, &records);
    if (error == -ENOTDIR)
        return refuse(-EINVAL, why, size, "%s is a record file; name the folder of the run to resume it", path);
    if (error == -ENOENT && holds_file(path, "records.jsonl" INPUT_PACKED))
        return refuse(error, why, size,
                      "the records of %s are packed; `gunzip %s/records.jsonl" INPUT_PACKED "` before you add to them",
                      path, path);
    if (error != 0)
        return refuse(error, why, size, "cannot append to %s/records.jsonl: %s", path, strerror(-error));
    error = claim_records(records);
    if (error == 0)
        error = repair_last_line(path, records);
    if (error != 0) {
        close(records);
        if (error == -EBUSY)
            return refuse(error, why, size, "another process is writing the run %s; wait for it to end", path);
        return refuse(error, why, size, "cannot repair the last line of %s/records.jsonl: %s", path, strerror(-error));
    }
    error = new_run(path, records, run);
    return error == 0 ? 0 : refuse(error, why, size, "no memory left for the run %s", path);
}

/*
 * A disk that is full, or a file that has the size a limit allows, may take half of a line, and says why when it is given the rest.
 * The half is taken back, so that the file ends with a whole record.
 */
static int append_whole(int descriptor, const char *line, size_t length)
{
    struct stat before;
    if (fstat(descriptor, &before) != 0)
        return -errno;
    int error = 0;
    for (size_t done = 0; error == 0 && done < length;) {
        ssize_t written = write(descriptor, line + done, length - done);
        if (written > 0)
            done += (size_t)written;
        else if (written == 0 || errno != EINTR)
            error = written == 0 ? -ENOSPC : -errno;
    }
    if (error != 0 && ftruncate(descriptor, before.st_size) != 0)
        return -errno;
    return error;
}

int run_append(struct run *run, const json_t *record)
{
    if (!record_is_valid(record))
        return -EINVAL;
    size_t length;
    char *line = record_format_line(record, &length);
    if (!line)
        return -ENOMEM;
    int error = append_whole(run->records, line, length);
    free(line);
    return error;
}

uint64_t run_bytes(const struct run *run)
{
    struct stat status;
    return fstat(run->records, &status) == 0 ? (uint64_t)status.st_size : 0;
}

int run_commit(const struct run *run, char *why, size_t size)
{
    struct stat written, named;
    char *path = file_in(run->path, "records.jsonl");
    int error = path ? 0 : -ENOMEM;
    if (!error && fsync(run->records) != 0 && errno != EINVAL)
        error = -errno;
    if (!error && fstat(run->records, &written) != 0)
        error = -errno;
    if (!error && (stat(path, &named) != 0 || named.st_dev != written.st_dev || named.st_ino != written.st_ino))
        error = refuse(-ENOENT, why, size,
                       "the run %s was removed or replaced while it was measured; its records are lost, measure again",
                       run->path);
    else if (error)
        refuse(error, why, size, "cannot write the records of the run %s: %s", run->path, strerror(-error));
    free(path);
    return error;
}

const char *run_path(const struct run *run)
{
    return run->path;
}

void run_close(struct run *run)
{
    if (!run)
        return;
    struct run **at = &open_runs;
    while (*at && *at != run)
        at = &(*at)->next;
    if (*at)
        *at = run->next;
    if (run->records >= 0)
        close(run->records);
    free(run->path);
    free(run);
}
