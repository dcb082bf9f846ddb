/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner loop of a kernel in C intrinsics against what its gamma is measured on. That is the kernel's own step (micro/frames/gamma.h), which a
 * compiler must have made the same code of in both: as much arithmetic a multiplication, no more copies to the stack. Or it is a sequence in
 * assembly that models the kernel.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "micro/dataflow.h"
#include "micro/disassembly_execute.h"
#include "micro/kernel.h"
#include "micro/sequence.h"

#if defined __x86_64__
#define HERE "x86_64"
#else
#define HERE "aarch64"
#endif

/* Scales and minima of blocks are handled for one row here and for several there. */
#define DIFFERENCE_MOST 0.25
/* Of a kernel's own step: a compiler knows in one loop of constants and addresses what it does not in the other. */
#define DIFFERENCE_OWN 0.06
#define ON_STACK_MORE  0.10 /* of the arithmetic: operands that a compiler keeps on the stack */

/** Uops of arithmetic in code, how many of its instructions are multiplications or look-ups of one name, and how many want the stack. */
struct work {
    uint32_t uops, counted, on_stack;
};

static bool is_on_stack(const struct instruction *at)
{
    for (int i = 0; i < at->operands; i++) {
        const char *operand = at->operand[i];
        if (operand_is_memory(operand) &&
            (strstr(operand, "[rsp") || strstr(operand, "[rbp") || strstr(operand, "[sp")))
            return true;
    }
    return false;
}

/** Of SVE fmad is fmla with its sum in another operand, which a compiler chooses. */
static bool is_counted(const struct instruction *at, const char *mnemonic)
{
    return mnemonic_is(at, mnemonic) || (strcmp(mnemonic, "fmla") == 0 && mnemonic_is(at, "fmad"));
}

static struct work work_of(const struct instruction *at, size_t count, const char *mnemonic)
{
    struct work work = {0};
    for (size_t i = 0; i < count; i++) {
        work.on_stack += is_on_stack(&at[i]);
        if (!is_vector_arithmetic(&at[i]) || is_load_or_copy(&at[i]) || is_zeroing(&at[i]))
            continue;
        work.uops += instruction_uops(&at[i]);
        work.counted += is_counted(&at[i], mnemonic);
    }
    return work;
}

/** What the loops are told by: the multiplication, of bits the count, or of look-ups the shuffle. */
static const char *multiplication_of(const struct code *group)
{
    static const char *const names[] = {
        "vpdpbusd", "vpmaddubsw", "vpopcntq", "vpermb", "vpandn", "vpshufb", "vpermilps", /* and of aarch64 */
        "sdot",     "usdot",      "smull",    "cnt",    "tbl",    "bfdot",   "fmlal",     "fmla"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (work_of(group->at, group->count, names[i]).counted)
            return names[i];
    }
    return "";
}

/** Whether no loop of arithmetic is in it; one that only asks for lines ahead may be. */
static bool is_innermost(const struct code *code, size_t first, size_t last)
{
    for (size_t i = first; i < last; i++) {
        size_t begin = loop_begin(code, i);
        if (begin != SIZE_MAX && begin >= first && work_of(code->at + begin, i + 1 - begin, "").uops)
            return false;
    }
    return true;
}

/** Index of the instruction that a jump at `from` goes to, if that lies ahead of it and before `end`; else `end`. */
static size_t jump_ahead(const struct code *code, size_t from, size_t end)
{
    const struct instruction *jump = &code->at[from];
    uint64_t to = jump->operands ? strtoull(jump->operand[jump->operands - 1], NULL, 16) : 0;
    if (!is_jump(jump) || to <= jump->address)
        return end;
    while (from < end && code->at[from].address != to)
        from++;
    return from;
}

/** Whether what begins at `first` comes to the jump at `last`. A branch that jumps back into the end of another one closes no loop. */
static bool is_gone_round(const struct code *code, size_t first, size_t last)
{
    bool *comes = calloc(code->count + 1, sizeof *comes);
    assert_non_null(comes);
    comes[first] = true;
    for (size_t i = first; i < last; i++) {
        const struct instruction *at = &code->at[i];
        if (!comes[i])
            continue;
        comes[jump_ahead(code, i, code->count)] = true;
        if (!mnemonic_is(at, "jmp") && !mnemonic_is(at, "b") && !mnemonic_is(at, "ret"))
            comes[i + 1] = true;
    }
    bool round = comes[last];
    free(comes);
    return round;
}

