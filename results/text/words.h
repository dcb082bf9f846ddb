/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>
#include <stddef.h>

/** Append; what does not fit is cut. */
__attribute__((format(printf, 3, 4))) void words_append(char *text, size_t size, const char *format, ...);

/** Append to a list, "a, b"; what does not fit is cut. */
__attribute__((format(printf, 3, 4))) void words_add(char *text, size_t size, const char *format, ...);

/** A fact of a meta.json: a string in quotes, "unknown" for NULL, else its JSON. */
void words_of_fact(const json_t *fact, char *text, size_t size);
