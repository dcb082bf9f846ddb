/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Runs while the tool is built: reads what objdump says of the object of a kernel in C, and prints a row of struct step_uops (micro/step.h), the
 * uops by which its loop of 2U steps is longer than the one of U. Loops within a step run as often as STEP_TURNS says, if the compiler has left them
 * loops; micro/kernel_uops_test.c finds those of which nothing is said.
 *
 *     objdump -td --no-show-raw-insn -Mintel OBJECT | uops NAME
 *     objdump -d --no-show-raw-insn -Mintel OBJECT | uops --group                of the group of a sequence, alone in its object: GROUP_UOPS
 *     objdump -td --no-show-raw-insn -Mintel OBJECT | uops NAME instructions      of an output vector, as a core counts them: scripts/machines
 */
#include "micro/disassembly.h"

enum { LOOP_MOST = 1 << 14, DEPTHS = 3 };

static struct instruction at[LOOP_MOST];

/** Loops within the one from `first` to `last` that an instruction is in. */
static size_t depth_of(const struct code *code, size_t first, size_t last, size_t which)
{
    size_t depth = 0;
    for (size_t end = which; end < last; end++) {
        size_t begin = loop_closed_begin(code, end);
        depth += begin != SIZE_MAX && begin >= first && begin <= which;
    }
    return depth < DEPTHS ? depth : DEPTHS - 1;
}

/** What the longest loop of a function has, by depth: of it alone, of loops within it, and within these. */
static void count_loop(size_t count, bool instructions, uint32_t *found)
{
    const struct code code = {at, count};
    size_t longest = 0, length = 0;
    for (size_t last = 0; last < count; last++) {
        size_t first = loop_closed_begin(&code, last);
        if (first != SIZE_MAX && last - first > length) {
            longest = first;
            length = last - first;
        }
    }
    for (size_t i = longest; i < longest + length; i++)
        found[depth_of(&code, longest, longest + length, i)] += instructions ? 1 : instruction_uops(&at[i]);
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
    struct code code = {at, 0}, executed;
    while (code.count < LOOP_MOST && fgets(line, sizeof line, stdin))
        code.count += disassembly_line(line, &at[code.count]);
    uint32_t uops = disassembly_execute(&code, &executed) ? code_uops(&executed) : 0;
    free(executed.at);
    if (!uops)
        fputs(
            "uops: no group whose loops can be followed, `mov register, times` before it, `dec register` and `jnz` at its end\n",
            stderr);
    else
        printf("%u\n", uops);
    return !uops;
}

int main(int count, char **argument)
{
    if (count == 2 && strcmp(argument[1], "--group") == 0)
        return count_group();
    /* uops of one accumulator, which every step has; instructions of as many as gamma is measured with */
    char line[512], function[2][32];
    uint32_t found[2][DEPTHS] = {{0}}, turns[DEPTHS] = {1, 1, 1}, executed[2] = {0, 0}, accumulators = 1, vectors = 0;
    bool instructions = count == 3 && strcmp(argument[2], "instructions") == 0;
    if (count != 2 && !instructions)
        return 2;
    for (char *got = fgets(line, sizeof line, stdin); got;) {
        turns[1] = symbol_value(line, "gamma_turns", turns[1]);
        turns[2] = symbol_value(line, "gamma_turns_within", turns[2]);
        vectors = symbol_value(line, "gamma_vectors", vectors);
        if (instructions)
            accumulators = symbol_value(line, "gamma_accumulators", accumulators);
        size_t which = 0, length = 0;
        for (; which < 2; which++) {
            snprintf(function[which], sizeof function[which], "<gamma_run_%u_%zu>:", accumulators, which + 1);
            if (strstr(line, function[which]))
                break;
        }
        got = fgets(line, sizeof line, stdin);
        if (which == 2)
            continue;
        for (; got && line[0] == ' '; got = fgets(line, sizeof line, stdin)) {
            if (length < LOOP_MOST)
                length += disassembly_line(line, &at[length]);
        }
        count_loop(length, instructions, found[which]);
    }
    for (size_t depth = 0; depth < DEPTHS; depth++) {
        for (size_t i = 0; i < 2; i++)
            executed[i] += found[i][depth] * turns[depth] * (depth == 2 ? turns[1] : 1);
    }
    /* a compiler that was told not to optimise has unrolled neither, and made one loop of both */
    uint32_t more = executed[1] > executed[0] ? executed[1] - executed[0] : executed[0];
    if (instructions)
        printf("%.17g\n", more / (double)vectors);
    else
        printf("    {\"%s\", %u},\n", argument[1], more);
    if (!more)
        fprintf(stderr, "uops: %s has no loops of gamma\n", argument[1]);
    return !more || (instructions && !vectors);
}
