/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_ASSEMBLE_MCA_H
#define HARNESS_ASSEMBLE_MCA_H

#include <stdbool.h>
#include <stddef.h>

#include "micro/sequence.h"

/**
 * gamma as llvm-mca predicts it, from the machine code of a sequence's loop and LLVM's model of a core. A prediction,
 * with its own name wherever it appears; never a measurement. It needs objdump (binutils) and an llvm-mca.
 */
struct mca {
    char tool[256];   /* path of the newest llvm-mca on PATH */
    unsigned version; /* its major version */
    char cpu[32];     /* -mcpu= */
};

/** Name that LLVM has for a core ("Zen 3": "znver3"), or NULL. */
const char *mca_cpu_of(const char *microarchitecture);

/**
 * Find the newest llvm-mca on PATH (llvm-mca, llvm-mca-NN) and make sure that it knows the core.
 * Call before the process has threads.
 * @param cpu  as LLVM names it
 * @return 0; -ENOENT no llvm-mca, -EINVAL it does not know the core or takes it for another, with why
 */
int mca_open(struct mca *mca, const char *cpu, char *why, size_t size);

/**
 * Core cycles per output vector of 32 weights, by the loop of 2U dot products.
 * Call before the process has threads.
 * @return 0; negative errno with why: no objdump, code that was not understood, a time limit
 */
int mca_gamma(const struct mca *mca, const struct sequence *sequence, const struct sequence_variant *variant,
              double *gamma, char *why, size_t size);

/**
 * The loop of a function of this process as mca_loop() gives it. Call before the process has threads.
 * @param loop  MCA_CODE_MOST bytes
 * @return 0; negative errno with why: no objdump, or code without one loop
 */
enum { MCA_CODE_MOST = 1 << 20 };
int mca_code(const void *function, char *loop, char *why, size_t size);

/**
 * What llvm-mca says of the ports: how long each instruction keeps each of them.
 * @param text  receives its tables, cut at text_size - 1
 * @return 0; negative errno with why
 */
int mca_ports(const struct mca *mca, const char *loop, char *text, size_t text_size, char *why, size_t size);

/**
 * The loop in a disassembly of objdump: the instructions between the target of the last conditional jump backward and
 * that jump, without addresses and comments, one a line. Pure.
 * @return its length, 0 if there is no loop, there is a conditional jump in it, which llvm-mca does not follow, or it does not fit
 */
size_t mca_loop(const char *disassembly, char *loop, size_t size);

/** "Total Cycles" over "Iterations" of llvm-mca's summary; NaN if it is not one. Pure. */
double mca_cycles(const char *printed);

#endif
