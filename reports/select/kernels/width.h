/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/** A width of weights as people name it, and the bits of the formats that are of it. No two widths share a format. */
struct width {
    const char *name;     /* "1.58" */
    double least, most;   /* bits per weight that a format is named for */
    const char *measured; /* what `kneepoint gemv` is given to measure it; NULL: shown only where it was measured */
};

enum { WIDTHS_MAX = 16 };

/** All of them, narrowest first. @return how many, at most WIDTHS_MAX */
size_t widths_all(const struct width **widths);

/** The width of so many bits; NULL if it has no name. */
const struct width *width_of_bits(double bits);

/**
 * The width of a gamma, gemv or gemm record. NULL: it has no name, or the record is of a product of planes, whose activations have
 * fewer bits than 8 and which does not compete with the others.
 */
const struct width *width_of(const json_t *record);

/** Bits of both sides of a bit-serial product. */
struct scheme_bits {
    unsigned weights, activations; /* 1 to 8 */
};

/**
 * Read them from the names of a gemm, gemv or gamma record: of a format `w<p>` or `w<p>_<layout>` with a sequence that begins
 * with `a<q>`, or of a format `w<p>a<q>`. @return whether it is bit-serial
 */
bool scheme_bits_of(const json_t *record, struct scheme_bits *bits);
