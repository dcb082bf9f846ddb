/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CMD_EXPLAIN_COMMAND_CODE_H
#define HARNESS_CMD_EXPLAIN_COMMAND_CODE_H

#include <jansson.h>
#include <stdbool.h>

#include "micro/kernel.h"
#include "micro/sequence.h"
#include "platforms/machine.h"

/** What a kernel or a sequence is, as records. They are printed by explain_print_code. */
struct explained {
    const struct machine *machine;
    const char *mca; /* core for llvm-mca as LLVM names it, "none"; NULL: this one */
};

/** Records of type "kernel_explained" and "sequence_explained"; new references, NULL without memory. */
json_t *explain_kernel(const struct explained *explained, const struct kernel *kernel);
json_t *explain_sequence(const struct explained *explained, const struct sequence *sequence);

/** As text on standard output. */
void explain_print_code(const json_t *record);

/**
 * Cut the machine code of a loop to one of the parts that it repeats: its first lines, the last being the loop's counter. Left as it
 * is where its lines are no multiple of the parts. Pure. @return whether it was cut
 */
bool explain_cut(char *code, size_t parts);

/** Vector and mask registers that machine code names, "ymm0-5 ymm14 k1". Pure. @return text */
const char *explain_registers(const char *code, char *text, size_t size);

#endif
