/* SPDX-License-Identifier: BSD-3-Clause */
#include "roofline/expression.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "roofline/ebw.h"

/** Parentheses and signs inside each other; a formula of a paper has a handful. */
enum { DEEPEST = 32, MOST_ARGUMENTS = 4 };

/** Where the evaluation is. The first error stays, and the rest is read without effect. */
struct reader {
    const char *text, *at;
    const struct expression_name *names;
    size_t name_count;
    int depth, error;
    char *why;
    size_t size;
};

static struct expression_value number(double value)
{
    return (struct expression_value){.of = {interval_point(value)}, .count = 1};
}

__attribute__((format(printf, 3, 4))) static struct expression_value fail(struct reader *reader, int error,
                                                                          const char *format, ...)
{
    if (!reader->error) {
        va_list arguments;
        va_start(arguments, format);
        int used = vsnprintf(reader->why, reader->size, format, arguments);
        va_end(arguments);
        if (used >= 0 && (size_t)used < reader->size)
            snprintf(reader->why + used, reader->size - (size_t)used, " at character %zu of '%s'",
                     (size_t)(reader->at - reader->text) + 1, reader->text);
        reader->error = error;
    }
    return number(NAN);
}

static char peek(struct reader *reader)
{
    while (isspace((unsigned char)*reader->at))
        reader->at++;
    return reader->error ? '\0' : *reader->at;
}

static bool take(struct reader *reader, char wanted)
{
    bool is_there = peek(reader) == wanted;
    reader->at += is_there;
    return is_there;
}

/* ---- element by element ---- */

static struct expression_value check(struct reader *reader, struct expression_value value)
{
    for (size_t i = 0; i < value.count; i++) {
        if (!interval_is_valid(value.of[i]))
            return fail(reader, -EDOM, "no value");
    }
    return value;
}

static struct expression_value combine(struct reader *reader, struct expression_value a, struct expression_value b,
                                       struct interval (*operation)(struct interval a, struct interval b))
{
    struct expression_value result = {.count = a.count > b.count ? a.count : b.count};
    if (reader->error)
        return number(NAN);
    if (a.count != b.count && a.count != 1 && b.count != 1)
        return fail(reader, -EINVAL, "lists of %zu and %zu numbers", a.count, b.count);
    for (size_t i = 0; i < result.count; i++)
        result.of[i] = operation(a.of[a.count == 1 ? 0 : i], b.of[b.count == 1 ? 0 : i]);
    return check(reader, result);
}

static struct expression_value map(struct reader *reader, struct expression_value value, double (*function)(double))
{
    for (size_t i = 0; i < value.count; i++)
        value.of[i] = interval_map(function, value.of[i], true);
    return reader->error ? number(NAN) : check(reader, value);
}

static struct expression_value reduce(struct reader *reader, struct expression_value value,
                                      struct interval (*operation)(struct interval a, struct interval b))
{
    struct expression_value result = {.of = {value.of[0]}, .count = 1};
    for (size_t i = 1; i < value.count; i++)
        result.of[0] = operation(result.of[0], value.of[i]);
    return reader->error ? number(NAN) : check(reader, result);
}

/* ---- functions ---- */

/* Rises in both. */
static struct interval amdahl(struct interval alpha, struct interval x)
{
    return (struct interval){roofline_amdahl(alpha.low, x.low), roofline_amdahl(alpha.high, x.high)};
}

enum function { MIN, MAX, SUM, MEAN, CEIL, FLOOR, LOG2, SQRT, VECTOR_BYTES, AMDAHL, FUNCTIONS };

static const struct {
    const char *name;
    size_t least, most; /* arguments */
} functions[FUNCTIONS] = {
    [MIN] = {"min", 1, MOST_ARGUMENTS},
    [MAX] = {"max", 1, MOST_ARGUMENTS},
    [SUM] = {"sum", 1, 1},
    [MEAN] = {"mean", 1, 1},
    [CEIL] = {"ceil", 1, 1},
    [FLOOR] = {"floor", 1, 1},
    [LOG2] = {"log2", 1, 1},
    [SQRT] = {"sqrt", 1, 1},
    [VECTOR_BYTES] = {"vector_bytes", 1, 1},
    [AMDAHL] = {"amdahl", 2, 2},
};

/* Of one list the least of its numbers; of several values element by element. */
static struct expression_value extreme(struct reader *reader, const struct expression_value *arguments, size_t count,
                                       struct interval (*operation)(struct interval a, struct interval b))
{
    if (count == 1)
        return reduce(reader, arguments[0], operation);
    struct expression_value result = arguments[0];
    for (size_t i = 1; i < count; i++)
        result = combine(reader, result, arguments[i], operation);
    return result;
}

