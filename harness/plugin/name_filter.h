/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_PLUGIN_NAME_FILTER_H
#define HARNESS_PLUGIN_NAME_FILTER_H

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

#endif
