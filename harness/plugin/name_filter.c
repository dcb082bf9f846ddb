/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plugin/name_filter.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/plugin/name_argument.h"
#include "results/text/refuse.h"

/* ---- bits ---- */

/** A number up to the end or to "..". @return what follows it, NULL if there is no number */
static const char *read_bits(const char *text, double *bits)
{
    char *end;
    size_t digits = strspn(text, "0123456789");
    if (!digits)
        return NULL;
    if (text[digits] == '.' && text[digits + 1] == '.') { /* strtod would take the first dot */
        *bits = (double)strtoul(text, &end, 10);
        return text + digits;
    }
    *bits = strtod(text, &end);
    return end;
}

int name_filter_parse_bits(const char *text, struct name_filter *filter)
{
    const char *at = text;
    filter->bits = text;
    filter->bits_least = 0;
    filter->bits_most = (double)INFINITY;
    if (strncmp(at, "..", 2) != 0) {
        at = read_bits(at, &filter->bits_least);
        if (at && !*at)
            filter->bits_most = filter->bits_least;
        if (!at || (*at && strncmp(at, "..", 2) != 0))
            return -EINVAL;
    }
    if (*at && at[2]) {
        at = read_bits(at + 2, &filter->bits_most);
        if (!at || *at)
            return -EINVAL;
    } else if (strcmp(text, "..") == 0) {
        return -EINVAL;
    }
    return filter->bits_least <= filter->bits_most ? 0 : -EINVAL;
}

static bool has_bits(const struct name_filter *filter, double bits)
{
    return !filter->bits || (bits >= filter->bits_least - 1e-9 && bits <= filter->bits_most + 1e-9);
}

/* ---- names of formats, instruction sets and origins ---- */

enum fact { FACT_FORMAT, FACT_ISA, FACT_ORIGIN, FACTS };

static const char *const fact_names[FACTS] = {"format", "isa", "origin"};

static const char *wanted(const struct name_filter *filter, enum fact fact)
{
    return fact == FACT_FORMAT ? filter->format : fact == FACT_ISA ? filter->isa : filter->origin;
}

static const char *of_kernel(const struct kernel *kernel, enum fact fact)
{
    return fact == FACT_FORMAT ? kernel->format->name : fact == FACT_ISA ? kernel->isa : kernel->origin;
}

static const char *of_sequence(const struct sequence *sequence, enum fact fact)
{
    return fact == FACT_FORMAT ? sequence->format : fact == FACT_ISA ? sequence->isa : sequence->origin;
}

static struct name_argument held(const char *name, enum fact fact)
{
    struct name_argument given = name_argument_begin(name);
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++)
        name_argument_hold(&given, of_kernel(*kernel, fact));
    for (const struct sequence *const *sequence = sequence_all(); *sequence; sequence++)
        name_argument_hold(&given, of_sequence(*sequence, fact));
    return given;
}

/** The next of names separated by commas, copied. @return what follows it, NULL after the last */
static const char *next_name(const char *at, char name[128])
{
    size_t length = strcspn(at, ",");
    snprintf(name, 128, "%.*s", (int)length, at);
    return at[length] ? at + length + 1 : NULL;
}

static bool means(const char *names, enum fact fact, const char *value)
{
    char name[128];
    bool any = false;
    while (names && !any) {
        names = next_name(names, name);
        const struct name_argument given = held(name, fact);
        any = name_argument_is(&given, value);
    }
    return any;
}

bool name_filter_has_kernel(const struct name_filter *filter, const struct kernel *kernel)
{
    bool has = has_bits(filter, kernel->format->bits);
    for (enum fact fact = 0; has && fact < FACTS; fact++)
        has = !wanted(filter, fact) || means(wanted(filter, fact), fact, of_kernel(kernel, fact));
    return has;
}

bool name_filter_has_sequence(const struct name_filter *filter, const struct sequence *sequence)
{
    const struct format *format = format_find(sequence->format);
    bool has = has_bits(filter, format ? format->bits : sequence->bytes_per_vector * 8 / 32);
    for (enum fact fact = 0; has && fact < FACTS; fact++)
        has = !wanted(filter, fact) || means(wanted(filter, fact), fact, of_sequence(sequence, fact));
    return has;
}

/* ---- what is given, as a whole ---- */

bool name_filter_is_set(const struct name_filter *filter)
{
    return filter->format || filter->isa || filter->origin || filter->bits;
}

static int check_name(const char *name, enum fact fact, char *why, size_t size)
{
    const struct name_argument given = held(name, fact);
    struct nearest_name nearest = nearest_name_begin(name);
    char hint[160];
    bool any = false;
    for (const struct kernel *const *kernel = kernel_all(); !any && *kernel; kernel++) {
        const char *value = of_kernel(*kernel, fact);
        any = name_argument_is(&given, value);
        nearest_name_consider(&nearest, value, strlen(value));
    }
    for (const struct sequence *const *sequence = sequence_all(); !any && *sequence; sequence++) {
        const char *value = of_sequence(*sequence, fact);
        any = name_argument_is(&given, value);
        nearest_name_consider(&nearest, value, strlen(value));
    }
    return any ? 0
               : refuse(-ENOENT, why, size,
                        "--%s=%s: no kernel or sequence here has that %s; `kneepoint list kernels` shows them%s",
                        fact_names[fact], name, fact == FACT_ISA ? "instruction set" : fact_names[fact],
                        name_argument_suggest(&nearest, hint, sizeof hint));
}

int name_filter_check(const struct name_filter *filter, char *why, size_t size)
{
    int error = 0;
    for (enum fact fact = 0; fact < FACTS; fact++) {
        char name[128];
        for (const char *at = wanted(filter, fact); !error && at;) {
            at = next_name(at, name);
            error = check_name(name, fact, why, size);
        }
    }
    return error;
}

const char *name_filter_text(const struct name_filter *filter, char *text, size_t size)
{
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; i <= FACTS && used < size; i++) {
        const char *value = i < FACTS ? wanted(filter, (enum fact)i) : filter->bits;
        if (value)
            used += (size_t)snprintf(text + used, size - used, "%s--%s=%s", used ? " " : "",
                                     i < FACTS ? fact_names[i] : "bits", value);
    }
    return text;
}
