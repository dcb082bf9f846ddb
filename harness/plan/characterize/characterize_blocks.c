/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plan/characterize/characterize_blocks.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/command/exit_code.h"
#include "harness/measure/process_arguments.h"
#include "platforms/process/fresh_process.h"

/** A block may take this much longer than its budget: to fill memory and to write the summaries. */
enum { GRACE_S = 300 };

static struct process_arguments arguments_of(const struct characterize_blocks *job, const char *run)
{
    struct process_arguments arguments = {0};
    process_arguments_add(&arguments, "%s", job->program);
    process_arguments_add(&arguments, "characterize");
    process_arguments_add(&arguments, "--budget=%u", job->budget_s);
    for (const char *const *given = job->arguments; given && *given; given++)
        process_arguments_add(&arguments, "%s", *given);
    if (run[0])
        process_arguments_add(&arguments, "--resume=%s", run);
    return arguments;
}

static int error_of(const struct fresh_process *process)
{
    if (process->outcome == FRESH_FAILED)
        return -process->detail;
    if (process->outcome != FRESH_EXITED)
        return -EILSEQ;
    switch (process->detail) {
    case EXIT_DONE: return 0;
    case EXIT_INTERRUPTED: return -EINTR;
    case EXIT_CHECK_FAILED: return -EILSEQ;
    case EXIT_INCOMPARABLE: return -EXDEV;
    default: return -EINVAL;
    }
}

/** What went wrong, without the name of the command before it. */
static void explain(const struct fresh_process *process, unsigned block, char *why, size_t size)
{
    static const char prefix[] = "kneepoint characterize: ";
    char fate[128];
    fresh_process_fate(process, fate, sizeof fate);
    const char *said =
        strncmp(process->said, prefix, sizeof prefix - 1) == 0 ? process->said + sizeof prefix - 1 : process->said;
    if (process->outcome == FRESH_EXITED && said[0])
        snprintf(why, size, "%s", said);
    else
        snprintf(why, size, "block %u %s", block, fate);
}

static int run_block(struct characterize_blocks *job, unsigned block, char *run, size_t run_size, char *why,
                     size_t size)
{
    struct process_arguments arguments = arguments_of(job, run);
    struct fresh_process process = {0};
    if (arguments.failed) {
        process_arguments_release(&arguments);
        snprintf(why, size, "no memory");
        return -ENOMEM;
    }
    fresh_process_run(job->program, arguments.argv, job->budget_s + GRACE_S, &process);
    int error = error_of(&process);
    /* it measured the rest, and says so by the run's path */
    bool withheld = error == -EILSEQ && process.outcome == FRESH_EXITED && process.output[0];
    if (withheld) {
        explain(&process, block, job->withheld, sizeof job->withheld);
        error = 0;
    }
    if (error)
        explain(&process, block, why, size);
    else if (!run[0])
        snprintf(run, run_size, "%.*s", (int)strcspn(process.output, "\n"), process.output);
    free(process.output);
    process_arguments_release(&arguments);
    return error;
}

int characterize_blocks_run(struct characterize_blocks *job, char *run, size_t run_size, char *why, size_t size)
{
    int error = 0;
    snprintf(run, run_size, "%s", job->resume ? job->resume : "");
    for (unsigned block = 1; !error && block <= job->blocks; block++) {
        char now[64];
        snprintf(now, sizeof now, "block %u of %u", block, job->blocks);
        if (job->progress)
            job->progress(job->context, (double)(block - 1) / job->blocks,
                          (double)(job->blocks - block + 1) * job->budget_s, now);
        error = job->stop && *job->stop ? -EINTR : run_block(job, block, run, run_size, why, size);
    }
    return error;
}
