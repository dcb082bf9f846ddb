/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "harness/check/items/sequence_check.h"

/** "the loop of U dot products with 4 accumulators and 7 iterations". */
static void say_code(const struct sequence_report *report, char *text, size_t size)
{
    static const char *const names[SEQUENCE_CODES] = {"the loop of U dot products", "the loop of 2U dot products",
                                                      "the stream", "the stream with prefetch"};
    int used = snprintf(text, size, "%s with %" PRIu64 " accumulator%s", names[report->code], report->accumulators,
                        report->accumulators == 1 ? "" : "s");
    if (report->iterations > 1 && report->code <= SEQUENCE_CODE_RUN_2U)
        snprintf(text + used, size - (size_t)used, " and %" PRIu64 " iterations", report->iterations);
}

static void say_place(const struct sequence_report *report, char *text, size_t size)
{
    if (report->inside)
        snprintf(text, size, "at byte 0x%tx of ", report->offset);
    else
        snprintf(text, size, "outside the code of ");
}

static void say_illegal(const struct sequence_report *report, char *text, size_t size)
{
    char place[64];
    say_place(report, place, sizeof place);
    if (report->fault.tiles)
        snprintf(text, size, "an instruction that %s, %s", report->fault.tiles, place);
    else if (report->inside)
        snprintf(text, size, "illegal instruction (%02x %02x %02x %02x) %s", report->bytes[0], report->bytes[1],
                 report->bytes[2], report->bytes[3], place);
    else
        snprintf(text, size, "illegal instruction %s", place);
}

static void say_memory(const struct sequence_report *report, char *text, size_t size)
{
    char place[64], address[128];
    say_place(report, place, sizeof place);
    if (report->fault.tiles) {
        snprintf(text, size, "an instruction that %s, %s", report->fault.tiles, place);
        return;
    }
    if (report->touched[0])
        snprintf(address, sizeof address, "%s", report->touched);
    else if (report->fault.address)
        snprintf(address, sizeof address, "at %p, which is not near any of its operands", report->fault.address);
    else
        snprintf(address, sizeof address, "at an invalid address");
    snprintf(text, size, "touched memory %s, %s", address, place);
}

static void say_registers(const struct sequence_report *report, const char *lead, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%s", lead);
    for (size_t i = 0; i < 8 && report->fault.registers[i] && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", report->fault.registers[i]);
    if (used < size)
        snprintf(text + used, size - used, " in ");
}

static void say_fault(const struct sequence_report *report, char *text, size_t size)
{
    switch (report->fault.fault) {
    case CALL_ILLEGAL: say_illegal(report, text, size); return;
    case CALL_CLOBBERED: say_registers(report, "did not restore ", text, size); return;
    case CALL_MODE: say_registers(report, "changed ", text, size); return;
    case CALL_ARITHMETIC: snprintf(text, size, "arithmetic exception in "); return;
    case CALL_TILES: snprintf(text, size, "returned without tilerelease from "); return;
    case CALL_CALLERS_FRAME:
    case CALL_STACK: snprintf(text, size, "%s in ", call_fault_name(report->fault.fault)); return;
    default: say_memory(report, text, size); return;
    }
}

void sequence_report_describe(const struct sequence_report *report, const struct worker_result *worker,
                              const char *path, char *why, size_t size)
{
    char code[96], fault[256];
    say_code(report, code, sizeof code);
    why[0] = '\0';
    if (report->verdict == SEQUENCE_RIGHT && worker->outcome == WORKER_RETURNED)
        return;
    if (report->verdict == SEQUENCE_WRONG && report->once) {
        snprintf(why, size, "%s is wrong: %s, %s: its sums are those of one iteration; it ignores `iterations`", path,
                 code, report->values);
    } else if (report->verdict == SEQUENCE_WRONG) {
        snprintf(why, size, "%s is wrong: %s, %s: accumulator %" PRIu64 " lane %u is %.9g, not %.9g (%zu lanes differ)",
                 path, code, report->values, report->first.accumulator, report->first.lane, report->first.got,
                 report->first.wanted, report->wrong);
    } else if (report->verdict == SEQUENCE_FAULTY) {
        say_fault(report, fault, sizeof fault);
        snprintf(why, size, "%s: %s%s (%s)", path, fault, code, report->values);
    } else if (report->verdict == SEQUENCE_NO_MEMORY) {
        snprintf(why, size, "no memory to check %s", path);
    } else if (worker->outcome == WORKER_HUNG) {
        snprintf(why, size, "%s does not end: %s still ran after %d s, and was stopped (%s)", path, code,
                 SEQUENCE_CHECK_LIMIT_MS / 1000, report->values);
    } else if (worker->outcome == WORKER_CRASHED) {
        snprintf(why, size, "%s: %s ended with signal %d (%s) in %s", path, "its process", worker->detail,
                 strsignal(worker->detail), code);
    } else if (worker->outcome == WORKER_WROTE) {
        snprintf(why, size, "%s wrote to a descriptor that is not its own, in %s", path, code);
    } else if (worker->outcome == WORKER_EXITED) {
        snprintf(why, size, "%s ended the process that checked it, with status %d, in %s", path, worker->detail, code);
    } else if (worker->outcome == WORKER_LOST) {
        snprintf(why, size, "the report of the process that checked %s was lost: %s", path, strerror(worker->detail));
    } else {
        snprintf(why, size, "cannot start a process to check %s: %s", path, strerror(worker->detail));
    }
    size_t used = strlen(why);
    bool drawn = report->verdict == SEQUENCE_WRONG || report->verdict == SEQUENCE_FAULTY ||
                 worker->outcome == WORKER_HUNG || worker->outcome == WORKER_CRASHED;
    if (report->seed && drawn)
        snprintf(why + used, size - used, ", seed %" PRIu64, report->seed);
}
