/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_FORMAT_KIND_H
#define MICRO_FORMAT_KIND_H

#include "micro/kernel.h"

/**
 * Of what kind the weights of a format are. Scales and tables cost bytes and instructions that plain integers do without, so that
 * speeds are compared among formats of one kind only.
 */
enum format_kind {
    FORMAT_INTEGERS,        /* one scale for the tensor, no part of the matrix */
    FORMAT_SCALED_INTEGERS, /* evenly spaced values, scales for blocks or rows */
    FORMAT_CODEBOOK,        /* values that a table gives, FP4 among them */
    FORMAT_FLOATS,          /* of 16 bits and more */
    FORMAT_KINDS
};

/** Computed from weights that the format itself gives for random contents: nobody has to say it, plug-ins neither. */
enum format_kind format_kind(const struct format *format);

/** "integers", "scaled integers", "codebook", "floats". */
const char *format_kind_name(enum format_kind kind);

#endif
