/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_DISASSEMBLY_H
#define MICRO_DISASSEMBLY_H

#include <glob.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/**
 * For tests only: what an object's code is, as objdump reads it. Functions that return a bool say whether it was there.
 */
enum { OPERANDS_MAX = 6, OPERAND_MAX = 64 };

struct instruction {
    uint64_t address;
    char mnemonic[24];
    char operand[OPERANDS_MAX][OPERAND_MAX]; /* as printed: "ymm3", "ZMMWORD PTR [rsi+rdx*1]", "v1.16b", "0x4" */
    int operands;
};

struct code {
    struct instruction *at; /* allocated */
    size_t count;
};

/** The folder of what make built, "build": this program lies in its micro/. */
static inline void disassembly_build_folder(char *folder, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", folder, size - 1);
    folder[length > 0 ? length : 0] = '\0';
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(folder, '/');
        if (slash)
            *slash = '\0';
    }
}

/** Object of a sequence in assembly below a build's folder, whichever format or family it belongs to; "": none. */
static inline void disassembly_sequence(const char *folder, const char *name, char *object, size_t size)
{
    char pattern[PATH_MAX + 64];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/micro/{*,*/*}/%s.o", folder, name);
    object[0] = '\0';
    if (glob(pattern, GLOB_BRACE, NULL, &found) == 0)
        snprintf(object, size, "%s", found.gl_pathv[0]);
    globfree(&found);
}

/** The symbols of an object, a line each, which ends with the name; free(). NULL: none can be read. */
static inline char *disassembly_symbols(const char *program, const char *object)
{
    char command[PATH_MAX + 512], *text = NULL;
    size_t size = 0;
    snprintf(command, sizeof command, "LC_ALL=C %s -t '%s' 2>/dev/null", program, object);
    FILE *in = popen(command, "r");
    ssize_t length = in ? getdelim(&text, &size, '\0', in) : -1;
    if (in)
        pclose(in);
    if (length > 0)
        return text;
    free(text);
    return NULL;
}

/** Value of a symbol among them. */
static inline bool disassembly_symbol(const char *symbols, const char *symbol, uint64_t *value)
{
    char ending[128];
    const size_t length = (size_t)snprintf(ending, sizeof ending, " %s\n", symbol);
    const char *line = symbols, *end = NULL;
    while (line && (end = strchr(line, '\n')) &&
           ((size_t)(end + 1 - line) < length || strncmp(end + 1 - length, ending, length) != 0))
        line = end + 1;
    if (!end)
        return false;
    *value = strtoull(line, NULL, 16);
    return true;
}

/** Split "ymm1,ymm2,YMMWORD PTR [rsi+rax*1+0x20]        # comment"; commas inside brackets and braces do not count. */
static inline void disassembly_split(char *text, struct instruction *to)
{
    int depth = 0;
    size_t length = 0;
    to->operands = 0;
    for (char *c = text;; c++) {
        bool comment = (*c == '#' && c[1] == ' ') || (*c == '/' && c[1] == '/'); /* #4 is a number on aarch64 */
        bool ends = !*c || (*c == ',' && !depth) || comment || *c == '<';
        depth += (*c == '[' || *c == '{') - (*c == ']' || *c == '}');
        if (!ends && length + 1 < OPERAND_MAX && (length || *c != ' '))
            to->operand[to->operands][length++] = *c;
        if (!ends)
            continue;
        while (length && strchr(" \t", to->operand[to->operands][length - 1]))
            length--;
        to->operand[to->operands][length] = '\0';
        to->operands += length > 0 && to->operands + 1 < OPERANDS_MAX;
        length = 0;
        if (*c != ',')
            return;
    }
}

/** One line of objdump: "   12:<tab>vpand  ymm1,ymm2,ymm3". Prefixes as {vex} are left out. */
static inline bool disassembly_line(char *line, struct instruction *to)
{
    char *colon = strchr(line, ':'), *text = colon && colon[1] == '\t' ? colon + 2 : NULL;
    if (!text || line[0] != ' ')
        return false;
    *to = (struct instruction){.address = strtoull(line, NULL, 16)};
    line[strcspn(line, "\n")] = '\0';
    while (*text == '{' || strncmp(text, "notrack ", 8) == 0 || strncmp(text, "bnd ", 4) == 0)
        text += strcspn(text, " ") + 1;
    size_t length = strcspn(text, " \t");
    snprintf(to->mnemonic, sizeof to->mnemonic, "%.*s", (int)length, text);
    text += length;
    text += strspn(text, " \t");
    disassembly_split(text, to);
    return true;
}

/** What a command prints of objdump's. Free code->at. */
static inline bool disassembly_of(const char *command, struct code *code)
{
    char line[512];
    *code = (struct code){0};
    FILE *in = popen(command, "r");
    size_t room = 0;
    while (in && fgets(line, sizeof line, in)) {
        if (code->count == room) {
            room = room ? 2 * room : 256;
            code->at = realloc(code->at, room * sizeof *code->at);
        }
        code->count += disassembly_line(line, &code->at[code->count]);
    }
    if (in)
        pclose(in);
    return code->count > 0;
}

/** objdump's option for the syntax in which operands are read. */
static inline const char *disassembly_syntax(const char *program)
{
#if defined __aarch64__
    (void)program;
    return "";
#else
    return strcmp(program, "objdump") == 0 ? "-Mintel " : "";
#endif
}

/** The code of an object from address `begin` to `end`. Free code->at. */
static inline bool disassembly_read(const char *program, const char *object, uint64_t begin, uint64_t end,
                                    struct code *code)
{
    char command[PATH_MAX + 512];
    snprintf(command, sizeof command,
             "LC_ALL=C %s -d --no-show-raw-insn %s--start-address=%llu --stop-address=%llu '%s' 2>/dev/null", program,
             disassembly_syntax(program), (unsigned long long)begin, (unsigned long long)end, object);
    return disassembly_of(command, code);
}

/** The code of a section of an object, as ".text". Free code->at. */
static inline bool disassembly_section(const char *program, const char *object, const char *section, struct code *code)
{
    char command[PATH_MAX + 512];
    snprintf(command, sizeof command, "LC_ALL=C %s -d --no-show-raw-insn %s-j %s '%s' 2>/dev/null", program,
             disassembly_syntax(program), section, object);
    return disassembly_of(command, code);
}

/** The code of a function of an object; what the compiler made of it inside others is not its. Free code->at. */
static inline bool disassembly_function(const char *program, const char *object, const char *function,
                                        struct code *code)
{
    char command[PATH_MAX + 512];
    snprintf(command, sizeof command, "LC_ALL=C %s -d --no-show-raw-insn %s--disassemble=%s '%s' 2>/dev/null", program,
             disassembly_syntax(program), function, object);
    return disassembly_of(command, code);
}

static inline bool operand_is_memory(const char *operand)
{
    const char *bracket = strchr(operand, '[');
    /* v3.4s[1] is a lane of aarch64; BCST: what binutils 2.4 and later call an operand that is broadcast */
    return bracket && (bracket == operand || strstr(operand, "PTR ") || strstr(operand, "BCST "));
}

/** Digits of the number of a vector register, NULL if it is not one: of "ymm3" on x86-64, of "v3.16b", "{z3.s}" and "s3" on aarch64. */
static inline const char *operand_vector_number(const char *operand)
{
    operand += *operand == '{';
    if (strncmp(operand, "xmm", 3) == 0 || strncmp(operand, "ymm", 3) == 0 || strncmp(operand, "zmm", 3) == 0)
        return operand + 3;
    return *operand && strchr("vzqdshb", *operand) && operand[1] >= '0' && operand[1] <= '9' ? operand + 1 : NULL;
}

static inline bool operand_is_vector(const char *operand)
{
    return operand_vector_number(operand) != NULL;
}

static inline bool instruction_has_memory(const struct instruction *instruction)
{
    for (int i = 0; i < instruction->operands; i++) {
        if (operand_is_memory(instruction->operand[i]))
            return true;
    }
    return false;
}

static inline bool mnemonic_begins(const struct instruction *instruction, const char *with)
{
    return strncmp(instruction->mnemonic, with, strlen(with)) == 0;
}

static inline bool mnemonic_is(const struct instruction *instruction, const char *name)
{
    return strcmp(instruction->mnemonic, name) == 0;
}

/** Of x86-64 jne and so on, of aarch64 b, b.ne, cbnz and so on, whose last operand is the place. */
static inline bool is_jump(const struct instruction *instruction)
{
    return instruction->mnemonic[0] == 'j' || mnemonic_is(instruction, "b") || mnemonic_begins(instruction, "b.") ||
           mnemonic_begins(instruction, "cbz") || mnemonic_begins(instruction, "cbnz") ||
           mnemonic_begins(instruction, "tbz") || mnemonic_begins(instruction, "tbnz");
}

/** First instruction of the loop that ends with a backward jump at `last`; SIZE_MAX if that is not a loop. */
static inline size_t loop_begin(const struct code *code, size_t last)
{
    const struct instruction *jump = &code->at[last];
    uint64_t to = jump->operands ? strtoull(jump->operand[jump->operands - 1], NULL, 16) : 0;
    if (!is_jump(jump) || to >= jump->address)
        return SIZE_MAX;
    for (size_t i = 0; i < last; i++) {
        if (code->at[i].address == to)
            return i;
    }
    return SIZE_MAX;
}

/** A shift whose count is in a register, the same for all lanes. */
static inline bool shifts_by_register(const struct instruction *instruction)
{
    bool shift = mnemonic_begins(instruction, "vpsll") || mnemonic_begins(instruction, "vpsrl") ||
                 mnemonic_begins(instruction, "vpsra");
    bool by_lanes = instruction->mnemonic[strlen("vpsll")] == 'v';
    return shift && !by_lanes && instruction->operands == 3 && operand_is_vector(instruction->operand[2]);
}

/**
 * Uops of the fused domain that the front end issues for it: see GROUP_UOPS in micro/sequences/sequence_frame.h. The
 * cores are Golden Cove and Neoverse V1; one unless it is in this list, from the tables of uops.info and of Arm's guide
 * to the core.
 */
static inline uint32_t instruction_uops(const struct instruction *instruction)
{
    bool memory = instruction_has_memory(instruction);
    if (mnemonic_is(instruction, "vpblendvb") || mnemonic_is(instruction, "vblendvps"))
        return 3;
    if (mnemonic_is(instruction, "vpermi2b") || mnemonic_is(instruction, "vpermt2b") ||
        mnemonic_is(instruction, "vphaddd") || mnemonic_is(instruction, "vphaddw"))
        return 3;
    if (mnemonic_is(instruction, "vpmulld") || mnemonic_is(instruction, "vpextrq") || shifts_by_register(instruction))
        return 2;
    if (mnemonic_is(instruction, "vcvtph2ps") || mnemonic_is(instruction, "vcvtph2psx"))
        return memory ? 1 : 2;
    if (instruction->mnemonic[0] == 'j') /* fused with the dec, sub or cmp before it */
        return 0;
    if (mnemonic_is(instruction, "ldp")) /* of vector registers */
        return 2;
    return 1;
}

#endif
