/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Runs while the tool is built: reads what objdump says of the object of a kernel in C, and prints a row of struct step_uops (micro/step.h), the
 * uops by which its loop of 2U steps is longer than the one of U, with the loops within a step as often as they run (micro/disassembly_execute.h).
 *
 *     objdump -td --no-show-raw-insn -Mintel OBJECT | uops NAME
 *     objdump -d --no-show-raw-insn -Mintel OBJECT | uops --group                of the group of a sequence, alone in its object: GROUP_UOPS
 *     objdump -td --no-show-raw-insn -Mintel OBJECT | uops NAME instructions      of an output vector, as a core counts them: scripts/machines
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

int main(int count, char **argument)
{
    if (count == 2 && strcmp(argument[1], "--group") == 0)
        return count_group();
    /* of as many accumulators as gamma is measured with */
    char line[512], function[2][32];
    uint32_t turn[2] = {0, 0}, accumulators = 1, vectors = 0;
    bool known = true, instructions = count == 3 && strcmp(argument[2], "instructions") == 0;
    if (count != 2 && !instructions)
        return 2;
    for (char *got = fgets(line, sizeof line, stdin); got;) {
        vectors = symbol_value(line, "gamma_vectors", vectors);
        accumulators = symbol_value(line, "gamma_accumulators", accumulators);
        struct code code = {at, 0};
        size_t which = 0;
        for (; which < 2; which++) {
            snprintf(function[which], sizeof function[which], "<gamma_run_%u_%zu>:", accumulators, which + 1);
            if (strstr(line, function[which]))
                break;
        }
        got = fgets(line, sizeof line, stdin);
        if (which == 2)
            continue;
        for (; got && line[0] == ' '; got = fgets(line, sizeof line, stdin)) {
            if (code.count < LINES_MOST)
                code.count += disassembly_line(line, &at[code.count]);
        }
        turn[which] = count_turns(&code, 3, instructions, &known) - count_turns(&code, 2, instructions, &known);
    }
    uint32_t more = turn[1] - turn[0];
    if (instructions)
        printf("%.17g\n", more / (double)vectors);
    else
        printf("    {\"%s\", %u},\n", argument[1], more);
    if (!more)
        fprintf(stderr, "uops: %s has no loops of gamma\n", argument[1]);
    else if (!known)
        fprintf(stderr, "uops: %s: how often its loops run depends on what they read: their uops count once\n",
                argument[1]);
    return !more || (instructions && !vectors);
}
