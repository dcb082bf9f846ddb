/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_PLUGIN_H
#define MICRO_PLUGIN_H

#include <stdint.h>

#include "micro/kernel.h"
#include "micro/sequence.h"

/**
 * A plug-in: a shared object that brings kernels, formats or sequences, measured with `--plugin FILE` beside the
 * built-in ones. It exports one symbol, kneepoint_plugin, and needs no library of Kneepoint:
 *
 *     static const struct format *const formats[] = {&mine, NULL};
 *     static const struct kernel *const kernels[] = {&mine_dot, NULL};
 *     KNEEPOINT_PLUGIN = {KNEEPOINT_PLUGIN_BUILT, .name = "mine", .formats = formats, .kernels = kernels};
 *
 *     cc -O2 -mavx2 -shared -fPIC $(pkg-config --cflags kneepoint) -o libmine.so mine.c
 *
 * Of these headers a plug-in has the types and what is inline; the functions that are only declared live in the tool.
 *
 * - A kernel's format is one of the plug-in's formats, or one of Kneepoint's own: a struct format of which only the
 * name is given stands for that, as in `static const struct format planes = {.name = "int2_planes"};`.
 * - A format of its own says what its weights are: weight(), row_weights() or both, or put() and get(). Without pack() it is
 *   checked with fill() alone, and its kernels cannot be lossless. What pack() stored must be near what weight() then gives.
 * - A kernel that does not sum its weights and activations as they are says by how much it may be off: error_bound,
 *   with row() or without; or what integers its prepare() makes of them, in operand, from which a bound follows.
 * - A kernel that demands more of its operands than its format says so: k_least, k_most, k_multiple, panels_per_call. What it
 *   may touch after its weights is reads_past, and where its sums can wrap wraps_beyond.
 * - What has to be done once is done in init(): it asks for permissions, fills tables, makes code, reads the version of a library.
 * - Names are "<format>.<sequence>.<isa>"; isa is a row of `kneepoint info`, "reference" for code that runs anywhere or
 *   chooses for itself. No name may be one that Kneepoint or another plug-in has.
 * - A kernel has gemv(), gemm.run() for many activation vectors at once, or both.
 * - gemv() and gemm.run() are called by all threads of a team at the same time, each with rows of its own, and must not
 *   start threads, allocate or lock when they are called again with a slice of the same shape.
 *
 * Every kernel and sequence is checked in a process of its own, between guard pages, before anything is measured. What
 * fails is named and left out.
 */
enum {
    KNEEPOINT_PLUGIN_ABI = 4, /* changes with any meaning that sizes do not show; a plug-in of another is refused */
};

struct kneepoint_plugin {
    uint32_t abi;
    uint32_t plugin_bytes, format_bytes, kernel_bytes, slice_bytes, sequence_bytes; /* sizeof, as it was built */
    uint32_t gemm_slice_bytes, unused;
    const char *name;    /* letters, digits, '_', '-' and '.', at most 63: as records call it */
    const char *version; /* of the code within, for the records, such as its library's; NULL: not said */
    const struct format *const *formats; /* lists end with NULL; NULL: none */
    const struct kernel *const *kernels;
    const struct sequence *const *sequences;

    /**
     * Called once in each process that loads the plug-in (the first of them only looks at it), in its first thread, before
     * anything else of it but its constructors, and before anything but the numbers above is read: name, version and the
     * lists may point to what it writes. NULL: nothing to do.
     * @param why  of `size` bytes: one line, why it will not be measured here: "needs permission for AMX", "libx 1.2 is too old"
     * @return 0; anything else refuses, and nothing more of it is called
     */
    int (*init)(char *why, size_t size);
};

/** How it was built: begins the definition. */
#define KNEEPOINT_PLUGIN_BUILT                                                                                         \
    .abi = KNEEPOINT_PLUGIN_ABI, .plugin_bytes = sizeof(struct kneepoint_plugin),                                      \
    .format_bytes = sizeof(struct format), .kernel_bytes = sizeof(struct kernel),                                      \
    .slice_bytes = sizeof(struct gemv_slice), .sequence_bytes = sizeof(struct sequence),                               \
    .gemm_slice_bytes = sizeof(struct gemm_slice)

/** The definition, also in C++20 and with -fvisibility=hidden. */
#define KNEEPOINT_PLUGIN const struct kneepoint_plugin kneepoint_plugin

#ifdef __cplusplus
extern "C" __attribute__((visibility("default"))) const struct kneepoint_plugin kneepoint_plugin;
#else
extern __attribute__((visibility("default"))) const struct kneepoint_plugin kneepoint_plugin;
#endif

#endif
