/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "results/engines/engine_results.h"

/**
 * What benchmarks of engines write. A format is a file results/engines/formats/<name>.c, which ends in its descriptor
 * engine_format_<name>; the file system is the registry. Formats are tried by name, and the first that finds results has the file.
 */
struct engine_format {
    const char *writes; /* what writes it, as a refusal lists it: "llama-bench -o json" */
    /**
     * Add the results of a file.
     * @param file      whole (results/files/input.h), for engine_lines()
     * @param document  the JSON that it holds, a line of JSON Lines an element of an array; NULL: it is none
     * @return 0, also if it is of another format; -EINVAL it is of this one and damaged, with one line in why (no path); -ENOMEM; or the error of reading
     */
    int (*read)(FILE *file, const json_t *document, struct engine_results *results, char *why, size_t size);
};

/** Zero but for numbers that are not known. */
extern const struct engine_result engine_result_unknown;

/** One more result, of which nothing is known yet. NULL without memory. */
struct engine_result *engine_results_add(struct engine_results *results);

/** Whether it has a test, tokens of it, as many as a test can have, and a rate. */
bool engine_result_is_whole(const struct engine_result *result);

/** "tg32", "pp512 @ d4096" from the numbers of tokens. */
void engine_result_name(struct engine_result *result);

/** Say that repetitions differ by a standard deviation; 0: it is not said. */
void engine_result_deviation(struct engine_result *result, double deviation);

/** "CUDA,CPU": gpu becomes the first of the back ends that is none of a CPU. */
void engine_result_backends(struct engine_result *result, const char *backends);

/** Parameters that change what is measured, in the order in which options name them; the last has no option. */
struct engine_parameter {
    const char *field, *heading; /* in the JSON and the table of llama-bench */
    const char *option, *usual;  /* "-ctk", and the value that needs no mention */
};
extern const struct engine_parameter engine_parameters[];

/** A parameter as said, "1" where it is on; "": not said. */
void engine_result_set(struct engine_result *result, const struct engine_parameter *parameter, const char *value);

/**
 * Each line of a text file, trimmed, with control characters made visible; of a long one its beginning.
 * @param take  0, or a negative errno that ends it
 * @return what take returned, or the error of reading, with one line in why unless take has said one
 */
int engine_lines(FILE *file, int (*take)(void *context, char *line), void *context, char *why, size_t size);

/** Text without blanks at either end, in place. */
char *engine_trimmed(char *text);

/** "729.75 MiB", "1.24 B", also before a blank and more words: NaN if it is no such number. */
double engine_number_with_unit(const char *text);

/** What such a number may be off by, as a share: half of the last digit of 1.01 GiB. */
#define ENGINE_UNIT_WITHIN 0.006