static struct expression_value call(struct reader *reader, enum function function,
                                    const struct expression_value *arguments, size_t count)
{
    switch (function) {
    case MIN: return extreme(reader, arguments, count, interval_min);
    case MAX: return extreme(reader, arguments, count, interval_max);
    case SUM: return reduce(reader, arguments[0], interval_add);
    case MEAN:
        return combine(reader, reduce(reader, arguments[0], interval_add), number((double)arguments[0].count),
                       interval_divide);
    case CEIL: return map(reader, arguments[0], ceil);
    case FLOOR: return map(reader, arguments[0], floor);
    case LOG2: return map(reader, arguments[0], log2);
    case SQRT: return map(reader, arguments[0], sqrt);
    case VECTOR_BYTES: return map(reader, arguments[0], roofline_vector_bytes);
    case AMDAHL: return combine(reader, arguments[0], arguments[1], amdahl);
    case FUNCTIONS: break;
    }
    return fail(reader, -EINVAL, "no function");
}

/* ---- the grammar ---- */

static struct expression_value read_sum(struct reader *reader);

/* Length of the name at a place; 0 if there is none. */
static size_t name_length(const char *at)
{
    size_t length = 0;
    if (isalpha((unsigned char)*at) || *at == '_') {
        while (isalnum((unsigned char)at[length]) || at[length] == '_')
            length++;
    }
    return length;
}

static bool is_name(const char *at, size_t length, const char *name)
{
    return strlen(name) == length && strncmp(at, name, length) == 0;
}

static struct expression_value read_call(struct reader *reader, const char *name, size_t length)
{
    struct expression_value arguments[MOST_ARGUMENTS];
    size_t function = 0, count = 0;
    while (function < FUNCTIONS && !is_name(name, length, functions[function].name))
        function++;
    if (function == FUNCTIONS)
        return fail(reader, -EINVAL, "no function '%.*s'", (int)length, name);
    do {
        if (count == MOST_ARGUMENTS)
            return fail(reader, -EINVAL, "too many arguments of %s()", functions[function].name);
        arguments[count++] = read_sum(reader);
    } while (take(reader, ','));
    if (!take(reader, ')'))
        return fail(reader, -EINVAL, "')' is missing");
    if (count < functions[function].least || count > functions[function].most)
        return fail(reader, -EINVAL, "%s() takes %zu argument%s", functions[function].name, functions[function].least,
                    functions[function].least == 1 ? "" : "s");
    return reader->error ? number(NAN) : call(reader, (enum function)function, arguments, count);
}

static struct expression_value read_named(struct reader *reader)
{
    const char *name = reader->at;
    size_t length = name_length(name);
    reader->at += length;
    if (take(reader, '('))
        return read_call(reader, name, length);
    for (size_t i = 0; i < reader->name_count; i++) {
        if (is_name(name, length, reader->names[i].name))
            return check(reader, reader->names[i].value);
    }
    reader->at = name;
    return fail(reader, -EINVAL, "unknown name '%.*s'", (int)length, name);
}

static struct expression_value read_primary(struct reader *reader)
{
    char next = peek(reader);
    if (isdigit((unsigned char)next) || next == '.') {
        char *end;
        double value = strtod(reader->at, &end);
        reader->at = end;
        return number(value);
    }
    if (name_length(reader->at) > 0 && !reader->error)
        return read_named(reader);
    if (!take(reader, '('))
        return fail(reader, -EINVAL, "a number, a name or '(' is missing");
    struct expression_value value = read_sum(reader);
    return take(reader, ')') ? value : fail(reader, -EINVAL, "')' is missing");
}

static struct expression_value read_signed(struct reader *reader)
{
    if (++reader->depth > DEEPEST)
        return fail(reader, -EINVAL, "more than %d levels", DEEPEST);
    struct expression_value value;
    if (take(reader, '-')) {
        value = combine(reader, number(0), read_signed(reader), interval_subtract);
    } else {
        value = read_primary(reader);
        if (take(reader, '^'))
            value = combine(reader, value, read_signed(reader), interval_power);
    }
    reader->depth--;
    return value;
}

static struct expression_value read_product(struct reader *reader)
{
    struct expression_value value = read_signed(reader);
    for (char next = peek(reader); next == '*' || next == '/'; next = peek(reader)) {
        reader->at++;
        value = combine(reader, value, read_signed(reader), next == '*' ? interval_multiply : interval_divide);
    }
    return value;
}

static struct expression_value read_sum(struct reader *reader)
{
    struct expression_value value = read_product(reader);
    for (char next = peek(reader); next == '+' || next == '-'; next = peek(reader)) {
        reader->at++;
        value = combine(reader, value, read_product(reader), next == '+' ? interval_add : interval_subtract);
    }
    return value;
}

int expression_evaluate(const char *text, const struct expression_name *names, size_t count,
                        struct expression_value *result, char *why, size_t size)
{
    struct reader reader = {.text = text, .at = text, .names = names, .name_count = count, .why = why, .size = size};
    *result = read_sum(&reader);
    if (peek(&reader) != '\0')
        fail(&reader, -EINVAL, "there is text after the end");
    return reader.error;
}

size_t expression_uses(const char *text, const char *name)
{
    size_t uses = 0;
    while (*text) {
        size_t length = name_length(text);
        uses += length > 0 && is_name(text, length, name);
        /* "1e9" is a number, not the name "e9" */
        if (length == 0 && (isdigit((unsigned char)*text) || *text == '.')) {
            char *end;
            strtod(text, &end);
            length = end > text ? (size_t)(end - text) : 1;
        }
        text += length > 0 ? length : 1;
    }
    return uses;
}