static double around_one(struct work work, double wanted)
{
    return fabs(work.uops / (double)work.counted - wanted);
}

static uint32_t least_of(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/**
 * The innermost loop that multiplies most, `enough` being as good as more: a GEMM of several tokens lies in the same code. Of several the one nearest
 * to what is wanted of a multiplication: the others are rests of rows, and parts of a format that the sequence leaves out.
 */
static struct work inner_loop(const struct code *code, const char *multiplication, double wanted, uint32_t enough)
{
    struct work best = {0};
    for (size_t last = 0; last < code->count; last++) {
        size_t first = loop_begin(code, last);
        if (first == SIZE_MAX || !is_gone_round(code, first, last) || !is_innermost(code, first, last))
            continue;
        struct work work = work_of(code->at + first, last + 1 - first, multiplication);
        uint32_t counted = least_of(work.counted, enough), most = least_of(best.counted, enough);
        if (counted > most || (counted == most && counted && around_one(work, wanted) < around_one(best, wanted)))
            best = work;
    }
    return best;
}

/** Whether its uops are known: how often the loops of a step run is not read from memory. */
static bool is_countable(const char *object, const struct code *step)
{
    uint64_t begin = 0;
    size_t first = 0;
    bool known = false;
    for (unsigned accumulators = 1; !known && accumulators <= 4; accumulators *= 2) {
        char run[32];
        snprintf(run, sizeof run, "gamma_run_%u_2", accumulators);
        known = disassembly_symbol("objdump", object, run, &begin);
    }
    while (known && first < step->count && step->at[first].address != begin)
        first++;
    struct code run = {step->at + first, step->count - first};
    uint32_t *times = calloc(run.count + 1, sizeof *times);
    assert_non_null(times);
    known = known && disassembly_execute(&run, 2, times);
    free(times);
    return known;
}

/** @return whether the kernel's loop is what its gamma is measured on */
static bool kernel_is_its_step(const char *name, const char *object)
{
    struct code step = {0}, code = {0}, gemv = {0};
    bool read = disassembly_section("objdump", object, ".text.gamma", &step) &&
                disassembly_section("objdump", object, ".text", &code);
    const char *multiplication = multiplication_of(&step);
    struct work wanted = inner_loop(&step, multiplication, 0, UINT32_MAX);
    double of_step = wanted.uops / (double)wanted.counted;
    /* of gemv() itself, unless its loop is in what it calls */
    (void)disassembly_function("objdump", object, "gemv", &gemv);
    struct work got = inner_loop(&gemv, multiplication, of_step, wanted.counted);
    if (!got.counted)
        got = inner_loop(&code, multiplication, of_step, wanted.counted);
    double of_kernel = got.uops / (double)got.counted;
    bool alike = read && got.counted && fabs(of_kernel / of_step - 1) <= DIFFERENCE_OWN &&
                 wanted.on_stack / (double)wanted.uops <= got.on_stack / (double)got.uops + ON_STACK_MORE;
    if (!alike)
        print_error(
            "%s: for a %s its inner loop takes %.3f uops of arithmetic and %.3f of the stack, the loop of gamma %.3f and %.3f\n",
            name, multiplication, of_kernel, got.on_stack / (double)got.counted, of_step,
            wanted.on_stack / (double)wanted.counted);
    bool countable = is_countable(object, &step);
    if (!countable)
        print_error("%s: how often a loop of its step runs is not known (micro/disassembly_execute.h)\n", name);
    free(step.at);
    free(code.at);
    free(gemv.at);
    return alike && countable;
}

/** @return whether the kernel is as its sequence says */
static bool kernel_takes_what_gamma_says(const char *folder, const struct kernel *kernel, const char *object)
{
    char path[PATH_MAX];
    struct code group, code = {0};
    const struct sequence *sequence = sequence_find(kernel->gamma ? kernel->gamma : kernel->name);
    if (sequence && sequence_is_step(sequence))
        return kernel_is_its_step(kernel->name, object);
    disassembly_sequence(folder, sequence ? sequence->name : "", path, sizeof path);
    bool read = sequence && disassembly_group("objdump", path, &group) &&
                disassembly_section("objdump", object, ".text", &code);
    if (!read) {
        print_error("%s: its gamma names no sequence, or objdump cannot read both\n", kernel->name);
        return false;
    }
    const char *multiplication = multiplication_of(&group);
    struct work wanted = work_of(group.at, group.count, multiplication), got;
    got = inner_loop(&code, multiplication, wanted.uops / (double)wanted.counted, UINT32_MAX);
    double vectors = (double)sequence->group_vectors / wanted.counted; /* of one multiplication */
    double kernel_uops = got.uops / (got.counted * vectors),
           sequence_uops = wanted.uops / (double)sequence->group_vectors;
    bool alike = got.counted && fabs(kernel_uops / sequence_uops - 1) <= DIFFERENCE_MOST;
    if (!alike)
        print_error("%s: its inner loop takes %.3f uops of arithmetic an output vector, %s %.3f\n", kernel->name,
                    kernel_uops, sequence->name, sequence_uops);
    free(group.at);
    free(code.at);
    return alike;
}

static bool is_optimised(void)
{
#if defined __OPTIMIZE__ && !defined __SANITIZE_ADDRESS__
    return true;
#else
    return false;
#endif
}

static void kernels_in_c_take_what_their_sequence_takes(void **state)
{
    (void)state;
    char folder[PATH_MAX - 256], object[PATH_MAX], step[PATH_MAX];
    size_t wrong = 0, count = 0;
    if (!is_optimised()) {
        print_message("# not on this machine: an optimised build is what it looks at\n");
        skip();
    }
    disassembly_build_folder(folder, sizeof folder);
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        const char *rest = strchr((*kernel)->name, '.');
        int format = (int)(rest - (*kernel)->name);
        snprintf(object, sizeof object, "%s/micro/formats/%.*s/%s.o", folder, format, (*kernel)->name, rest + 1);
        snprintf(step, sizeof step, "%s/micro/formats/%.*s/%s.microkernel.o", folder, format, (*kernel)->name,
                 rest + 1);
        if (!(*kernel)->gemv || access(step, R_OK) == 0)
            continue;
        wrong += !kernel_takes_what_gamma_says(folder, *kernel, object);
        count++;
    }
    assert_true(count > 0);
    assert_int_equal(wrong, 0);
}

