/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Runs while the tool is built: reads what objdump says of the objects of kernels in C, <format>/<sequence>.<isa>.o, and prints a row of struct step_uops
 * (micro/step.h) for each, the uops by which its loop of 2U steps is longer than the one of U, or of long steps, which have but one, those of this, with the
 * loops within a step as often as they run (micro/disassembly_execute.h).
 *
 *     objdump -td -j .text.gamma -j '*ABS*' --no-show-raw-insn -Mintel OBJECT... | uops
 *     objdump -td -j .text.gamma -j '*ABS*' --no-show-raw-insn -Mintel OBJECT | uops instructions      of an output vector, as a core counts them: scripts/machines
 *     objdump -d --no-show-raw-insn -Mintel OBJECT | uops --group                 of the group of a sequence, alone in its object: GROUP_UOPS
 */
#include "micro/disassembly_execute.h"

enum { LINES_MOST = 1 << 14 };

static struct instruction at[LINES_MOST];

/** What so many turns of the loop of a function take. */
static uint32_t count_turns(const struct code *code, uint64_t turns, bool instructions, bool *known)
{
    static uint32_t times[LINES_MOST];
    uint32_t uops = 0;
    *known &= disassembly_execute(code, turns, times);
    for (size_t i = 0; i < code->count; i++)
        uops += times[i] * (instructions ? 1 : instruction_uops(&code->at[i]));
    return uops;
}

/** Value of a symbol that the line describes; `otherwise` if it does not. */
static uint32_t symbol_value(const char *line, const char *symbol, uint32_t otherwise)
{
    const char *last = strrchr(line, ' ');
    bool is = last && strncmp(last + 1, symbol, strlen(symbol)) == 0 && last[1 + strlen(symbol)] == '\n';
    return is ? (uint32_t)strtoul(line, NULL, 16) : otherwise;
}

/** GROUP_UOPS: uops of all that is executed of the object, loops as often as they run. */
static int count_group(void)
{
    char line[512];
    struct code code = {at, 0};
    bool known = true;
    while (code.count < LINES_MOST && fgets(line, sizeof line, stdin))
        code.count += disassembly_line(line, &at[code.count]);
    uint32_t uops = count_turns(&code, 1, false, &known);
    if (!uops || !known)
        fputs("uops: no group, or a loop in it of which it is not known how often it runs\n", stderr);
    else
        printf("%u\n", uops);
    return !uops || !known;
}

/** A kernel in C, what its object says of it, and what a turn of each of its two loops of gamma takes. */
struct steps {
    char name[256];
    uint32_t accumulators, vectors, turn[2];
    bool known;
};

/** <format>/<sequence>.<isa>.o: what is before it in `line` is another folder. */
static bool starts_object(const char *line, struct steps *steps)
{
    const char *end = strstr(line, ".o:     file format "), *from = end;
    if (!end)
        return false;
    for (int folders = 0; from > line && (folders += from[-1] == '/') < 2;)
        from--;
    *steps = (struct steps){.accumulators = 1, .known = true};
    snprintf(steps->name, sizeof steps->name, "%.*s", (int)(end - from), from);
    char *folder = strchr(steps->name, '/');
    if (folder)
        *folder = '.';
    return true;
}

static bool has_no_loop(const struct code *code)
{
    size_t i = 0;
    while (i < code->count && loop_begin(code, i) == SIZE_MAX)
        i++;
    return i == code->count;
}

/** A line of the symbols, or the first one of a function, whose others follow. */
static void read_object(const char *line, struct steps *steps, bool instructions)
{
    char name[32], next[512];
    steps->vectors = symbol_value(line, "gamma_vectors", steps->vectors);
    /* of as many accumulators as gamma is measured with */
    steps->accumulators = symbol_value(line, "gamma_accumulators", steps->accumulators);
    snprintf(name, sizeof name, "<gamma_long_%u>:", steps->accumulators);
    bool is_long = strstr(line, name);
    for (size_t which = 0; which < 2; which++) {
        snprintf(name, sizeof name, "<gamma_run_%u_%zu>:", steps->accumulators, which + 1);
        if (!strstr(line, name) && (which || !is_long))
            continue;
        struct code code = {at, 0};
        while (fgets(next, sizeof next, stdin) && *next == ' ') {
            if (code.count < LINES_MOST)
                code.count += disassembly_line(next, &at[code.count]);
        }
        if (has_no_loop(&code))
            continue;
        steps->turn[which] =
            count_turns(&code, 3, instructions, &steps->known) - count_turns(&code, 2, instructions, &steps->known);
    }
}

/** Its row, or its instructions of an output vector; false if it has no loops. */
static bool say(const struct steps *steps, bool instructions)
{
    uint32_t more = steps->turn[1] ? steps->turn[1] - steps->turn[0] : steps->turn[0];
    if (instructions)
        printf("%.17g\n", more / (double)steps->vectors);
    else
        printf("    {\"%s\", %u},\n", steps->name, more);
    if (!more)
        fprintf(stderr, "uops: %s has no loops of gamma\n", steps->name);
    else if (!steps->known)
        fprintf(stderr, "uops: %s: how often its loops run depends on what they read: their uops count once\n",
                steps->name);
    return more && (!instructions || steps->vectors);
}

int main(int count, char **argument)
{
    bool instructions = count == 2 && strcmp(argument[1], "instructions") == 0, good = true;
    if (count == 2 && strcmp(argument[1], "--group") == 0)
        return count_group();
    if (count != 1 && !instructions)
        return 2;
    char line[512];
    struct steps steps = {.known = true}, next;
    while (fgets(line, sizeof line, stdin)) {
        if (*line == ' ')
            continue;
        if (starts_object(line, &next)) {
            good &= !*steps.name || say(&steps, instructions);
            steps = next;
        }
        read_object(line, &steps, instructions);
    }
    return !(*steps.name && say(&steps, instructions) && good);
}
