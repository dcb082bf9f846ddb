/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/compare/input.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "results/blocks/baseline.h"
#include "results/blocks/foreign.h"
#include "results/records/run.h"
#include "results/text/refuse.h"

static int load_run(const char *path, struct compare_input *input, char *why, size_t size)
{
    struct run_records records;
    int error = run_read(path, &records, why, size);
    if (error)
        return error;
    input->truncated = records.truncated;
    input->bad_lines = records.bad_lines;
    error = run_needs_machine(path, &records, why, size);
    if (!error)
        error = blocks_of_run(&records, &input->blocks);
    run_records_free(&records);
    if (error == -EXDEV)
        return error;
    if (error == -ENODATA)
        return refuse(
            error, why, size,
            "%s holds no sample, so there are no blocks to compare; `kneepoint characterize` makes such a run", path);
    return error ? refuse(error, why, size, "no memory left for %s", path) : 0;
}

static bool is_json(const char *path)
{
    size_t length = strlen(path);
    return length > 5 && strcmp(path + length - 5, ".json") == 0;
}

/** A file: what another benchmark wrote, a baseline, or the records of a run. */
static int load_file(const char *path, struct compare_input *input, char *why, size_t size)
{
    int error = foreign_read(path, &input->blocks, why, size);
    if (error != -ENOTSUP)
        return error;
    return is_json(path) ? baseline_read(path, &input->blocks, why, size) : load_run(path, input, why, size);
}

int compare_input_load(const char *given, const char *results, struct compare_input *input, char *why, size_t size)
{
    struct stat status;
    *input = (struct compare_input){0};
    if (stat(given, &status) == 0)
        return S_ISREG(status.st_mode) ? load_file(given, input, why, size) : load_run(given, input, why, size);
    if (errno != ENOENT)
        return refuse(-errno, why, size, "cannot use %s: %s", given, strerror(errno));
    if (!baseline_name_is_valid(given))
        return refuse(-ENOENT, why, size, "no run at %s; name the folder of a run, or a baseline", given);
    return baseline_load(results, given, &input->blocks, why, size);
}

void compare_input_release(struct compare_input *input)
{
    blocks_release(&input->blocks);
}

bool compare_input_is_same(const char *one, const char *other)
{
    struct stat a, b;
    return stat(one, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}
