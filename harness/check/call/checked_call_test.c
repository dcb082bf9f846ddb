/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a checked call says of functions that do one thing wrong to their caller, and what they find in registers.
 */
#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/check/call/checked_call.h"
#include "harness/check/call/checked_call_testing.h"
#include "platforms/process/refused_call.h"
#include "unit_test.h"

/* ---- what the callees are: each is called with the address of `found` ---- */

enum { MASKS = 16, MASK_BYTES = 32 };
static uint8_t found[MASKS * MASK_BYTES];

void callee_writes_at(uint8_t *unused, uint64_t offset);
void callee_recurses(void);
void callee_stores_masks(uint8_t *found);

#if defined(__x86_64__)
/* bytes above where the stack pointer was before the call, which pushed the return address */
__asm__(".pushsection .text\n"
        ".globl callee_writes_at\n.hidden callee_writes_at\n.type callee_writes_at, @function\n"
        "callee_writes_at:\n"
        "    endbr64\n"
        "    movb $1, 8(%rsp, %rsi)\n"
        "    ret\n"
        ".globl callee_recurses\n.hidden callee_recurses\n.type callee_recurses, @function\n"
        "callee_recurses:\n"
        "    endbr64\n"
        "    sub $4080, %rsp\n"
        "    call callee_recurses\n"
        "    add $4080, %rsp\n"
        "    ret\n"
        ".globl callee_stores_masks\n.hidden callee_stores_masks\n.type callee_stores_masks, @function\n"
        "callee_stores_masks:\n"
        "    ret\n"
        ".popsection\n");

static int masks(void)
{
    return 0; /* none that this could store */
}
#elif defined(__aarch64__)
#include <sys/auxv.h>
__asm__(".pushsection .text\n"
        ".globl callee_writes_at\n.hidden callee_writes_at\n.type callee_writes_at, %function\n"
        "callee_writes_at:\n"
        "    hint 34\n"
        "    mov w9, 1\n"
        "    add x10, sp, x1\n"
        "    strb w9, [x10]\n"
        "    ret\n"
        ".globl callee_recurses\n.hidden callee_recurses\n.type callee_recurses, %function\n"
        "callee_recurses:\n"
        "    hint 34\n"
        "    str x30, [sp, -16]!\n"
        "    sub sp, sp, 4064\n"
        "    bl callee_recurses\n"
        "    add sp, sp, 4064\n"
        "    ldr x30, [sp], 16\n"
        "    ret\n"
        ".arch_extension sve\n"
        ".globl callee_stores_masks\n.hidden callee_stores_masks\n.type callee_stores_masks, %function\n"
        "callee_stores_masks:\n"
        "    hint 34\n"
        "    .irp number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n"
        "    str p\\number, [x0]\n"
        "    add x0, x0, 32\n"
        "    .endr\n"
        "    ret\n"
        ".arch_extension nosve\n"
        ".popsection\n");

static int masks(void)
{
    return getauxval(AT_HWCAP) & 1 << 22 ? MASKS : 0;
}
#endif

/* ---- */

static enum call_fault fault_of_writing(ptrdiff_t offset)
{
    const struct checked_call call = {(const void *)(uintptr_t)callee_writes_at,
                                      {(uintptr_t)found, (uint64_t)offset, 0, 0, 0}};
    return checked_call(&call);
}

/** In a process that has made no call: guard pages, once made, stay. */
TEST(a_call_is_not_made_without_guard_pages)
{
    enum { NOT_MADE = 1, NO_FILTER = 77 };
    int status;
    pid_t child = fork();
    if (child == 0) {
        const struct checked_call recurses = {(const void *)(uintptr_t)callee_recurses, {0}};
        if (!refuse_call(SYS_mprotect, ENOMEM))
            _exit(NO_FILTER);
        _exit(checked_call(&recurses) == CALL_NO_MEMORY ? NOT_MADE : 0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    skip_if(WEXITSTATUS(status) == NO_FILTER, "not on this machine: no filters of system calls");
    assert_int_equal(WEXITSTATUS(status), NOT_MADE);
}

TEST(a_callee_that_writes_into_its_callers_frame_is_named)
{
    assert_int_equal(fault_of_writing(-64), CALL_CLEAN); /* its own, below what the call pushed */
    assert_int_equal(fault_of_writing(0), CALL_CALLERS_FRAME);
    assert_int_equal(fault_of_writing(8), CALL_CALLERS_FRAME);
    assert_int_equal(fault_of_writing(CALLED_STACK_FRAME_BYTES - 1), CALL_CALLERS_FRAME);
    assert_int_equal(fault_of_writing(CALLED_STACK_FRAME_BYTES), CALL_CALLERS_FRAME); /* the guard page */
    assert_int_equal(fault_of_writing(-64), CALL_CLEAN);
    assert_string_equal(call_fault_name(CALL_CALLERS_FRAME), "writes into its caller's stack frame");
}

TEST(a_callee_that_needs_more_stack_than_there_is_is_named)
{
    const struct checked_call call = {(const void *)(uintptr_t)callee_recurses, {0}};
    assert_int_equal(CALLED_STACK_BYTES, 8 << 20); /* the name says so */
    assert_int_equal(checked_call(&call), CALL_STACK);
    assert_string_equal(call_fault_name(CALL_STACK), "needs a stack of more than 8 MiB");
}

/* ---- between calls */

static volatile sig_atomic_t noted;

static void note(int number)
{
    noted = number;
}

TEST(faults_beside_calls_reach_who_had_them_before)
{
    struct checked_call recurses = {(const void *)(uintptr_t)callee_recurses, {0}};
    signal(SIGFPE, note);
    checked_calls_begin();
    assert_int_equal(checked_call(&recurses), CALL_STACK);
    raise(SIGFPE);
    assert_int_equal(noted, SIGFPE);
    assert_int_equal(checked_call(&recurses), CALL_STACK); /* and the fault of a call reaches it still */
    checked_calls_end();
    signal(SIGFPE, SIG_DFL);
}

/** A child that touches address 0, or is sent a signal, after a checked call. @return the signal that ended it */
static int ended_by(bool sent)
{
    const volatile uintptr_t nowhere = 64;
    struct checked_call recurses = {(const void *)(uintptr_t)callee_recurses, {0}};
    pid_t child = fork();
    if (child == 0) {
        signal(SIGSEGV, SIG_DFL); /* a sanitizer has its own */
        checked_calls_begin();
        bool named = checked_call(&recurses) == CALL_STACK;
        if (named && sent)
            raise(SIGSEGV);
        else if (named)
            *(volatile uint8_t *)(uintptr_t)nowhere = 1;
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

TEST(a_crash_beside_calls_ends_the_process)
{
    assert_int_equal(ended_by(false), SIGSEGV);
    assert_int_equal(ended_by(true), SIGSEGV);
}

TEST(masks_of_sve_hold_junk)
{
    skip_if(!masks(), "not on this machine: no SVE");
    const struct checked_call call = {(const void *)(uintptr_t)callee_stores_masks, {(uintptr_t)found}};
    assert_int_equal(checked_call(&call), CALL_CLEAN);
    for (int i = 0; i < masks(); i++)
        assert_int_equal(found[i * MASK_BYTES], 0xff);
}

RUN_TESTS(NULL, NULL)
