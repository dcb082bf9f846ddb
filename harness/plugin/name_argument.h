/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "harness/plugin/plugins.h"

/**
 * Names as a user gives them. Of all names that there are, a given one means
 * - those that it is, or that it begins up to a dot, if there are any: "int2_vnni4", "int2_vnni4.mask";
 * - if there is no such name, those that it matches as a shell pattern, whole or up to a dot, where it has one of `*?[`:
 *   "*.avx2", "int[12]_*.mask";
 * - or those that begin with its letters: "int1", "int2_vnni4.ma".
 * A name of files that mix formats, as "q4_k_m", is no beginning: it does not mean "q4_k_m16".
 * So a name never comes to mean more because a longer one was added. Upper and lower case are the same: "Q4_K", "INT2".
 */

struct file_mix;

/** One text as given: begun, held against every name of its kind, and then asked. */
struct name_argument {
    const char *text;
    const struct file_mix
        *mix;   /* what a file is called, not a format: nothing begins with it, unless it is whole; NULL: not so */
    bool whole; /* it is one of the names, or leading parts of some up to a dot: no other is meant */
};

struct name_argument name_argument_begin(const char *text);
void name_argument_hold(struct name_argument *given, const char *name);
bool name_argument_is(const struct name_argument *given, const char *name);

/** Whether a given name means that kernel or sequence; those of all kernels and sequences are held against it. */
bool name_argument_means(const char *given, const char *name);

struct nearest_name;

/** Consider a name, and its leading parts up to a dot. */
void name_argument_consider(struct nearest_name *nearest, const char *name);

/**
 * To end a complaint that a name means nothing: "; did you mean 'int2_vnni4'?", for what a file is called which formats to name, or "".
 */
const char *name_argument_suggest(const struct nearest_name *nearest, char *text, size_t size);

/** The same of the names of all kernels (sequences), to end a complaint that no kernel (sequence) is meant. */
const char *name_argument_hint(const char *given, bool of_sequences, char *text, size_t size);

/** The kernel or sequence of a plug-in that a given name means, if it failed its check; else NULL. */
const struct plugin_fault *name_argument_withheld(const char *given, const struct plugins *plugins);
