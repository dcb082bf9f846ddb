/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_PLUGIN_NEAREST_NAME_H
#define HARNESS_PLUGIN_NEAREST_NAME_H

#include <stddef.h>

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

#endif
