/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The assembly loops of the kernels (micro/frames/microkernel_frame.h) called directly: the C around them saves
 * the registers that it uses itself and so would hide a loop that clobbers them.
 */
#include "harness/check/call/checked_call.h"
#include "harness/check/item_tests.h"
#include "micro/kernel.h"
#include "platforms/memory/memory.h"
#include "registry.h"

/* A kernel that is not built on microkernel_frame.h has none of these. */
#define DECLARE(symbol)                                                                                                \
    extern const struct kernel symbol;                                                                                 \
    __attribute__((weak)) void symbol##_rows(const void *operands);                                                    \
    __attribute__((weak)) void symbol##_columns(const void *operands);                                                 \
    __attribute__((weak)) void symbol##_one(const void *operands);                                                     \
    extern __attribute__((weak)) const uint64_t symbol##_step_bytes[2];
REGISTRY_KERNELS(DECLARE)

struct loops {
    const struct kernel *kernel;
    void (*function[3])(const void *operands);
    const uint64_t *step_bytes; /* of weights and of operand */
};

#define ROW(symbol) {&symbol, {symbol##_rows, symbol##_columns, symbol##_one}, symbol##_step_bytes},
static const struct loops all_loops[] = {REGISTRY_KERNELS(ROW)};

enum { STEPS = 3, REGISTERS_BYTES = 32 * 64 };

/** Offsets as in microkernel_frame.h. */
struct microkernel_words {
    uint64_t weights, weights_stride, operand, operand_stride, steps, prefetch_bytes, raw;
};

static void keeps_registers(void **state)
{
    const struct loops *loops = *state;
    const struct kernel *kernel = loops->kernel;
    require_isa_or_emulator(kernel->isa);
    struct memory_guarded weights, operand, raw;
    assert_int_equal(memory_guarded_reserve(STEPS * loops->step_bytes[0], 1, &weights), 0);
    assert_int_equal(memory_guarded_reserve(STEPS * loops->step_bytes[1], 1, &operand), 0);
    assert_int_equal(memory_guarded_reserve(REGISTERS_BYTES, 1, &raw), 0);
    for (uint64_t steps = 0; steps <= STEPS; steps++) {
        for (int i = 0; i < 3; i++) {
            struct microkernel_words operands = {
                .weights = (uintptr_t)weights.bytes,
                .operand = (uintptr_t)operand.bytes,
                .steps = steps,
                .raw = (uintptr_t)raw.bytes,
            };
            struct checked_call call = {(const void *)(uintptr_t)loops->function[i], {(uintptr_t)&operands, 0, 0, 0}};
            struct checked_call_report report;
            checked_call_report_of(&call, kernel->isa, &report);
            assert_string_equal(call_fault_name(report.fault), call_fault_name(CALL_CLEAN));
        }
    }
    memory_guarded_release(&weights);
    memory_guarded_release(&operand);
    memory_guarded_release(&raw);
}

int main(void)
{
    static struct item_tests suite;
    for (size_t i = 0; i < sizeof all_loops / sizeof all_loops[0]; i++) {
        if (all_loops[i].function[0]) /* built on microkernel_frame.h */
            item_tests_add(&suite, all_loops[i].kernel->name, "loops keep registers", keeps_registers, &all_loops[i]);
    }
    return item_tests_run("kernel loops", &suite);
}