static void the_inner_loop_is_the_one_that_multiplies_most(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "   0:\tvpaddd ymm0,ymm0,ymm1\n", "   4:\tvpmaddubsw ymm2,ymm3,YMMWORD PTR [rsi]\n",
        "   8:\tvpaddw ymm4,ymm4,ymm2\n", "   c:\tvmovdqa ymm5,YMMWORD PTR [rdi]\n",
        "  10:\tjne    4 <gemv+0x4>\n",   "  12:\tvpmaddubsw ymm2,ymm3,YMMWORD PTR [rsi]\n",
        "  16:\tvpxor ymm4,ymm4,ymm4\n",  "  1a:\tvpxor ymm4,ymm4,ymm4\n",
        "  1e:\tjne    12 <gemv+0x12>\n", "  20:\tjne    0 <gemv>\n",
    };
    struct instruction at[10];
    struct code code = {at, 0};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char line[128];
        snprintf(line, sizeof line, "%s", lines[i]);
        code.count += disassembly_line(line, &at[code.count]);
    }
    assert_int_equal(code.count, 10);
    struct work work = inner_loop(&code, "vpmaddubsw", 2, UINT32_MAX);
    assert_int_equal(work.counted, 1);
    assert_int_equal(work.uops, 2);
}

static void an_address_is_no_register(void **state)
{
    (void)state;
    char jump[] = "    d4a4:\tb.ne\td498 <gamma_prefetch_3+0xa4>  // b.any\n", add[] = "    d4a8:\tfadd\td4, d9, d8\n";
    struct instruction at[2];
    assert_int_equal(disassembly_line(jump, &at[0]) + disassembly_line(add, &at[1]), 2);
    assert_int_equal(work_of(&at[0], 1, "").uops, 0);
    assert_int_equal(work_of(&at[1], 1, "").uops, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_inner_loop_is_the_one_that_multiplies_most),
        cmocka_unit_test(an_address_is_no_register),
        cmocka_unit_test(kernels_in_c_take_what_their_sequence_takes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
