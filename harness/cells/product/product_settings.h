/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/cell/cell.h"
#include "micro/gemm_slice.h"

/** What a kernel leaves open of a GEMV or GEMM; zeroed: its defaults. */
struct product_settings {
    bool prefetch_given;   /* prefetch_bytes replaces the kernel's own distance */
    size_t prefetch_bytes; /* of the software prefetch */
    bool our_prefetch;     /* it is the kernel's prefetch_beside, which its original lacks; given as well */
    bool self_tuned;       /* not given: prefetch_bytes was found where it is measured (session->tunes) */
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

/**
 * Prefetch distances to try: the kernel's own first, none, half and twice that; of a GEMV, which memory limits, also the powers of two from
 * 128 to 4096, since what suits memory depends on the machine. @return how many: 1 of a kernel that has no prefetch
 */
enum { PRODUCT_DISTANCES = 10 };
size_t product_distances(const struct kernel *kernel, bool gemm, size_t distances[PRODUCT_DISTANCES]);

/**
 * Which of distances with these medians a kernel takes, the first being its own: the fastest, unless its own takes at most 3% longer. A median that
 * is not known (NaN) is that of none. Pure.
 */
size_t product_distance_choose(const double *median_s, size_t count);

/** Whether a record's distance is one that a visit may have chosen: 0 to 1 MiB. */
bool product_distance_is_read(const json_t *value);

/** Whether nothing is other than the kernel itself would have it. */
bool product_settings_are_default(const struct product_settings *settings, const struct kernel *kernel);

/** Append to the name of a plain cell what is not default: "/prefetch=1024", "/share=tokens", "/variant=r16t8k2048". */
void product_settings_name(const struct product_settings *settings, struct cell *cell);

/**
 * "prefetch_bytes", of a GEMM "share" and "variant", and in "settings" where they are from: "default", "given", "our prefetch", "self-tuned",
 * "tuned", or "matched", with "tuned_for" and "tuned_distance".
 */
void product_settings_record(const struct product_settings *settings, const struct kernel *kernel, bool gemm,
                             json_t *record);
