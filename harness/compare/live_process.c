/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/compare/live_process.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/command/exit_code.h"
#include "harness/compare/live.h"
#include "harness/compare/live_withheld.h"
#include "harness/measure/process_arguments.h"
#include "platforms/process/fresh_process.h"
#include "results/records/record.h"
#include "results/text/refuse.h"

const char *live_side_name(int side)
{
    return side ? "HEAD" : "BASE";
}

static struct process_arguments arguments_of(struct live_process *live, int side, unsigned block,
                                             const char *const *only, size_t only_count)
{
    struct process_arguments arguments = {0};
    process_arguments_add(&arguments, "%s", live->program);
    process_arguments_add(&arguments, "compare");
    process_arguments_add(&arguments, "--block=%u", block);
    process_arguments_add(&arguments, "--seed=%lu", (unsigned long)(resample_next(&live->random) >> 32 | 1));
    if (block && live->pool_bytes)
        process_arguments_add(&arguments, "--pool=%llu", (unsigned long long)live->pool_bytes);
    for (size_t i = 0; block && i < LIVE_BLOCK_ROOFS && live->roof_arguments[i]; i++)
        process_arguments_add(&arguments, "%s", live->roof_arguments[i]);
    for (size_t i = 0; i < only_count; i++)
        process_arguments_add(&arguments, "--only=%s", only[i]);
    for (const char *const *given = live->arguments; given && *given; given++)
        process_arguments_add(&arguments, "%s", *given);
    process_arguments_add(&arguments, "--");
    process_arguments_add(&arguments, "%s", live->given[side]);
    return arguments;
}

/** What a block complained of, without the name of the command before it. */
static const char *complaint(const struct fresh_process *process)
{
    static const char prefix[] = "kneepoint compare: ";
    bool prefixed = strncmp(process->said, prefix, sizeof prefix - 1) == 0;
    return process->said + (prefixed ? sizeof prefix - 1 : 0);
}

/** Done, or what is sound of a build: it says which part it withholds. */
static bool is_usable(const struct fresh_process *process, const json_t *records)
{
    return process->outcome == FRESH_EXITED &&
           (process->detail == EXIT_DONE || (process->detail == EXIT_CHECK_FAILED && live_withheld_any(records)));
}

static int judge(const struct live_process *live, int side, const struct fresh_process *process, char *why, size_t size)
{
    char fate[128];
    fresh_process_fate(process, fate, sizeof fate);
    snprintf(why, size, "%s %s: %s", live_side_name(side), live->given[side],
             process->outcome == FRESH_EXITED && process->said[0] ? complaint(process) : fate);
    if (process->outcome == FRESH_FAILED)
        return -process->detail;
    return process->outcome == FRESH_EXITED && process->detail != EXIT_CHECK_FAILED ? -EINVAL : -EILSEQ;
}

/** The lines that a block wrote as records, into an array. */
static int read_records(const struct fresh_process *process, json_t *records)
{
    for (const char *line = process->output; *line;) {
        size_t length = strcspn(line, "\n");
        json_t *record = json_loadb(line, length, 0, NULL);
        if (!record_is_valid(record) || json_array_append(records, record) != 0) {
            json_decref(record);
            return -EPROTO;
        }
        json_decref(record);
        line += length + (line[length] == '\n');
    }
    return 0;
}

int live_process_run(struct live_process *live, int side, unsigned block, const char *const *only, size_t only_count,
                     json_t *records, char *why, size_t size)
{
    struct process_arguments arguments = arguments_of(live, side, block, only, only_count);
    struct fresh_process process = {0};
    json_auto_t *written = json_array();
    int error = arguments.failed || !written ? refuse(-ENOMEM, why, size, "no memory") : 0;
    if (!error) {
        fresh_process_run(live->program, arguments.argv, live->limit_s, &process);
        int unreadable = process.output ? read_records(&process, written) : 0;
        if (!is_usable(&process, written))
            error = judge(live, side, &process, why, size);
        else if (unreadable || json_array_extend(records, written))
            error = refuse(-EILSEQ, why, size, "%s %s: a block wrote something that is not a record",
                           live_side_name(side), live->given[side]);
    }
    free(process.output);
    process_arguments_release(&arguments);
    return error;
}

void live_process_take_said(json_t *records, struct plugin_output *said)
{
    for (size_t i = json_array_size(records); i-- > 0;) {
        const char *type, *name, *text;
        if (json_unpack(json_array_get(records, i), "{s:s, s:s, s:s}", "type", &type, "name", &name, "text", &text) ==
                0 &&
            strcmp(type, "said") == 0) {
            plugin_output_note(said, name, text);
            json_array_remove(records, i);
        }
    }
}

void live_orders(size_t pairs, struct resample_random *random, bool *base_first)
{
    size_t first = pairs / 2 + (pairs % 2 ? resample_below(random, 2) : 0);
    for (size_t i = 0; i < pairs; i++)
        base_first[i] = i < first;
    for (size_t i = pairs; i > 1; i--) {
        size_t j = resample_below(random, i);
        bool swap = base_first[i - 1];
        base_first[i - 1] = base_first[j];
        base_first[j] = swap;
    }
}
