/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What gamma is measured on is the kernel's own text. Of a kernel in C that is its step (micro/frames/gamma.h), of which a compiler must have made
 * the same code in both loops: as much arithmetic a multiplication, no more copies to the stack. Of one in assembly it is a file that its inner loop
 * and its sequence include.
 */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "micro/disassembly_execute.h"
#include "micro/kernel.h"
#include "micro/sequence.h"
#include "unit_test.h"

/* A compiler knows in one loop of constants and addresses what it does not in the other. */
#define DIFFERENCE_MOST 0.06
#define ON_STACK_MORE   0.10 /* of the arithmetic: operands that a compiler keeps on the stack */

/** Of x86-64, whose vector instructions alone begin so. */
static bool is_of_x86(const struct instruction *instruction)
{
    return instruction->mnemonic[0] == 'v';
}

static bool is_load_or_copy(const struct instruction *instruction)
{
    if (!is_of_x86(instruction))
        return mnemonic_begins(instruction, "ld") || mnemonic_begins(instruction, "mov");
    return mnemonic_begins(instruction, "vmov") || mnemonic_begins(instruction, "vbroadcast") ||
           mnemonic_begins(instruction, "vpbroadcast");
}

static bool is_vector_arithmetic(const struct instruction *instruction)
{
    if (!is_of_x86(instruction))
        return instruction->operands > 0 && operand_is_vector(instruction->operand[0]) &&
               !mnemonic_begins(instruction, "st") && !is_jump(instruction); /* to d490, which no register is */
    return instruction->operands > 0 && !mnemonic_begins(instruction, "vzero");
}

/** Makes zeros of a register, whatever it held: no core waits for that. */
static bool is_zeroing(const struct instruction *instruction)
{
    return mnemonic_begins(instruction, "vpxor") && instruction->operands == 3 &&
           operand_vector_number(instruction->operand[1]) &&
           strcmp(instruction->operand[1], instruction->operand[2]) == 0;
}

/** Uops of arithmetic in code, how many of its instructions are multiplications or look-ups of one name, and how many need the stack. */
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

