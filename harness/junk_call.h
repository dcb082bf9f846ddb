/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_JUNK_CALL_H
#define HARNESS_JUNK_CALL_H

#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>

/**
 * For tests only: call code written in assembly as a hostile caller would, and say what it did to the caller.
 *
 * Registers that the callee must keep hold junk and are compared afterwards; registers that it may use hold junk too,
 * so that code which forgets to set one is wrong instead of lucky. A fault (guard pages) ends the call, not the test
 * program. Included by one file of a program.
 */
enum call_fault {
    CALL_CLEAN,
    CALL_SEGV,          /* touched memory outside its operands, or wrote to one it may only read */
    CALL_WROTE_OUTSIDE, /* changed bytes around its output */
    CALL_CLOBBERED,     /* rbx, rbp or r12-r15 changed */
    CALL_MODE,          /* direction flag or MXCSR control bits changed */
};

struct junk_call {
    const void *function;
    uint64_t arguments[4];
};

struct junk_result {
    uint64_t kept[6]; /* rbx rbp r12 r13 r14 r15 after the call */
    uint64_t flags;
    uint32_t mxcsr;
};

#define JUNK_KEPT 0x6b6e6565706f6900
void junk_call_raw(const struct junk_call *call, struct junk_result *result);

__asm__(".pushsection .text\n"
        ".globl junk_call_raw\n"
        ".hidden junk_call_raw\n"
        ".type junk_call_raw, @function\n"
        "junk_call_raw:\n"
        "    endbr64\n"
        "    push %rbx\n"
        "    push %rbp\n"
        "    push %r12\n"
        "    push %r13\n"
        "    push %r14\n"
        "    push %r15\n"
        "    push %rsi\n" /* and the stack is aligned to 16 */
        "    mov (%rdi), %rax\n"
        "    mov 16(%rdi), %rsi\n"
        "    mov 24(%rdi), %rdx\n"
        "    mov 32(%rdi), %rcx\n"
        "    mov 8(%rdi), %rdi\n"
        "    movabs $0x6b6e6565706f6900, %rbx\n"
        "    lea 1(%rbx), %rbp\n"
        "    lea 2(%rbx), %r12\n"
        "    lea 3(%rbx), %r13\n"
        "    lea 4(%rbx), %r14\n"
        "    lea 5(%rbx), %r15\n"
        "    lea 6(%rbx), %r8\n"
        "    lea 7(%rbx), %r9\n"
        "    lea 8(%rbx), %r10\n"
        "    lea 9(%rbx), %r11\n"
        "    .irp number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n"
        "    pcmpeqd %xmm\\number, %xmm\\number\n"
        "    .endr\n"
        "    call *%rax\n"
        "    mov (%rsp), %rdx\n"
        "    mov %rbx, (%rdx)\n"
        "    mov %rbp, 8(%rdx)\n"
        "    mov %r12, 16(%rdx)\n"
        "    mov %r13, 24(%rdx)\n"
        "    mov %r14, 32(%rdx)\n"
        "    mov %r15, 40(%rdx)\n"
        "    pushfq\n"
        "    pop 48(%rdx)\n"
        "    stmxcsr 56(%rdx)\n"
        "    cld\n"
        "    pop %rsi\n"
        "    pop %r15\n"
        "    pop %r14\n"
        "    pop %r13\n"
        "    pop %r12\n"
        "    pop %rbp\n"
        "    pop %rbx\n"
        "    ret\n"
        ".size junk_call_raw, . - junk_call_raw\n"
        ".popsection\n");

enum { FLAG_DIRECTION = 1 << 10, MXCSR_CONTROL = 0xffc0 };

/* Where a fault returns to; a signal handler has no other way to be told. */
static sigjmp_buf junk_escape;
static void *volatile junk_fault_address;

static void junk_on_fault(int number, siginfo_t *info, void *context)
{
    (void)context;
    junk_fault_address = info->si_addr;
    siglongjmp(junk_escape, number);
}

static enum call_fault judge(const struct junk_result *result, uint32_t mxcsr)
{
    for (uint64_t i = 0; i < 6; i++) {
        if (result->kept[i] != JUNK_KEPT + i)
            return CALL_CLOBBERED;
    }
    if (result->flags & FLAG_DIRECTION || (result->mxcsr & MXCSR_CONTROL) != (mxcsr & MXCSR_CONTROL))
        return CALL_MODE;
    return CALL_CLEAN;
}

/** Call; junk_fault_address says where after CALL_SEGV. */
static enum call_fault junk_call(const struct junk_call *call)
{
    struct sigaction ours = {.sa_sigaction = junk_on_fault, .sa_flags = SA_SIGINFO}, segv, bus;
    struct junk_result result;
    uint32_t mxcsr = __builtin_ia32_stmxcsr();
    volatile enum call_fault fault = CALL_SEGV;
    sigemptyset(&ours.sa_mask);
    sigaction(SIGSEGV, &ours, &segv);
    sigaction(SIGBUS, &ours, &bus);
    if (sigsetjmp(junk_escape, 1) == 0) {
        junk_call_raw(call, &result);
        fault = judge(&result, mxcsr);
        __builtin_ia32_ldmxcsr(mxcsr);
    }
    sigaction(SIGSEGV, &segv, NULL);
    sigaction(SIGBUS, &bus, NULL);
    return fault;
}

static inline const char *call_fault_name(enum call_fault fault)
{
    static const char *const names[] = {"clean", "touched memory outside its operands", "wrote outside its output",
                                        "clobbered a callee-saved register", "changed the direction flag or MXCSR"};
    return names[fault];
}

#endif
