/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "micro/sequence.h"
#include "platforms/cpu/core_design.h"

/**
 * gamma as llvm-mca predicts it, from the machine code of a sequence's loop and LLVM's model of a core. A prediction,
 * with its own name wherever it appears; never a measurement. It needs objdump (binutils) and an llvm-mca.
 */
struct mca {
    char tool[256];   /* path of the newest llvm-mca on PATH */
    unsigned version; /* its major version */
    char cpu[32];     /* -mcpu= */
    char one_of[64];  /* the cores that this one may be, "A or B", where its features leave two; else "" */
    const struct core_design *design; /* what that core can do; NULL: it is not known here */
};

/**
 * Find the newest llvm-mca on PATH (llvm-mca, llvm-mca-NN) and make sure that it knows the core.
 * Call before the process has threads.
 * @param cpu  as LLVM names it
 * @return 0; -ENOENT no llvm-mca, -EINVAL it does not know the core or takes it for another, errno of a run that failed, with why
 */
int mca_open(struct mca *mca, const char *cpu, char *why, size_t size);

/**
 * The same for the core that was asked for; for none, NULL, the one of this identity: of two that its features leave the first that the
 * llvm-mca knows.
 * @return as mca_open(), with "" in why of a core that is known; -ECANCELED if "none" was asked for, -EINVAL also where LLVM has no name for the core
 */
int mca_open_for(struct mca *mca, const char *asked, const struct cpu_identity *identity, char *why, size_t size);

/**
 * Whether the core lacks what an ISA needs. llvm-mca does not look at that on x86-64 and predicts tiles for cores without any. Of a core
 * that is not known here nothing is believed. Pure.
 */
bool mca_lacks(const struct mca *mca, const char *isa, char *why, size_t size);

/**
 * Core cycles per output vector of 32 weights, by the loop of 2U dot products.
 * Call before the process has threads.
 * @return 0; negative errno with why: a core that lacks what it needs, no objdump, code that was not understood, a time limit
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
 * @param isa   what the loop needs
 * @param text  receives its tables, cut at text_size - 1
 * @return 0; negative errno with why
 */
int mca_ports(const struct mca *mca, const char *isa, const char *loop, char *text, size_t text_size, char *why,
              size_t size);

/**
 * The loop in a disassembly of objdump: the instructions between the target of the longest conditional jump backward and
 * that jump, without addresses and comments, one a line. Pure.
 * @return its length, 0 if there is no loop, there is a conditional jump in it, which llvm-mca does not follow, or it does not fit
 */
size_t mca_loop(const char *disassembly, char *loop, size_t size);

/** "Total Cycles" over "Iterations" of llvm-mca's summary; NaN if it is not one. Pure. */
double mca_cycles(const char *printed);
