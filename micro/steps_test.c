/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The step of a kernel in assembly against the group of the sequence that models it: both are disassembled, and must be
 * the same operations in the same order on the same values, whatever the registers are called. So a sequence's gamma is
 * that of the schedule that the kernel runs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <limits.h>
#include <unistd.h>

#include "micro/dataflow.h"
#include "micro/kernel.h"
#include "micro/sequence.h"

static struct dataflow kernel_flow, sequence_flow;
static struct code kernel_code, sequence_code; /* in which the flows' mnemonics live */
static struct dataflow_part kernel_part, sequence_part;

/** @return whether the step is the sequence's group once or several times, one after another or interleaved */
static bool step_is_groups(size_t *where)
{
    dataflow_slice(&sequence_flow, 0, sequence_flow.count, &sequence_part);
    bool whole = kernel_flow.count % sequence_flow.count == 0, follow = whole;
    *where = sequence_flow.count;
    for (size_t first = 0; follow && first < kernel_flow.count; first += sequence_flow.count) {
        dataflow_slice(&kernel_flow, first, sequence_flow.count, &kernel_part);
        follow = dataflow_same(&kernel_part, &sequence_part, where);
    }
    if (follow || kernel_flow.count == sequence_flow.count)
        return follow;
    size_t counted = 0;
    for (size_t i = 0; whole && i < kernel_flow.count; i++) {
        dataflow_connected(&kernel_flow, i, &kernel_part);
        if (kernel_part.at[0] != i)
            continue;
        whole = dataflow_same(&kernel_part, &sequence_part, where);
        counted += kernel_part.count;
    }
    return whole && counted == kernel_flow.count;
}

#if defined __x86_64__
#define HERE "x86_64"
#else
#define HERE "aarch64"
#endif

/** The dataflow between two symbols of an object. */
static bool flow_between(const char *object, const char *begin, const char *end, struct code *code,
                         struct dataflow *flow)
{
    uint64_t from, to;
    free(code->at);
    *code = (struct code){0};
    if (!disassembly_symbol("objdump", object, begin, &from) || !disassembly_symbol("objdump", object, end, &to) ||
        !disassembly_read("objdump", object, from, to, code))
        return false;
    dataflow_of(code, flow);
    return flow->count > 0;
}

static bool kernel_is_its_sequence(const char *folder, const char *name, const char *object, const char *sequence)
{
    char path[PATH_MAX];
    size_t where = 0;
    disassembly_sequence(folder, sequence, path, sizeof path);
    bool read = flow_between(object, "step_begin", "step_end", &kernel_code, &kernel_flow) &&
                flow_between(path, "group_begin", "group_end", &sequence_code, &sequence_flow);
    bool same = read && step_is_groups(&where);
    if (!read)
        print_error("%s: objdump finds no step in it, or no group in %s\n", name, sequence);
    else if (!same)
        print_error(
            "%s: its step is not that of %s: %zu operations, %zu in a group; the first difference is at %zu (%s, %s)\n",
            name, sequence, kernel_flow.count, sequence_flow.count, where,
            where < kernel_part.count ? kernel_flow.at[kernel_part.at[where]].mnemonic : "end",
            where < sequence_flow.count ? sequence_flow.at[where].mnemonic : "end");
    return same;
}

static void kernels_have_the_step_of_their_sequence(void **state)
{
    (void)state;
    char folder[PATH_MAX - 256], object[PATH_MAX];
    size_t pairs = 0, wrong = 0;
    disassembly_build_folder(folder, sizeof folder);
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        const char *name = (*kernel)->name, *rest = strchr(name, '.'), *sequence = (*kernel)->gamma;
        snprintf(object, sizeof object, "%s/micro/formats/%.*s/%s.microkernel.o", folder, (int)(rest - name), name,
                 rest + 1);
        sequence = sequence ? sequence : name;
        if (!(*kernel)->gemv || access(object, R_OK) != 0)
            continue; /* in C: kernel_uops_test.c */
        if (sequence_find(sequence)) {
            wrong += !kernel_is_its_sequence(folder, name, object, sequence);
            pairs++;
        } else {
            print_error("%s: no sequence %s\n", name, sequence);
            wrong++;
        }
    }
    assert_true(pairs > 0);
    assert_int_equal(wrong, 0);
}

/* ---------------------------------------------------------------- the comparison itself */

static void flow_of_text(const char *const *lines, struct code *code, struct dataflow *flow)
{
    free(code->at);
    *code = (struct code){.at = calloc(16, sizeof *code->at)};
    assert_non_null(code->at);
    for (; *lines; lines++) {
        char line[128];
        snprintf(line, sizeof line, "  %zx:\t%s\n", code->count, *lines);
        code->count += disassembly_line(line, &code->at[code->count]);
    }
    dataflow_of(code, flow);
}

