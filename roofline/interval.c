/* SPDX-License-Identifier: BSD-3-Clause */
#include "roofline/interval.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct interval nothing = {NAN, NAN};

struct interval interval_point(double value)
{
    return (struct interval){value, value};
}

bool interval_is_valid(struct interval a)
{
    return a.low <= a.high;
}

struct interval interval_add(struct interval a, struct interval b)
{
    return (struct interval){a.low + b.low, a.high + b.high};
}

struct interval interval_subtract(struct interval a, struct interval b)
{
    return (struct interval){a.low - b.high, a.high - b.low};
}

/* The hull of four corners; a NaN corner (0 times infinity) makes the whole NaN. */
static struct interval hull(double a, double b, double c, double d)
{
    double sum = a + b + c + d;
    if (isnan(sum) && (isnan(a) || isnan(b) || isnan(c) || isnan(d)))
        return nothing;
    return (struct interval){fmin(fmin(a, b), fmin(c, d)), fmax(fmax(a, b), fmax(c, d))};
}

struct interval interval_multiply(struct interval a, struct interval b)
{
    return hull(a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high);
}

struct interval interval_divide(struct interval a, struct interval b)
{
    if (!(b.low > 0 || b.high < 0))
        return nothing;
    return hull(a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high);
}

struct interval interval_min(struct interval a, struct interval b)
{
    if (!interval_is_valid(a) || !interval_is_valid(b))
        return nothing;
    return (struct interval){fmin(a.low, b.low), fmin(a.high, b.high)};
}

struct interval interval_max(struct interval a, struct interval b)
{
    if (!interval_is_valid(a) || !interval_is_valid(b))
        return nothing;
    return (struct interval){fmax(a.low, b.low), fmax(a.high, b.high)};
}

struct interval interval_map(double (*function)(double), struct interval a, bool rising)
{
    return rising ? (struct interval){function(a.low), function(a.high)}
                  : (struct interval){function(a.high), function(a.low)};
}

struct interval interval_power(struct interval base, struct interval exponent)
{
    if (!(base.low >= 0 && exponent.low >= 0))
        return nothing;
    return hull(pow(base.low, exponent.low), pow(base.low, exponent.high), pow(base.high, exponent.low),
                pow(base.high, exponent.high));
}

bool interval_meets(struct interval a, struct interval b)
{
    /* Borders of neighbouring roundings are the same number but not always the same double. */
    static const double same = 1e-12;
    double low = fmax(a.low, b.low), high = fmin(a.high, b.high);
    double border = same * fmax(fabs(low), fabs(high));
    if (!interval_is_valid(a) || !interval_is_valid(b))
        return false;
    return a.low == a.high || b.low == b.high ? low <= high + border : low < high - border;
}

/* ---- stated values ---- */

/* Digits with at most one point between or before them; how many there are. */
static size_t count_digits(const char *text)
{
    size_t length = 0, digits = 0;
    bool point = false;
    for (; isdigit((unsigned char)text[length]) || (text[length] == '.' && !point); length++) {
        point |= text[length] == '.';
        digits += text[length] != '.';
    }
    return digits > 0 ? length : 0;
}

/* Half a unit of the last digit, or of the last one that is not 0. */
static double half_unit(const char *digits, size_t length, bool approximate)
{
    size_t last = length - 1, point = strcspn(digits, ".");
    while (last > 0 && (digits[last] == '.' || (approximate && digits[last] == '0')))
        last--;
    double exponent = last < point ? (double)(point - 1 - last) : -(double)(last - point);
    return 0.5 * pow(10, exponent);
}

enum mark { ROUNDED, EXACT, APPROXIMATE, AT_LEAST, AT_MOST };

static enum mark read_mark(const char **text)
{
    static const char *const marks[] = {[EXACT] = "=", [APPROXIMATE] = "~", [AT_LEAST] = ">=", [AT_MOST] = "<="};
    for (unsigned mark = EXACT; mark <= AT_MOST; mark++) {
        if (strncmp(*text, marks[mark], strlen(marks[mark])) == 0) {
            *text += strlen(marks[mark]);
            return (enum mark)mark;
        }
    }
    return ROUNDED;
}

int stated_value_parse(const char *text, struct stated_value *stated, const char **rest)
{
    char digits[32];
    enum mark mark = read_mark(&text);
    size_t length = count_digits(text);
    if (length == 0 || length >= sizeof digits)
        return -EINVAL;
    memcpy(digits, text, length);
    digits[length] = '\0';
    double value = strtod(digits, NULL), half = half_unit(digits, length, mark == APPROXIMATE);
    stated->nominal = value;
    stated->range = interval_point(value);
    if (mark == ROUNDED || mark == APPROXIMATE)
        stated->range = (struct interval){value - half, value + half};
    else if (mark == AT_LEAST)
        stated->range.high = INFINITY;
    else if (mark == AT_MOST)
        stated->range.low = -INFINITY;
    *rest = text + length;
    while (isspace((unsigned char)**rest))
        ++*rest;
    return 0;
}