/** How the loops are recognised: the multiplication, of bits the count, or of look-ups the shuffle. */
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
static bool is_countable(const char *symbols, const struct code *step)
{
    uint64_t begin = 0, accumulators = 0;
    char name[32];
    size_t first = 0;
    bool known = disassembly_symbol(symbols, "gamma_accumulators", &accumulators);
    snprintf(name, sizeof name, "gamma_long_%u", (unsigned)accumulators);
    if (!disassembly_symbol(symbols, name, &begin)) {
        snprintf(name, sizeof name, "gamma_run_%u_1", (unsigned)accumulators);
        known = known && disassembly_symbol(symbols, name, &begin);
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

/** The code of the kernel that this one has its tiles from, as its row says: the object asks for tiles_<format>__<sequence>__<isa>. None: nothing. */
static void read_borrowed(const char *folder, const char *symbols, struct code *tiles)
{
    static const char undefined[] = "*UND*\t0000000000000000 tiles_";
    const char *asked = symbols ? strstr(symbols, undefined) : NULL;
    char lender[PATH_MAX], name[192];
    if (!asked)
        return;
    asked += strlen(undefined);
    snprintf(name, sizeof name, "%.*s", (int)strcspn(asked, "\n"), asked);
    char *sequence = strstr(name, "__"), *isa = sequence ? strstr(sequence + 2, "__") : NULL;
    if (!isa)
        return;
    *sequence = *isa = '\0';
    snprintf(lender, sizeof lender, "%s/micro/formats/%s/%s.%s.o", folder, name, sequence + 2, isa + 2);
    (void)disassembly_section("objdump", lender, ".text", tiles);
}

/** @return whether the kernel's loop is what its gamma is measured on */
static bool loop_is_its_step(const char *name, const char *folder, const char *object)
{
    struct code step = {0}, code = {0}, gemv = {0}, tiles = {0};
    char *symbols = disassembly_symbols("objdump", object);
    bool read = disassembly_section("objdump", object, ".text.gamma", &step) &&
                disassembly_section("objdump", object, ".text", &code);
    const char *multiplication = multiplication_of(&step);
    struct work wanted = inner_loop(&step, multiplication, 0, UINT32_MAX);
    double of_step = wanted.uops / (double)wanted.counted;
    /* of gemv() itself, or of what it calls, here or in another kernel: the nearest one */
    (void)disassembly_function("objdump", object, "gemv", &gemv);
    read_borrowed(folder, symbols, &tiles);
    struct work got = inner_loop(&code, multiplication, of_step, wanted.counted);
    const struct work others[] = {inner_loop(&gemv, multiplication, of_step, wanted.counted),
                                  inner_loop(&tiles, multiplication, of_step, wanted.counted)};
    for (size_t i = 0; i < 2; i++) {
        if (others[i].counted && (!got.counted || around_one(others[i], of_step) < around_one(got, of_step)))
            got = others[i];
    }
    double of_kernel = got.uops / (double)got.counted;
    bool alike = read && got.counted && fabs(of_kernel / of_step - 1) <= DIFFERENCE_MOST &&
                 wanted.on_stack / (double)wanted.uops <= got.on_stack / (double)got.uops + ON_STACK_MORE;
    if (!alike)
        print_error(
            "%s: for a %s its inner loop takes %.3f uops of arithmetic and %.3f of the stack, the loop of gamma %.3f and %.3f\n",
            name, multiplication, of_kernel, got.on_stack / (double)got.counted, of_step,
            wanted.on_stack / (double)wanted.counted);
    bool countable = is_countable(symbols, &step);
    if (!countable)
        print_error("%s: how often a loop of its step runs is not known (micro/disassembly_execute.h)\n", name);
    free(symbols);
    free(step.at);
    free(code.at);
    free(gemv.at);
    free(tiles.at);
    return alike && countable;
}

static bool is_optimised(void)
{
#if defined __OPTIMIZE__ && !defined __SANITIZE_ADDRESS__
    return true;
#else
    return false;
#endif
}

/** Whether a file that an object was made of, no frame and no layout, is among those of the other: make keeps their names beside objects. */
static bool shares_a_file(const char *object, const char *other)
{
    char path[2][PATH_MAX], word[2][PATH_MAX];
    bool shares = false;
    FILE *files[2];
    snprintf(path[0], sizeof path[0], "%.*s.d", (int)strlen(object) - 2, object);
    snprintf(path[1], sizeof path[1], "%.*s.d", (int)strlen(other) - 2, other);
    files[0] = fopen(path[0], "r");
    files[1] = fopen(path[1], "r");
    while (files[0] && files[1] && !shares && fscanf(files[0], "%4095s", word[0]) == 1) {
        if (strncmp(word[0], "micro/f", 7) != 0 || strncmp(word[0], "micro/frames/", 13) == 0 ||
            strstr(word[0], "layout.h"))
            continue;
        rewind(files[1]);
        while (!shares && fscanf(files[1], "%4095s", word[1]) == 1)
            shares = strcmp(word[0], word[1]) == 0;
    }
    for (int i = 0; i < 2; i++) {
        if (files[i])
            fclose(files[i]);
    }
    return shares;
}

TEST(kernels_are_what_their_gamma_is_measured_on)
{
    char folder[PATH_MAX - 256], object[PATH_MAX], step[PATH_MAX], path[PATH_MAX];
    size_t wrong = 0, in_c = 0, in_assembly = 0;
    skip_if(!is_optimised(), "not on this machine: an optimised build is what it looks at");
    disassembly_build_folder(folder, sizeof folder);
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        const char *name = (*kernel)->name, *rest = strchr(name, '.');
        const struct sequence *sequence = sequence_find(kernel_gamma(*kernel));
        if (!(*kernel)->gemv)
            continue;
        snprintf(object, sizeof object, "%s/micro/formats/%.*s/%s.o", folder, (int)(rest - name), name, rest + 1);
        snprintf(step, sizeof step, "%s/micro/formats/%.*s/%s.microkernel.o", folder, (int)(rest - name), name,
                 rest + 1);
        if (access(step, R_OK) == 0) {
            disassembly_sequence(folder, sequence ? sequence->name : "", path, sizeof path);
            bool shares = shares_a_file(step, path);
            if (!shares)
                print_error("%s: its step is in no file that its sequence includes\n", name);
            wrong += !shares;
            in_assembly++;
        } else if (sequence && sequence_is_step(sequence) && strcmp(sequence->name, name) == 0) {
            wrong += !loop_is_its_step(name, folder, object);
            in_c++;
        } else {
            print_error("%s: its gamma is of another text: end its source with micro/frames/gamma.h\n", name);
            wrong++;
        }
    }
    assert_true(in_c > 0 && in_assembly > 0);
    assert_int_equal(wrong, 0);
}

TEST(the_inner_loop_is_the_one_that_multiplies_most)
{
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

TEST(another_text_is_found)
{
    char folder[PATH_MAX - 256], path[PATH_MAX], other[PATH_MAX];
    const char *first = NULL, *last = NULL;
    disassembly_build_folder(folder, sizeof folder);
    for (const struct sequence *const *sequence = sequence_all(); *sequence; sequence++) {
        if (sequence_is_step(*sequence))
            continue;
        first = first ? first : (*sequence)->name;
        last = (*sequence)->name;
    }
    assert_true(first && strcmp(first, last) != 0);
    disassembly_sequence(folder, first, path, sizeof path);
    disassembly_sequence(folder, last, other, sizeof other);
    assert_false(shares_a_file(path, other));
    assert_false(shares_a_file(path, "nowhere.o"));
}

TEST(an_address_is_no_register)
{
    char jump[] = "    d4a4:\tb.ne\td498 <gamma_prefetch_3+0xa4>  // b.any\n", add[] = "    d4a8:\tfadd\td4, d9, d8\n";
    struct instruction at[2];
    assert_int_equal(disassembly_line(jump, &at[0]) + disassembly_line(add, &at[1]), 2);
    assert_int_equal(work_of(&at[0], 1, "").uops, 0);
    assert_int_equal(work_of(&at[1], 1, "").uops, 1);
}

RUN_TESTS(NULL, NULL)