static const char *const group_of_two[] = {"vpand ymm12,ymm14,ymm8", "vpdpbusd ymm0,ymm12,ymm15",
                                           "vpand ymm13,ymm14,ymm9", "vpdpbusd ymm1,ymm13,ymm15", NULL};

static bool is_group_of_two(const char *const *step)
{
    size_t where;
    flow_of_text(step, &kernel_code, &kernel_flow);
    flow_of_text(group_of_two, &sequence_code, &sequence_flow);
    return step_is_groups(&where);
}

static void registers_and_loads_do_not_matter(void **state)
{
    (void)state;
    static const char *const renamed[] = {"vmovdqu ymm3,YMMWORD PTR [rsi]",
                                          "prefetcht0 BYTE PTR [rsi+0x40]",
                                          "vpand ymm4,ymm3,ymm6",
                                          "vpdpbusd ymm0,ymm4,ymm7",
                                          "vpand ymm4,ymm3,ymm5",
                                          "vpdpbusd ymm1,ymm4,ymm7",
                                          "add rsi,0x20",
                                          NULL};
    static const char *const twice[] = {"vpand ymm4,ymm3,ymm6",    "vpdpbusd ymm0,ymm4,ymm7", "vpand ymm4,ymm3,ymm5",
                                        "vpdpbusd ymm1,ymm4,ymm7", "vpand ymm4,ymm2,ymm6",    "vpdpbusd ymm8,ymm4,ymm7",
                                        "vpand ymm4,ymm2,ymm5",    "vpdpbusd ymm9,ymm4,ymm7", NULL};
    static const char *const zeros_made[] = {"vpxor xmm0,xmm0,xmm0",    "vpand ymm4,ymm3,ymm6",
                                             "vpdpbusd ymm0,ymm4,ymm7", "vpand ymm4,ymm3,ymm5",
                                             "vpdpbusd ymm1,ymm4,ymm7", NULL};
    static const char *const zeros_loaded[] = {"vmovdqa ymm0,YMMWORD PTR [rip+0x40]",
                                               "vpand ymm4,ymm3,ymm6",
                                               "vpdpbusd ymm0,ymm4,ymm7",
                                               "vpand ymm4,ymm3,ymm5",
                                               "vpdpbusd ymm1,ymm4,ymm7",
                                               NULL};
    static const char *const no_zeros[] = {"vpxor xmm0,xmm1,xmm0", "vpand ymm4,ymm3,ymm6",    "vpdpbusd ymm0,ymm4,ymm7",
                                           "vpand ymm4,ymm3,ymm5", "vpdpbusd ymm1,ymm4,ymm7", NULL};
    size_t where;
    flow_of_text(zeros_loaded, &sequence_code, &sequence_flow);
    flow_of_text(zeros_made, &kernel_code, &kernel_flow);
    assert_true(step_is_groups(&where));
    flow_of_text(no_zeros, &kernel_code, &kernel_flow);
    assert_false(step_is_groups(&where));
    assert_true(is_group_of_two(group_of_two));
    assert_true(is_group_of_two(renamed));
    assert_true(is_group_of_two(twice));
}

static void halves_side_by_side_are_two_groups(void **state)
{
    (void)state;
    static const char *const group[] = {"vpand ymm12,ymm14,ymm8", "vpaddb ymm13,ymm12,ymm12", "vpaddw ymm0,ymm0,ymm13",
                                        NULL};
    static const char *const halves[] = {
        "vmovdqa ymm5,YMMWORD PTR [rsi]", "vpand ymm4,ymm5,ymm8",  "vpand ymm6,ymm7,ymm8",  "vpaddb ymm4,ymm4,ymm4",
        "vpaddw ymm1,ymm1,ymm4",          "vpaddb ymm6,ymm6,ymm6", "vpaddw ymm2,ymm2,ymm6", NULL};
    static const char *const crossed[] = {"vpand ymm4,ymm5,ymm8",
                                          "vpand ymm6,ymm7,ymm8",
                                          "vpaddb ymm4,ymm4,ymm4",
                                          "vpaddw ymm1,ymm1,ymm6",
                                          "vpaddb ymm6,ymm6,ymm6",
                                          "vpaddw ymm2,ymm2,ymm4",
                                          NULL};
    size_t where;
    flow_of_text(group, &sequence_code, &sequence_flow);
    flow_of_text(halves, &kernel_code, &kernel_flow);
    assert_true(step_is_groups(&where));
    flow_of_text(crossed, &kernel_code, &kernel_flow);
    assert_false(step_is_groups(&where));
}

