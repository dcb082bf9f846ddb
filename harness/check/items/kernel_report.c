/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "harness/check/items/kernel_check.h"

/** "touched memory 64 bytes past the end of its weights (Segmentation fault)". */
static void say_memory(const struct kernel_report *report, char *text, size_t size)
{
    const char *signal_name = report->call.signal ? strsignal(report->call.signal) : "no signal";
    if (report->call.tiles)
        snprintf(text, size, "%s (%s)", report->call.tiles, signal_name);
    else if (report->touched[0])
        snprintf(text, size, "touched memory %s (%s)", report->touched, signal_name);
    else if (report->call.address)
        snprintf(text, size, "touched memory at %p, which is not near any of its operands (%s)", report->call.address,
                 signal_name);
    else
        snprintf(text, size, "touched memory at an invalid address (%s)", signal_name);
}

static void say_fault(const struct kernel_report *report, char *text, size_t size)
{
    size_t used;
    switch (report->fault) {
    case CALL_SEGV: say_memory(report, text, size); return;
    case CALL_ILLEGAL:
    case CALL_ARITHMETIC:
        snprintf(text, size, "%s (%s)", report->call.tiles ? report->call.tiles : call_fault_name(report->fault),
                 report->call.signal ? strsignal(report->call.signal) : "no signal");
        return;
    case CALL_CLOBBERED:
    case CALL_MODE:
        used = (size_t)snprintf(text, size, "%s", call_fault_name(report->fault));
        for (size_t i = 0; i < CHECKED_CALL_NAMES && report->call.registers[i] && used < size; i++)
            used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : ": ", report->call.registers[i]);
        return;
    default: snprintf(text, size, "%s", call_fault_name(report->fault)); return;
    }
}

/** What became of the process, where the kernel's own report says nothing. */
static void say_process(const struct child_result *child, char *text, size_t size)
{
    switch (child->outcome) {
    case CHILD_HUNG:
        snprintf(text, size, "does not return: a call still ran after %d s and was stopped",
                 KERNEL_CHECK_LIMIT_MS / 1000);
        break;
    case CHILD_CRASHED:
        snprintf(text, size, "ended its process with signal %d (%s)", child->detail, strsignal(child->detail));
        break;
    case CHILD_WROTE: snprintf(text, size, "wrote to a descriptor that is not its own"); break;
    case CHILD_FAILED:
        snprintf(text, size, "cannot be checked: no process can be started: %s", strerror(child->detail));
        break;
    case CHILD_LOST:
        snprintf(text, size, "cannot be checked: the report of its process was lost: %s", strerror(child->detail));
        break;
    default: snprintf(text, size, "ended its process with status %d", child->detail); break;
    }
}

enum kernel_verdict kernel_report_wrong(struct kernel_report *report, const struct reference_check *check,
                                        size_t rows_per_token)
{
    report->wrong = check->wrong;
    report->rows = check->rows;
    report->error = reference_error(check);
    report->first_token = check->first_wrong / rows_per_token;
    report->first_row = check->first_wrong % rows_per_token;
    report->got = check->got;
    report->wanted = check->wanted;
    return KERNEL_WRONG;
}

/** "; the first, row 3, is 1.5 and must be 0.5", with the token of a GEMM. */
static void say_first(const struct kernel_report *report, char *text, size_t size)
{
    char token[40] = "";
    if (report->tokens && report->verdict == KERNEL_WRONG)
        snprintf(token, sizeof token, " of token %zu", report->first_token);
    snprintf(text, size, "; the first, row %zu%s, is %.9g and must be %.9g", report->first_row, token, report->got,
             report->wanted);
}

void kernel_report_describe(const struct kernel_report *report, const struct child_result *child, const char *name,
                            char *why, size_t size)
{
    char what[320], place[320], tokens[32] = "", seed[32] = "", first[160] = "", printed[CHILD_SAID];
    why[0] = '\0';
    if (report->tokens)
        snprintf(tokens, sizeof tokens, ", N = %zu", report->tokens);
    if (report->seed)
        snprintf(seed, sizeof seed, ", seed %" PRIu64, report->seed);
    snprintf(place, sizeof place, "%s, %zu panel%s, K = %zu%s, %s%s%s%s", report->where, report->panels,
             report->panels == 1 ? "" : "s", report->k, tokens, report->values,
             report->activations ? ", activations " : "", report->activations ? report->activations : "", seed);
    if (report->verdict == KERNEL_RIGHT && child->outcome == CHILD_RETURNED)
        return;
    if (report->verdict == KERNEL_NO_MEMORY) {
        snprintf(why, size, "no memory to check %s", name);
        return;
    }
    if (report->verdict == KERNEL_FORMAT) {
        snprintf(why, size, "%s has a format whose functions disagree: %s", name, report->format);
        return;
    }
    if (report->verdict == KERNEL_WRONG)
        snprintf(what, sizeof what, "differs from the scalar reference in %zu of %zu %s, by %.2g of the largest result",
                 report->wrong, report->rows, report->tokens ? "results" : "rows", report->error);
    else if (report->verdict == KERNEL_LOSSY && report->format[0])
        snprintf(what, sizeof what, "says it is lossless, but in its format %s", report->format);
    else if (report->verdict == KERNEL_LOSSY)
        snprintf(what, sizeof what, "says it is lossless, but differs from the integer product in %zu rows",
                 report->wrong);
    else if (report->verdict == KERNEL_FAULTY)
        say_fault(report, what, sizeof what);
    else
        say_process(child, what, sizeof what);
    if (report->verdict == KERNEL_WRONG || (report->verdict == KERNEL_LOSSY && !report->format[0]))
        say_first(report, first, sizeof first);
    snprintf(why, size, "%s %s: %s%s%s", name, what, place, first, child_said(child->printed, printed));
}
