/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>
#include <stdint.h>

/** The x86-64 half of checked_call.c. */

enum { CHECKED_CALL_KEPT_REGISTERS = 6, CHECKED_CALL_MODES = 2 };
static const char *const checked_call_kept_names[] = {"rbx", "rbp", "r12", "r13", "r14", "r15"};
static const char checked_call_stack_name[] = "rsp";
static const char *const checked_call_mode_names[] = {"direction flag", "MXCSR"};

struct checked_call_result {
    uint64_t kept[CHECKED_CALL_KEPT_REGISTERS]; /* rbx rbp r12 r13 r14 r15 after the call */
    uint64_t flags;
    uint32_t mxcsr, unused;
    uint64_t stack_moved; /* rsp after the call - rsp before */
};

__asm__(".pushsection .text\n"
        ".globl checked_call_raw\n"
        ".hidden checked_call_raw\n"
        ".type checked_call_raw, @function\n"
        "checked_call_raw:\n"
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
        "    mov 40(%rdi), %r8\n"
        "    mov 8(%rdi), %rdi\n"
        "    movabs $0x6b6e6565706f6900, %rbx\n"
        "    lea 1(%rbx), %rbp\n"
        "    lea 2(%rbx), %r12\n"
        "    lea 3(%rbx), %r13\n"
        "    lea 4(%rbx), %r14\n"
        "    lea 5(%rbx), %r15\n"
        "    lea 6(%rbx), %r9\n"
        "    test %r8, %r8\n"
        "    cmovz %r9, %r8\n" /* no fifth argument: junk */
        "    lea 7(%rbx), %r9\n"
        "    lea 8(%rbx), %r10\n"
        "    lea 9(%rbx), %r11\n"
        "    .irp number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n"
        "    pcmpeqd %xmm\\number, %xmm\\number\n"
        "    .endr\n"
        "    mov %rsp, checked_call_stack(%rip)\n"
        "    mov checked_call_frame(%rip), %rsp\n"
        "    call *%rax\n"
        "    mov %rsp, %rcx\n"
        "    mov checked_call_stack(%rip), %rsp\n" /* every register may be lost, memory is not */
        "    sub checked_call_frame(%rip), %rcx\n"
        "    mov (%rsp), %rdx\n"
        "    mov %rcx, 64(%rdx)\n"
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
        ".size checked_call_raw, . - checked_call_raw\n"
        ".popsection\n"
        ".pushsection .bss\n"
        ".balign 8\n"
        "checked_call_stack: .skip 8\n"
        ".globl checked_call_frame\n"
        ".hidden checked_call_frame\n"
        "checked_call_frame: .skip 8\n"
        ".popsection\n");

enum { FLAG_DIRECTION = 1 << 10, MXCSR_CONTROL = 0xffc0 };

static inline uint64_t checked_call_modes(void)
{
    return __builtin_ia32_stmxcsr();
}

/** A callee may leave the upper halves of vectors in use, and all SSE code after it would be slow: the reference, too. */
static inline void checked_call_restore_vectors(void)
{
    if (__builtin_cpu_supports("avx"))
        __asm__ volatile("vzeroupper" ::: "memory");
}

/** What the call itself does not fill: code compiled without these instructions leaves it alone until then. */
static inline void checked_call_poison_vectors(void)
{
    if (__builtin_cpu_supports("avx"))
        __asm__ volatile(".irp number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n\t"
                         "vcmptrueps %%ymm\\number, %%ymm\\number, %%ymm\\number\n\t"
                         ".endr" ::
                             : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",
                               "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
    if (__builtin_cpu_supports("avx512f"))
        __asm__ volatile(
            ".irp number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, "
            "23, 24, 25, 26, 27, 28, 29, 30, 31\n\t"
            "vpternlogd $0xff, %%zmm\\number, %%zmm\\number, %%zmm\\number\n\t"
            ".endr\n\t"
            ".irp number, 1, 2, 3, 4, 5, 6, 7\n\t"
            "kxnorw %%k\\number, %%k\\number, %%k\\number\n\t"
            ".endr" ::
                : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11",
                  "xmm12", "xmm13", "xmm14", "xmm15");
}

static inline void checked_call_restore_modes(uint64_t modes)
{
    __asm__ volatile("cld");
    __builtin_ia32_ldmxcsr((uint32_t)modes);
}

/** Whether mode i is another than before. */
static inline int checked_call_mode_changed(const struct checked_call_result *result, uint64_t modes, size_t i)
{
    return i == 0 ? result->flags & FLAG_DIRECTION : (result->mxcsr & MXCSR_CONTROL) != (modes & MXCSR_CONTROL);
}

/** The instruction that a signal stopped. */
static inline uint64_t checked_call_stopped_at(const ucontext_t *context)
{
    return (uint64_t)context->uc_mcontext.gregs[REG_RIP];
}
