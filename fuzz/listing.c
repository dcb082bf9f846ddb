/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What `explain` reads of others: machine code as a disassembler lists it, which it cuts and looks for registers, and the first comment of
 * a source. The first byte says how often a loop repeats its part.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz/frame/target.h"
#include "harness/cmd/explain/explain_command.h"

FUZZ_TARGET(bytes, length)
{
    enum { SHORT = 24 };
    char registers[200], few[SHORT], notes[200], little[SHORT];
    size_t parts = length ? bytes[0] % 16 : 1;
    char *text = fuzz_text(bytes + (length > 0), length - (length > 0));
    const size_t whole = strlen(text);
    hold(strlen(explain_registers(text, registers, sizeof registers)) < sizeof registers);
    hold(strlen(explain_registers(text, few, sizeof few)) < sizeof few);
    source_first_comment(text, notes, sizeof notes);
    hold(memchr(notes, 0, sizeof notes) != NULL);
    source_first_comment(text, little, sizeof little);
    hold(memchr(little, 0, sizeof little) != NULL);
    (void)term_find(text);
    explain_cut(text, parts);
    hold(strlen(text) <= whole);
    free(text);
}
