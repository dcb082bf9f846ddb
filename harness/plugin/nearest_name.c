/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plugin/name_filter.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "micro/least.h"

static bool same_letter(char one, char other)
{
    return tolower((unsigned char)one) == tolower((unsigned char)other);
}

size_t nearest_name_distance(const char *one, const char *other)
{
    size_t rows[3][NEAREST_NAME_MOST], *before = rows[0], *above = rows[1], *now = rows[2];
    size_t m = strlen(one), n = strlen(other);
    if (m >= NEAREST_NAME_MOST || n >= NEAREST_NAME_MOST)
        return SIZE_MAX;
    for (size_t j = 0; j <= n; j++)
        above[j] = j;
    for (size_t i = 1; i <= m; i++) {
        now[0] = i;
        for (size_t j = 1; j <= n; j++) {
            now[j] = least(least(above[j], now[j - 1]) + 1, above[j - 1] + !same_letter(one[i - 1], other[j - 1]));
            if (i > 1 && j > 1 && same_letter(one[i - 1], other[j - 2]) && same_letter(one[i - 2], other[j - 1]))
                now[j] = least(now[j], before[j - 2] + 1);
        }
        size_t *oldest = before;
        before = above;
        above = now;
        now = oldest;
    }
    return above[n];
}

struct nearest_name nearest_name_begin(const char *given)
{
    return (struct nearest_name){.given = given, .distance = SIZE_MAX};
}

void nearest_name_consider(struct nearest_name *nearest, const char *candidate, size_t length)
{
    char name[NEAREST_NAME_MOST];
    if (length >= sizeof name)
        return;
    memcpy(name, candidate, length);
    name[length] = 0;
    size_t distance = nearest_name_distance(nearest->given, name),
           letters = strlen(nearest->given + strspn(nearest->given, "-"));
    if (distance >= nearest->distance || distance > (letters < 6 ? 1 : letters / 3) || distance >= letters)
        return;
    nearest->distance = distance;
    strcpy(nearest->name, name);
}

const char *nearest_name_hint(const struct nearest_name *nearest, char *text, size_t size)
{
    text[0] = 0;
    if (nearest->distance != SIZE_MAX)
        snprintf(text, size, "; did you mean '%s'?", nearest->name);
    return text;
}
