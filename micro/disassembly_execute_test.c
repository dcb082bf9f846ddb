/* SPDX-License-Identifier: BSD-3-Clause */
#include "micro/disassembly_execute.h"
#include "unit_test.h"

enum { LINES_MOST = 16, UNKNOWN = -1 };

/** Instructions that are executed of lines up to a NULL; UNKNOWN if a jump is not known or there is no end. */
static int executed_of(const char *const *lines, uint64_t iterations)
{
    struct instruction at[LINES_MOST];
    struct code code = {at, 0};
    uint32_t times[LINES_MOST];
    int executed = 0;
    for (; lines[code.count]; code.count++) {
        char line[128];
        snprintf(line, sizeof line, "%s", lines[code.count]);
        assert_true(disassembly_line(line, &at[code.count]));
    }
    if (!disassembly_execute(&code, iterations, times))
        return UNKNOWN;
    for (size_t i = 0; i < code.count; i++)
        executed += (int)times[i];
    return executed;
}

TEST(loops_within_loops_run_as_often_as_they_run)
{
    static const char *const halves[] = {"   0:\tmov    ah,0x3",
                                         "   2:\tmov    al,0x4",
                                         "   4:\tvpaddd ymm1,ymm1,ymm2",
                                         "   8:\tdec    al",
                                         "   a:\tjne    4 <group_begin+4>",
                                         "   c:\tdec    ah",
                                         "   e:\tjne    2 <group_begin+2>",
                                         NULL};
    assert_int_equal(executed_of(halves, 1), 1 + 3 * (1 + 4 * 3 + 2));
    static const char *const endless[] = {"   0:\tmov    al,0x4", "   2:\tdec    al", "   4:\tjne    0 <x>", NULL};
    assert_int_equal(executed_of(endless, 1), UNKNOWN);
}

TEST(addresses_and_counters_on_the_stack_are_known)
{
    static const char *const x86_64[] = {"   0:\tmov    rax,QWORD PTR [rdi+0x8]",
                                         "   4:\tlea    rdx,[rax+rsi*8+0x40]",
                                         "   8:\tmov    DWORD PTR [rsp-0x18],0x0",
                                         "   c:\tvmovdqa YMMWORD PTR [rax],ymm0",
                                         "  10:\tadd    rax,0x20",
                                         "  14:\tadd    DWORD PTR [rsp-0x18],0x1",
                                         "  18:\tcmp    rdx,rax",
                                         "  1c:\tja     c <x>",
                                         "  20:\tcmp    DWORD PTR [rsp-0x18],0x3",
                                         "  24:\tjne    0 <x>",
                                         "  28:\tret",
                                         NULL};
    assert_int_equal(executed_of(x86_64, 4), 3 + 3 * 5 + 2);
    static const char *const aarch64[] = {"   0:\tstp\tx19, x20, [sp, #-32]!",
                                          "   4:\tldp\tx2, x3, [x0]",
                                          "   8:\tmov\tx4, #0x3                   \t// #3",
                                          "   c:\tadd\tx5, x2, x4, lsl #4",
                                          "  10:\tldr\tq0, [x2], #16",
                                          "  14:\tcmp\tx5, x2",
                                          "  18:\tb.ne\t10 <x+0x10>  // b.any",
                                          "  1c:\tsubs\tx1, x1, #0x1",
                                          "  20:\tcbnz\tx1, c <x+0xc>",
                                          "  24:\tret",
                                          NULL};
    assert_int_equal(executed_of(aarch64, 1), 4 + 3 * 3 + 2);
}

TEST(what_memory_holds_is_not_known)
{
    static const char *const loaded[] = {"   0:\tmov    rax,QWORD PTR [rdi]", "   4:\tcmp    BYTE PTR [rax],0x0",
                                         "   8:\tjne    0 <x>", NULL};
    assert_int_equal(executed_of(loaded, 1), UNKNOWN);
    static const char *const by_vector[] = {"   0:\tvmovd  eax,xmm1", "   4:\ttest   eax,eax", "   8:\tjne    0 <x>",
                                            NULL};
    assert_int_equal(executed_of(by_vector, 1), UNKNOWN);
}

TEST(a_call_beside_the_loop_is_not_in_it)
{
    static const char *const before[] = {"   0:\tmov    rbx,rsi",
                                         "   4:\tcall   9 <x+0x9>",
                                         "   9:\tmov    rax,QWORD PTR [rdi]",
                                         "   c:\tvpaddd ymm0,ymm0,ymm1",
                                         "  10:\tdec    rbx",
                                         "  14:\tjne    c <x+0xc>",
                                         "  18:\tret",
                                         NULL};
    assert_int_equal(executed_of(before, 5), 3 + 5 * 3);
    assert_int_equal(executed_of(before, 1), UNKNOWN);
    static const char *const within[] = {"   0:\tmov    rbx,rsi",
                                         "   4:\tvpaddd ymm0,ymm0,ymm1",
                                         "   8:\tcall   d <x+0xd>",
                                         "   d:\tdec    rbx",
                                         "  10:\tjne    4 <x+0x4>",
                                         "  14:\tret",
                                         NULL};
    assert_int_equal(executed_of(within, 2), UNKNOWN);
    /* what the function may change */
    static const char *const counter[] = {"   0:\tcall   5 <x+0x5>", "   5:\tdec    rsi", "   8:\tjne    5 <x+0x5>",
                                          NULL};
    assert_int_equal(executed_of(counter, 2), UNKNOWN);
    static const char *const spilled[] = {"   0:\tmov    QWORD PTR [rsp-0x8],rsi", "   4:\tcall   9 <x+0x9>",
                                          "   9:\tsub    QWORD PTR [rsp-0x8],0x1", "   e:\tjne    9 <x+0x9>", NULL};
    assert_int_equal(executed_of(spilled, 2), UNKNOWN);
    static const char *const operands[] = {"   0:\tmov    rbx,rdi",
                                           "   4:\tcall   9 <x+0x9>",
                                           "   9:\tmov    rax,QWORD PTR [rbx]",
                                           "   c:\tlea    rdx,[rax+0x40]",
                                           "  10:\tadd    rax,0x20",
                                           "  14:\tcmp    rdx,rax",
                                           "  18:\tjne    10 <x+0x10>",
                                           NULL};
    assert_int_equal(executed_of(operands, 2), 4 + 2 * 3);
    static const char *const aarch64[] = {"   0:\tmov\tx19, x1",
                                          "   4:\tmov\tx2, #0x3                   \t// #3",
                                          "   8:\tbl\t0 <x>",
                                          "   c:\tcbnz\tx2, c <x+0xc>",
                                          "  10:\tsubs\tx19, x19, #0x1",
                                          "  14:\tret",
                                          NULL};
    assert_int_equal(executed_of(aarch64, 2), UNKNOWN);
}

RUN_TESTS(NULL, NULL)
