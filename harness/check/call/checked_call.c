/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/check/call/checked_call.h"

#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "harness/check/call/emulator.h"
#include "platforms/process/worker.h"

/* What the registers that the callee must keep hold: the first this, the next one more, … */
#define CHECKED_CALL_KEPT 0x6b6e6565706f6900

#if defined(__x86_64__)
#include "harness/check/call/checked_call_x86_64.h"
#elif defined(__aarch64__)
#include "harness/check/call/checked_call_aarch64.h"
#else
#error "no call with junk in the registers for this architecture"
#endif

/* In assembly: arguments and registers are set, the function is called, what the registers hold then is stored. */
void checked_call_raw(const struct checked_call *call, struct checked_call_result *result);

/* Where its stack pointer is set to for the call. */
extern uint8_t *checked_call_frame;

enum { STACK_BYTES = 1 << 16 };

/* Where a fault returns to; a signal handler has no other way to be told. */
static sigjmp_buf checked_call_escape;
static struct checked_call_report *volatile checked_call_reporting;
static volatile bool checked_call_emulates;
static struct worker_beat *checked_call_heart;

void checked_call_beats(struct worker_beat *heart)
{
    checked_call_heart = heart;
}

void checked_call_beat(void)
{
    worker_beat(checked_call_heart);
}

/* ---- handlers, installed from the first checked_calls_begin() to the last checked_calls_end() */

static const int fault_numbers[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE};
enum { FAULTS = sizeof fault_numbers / sizeof *fault_numbers };

static struct {
    unsigned begun;
    struct sigaction before[FAULTS];
    stack_t stack, stack_before; /* stack.ss_sp: NULL where there is no memory for one */
} handlers;

/** A fault beside a call is as if no handler were installed. */
static void pass_on(int number, siginfo_t *info, void *context)
{
    const struct sigaction *before = NULL;
    for (int i = 0; i < FAULTS; i++)
        before = fault_numbers[i] == number ? &handlers.before[i] : before;
    if (before->sa_flags & SA_SIGINFO) {
        before->sa_sigaction(number, info, context);
    } else if (before->sa_handler != SIG_DFL && before->sa_handler != SIG_IGN) {
        before->sa_handler(number);
    } else {
        sigaction(number, before, NULL); /* the instruction is executed again */
        if (info->si_code <= 0)
            raise(number); /* or another process sent it */
    }
}

static void checked_call_on_fault(int number, siginfo_t *info, void *context)
{
    struct checked_call_report *report = checked_call_reporting;
    if (!report) {
        pass_on(number, info, context);
        return;
    }
    report->address = number == SIGSEGV || number == SIGBUS ? info->si_addr : NULL;
    if (number == SIGILL && checked_call_emulates) {
        enum tile_emulated emulated = emulator_execute(context, &report->tiles);
        if (emulated == TILE_EMULATED)
            return;
        if (emulated == TILE_EMULATED_GP)
            number = SIGSEGV;
    }
    /* memory that an emulated instruction touches is that instruction's */
    const uint8_t *emulating = tile_emulator_stopped_at();
    report->code = emulating ? emulating : (const uint8_t *)(uintptr_t)checked_call_stopped_at(context);
    report->signal = number;
    siglongjmp(checked_call_escape, number);
}

void checked_calls_begin(void)
{
    /* a callee may lose the stack: handlers have their own. What they leave by siglongjmp() must not stay blocked. */
    struct sigaction ours = {.sa_sigaction = checked_call_on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK};
    if (handlers.begun++)
        return;
    handlers.stack = (stack_t){.ss_sp = malloc(STACK_BYTES), .ss_size = STACK_BYTES};
    if (handlers.stack.ss_sp && sigaltstack(&handlers.stack, &handlers.stack_before)) {
        free(handlers.stack.ss_sp);
        handlers.stack.ss_sp = NULL;
    }
    sigemptyset(&ours.sa_mask);
    for (int i = 0; i < FAULTS; i++)
        sigaction(fault_numbers[i], &ours, &handlers.before[i]);
}

