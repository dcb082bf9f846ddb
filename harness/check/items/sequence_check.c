/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/check/items/sequence_check.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "harness/check/operands/guarded_weights.h"
#include "platforms/memory/memory.h"

enum { SEEDS = 6, WORST = 5, LOOPS = 2, PREFETCH_BYTES = 4096 };

struct subject {
    const struct sequence *sequence;
    const struct sequence_variant *variant;
    struct sequence_report *report;
    struct memory_guarded weights, activations, out;
    uint64_t groups;
};

static const void *code_of(const struct sequence_variant *variant, enum sequence_code code)
{
    switch (code) {
    case SEQUENCE_CODE_RUN_U: return (const void *)(uintptr_t)variant->run_u;
    case SEQUENCE_CODE_RUN_2U: return (const void *)(uintptr_t)variant->run_2u;
    case SEQUENCE_CODE_STREAM: return (const void *)(uintptr_t)variant->stream;
    default: return (const void *)(uintptr_t)variant->stream_prefetch;
    }
}

static bool is_stream(enum sequence_code code)
{
    return code == SEQUENCE_CODE_STREAM || code == SEQUENCE_CODE_STREAM_PREFETCH;
}

static int reserve(struct subject *subject, enum sequence_code code, int guard_at_end)
{
    const struct sequence *sequence = subject->sequence;
    subject->groups = is_stream(code) ? LOOPS * subject->variant->stream_groups : 1;
    return memory_guarded_reserve(subject->groups * sequence->weight_bytes, guard_at_end, &subject->weights) ||
                   memory_guarded_reserve(sequence->activation_bytes, guard_at_end, &subject->activations) ||
                   memory_guarded_reserve(subject->variant->accumulators * sequence->vector_bytes, guard_at_end,
                                          &subject->out)
               ? -ENOMEM
               : 0;
}

static void release(struct subject *subject)
{
    memory_guarded_release(&subject->weights);
    memory_guarded_release(&subject->activations);
    memory_guarded_release(&subject->out);
}

/** Random values, and after those weights of one byte and activations at their ends where the sequence takes any. */
static const char *fill(struct subject *subject, unsigned which)
{
    static const char *const names[SEEDS + WORST] = {
        "random values",
        "random values",
        "random values",
        "random values",
        "random values",
        "random values",
        "weight bytes 0x00, activations 127",
        "weight bytes 0xff, activations 127",
        "weight bytes 0x80, activations -127",
        "weight bytes 0x55, activations 127",
        "weight bytes 0xaa, activations -127",
    };
    static const uint8_t bytes[WORST] = {0x00, 0xff, 0x80, 0x55, 0xaa};
    static const int8_t ends[WORST] = {127, 127, -127, 127, -127};
    const struct sequence *sequence = subject->sequence;
    sequence_draw(sequence, subject->report->seed + which, subject->groups, subject->weights.bytes,
                  subject->activations.bytes);
    if (which >= SEEDS) {
        if (sequence->weight_values == SEQUENCE_BYTES)
            memset(subject->weights.bytes, bytes[which - SEEDS], subject->groups * sequence->weight_bytes);
        if (sequence->activation_values == SEQUENCE_INT8)
            memset(subject->activations.bytes, ends[which - SEEDS], sequence->activation_bytes);
    }
    return names[which];
}

static void describe_fault(struct subject *subject, enum sequence_code code)
{
    struct sequence_report *report = subject->report;
    const uint8_t *begin = code_of(subject->variant, code), *at = report->fault.code;
    enum { CODE_MOST = 1 << 20 };
    report->inside = at && at >= begin && at < begin + CODE_MOST;
    if (report->inside) {
        report->offset = at - begin;
        if (report->fault.fault == CALL_ILLEGAL) /* it was fetched, so it can be read */
            memcpy(report->bytes, at, 4);
    }
    const struct guarded_operand operands[] = {
        {&subject->weights, "weights"}, {&subject->activations, "activations"}, {&subject->out, "accumulators"}};
    guarded_place(operands, sizeof operands / sizeof *operands, report->fault.address, report->touched,
                  sizeof report->touched);
}

static size_t compare(struct subject *subject, enum sequence_code code, const struct sequence_operands *operands)
{
    struct sequence_report *report = subject->report;
    const struct sequence *sequence = subject->sequence;
    bool twice = code == SEQUENCE_CODE_RUN_2U;
    if (is_stream(code))
        return sequence_compare_stream(sequence, subject->variant, operands, subject->groups, &report->first);
    size_t wrong = sequence_compare(sequence, subject->variant, twice, report->iterations, operands, &report->first);
    report->once =
        wrong && report->iterations > 1 && !sequence_compare(sequence, subject->variant, twice, 1, operands, NULL);
    return wrong;
}