static void another_operation_order_or_value_does(void **state)
{
    (void)state;
    static const char *const other[] = {"vpandn ymm12,ymm14,ymm8", "vpdpbusd ymm0,ymm12,ymm15",
                                        "vpand ymm13,ymm14,ymm9", "vpdpbusd ymm1,ymm13,ymm15", NULL};
    static const char *const order[] = {"vpand ymm12,ymm14,ymm8", "vpand ymm13,ymm14,ymm9", "vpdpbusd ymm0,ymm12,ymm15",
                                        "vpdpbusd ymm1,ymm13,ymm15", NULL};
    static const char *const value[] = {"vpand ymm12,ymm14,ymm8", "vpdpbusd ymm0,ymm12,ymm15", "vpand ymm13,ymm14,ymm9",
                                        "vpdpbusd ymm1,ymm12,ymm15", NULL};
    static const char *const input[] = {"vpand ymm12,ymm14,ymm8", "vpdpbusd ymm0,ymm12,ymm15", "vpand ymm13,ymm8,ymm9",
                                        "vpdpbusd ymm1,ymm13,ymm15", NULL};
    static const char *const more[] = {"vpand ymm12,ymm14,ymm8", "vpdpbusd ymm0,ymm12,ymm15", "vpand ymm13,ymm14,ymm9",
                                       "vpsrld ymm13,ymm13,0x4", "vpdpbusd ymm1,ymm13,ymm15", NULL};
    assert_false(is_group_of_two(other));
    assert_false(is_group_of_two(order));
    assert_false(is_group_of_two(value));
    assert_false(is_group_of_two(input));
    assert_false(is_group_of_two(more));
}

static const char *const group_of_aarch64[] = {"and v12.16b, v14.16b, v8.16b", "sdot v0.4s, v12.16b, v15.4b[0]",
                                               "ushr v13.16b, v14.16b, #4", "sdot v1.4s, v13.16b, v15.4b[1]", NULL};

static bool is_group_of_aarch64(const char *const *step)
{
    size_t where;
    flow_of_text(step, &kernel_code, &kernel_flow);
    flow_of_text(group_of_aarch64, &sequence_code, &sequence_flow);
    return step_is_groups(&where);
}

static void of_aarch64_lanes_matter_and_registers_and_elements_do_not(void **state)
{
    (void)state;
    static const char *const renamed[] = {"ldr q3, [x1]",
                                          "ldp q7, q6, [x9, #16]",
                                          "prfm pldl1keep, [x16]",
                                          "and v4.16b, v3.16b, v6.16b",
                                          "sdot v9.4s, v4.16b, v7.4b[0]",
                                          "ushr v4.16b, v3.16b, #4",
                                          "sdot v10.4s, v4.16b, v7.4b[1]",
                                          "add x1, x1, #0x10",
                                          NULL};
    static const char *const whole[] = {"and v12.16b, v14.16b, v8.16b", "sdot v0.4s, v12.16b, v15.16b",
                                        "ushr v13.16b, v14.16b, #4", "sdot v1.4s, v13.16b, v15.16b", NULL};
    static const char *const lanes[] = {"and v12.16b, v14.16b, v8.16b", "sdot v0.4s, v12.16b, v15.4b[0]",
                                        "ushr v13.4s, v14.4s, #4", "sdot v1.4s, v13.16b, v15.4b[1]", NULL};
    static const char *const count[] = {"and v12.16b, v14.16b, v8.16b", "sdot v0.4s, v12.16b, v15.4b[0]",
                                        "ushr v13.16b, v14.16b, #2", "sdot v1.4s, v13.16b, v15.4b[1]", NULL};
    static const char *const other[] = {"and v12.16b, v14.16b, v8.16b", "sdot v0.4s, v12.16b, v15.4b[0]",
                                        "ushr v13.16b, v14.16b, #4", "sdot v1.4s, v12.16b, v15.4b[1]", NULL};
    assert_true(is_group_of_aarch64(group_of_aarch64));
    assert_true(is_group_of_aarch64(renamed));
    assert_true(is_group_of_aarch64(whole));
    assert_false(is_group_of_aarch64(lanes));
    assert_false(is_group_of_aarch64(count));
    assert_false(is_group_of_aarch64(other));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(registers_and_loads_do_not_matter),
        cmocka_unit_test(halves_side_by_side_are_two_groups),
        cmocka_unit_test(another_operation_order_or_value_does),
        cmocka_unit_test(of_aarch64_lanes_matter_and_registers_and_elements_do_not),
        cmocka_unit_test(kernels_have_the_step_of_their_sequence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