void checked_calls_end(void)
{
    if (--handlers.begun)
        return;
    for (int i = 0; i < FAULTS; i++)
        sigaction(fault_numbers[i], &handlers.before[i], NULL);
    if (handlers.stack.ss_sp)
        sigaltstack(&handlers.stack_before, NULL);
    free(handlers.stack.ss_sp);
}

/* ---- a call */

/** Names of what changed, as many as there is room for before the NULL. */
static enum call_fault judge(const struct checked_call_result *result, uint64_t modes,
                             const char *names[CHECKED_CALL_NAMES])
{
    enum call_fault fault = CALL_CLEAN;
    size_t count = 0;
    for (uint64_t i = 0; i < CHECKED_CALL_KEPT_REGISTERS; i++) {
        if (result->kept[i] == CHECKED_CALL_KEPT + i)
            continue;
        fault = CALL_CLOBBERED;
        if (count < CHECKED_CALL_NAMES - 2)
            names[count++] = checked_call_kept_names[i];
    }
    if (result->stack_moved)
        names[count++] = checked_call_stack_name, fault = CALL_CLOBBERED;
    for (size_t i = 0; fault != CALL_CLOBBERED && i < CHECKED_CALL_MODES; i++) {
        if (checked_call_mode_changed(result, modes, i))
            names[count++] = checked_call_mode_names[i], fault = CALL_MODE;
    }
    return fault;
}

static enum call_fault fault_of(int number, const void *address)
{
    const enum called_stack_place place = called_stack_place(address);
    if (place != CALLED_STACK_ELSEWHERE)
        return place == CALLED_STACK_ABOVE ? CALL_CALLERS_FRAME : CALL_STACK;
    switch (number) {
    case SIGILL:
    case SIGTRAP: return CALL_ILLEGAL;
    case SIGFPE: return CALL_ARITHMETIC;
    default: return CALL_SEGV;
    }
}

static void make_call(const struct checked_call *call, bool emulates, struct checked_call_report *report)
{
    struct checked_call_result result;
    *report = (struct checked_call_report){0};
    checked_call_frame = called_stack_begin();
    if (!checked_call_frame) {
        report->fault = CALL_NO_MEMORY;
        return;
    }
    checked_calls_begin();
    checked_call_emulates = emulates;
    tile_emulator_reset();
    checked_call_reporting = report;
    uint64_t modes = checked_call_modes();
    int number = sigsetjmp(checked_call_escape, 0);
    if (number == 0) {
        worker_beat(checked_call_heart);
        checked_call_poison_vectors();
        checked_call_raw(call, &result);
        report->fault = called_stack_is_spoiled() ? CALL_CALLERS_FRAME : judge(&result, modes, report->registers);
        if (report->fault == CALL_CLEAN && !tile_registers_are_released())
            report->fault = CALL_TILES;
    } else {
        report->fault = fault_of(number, report->address);
    }
    checked_call_reporting = NULL;
    checked_call_restore_modes(modes);
    checked_call_restore_vectors();
    worker_beat(checked_call_heart);
    tile_emulator_reset();
    checked_calls_end();
}

void checked_call_report(const struct checked_call *call, struct checked_call_report *report)
{
    make_call(call, false, report);
}

void checked_call_report_of(const struct checked_call *call, const char *isa, struct checked_call_report *report)
{
    make_call(call, emulator_stands_in(isa), report);
}

const char *call_fault_name(enum call_fault fault)
{
    static const char *const names[] = {
        "clean",
        "touched memory outside its operands",
        "wrote outside its output",
        "clobbered a callee-saved register",
        "changed the direction flag or the floating-point control",
        "has an illegal instruction",
        "had an arithmetic exception",
        "returned without tilerelease",
        "writes into its caller's stack frame",
        "needs a stack of more than 8 MiB",
        "made a different operand from activations in an order of column groups than from activations already in that "
        "order",
        "was not called, for want of memory",
    };
    return names[fault];
}
