/* SPDX-License-Identifier: BSD-3-Clause */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "harness/assemble/user_sequence.h"
#include "platforms/cpu/isa.h"

static const char *skip_blanks(const char *at)
{
    while (*at == ' ' || *at == '\t')
        at++;
    return at;
}

/** After the word if the text begins with it, else NULL. */
static const char *after_word(const char *at, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(at, word, length) != 0 || isalnum((unsigned char)at[length]) || at[length] == '_')
        return NULL;
    return skip_blanks(at + length);
}

/** What follows `lead word` at the beginning of a line; NULL if no line has it. */
static const char *line_of(const char *text, const char *lead, const char *word)
{
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line = skip_blanks(line + (*line == '\n'));
        const char *at = *lead == '#' && *line == '#' ? skip_blanks(line + 1) : line;
        at = after_word(at, *lead == '#' ? lead + 1 : lead);
        if (at && (at = after_word(at, word)))
            return at;
    }
    return NULL;
}

/** A name of letters, digits, '-' and '_'. @return whether it is one that fits */
static bool take_name(const char *from, size_t length, char *value, size_t size)
{
    for (size_t i = 0; i < length; i++) {
        if (!isalnum((unsigned char)from[i]) && from[i] != '_' && from[i] != '-')
            return false;
    }
    if (length && length < size)
        snprintf(value, size, "%.*s", (int)length, from);
    return length && length < size;
}

/** A fact that is a string, without its quotes. @return whether it is a name that fits */
static bool string_fact(const char *text, const char *name, char *value, size_t size)
{
    const char *at = line_of(text, "#define", name);
    size_t length = at && *at == '"' ? strcspn(++at, "\"\n") : 0;
    return length && at[length] == '"' && take_name(at, length, value, size);
}

/** ISA of a file name that ends in .<isa>.S; "" if it has another form. */
static void isa_of_path(const char *path, char *isa, size_t size)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    const char *end = strrchr(base, '.'), *last = end;
    while (last && last > base && last[-1] != '.')
        last--;
    snprintf(isa, size, "%.*s", last && last > base ? (int)(end - last) : 0, last ? last : "");
    if (!isa_find(isa))
        isa[0] = '\0';
}

/** Part `index` of a file name <format>.<sequence>.<isa>.S. @return whether it is a name that fits */
static bool part_of_path(const char *path, size_t index, char *value, size_t size)
{
    const char *slash = strrchr(path, '/'), *at = slash ? slash + 1 : path;
    size_t parts = 1;
    for (const char *dot = strchr(at, '.'); dot; dot = strchr(dot + 1, '.'))
        parts++;
    for (size_t i = 0; parts == 4 && i < index; i++)
        at = strchr(at, '.') + 1;
    return parts == 4 && take_name(at, strcspn(at, "."), value, size);
}

static int missing(const char *path, char *why, size_t size, const char *what, const char *remedy)
{
    snprintf(why, size, "%s states no %s: %s", path, what, remedy);
    return -EINVAL;
}

/** Whether it includes more of the tool's than the frame: a step of a built-in sequence, which may have any of the macros. */
static bool includes_step(const char *text)
{
    static const char of_tool[] = "#include \"micro/", frame[] = "#include \"micro/sequences/";
    for (const char *at = strstr(text, of_tool); at; at = strstr(at + 1, of_tool)) {
        if (strncmp(at, frame, strlen(frame)) != 0)
            return true;
    }
    return false;
}

static int all_is_there(const char *path, const char *text, bool referenced, char *why, size_t size)
{
    static const char *const facts[][2] = {
        {"BYTES", "add '#define BYTES n', the packed bytes of one output vector of 32 weights"},
        {"GROUP_DOTS", "add '#define GROUP_DOTS n', the dot products of its group"},
        {"GROUP_UOPS", "add '#define GROUP_UOPS n', the uops of its group"},
        {"LEAST", "add '#define LEAST n', the fewest accumulators a kernel can work with"},
        {"MOST", "add '#define MOST n', the most accumulators that its registers allow, up to 12"},
    };
    static const char *const macros[][2] = {
        {"load_constants", "add '.macro load_constants', for constants and the activations at [rsi]"},
        {"load_weights", "add '.macro load_weights base, offset', for the packed weights of one group"},
        {"group", "add '.macro group', which says `dot register` GROUP_DOTS times"},
        {"dot_into", "add '.macro dot_into number, operand', which multiplies into an accumulator"},
    };
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        if (!line_of(text, "#define", facts[i][0]))
            return missing(path, why, size, facts[i][0], facts[i][1]);
    }
    if (!strstr(text, "sequence_frame.h\""))
        return missing(path, why, size, "frame", "add '#include \"micro/sequences/sequence_frame.h\"' below its facts");
    for (size_t i = 0; i < sizeof macros / sizeof *macros; i++) {
        if (!includes_step(text) && !line_of(text, ".macro", macros[i][0]))
            return missing(path, why, size, macros[i][0], macros[i][1]);
    }
    if (!referenced && !line_of(text, ".macro", "dot_facts"))
        return missing(path, why, size, "scalar result",
                       "add '.macro dot_facts' with a fact for each dot product, or a sequence_reference in C");
    if (!strstr(text, "sequence_functions"))
        return missing(path, why, size, "sequence_functions", "end the file with it");
    return 0;
}

int user_facts_read(const char *path, const char *text, struct user_facts *facts, char *why, size_t size)
{
    *facts = (struct user_facts){.referenced = strstr(text, "void sequence_reference") != NULL};
    if (!string_fact(text, "FORMAT", facts->format, sizeof facts->format) &&
        (line_of(text, "#define", "FORMAT") || !part_of_path(path, 0, facts->format, sizeof facts->format)))
        return missing(path, why, size, "FORMAT", "add '#define FORMAT \"name\"' of letters, digits, '-' and '_'");
    if (!string_fact(text, "SEQUENCE", facts->sequence, sizeof facts->sequence) &&
        (line_of(text, "#define", "SEQUENCE") || !part_of_path(path, 1, facts->sequence, sizeof facts->sequence)))
        return missing(path, why, size, "SEQUENCE", "add '#define SEQUENCE \"name\"' of letters, digits, '-' and '_'");
    isa_of_path(path, facts->isa, sizeof facts->isa);
    if (!facts->isa[0] && !string_fact(text, "ISA", facts->isa, sizeof facts->isa))
        return missing(path, why, size, "ISA",
                       "add '#define ISA \"avx2\"' or another of `kneepoint info`, or name the file so: mine.avx2.S");
    const struct isa *isa = isa_find(facts->isa);
    if (!isa || !isa->assembler[0]) {
        snprintf(why, size,
                 "%s is for '%s', which is no instruction set that can be assembled: `kneepoint info` lists them", path,
                 facts->isa);
        return -EINVAL;
    }
    snprintf(facts->name, sizeof facts->name, "%s.%s.%s", facts->format, facts->sequence, facts->isa);
    return all_is_there(path, text, facts->referenced, why, size);
}