static enum sequence_verdict call(struct subject *subject, enum sequence_code code)
{
    struct sequence_report *report = subject->report;
    struct sequence_operands operands = {subject->weights.bytes, subject->activations.bytes, subject->out.bytes};
    uint64_t count = is_stream(code) ? subject->groups : report->iterations;
    struct checked_call call = {code_of(subject->variant, code), {(uintptr_t)&operands, count, PREFETCH_BYTES, 0}};
    memset(subject->out.bytes, 0x33, subject->out.length);
    checked_call_report(&call, &report->fault);
    if (report->fault.fault == CALL_NO_MEMORY)
        return SEQUENCE_NO_MEMORY;
    if (report->fault.fault != CALL_CLEAN) {
        describe_fault(subject, code);
        return SEQUENCE_FAULTY;
    }
    report->wrong = compare(subject, code, &operands);
    return report->wrong ? SEQUENCE_WRONG : SEQUENCE_UNFINISHED;
}

static enum sequence_verdict check_code(struct subject *subject, enum sequence_code code)
{
    enum sequence_verdict verdict = SEQUENCE_UNFINISHED;
    subject->report->code = code;
    checked_calls_begin();
    for (int at_end = 1; at_end >= 0 && verdict == SEQUENCE_UNFINISHED; at_end--) {
        if (reserve(subject, code, at_end))
            verdict = SEQUENCE_NO_MEMORY;
        for (unsigned which = 0; which < SEEDS + WORST && verdict == SEQUENCE_UNFINISHED; which++) {
            subject->report->values = fill(subject, which);
            subject->report->iterations = 1;
            verdict = call(subject, code);
            if (verdict != SEQUENCE_UNFINISHED || is_stream(code))
                continue;
            subject->report->iterations = SEQUENCE_CHECK_ITERATIONS;
            verdict = call(subject, code);
        }
        release(subject);
    }
    checked_calls_end();
    return verdict;
}

void check_sequence(const struct sequence *sequence, struct sequence_report *report)
{
    *report = (struct sequence_report){.values = "no values", .seed = report->seed};
    for (uint64_t i = 0; i < sequence->variants; i++) {
        struct subject subject = {.sequence = sequence, .variant = &sequence->variant[i], .report = report};
        report->accumulators = subject.variant->accumulators;
        for (enum sequence_code code = 0; code < SEQUENCE_CODES; code++) {
            enum sequence_verdict verdict = check_code(&subject, code);
            if (verdict != SEQUENCE_UNFINISHED) {
                report->verdict = verdict;
                return;
            }
        }
    }
    report->verdict = SEQUENCE_RIGHT;
}

/* ---------------------------------------------------------------- in a worker */

struct apart {
    const char *object; /* to be loaded; NULL: the sequence is */
    struct user_sequence *user;
    struct sequence_report *report;
};

/** What it sends is why the sequence cannot be loaded. */
static void check_in_worker(void *context, struct worker *worker)
{
    struct apart *apart = context;
    char why[USER_SEQUENCE_WHY] = "";
    checked_call_beats(worker_heart(worker));
    if (apart->object && user_sequence_load(apart->object, apart->user, why, sizeof why))
        worker_send(worker, why, sizeof why);
    else
        check_sequence(apart->user->sequence, apart->report);
}

int check_sequence_apart(const char *object, struct user_sequence *user, uint64_t seed, const volatile int *stop,
                         char *why, size_t size)
{
    struct sequence_report *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        snprintf(why, size, "no memory to check %s", user->path);
        return -ENOMEM;
    }
    struct user_sequence copy = *user;
    struct apart apart = {.object = object, .user = &copy, .report = shared};
    const struct worker_job job = {
        .body = check_in_worker, .context = &apart, .limit_ms = SEQUENCE_CHECK_LIMIT_MS, .stop = stop};
    struct worker_result result;
    *shared = (struct sequence_report){.values = "no values", .seed = seed};
    worker_run(&job, &result);
    why[0] = '\0';
    if (result.outcome == WORKER_RETURNED && result.report_bytes)
        snprintf(why, size, "%.*s", (int)result.report_bytes - 1, (const char *)result.report);
    else if (result.outcome != WORKER_STOPPED)
        sequence_report_describe(shared, &result, user->path, why, size);
    free(result.report);
    const bool is_loaded = result.outcome != WORKER_RETURNED || !result.report_bytes;
    const bool lacks_memory = result.outcome == WORKER_RETURNED && shared->verdict == SEQUENCE_NO_MEMORY;
    munmap(shared, sizeof *shared);
    if (result.outcome == WORKER_FAILED || result.outcome == WORKER_LOST ||
        lacks_memory) /* which says nothing of the sequence */
        return lacks_memory ? -ENOMEM : -result.detail;
    if (!is_loaded)
        return -EINVAL;
    return why[0] ? -EILSEQ : result.outcome == WORKER_STOPPED ? -EINTR : 0;
}

int check_sequence_loaded(const struct sequence *sequence, const char *name, uint64_t seed, char *why, size_t size)
{
    struct user_sequence user = {.path = name, .sequence = sequence};
    return check_sequence_apart(NULL, &user, seed, NULL, why, size);
}
