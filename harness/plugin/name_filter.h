/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "micro/kernel.h"
#include "micro/sequence.h"

/**
 * What of the kernels and sequences that names mean is wanted. Each text is one or more names with commas between, as
 * harness/plugin/name_argument.h takes them; NULL: any. All zero: everything.
 */
struct name_filter {
    const char *format, *isa, *origin;
    const char *bits; /* as given, for messages */
    double bits_least, bits_most;
};

/** "2", "1..2", "3..", "..2": bits of a packed weight. @return 0 or -EINVAL */
int name_filter_parse_bits(const char *text, struct name_filter *filter);

/** Whether anything is left out by it. */
bool name_filter_is_set(const struct name_filter *filter);

/**
 * Whether each text means something that a kernel or sequence here has, plug-ins being open.
 * @return 0; -ENOENT with one line in why, which suggests what is near
 */
int name_filter_check(const struct name_filter *filter, char *why, size_t size);

/** Bits are those of the kernel's format; of a sequence whose format no kernel has, those of its output vector of 32 weights. */
bool name_filter_has_kernel(const struct name_filter *filter, const struct kernel *kernel);
bool name_filter_has_sequence(const struct name_filter *filter, const struct sequence *sequence);

/** "--isa=avx2 --bits=1..2", for messages. */
const char *name_filter_text(const struct name_filter *filter, char *text, size_t size);

/** The candidate nearest to what a user wrote, to suggest if the user's own is not among them. Pure. */

enum { NEAREST_NAME_MOST = 96 };

struct nearest_name {
    const char *given;
    size_t distance; /* of the nearest so far; SIZE_MAX: none is near enough */
    char name[NEAREST_NAME_MOST];
};

/**
 * Letters that must be put in, left out, exchanged for another, or exchanged with their neighbour to make one of the other
 * (optimal string alignment), upper and lower case being the same. Texts of NEAREST_NAME_MOST letters and more are SIZE_MAX apart.
 */
size_t nearest_name_distance(const char *one, const char *other);

struct nearest_name nearest_name_begin(const char *given);

/** The first `length` letters of a candidate. Near enough is a third of the letters given, without leading dashes, and one at least; the first of equals stays. */
void nearest_name_consider(struct nearest_name *nearest, const char *candidate, size_t length);

/** To end a complaint: "; did you mean 'gamma'?", or "" if nothing is near. */
const char *nearest_name_hint(const struct nearest_name *nearest, char *text, size_t size);
