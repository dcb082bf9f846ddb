/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_TUNING_H
#define MICRO_TUNING_H

#include <stddef.h>
#include <stdint.h>

#include "micro/kernel.h"

/**
 * Variants of a GEMM kernel, for a search to choose from [apt-llm, V-B]: the same instructions on register blocks and cuts of other
 * sizes. All take what the kernel's gemm.prepare_many() wrote, scratch of gemm.scratch_bytes(), and any slice that gemm.run() takes,
 * and give the same bits. The distance of the prefetch needs no variants: a slice has it.
 */
struct kernel_variant {
    const char *name; /* as in "r16t8k2048": rows, tokens, columns */
    uint32_t rows;    /* of a register block */
    uint32_t tokens;
    uint32_t columns; /* of a cut of K, all rows and tokens of which are done before the next; UINT32_MAX: never cut */
    void (*run)(const struct gemm_slice *slice);
};

/** Those of a kernel. A kernel has them if its file says `#define KERNEL_VARIANTS` and defines SELF_VARIANTS. */
struct kernel_variants {
    const struct kernel *kernel;
    const struct kernel_variant *variant;
    size_t count; /* > 0; gemm.run() does the same as the first: the default */
};

/** @return NULL if the kernel has none */
const struct kernel_variants *kernel_variants_of(const struct kernel *kernel);

#endif
