/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/cell/cell.h"
#include "micro/gemm_slice.h"

/** What a kernel leaves open of a GEMV or GEMM; zeroed: its defaults. */
struct product_settings {
    bool prefetch_given;   /* prefetch_bytes replaces the kernel's own distance */
    size_t prefetch_bytes; /* of the software prefetch */
    bool our_prefetch;     /* it is the kernel's prefetch_beside, which its original lacks; given as well */
    /* of a GEMM */
    bool shares_tokens;                          /* members share the tokens, and each multiplies all panels */
    const char *variant;                         /* its name, which outlives the cell; NULL: gemm.run() */
    void (*run)(const struct gemm_slice *slice); /* of the variant */
    /* where they are from */
    struct {
        bool from_table; /* of `kneepoint tune` */
        size_t m, k, n;  /* that they were found for */
        double distance; /* of it: 0 for the shape itself (results/tuned/tuning_match.h) */
    } tuned;
};

/** Whether nothing is other than the kernel itself would have it. */
bool product_settings_are_default(const struct product_settings *settings, const struct kernel *kernel);

/** Append to the name of a plain cell what is not default: "/prefetch=1024", "/share=tokens", "/variant=r16t8k2048". */
void product_settings_name(const struct product_settings *settings, struct cell *cell);

/**
 * "prefetch_bytes", of a GEMM "share" and "variant", and in "settings" where they are from: "default", "given", "our prefetch", "tuned", or
 * "matched", with "tuned_for" and "tuned_distance".
 */
void product_settings_record(const struct product_settings *settings, const struct kernel *kernel, bool gemm,
                             json_t *record);
