/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/auxv.h>

/** The aarch64 half of checked_call.c. Of v8-v15 the callee keeps the lower 64 bits. */

#ifndef HWCAP_SVE
#define HWCAP_SVE (1 << 22)
#endif

enum { CHECKED_CALL_KEPT_REGISTERS = 19, CHECKED_CALL_MODES = 1 };
static const char *const checked_call_kept_names[] = {"x19", "x20", "x21", "x22", "x23", "x24", "x25",
                                                      "x26", "x27", "x28", "x29", "d8",  "d9",  "d10",
                                                      "d11", "d12", "d13", "d14", "d15"};
static const char checked_call_stack_name[] = "sp";
static const char *const checked_call_mode_names[] = {"FPCR"};

struct checked_call_result {
    uint64_t kept[CHECKED_CALL_KEPT_REGISTERS]; /* x19-x29, d8-d15 after the call */
    uint64_t fpcr;
    uint64_t stack_moved; /* sp after the call - sp before */
};

__asm__(".pushsection .text\n"
        ".globl checked_call_raw\n"
        ".hidden checked_call_raw\n"
        ".type checked_call_raw, %function\n"
        "checked_call_raw:\n"
        "    hint 34\n"
        "    stp x29, x30, [sp, -176]!\n"
        "    stp x19, x20, [sp, 16]\n"
        "    stp x21, x22, [sp, 32]\n"
        "    stp x23, x24, [sp, 48]\n"
        "    stp x25, x26, [sp, 64]\n"
        "    stp x27, x28, [sp, 80]\n"
        "    stp d8, d9, [sp, 96]\n"
        "    stp d10, d11, [sp, 112]\n"
        "    stp d12, d13, [sp, 128]\n"
        "    stp d14, d15, [sp, 144]\n"
        "    str x1, [sp, 160]\n"
        "    ldr x17, [x0]\n"
        "    ldp x10, x11, [x0, 8]\n"
        "    ldp x2, x3, [x0, 24]\n"
        "    ldr x16, [x0, 40]\n"
        "    mov x0, x10\n"
        "    mov x1, x11\n"
        "    ldr x19, 9f\n"
        "    .irp number, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29\n"
        "    add x\\number, x19, \\number - 19\n"
        "    .endr\n"
        "    .irp number, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15\n"
        "    add x\\number, x19, 100 + \\number\n"
        "    .endr\n"
        "    cmp x16, 0\n"
        "    csel x4, x4, x16, eq\n" /* no fifth argument: junk */
        "    .irp number, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31\n"
        "    movi v\\number\\().16b, 0xff\n"
        "    .endr\n"
        "    .irp number, 8, 9, 10, 11, 12, 13, 14, 15\n"
        "    add x9, x19, 11 - 8 + \\number\n"
        "    dup v\\number\\().2d, x9\n"
        "    .endr\n"
        "    adrp x16, checked_call_sve\n"
        "    ldr x16, [x16, :lo12:checked_call_sve]\n"
        "    cbz x16, 8f\n"
        "    .arch_extension sve\n" /* all lanes of z, which writing v has set to zero above 128 bits; all of p */
        "    .irp number, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31\n"
        "    mov z\\number\\().b, #-1\n"
        "    .endr\n"
        "    .irp number, 8, 9, 10, 11, 12, 13, 14, 15\n"
        "    add x9, x19, 11 - 8 + \\number\n"
        "    mov z\\number\\().d, x9\n"
        "    .endr\n"
        "    .irp number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n"
        "    ptrue p\\number\\().b\n"
        "    .endr\n"
        "    .arch_extension nosve\n"
        "8:  adrp x9, checked_call_stack\n"
        "    mov x16, sp\n"
        "    str x16, [x9, :lo12:checked_call_stack]\n"
        "    adrp x9, checked_call_frame\n"
        "    ldr x9, [x9, :lo12:checked_call_frame]\n"
        "    mov sp, x9\n"
        "    blr x17\n"
        "    mov x11, sp\n"
        "    adrp x9, checked_call_frame\n"
        "    ldr x12, [x9, :lo12:checked_call_frame]\n"
        "    sub x11, x11, x12\n"
        "    adrp x9, checked_call_stack\n"
        "    ldr x12, [x9, :lo12:checked_call_stack]\n" /* every register may be lost, memory is not */
        "    mov sp, x12\n"
        "    ldr x9, [sp, 160]\n"
        "    str x11, [x9, 160]\n"
        "    stp x19, x20, [x9, 0]\n"
        "    stp x21, x22, [x9, 16]\n"
        "    stp x23, x24, [x9, 32]\n"
        "    stp x25, x26, [x9, 48]\n"
        "    stp x27, x28, [x9, 64]\n"
        "    str x29, [x9, 80]\n"
        "    str d8, [x9, 88]\n"
        "    str d9, [x9, 96]\n"
        "    str d10, [x9, 104]\n"
        "    str d11, [x9, 112]\n"
        "    str d12, [x9, 120]\n"
        "    str d13, [x9, 128]\n"
        "    str d14, [x9, 136]\n"
        "    str d15, [x9, 144]\n"
        "    mrs x10, fpcr\n"
        "    str x10, [x9, 152]\n"
        "    ldp x19, x20, [sp, 16]\n"
        "    ldp x21, x22, [sp, 32]\n"
        "    ldp x23, x24, [sp, 48]\n"
        "    ldp x25, x26, [sp, 64]\n"
        "    ldp x27, x28, [sp, 80]\n"
        "    ldp d8, d9, [sp, 96]\n"
        "    ldp d10, d11, [sp, 112]\n"
        "    ldp d12, d13, [sp, 128]\n"
        "    ldp d14, d15, [sp, 144]\n"
        "    ldp x29, x30, [sp], 176\n"
        "    ret\n"
        "    .balign 8\n"
        "9:  .quad 0x6b6e6565706f6900\n"
        ".size checked_call_raw, . - checked_call_raw\n"
        ".popsection\n"
        ".pushsection .bss\n"
        ".balign 8\n"
        "checked_call_stack: .skip 8\n"
        ".globl checked_call_frame\n"
        ".hidden checked_call_frame\n"
        "checked_call_frame: .skip 8\n"
        ".globl checked_call_sve\n"
        ".hidden checked_call_sve\n"
        "checked_call_sve: .skip 8\n"
        ".popsection\n");

static inline uint64_t checked_call_modes(void)
{
    uint64_t fpcr;
    __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
    return fpcr;
}

/** Not 0: there are z and p registers, which checked_call_raw fills as well. */
extern uint64_t checked_call_sve;

/** checked_call_raw fills all of them. */
static inline void checked_call_poison_vectors(void)
{
    checked_call_sve = (getauxval(AT_HWCAP) & HWCAP_SVE) != 0;
}

static inline void checked_call_restore_vectors(void)
{
}

static inline void checked_call_restore_modes(uint64_t modes)
{
    __asm__ volatile("msr fpcr, %0" ::"r"(modes));
}

/** Whether mode i is another than before. */
static inline int checked_call_mode_changed(const struct checked_call_result *result, uint64_t modes, size_t i)
{
    (void)i;
    return result->fpcr != modes;
}

/** The instruction that a signal stopped. */
static inline uint64_t checked_call_stopped_at(const ucontext_t *context)
{
    return context->uc_mcontext.pc;
}
