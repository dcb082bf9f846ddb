/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Call code written in assembly as a hostile caller would, and say what it did to the caller. For tests, and for code
 * that a user brings, in a child process.
 *
 * Registers that the callee must keep hold junk and are compared afterwards; registers that it may use hold junk too (upper halves of
 * vectors, zmm16 to zmm31 and masks where this machine has them, of SVE all of z and p), so that code which forgets to set one is wrong
 * instead of lucky. The callee has a stack of its own (called_stack_begin()). A fault ends the call, not the program. One call at a time in a process.
 */
enum call_fault {
    CALL_CLEAN,
    CALL_SEGV,          /* touched memory outside its operands, or wrote to one it may only read */
    CALL_WROTE_OUTSIDE, /* changed bytes around its output; no report says so; their owner looks */
    CALL_CLOBBERED,     /* a register that the callee must keep changed, or the stack pointer */
    CALL_MODE,          /* rounding or traps changed (MXCSR, FPCR), or the direction flag */
    CALL_ILLEGAL,       /* an instruction that this CPU does not have, or a trap */
    CALL_ARITHMETIC,    /* SIGFPE */
    CALL_TILES,         /* returned with tile registers in use, which every context switch then saves */
    CALL_CALLERS_FRAME, /* wrote above its return address */
    CALL_STACK,         /* needs more stack than there is: CALLED_STACK_BYTES */
    CALL_OTHER_OPERAND, /* operands of the same activations differ: guarded_ordered.h; no report says so */
    CALL_NO_MEMORY,     /* was not made: no memory for it, or for guard pages, which is no fault of the callee */
};

struct checked_call {
    const void *function;
    uint64_t arguments[5]; /* where the last is 0, its register holds junk */
};

enum { CHECKED_CALL_NAMES = 8 };

/** What one call did. */
struct checked_call_report {
    enum call_fault fault;
    int signal;          /* of CALL_SEGV, CALL_ILLEGAL, CALL_ARITHMETIC; else 0 */
    const void *address; /* that a CALL_SEGV touched; NULL for an invalid one */
    const uint8_t *code; /* instruction that the signal stopped */
    const char *tiles;   /* what an emulated tile instruction did wrong: "uses tiles that …"; or NULL */
    const char *registers[CHECKED_CALL_NAMES]; /* of CALL_CLOBBERED and CALL_MODE: names, NULL-terminated */
};

struct worker_beat;

/** In a worker (platforms/process/worker.h): from now on it beats before each call and after it, so that the limit is one of a call. */
void checked_call_beats(struct worker_beat *heart);

/** There: a beat between two pieces of other work that takes long, pack() of a panel, or weight() for one. */
void checked_call_beat(void);

/**
 * Around many calls, so that signal handlers are installed once and not for each; by the holder of their operands. They nest. Between calls
 * a fault is what it was before. Who installs a handler of its own in between takes the faults of calls away from them.
 */
void checked_calls_begin(void);
void checked_calls_end(void);

/** Make the call, and fill in the report of it. */
void checked_call_report(const struct checked_call *call, struct checked_call_report *report);

/**
 * The same of code of this ISA, a row of isa.def: tile instructions and the dot products of AVX-VNNI-INT8 are executed in software
 * where this machine lacks them (harness/check/call/emulator.h).
 */
void checked_call_report_of(const struct checked_call *call, const char *isa, struct checked_call_report *report);

/** "touched memory outside its operands"… */
const char *call_fault_name(enum call_fault fault);

/**
 * The stack that checked calls run on, one in a process, as large as that of a program is by default:
 *
 *     guard page | the callee's stack, growing down | the caller's frame: a pattern | guard page
 *
 * A callee may read its caller's frame, and must leave it as it is: it has no arguments there.
 */
enum { CALLED_STACK_BYTES = 8 << 20, CALLED_STACK_FRAME_BYTES = 1024 };

/** Write the pattern. @return where the stack pointer is to be at the call, aligned to 16; NULL: there is no memory for guard pages */
uint8_t *called_stack_begin(void);

/** Whether the frame lost its pattern since. */
bool called_stack_is_spoiled(void);

enum called_stack_place { CALLED_STACK_ELSEWHERE, CALLED_STACK_BELOW, CALLED_STACK_ABOVE };

/** In which of the guard pages an address lies. */
enum called_stack_place called_stack_place(const void *address);
