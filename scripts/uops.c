/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Runs while the tool is built: reads what objdump says of the object of a kernel in C, and prints a row of struct step_uops (micro/step.h), the
 * uops by which its loop of 2U steps is longer than the one of U. Loops within a step run as often as the symbols
 * gamma_turns and gamma_turns_within say (STEP_TURNS), if the compiler has left them loops; once if nothing is said.
 *
 *     objdump -td --no-show-raw-insn -Mintel OBJECT | uops NAME
 */
#include "micro/disassembly.h"

enum { LOOP_MOST = 1 << 14, DEPTHS = 3 };

static struct instruction at[LOOP_MOST];

/** Loops within the one from `first` to `last` that an instruction is in. */
static size_t depth_of(const struct code *code, size_t first, size_t last, size_t which)
{
    size_t depth = 0;
    for (size_t end = which; end < last; end++) {
        size_t begin = loop_begin(code, end);
        depth += begin != SIZE_MAX && begin >= first && begin <= which;
    }
    return depth < DEPTHS ? depth : DEPTHS - 1;
}

/** Uops of the longest loop of a function, by depth: of it alone, of loops within it, and within these. */
static void loop_uops(size_t count, uint32_t *uops)
{
    const struct code code = {at, count};
    size_t longest = 0, length = 0;
    for (size_t last = 0; last < count; last++) {
        size_t first = loop_begin(&code, last);
        if (first != SIZE_MAX && last - first > length) {
            longest = first;
            length = last - first;
        }
    }
    for (size_t i = longest; i < longest + length; i++)
        uops[depth_of(&code, longest, longest + length, i)] += instruction_uops(&at[i]);
}

int main(int count, char **argument)
{
    char line[512];
    static const char *const functions[] = {"<gamma_run_1_1>:", "<gamma_run_1_2>:"};
    uint32_t uops[2][DEPTHS] = {{0}}, turns[DEPTHS] = {1, 1, 1}, executed[2] = {0, 0};
    if (count != 2)
        return 2;
    for (char *got = fgets(line, sizeof line, stdin); got;) {
        if (strstr(line, " gamma_turns\n"))
            turns[1] = (uint32_t)strtoul(line, NULL, 16);
        if (strstr(line, " gamma_turns_within\n"))
            turns[2] = (uint32_t)strtoul(line, NULL, 16);
        size_t which = strstr(line, functions[0]) ? 0 : strstr(line, functions[1]) ? 1 : 2, length = 0;
        got = fgets(line, sizeof line, stdin);
        if (which == 2)
            continue;
        for (; got && line[0] == ' '; got = fgets(line, sizeof line, stdin)) {
            if (length < LOOP_MOST)
                length += disassembly_line(line, &at[length]);
        }
        loop_uops(length, uops[which]);
    }
    for (size_t depth = 0; depth < DEPTHS; depth++) {
        for (size_t i = 0; i < 2; i++)
            executed[i] += uops[i][depth] * turns[depth] * (depth == 2 ? turns[1] : 1);
    }
    /* a compiler that does not unroll has made one loop of both: as told not to optimise */
    if (executed[1] <= executed[0])
        executed[1] = executed[0] + executed[0];
    printf("    {\"%s\", %u},\n", argument[1], executed[1] - executed[0]);
    return 0;
}
