/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What users write to say which kernels and sequences they mean, and on which CPUs, a line each: a name, a leading part or a shell pattern;
 * lists of formats, instruction sets and origins; bits; CPUs.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz/frame/target.h"
#include "harness/plugin/name_argument.h"
#include "harness/plugin/name_filter.h"
#include "platforms/counters/pmu.h"

enum { NAME, FORMAT, ISA, ORIGIN, BITS, CPUS, LINES };

/** Each line as a separate text; "" if there are no more. */
static void split(char *text, const char *line[LINES])
{
    for (int i = 0; i < LINES; i++) {
        size_t length = strcspn(text, "\n");
        line[i] = text;
        text += length;
        if (*text)
            *text++ = '\0';
    }
}

/** Each name is held against all others where it is asked for: some of them are asked for here. */
enum { SOME = 101 };

/** What a kernel is called means it, however the text came to be written. */
static void hold_name(const char *text)
{
    char hint[160];
    struct name_argument given = name_argument_begin(text);
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++)
        name_argument_hold(&given, (*kernel)->name);
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++)
        hold(name_argument_is(&given, (*kernel)->name) || strcmp(text, (*kernel)->name) != 0);
    (void)name_argument_means(text, kernel_all()[0]->name);
    (void)name_argument_hint(text, true, hint, sizeof hint);
}

static void hold_filter(const char *line[LINES])
{
    struct name_filter filter = {0};
    char text[256], why[256] = "";
    filter.format = line[FORMAT][0] ? line[FORMAT] : NULL;
    filter.isa = line[ISA][0] ? line[ISA] : NULL;
    filter.origin = line[ORIGIN][0] ? line[ORIGIN] : NULL;
    if (line[BITS][0] && name_filter_parse_bits(line[BITS], &filter))
        return;
    hold(!filter.bits || filter.bits_least <= filter.bits_most);
    if (name_filter_check(&filter, why, sizeof why)) {
        hold_refusal(why);
    } else {
        size_t i = 0;
        for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++)
            hold(i++ % SOME || name_filter_has_kernel(&filter, *kernel) || name_filter_is_set(&filter));
        for (const struct sequence *const *sequence = sequence_all(); *sequence; sequence++)
            hold(i++ % SOME || name_filter_has_sequence(&filter, *sequence) || name_filter_is_set(&filter));
    }
    hold(strlen(name_filter_text(&filter, text, sizeof text)) < sizeof text);
}

static void hold_cpus(const char *list)
{
    enum { ROOM = 16 };
    unsigned cpus[ROOM];
    int count = cpu_list_parse(list, cpus, ROOM);
    for (int i = 0; i < count && i < ROOM; i++)
        hold(cpu_list_contains(list, cpus[i]));
}

FUZZ_TARGET(bytes, length)
{
    const char *line[LINES];
    char *text = fuzz_text(bytes, length);
    split(text, line);
    hold_name(line[NAME]);
    hold_filter(line);
    hold_cpus(line[CPUS]);
    hold(nearest_name_distance(line[NAME], line[NAME]) == 0 || strlen(line[NAME]) >= NEAREST_NAME_MOST);
    free(text);
}
