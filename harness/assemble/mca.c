/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/assemble/mca.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "platforms/process/child_execute.h"
#include "results/text/refuse.h"

enum {
    LIMIT_MS = 20000,
    VERSIONS_FROM = 11,
    VERSIONS_TO = 40,
    CODE_BYTES = 1 << 16,
    ITERATIONS = 200,
    TEXT_MOST = 1 << 20
};

/* Of the code that it is given, which is this program's. */
#if defined(__x86_64__)
#define OBJDUMP_MACHINE "i386:x86-64"
#define MCA_TRIPLE      "x86_64-linux-gnu"
#else
#define OBJDUMP_MACHINE "aarch64"
#define MCA_TRIPLE      "aarch64-linux-gnu"
#endif

/* ---------------------------------------------------------------- programs */

/** child_execute() within the limit. */
static int run_program(const char *const *arguments, int input, int output, struct child_result *result)
{
    const struct child_program program = {(char *const *)(uintptr_t)arguments, NULL, input, output};
    return child_execute(&program, LIMIT_MS, result);
}

/** Path of a program on PATH. */
static bool on_path(const char *name, char *path, size_t size)
{
    const char *list = getenv("PATH");
    for (const char *at = list ? list : ""; *at;) {
        size_t length = strcspn(at, ":");
        snprintf(path, size, "%.*s/%s", (int)length, at, name);
        if (length && access(path, X_OK) == 0)
            return true;
        at += length + (at[length] == ':');
    }
    return false;
}

/** 0 of a program that does not say it. @return 0 or what child_execute() returns of one that could not be asked */
static int version_of(const char *path, unsigned *version)
{
    struct child_result result;
    int error = run_program((const char *[]){path, "--version", NULL}, -1, -1, &result);
    const char *at = error ? NULL : strstr(result.printed, "LLVM version ");
    *version = at ? (unsigned)strtoul(at + 13, NULL, 10) : 0;
    return error < 0 ? error : 0;
}

/** @return 0, also where there is none; what version_of() returns of mca->tool */
static int find_newest(struct mca *mca)
{
    char name[32], path[sizeof mca->tool];
    for (unsigned version = VERSIONS_TO; version >= VERSIONS_FROM && !mca->version; version--) {
        snprintf(name, sizeof name, "llvm-mca-%u", version);
        if (on_path(name, mca->tool, sizeof mca->tool))
            mca->version = version;
    }
    unsigned plain = 0;
    int error = on_path("llvm-mca", path, sizeof path) ? version_of(path, &plain) : 0;
    if (error || plain > mca->version) {
        mca->version = plain;
        memcpy(mca->tool, path, sizeof path);
    }
    return error;
}

/** llvm-mca's own words for a core that it does not know. */
static bool is_unknown(const char *printed)
{
    return strstr(printed, "is not a recognized processor") || strstr(printed, "unable to find") ||
           strstr(printed, "no scheduling model");
}

/** Whether LLVM schedules a core as a Cortex-A57, as it does many for Arm until it has a model of their own. */
static bool is_another(const char *printed, const char *cpu)
{
    return strstr(printed, "A57Unit") && strcmp(cpu, "cortex-a57") != 0;
}

/** @param view  one more view than the summary, or NULL */
static int ask(const struct mca *mca, int input, const char *view, struct child_result *result)
{
    char cpu[48], iterations[32];
    snprintf(cpu, sizeof cpu, "-mcpu=%s", mca->cpu);
    snprintf(iterations, sizeof iterations, "-iterations=%d", ITERATIONS);
    const char *const arguments[] = {
        mca->tool, "-mtriple=" MCA_TRIPLE, cpu, iterations, "-all-views=false", "-summary-view", "-", view, NULL};
    return run_program(arguments, input, -1, result);
}

static int text_file(const char *text, size_t length)
{
    int file = memfd_create("kneepoint", MFD_CLOEXEC);
    if (file >= 0 && (write(file, text, length) != (ssize_t)length || lseek(file, 0, SEEK_SET))) {
        close(file);
        return -1;
    }
    return file;
}

int mca_open(struct mca *mca, const char *cpu, char *why, size_t size)
{
    struct child_result result;
    *mca = (struct mca){0};
    snprintf(mca->cpu, sizeof mca->cpu, "%s", cpu);
    mca->design = core_design_of_llvm(cpu);
    int error = find_newest(mca);
    if (error)
        return refuse(error, why, size, "cannot run %s: %s", mca->tool, strerror(-error));
    if (!mca->version) {
        snprintf(why, size, "no llvm-mca on PATH: install llvm, or a newer one such as llvm-19");
        return -ENOENT;
    }
    int file = text_file("nop\n", 4);
    error = file < 0 ? -ENOMEM : ask(mca, file, "-resource-pressure", &result);
    if (file >= 0)
        close(file);
    if (error < 0)
        return refuse(error, why, size, "cannot run %s: %s", mca->tool, strerror(-error));
    if (error || is_unknown(result.printed) || !isfinite(mca_cycles(result.printed))) {
        snprintf(why, size, "%s (LLVM %u) has no model of '%s' for " MCA_TRIPLE "; a newer llvm-mca may: install one",
                 mca->tool, mca->version, cpu);
        return -EINVAL;
    }
    if (is_another(result.printed, cpu)) {
        snprintf(why, size,
                 "%s (LLVM %u) treats '%s' as a cortex-a57; a newer llvm-mca may have its model: install "
                 "one",
                 mca->tool, mca->version, cpu);
        return -EINVAL;
    }
    return 0;
}

int mca_open_for(struct mca *mca, const char *asked, const struct cpu_identity *identity, char *why, size_t size)
{
    if (asked)
        return strcmp(asked, "none") == 0 ? refuse(-ECANCELED, why, size, "not asked for")
                                          : mca_open(mca, asked, why, size);
    const char *name = identity->microarchitecture;
    int error = -EINVAL;
    bool several = identity->design[1];
    snprintf(why, size, "LLVM's name for '%s' is not known: give --mca=CPU", name[0] ? name : "this core");
    for (size_t i = 0; error && i < sizeof identity->design / sizeof *identity->design; i++) {
        const struct core_design *design = identity->design[i];
        if (design && design->llvm[0])
            error = mca_open(mca, design->llvm, why, size);
    }
    if (error)
        return error;
    why[0] = '\0'; /* of those that it does not know */
    snprintf(mca->one_of, sizeof mca->one_of, "%s", several ? name : "");
    return 0;
}

bool mca_lacks(const struct mca *mca, const char *isa, char *why, size_t size)
{
    const struct isa *row = isa_find(isa);
    isa_features missing = row ? row->required & (mca->design ? ~mca->design->most : ~(isa_features)0) : 0;
    if (!missing || (!mca->design && strcmp(row->architecture, "x86_64") != 0)) /* for aarch64 LLVM looks itself */
        return false;
    int length = mca->design ? snprintf(why, size, "'%s', %s, has no", mca->cpu, mca->design->name)
                             : snprintf(why, size, "it is not known here whether LLVM's '%s' has", mca->cpu);
    const char *comma = "";
    for (unsigned i = 0; i < ISA_FEATURE_COUNT && length >= 0 && (size_t)length < size; i++) {
        if (!(missing >> i & 1))
            continue;
        length += snprintf(why + length, size - (size_t)length, "%s %s", comma, isa_feature_name((enum isa_feature)i));
        comma = ",";
    }
    return true;
}

/* ---------------------------------------------------------------- the loop */

/** One line of objdump: "  401136:\tvpand ..."; false for others. */
static bool instruction_of(const char *line, uint64_t *address, const char **text)
{
    char *end;
    while (*line == ' ')
        line++;
    *address = strtoull(line, &end, 16);
    if (end == line || end[0] != ':' || end[1] != '\t')
        return false;
    *text = end + 2;
    return true;
}

static const char *next_line(const char *line)
{
    const char *end = strchr(line, '\n');
    return end && end[1] ? end + 1 : NULL;
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/** A return, or a jump to another function, which lies before `function`. */
static bool is_end(const char *text, uint64_t function)
{
    bool jumps = begins(text, "jmp ") || begins(text, "b\t");
    uint64_t target = jumps ? strtoull(text + strcspn(text, " \t"), NULL, 16) : function;
    return begins(text, "ret") || target < function || target > INT64_MAX;
}

/** Target of a conditional jump, or UINT64_MAX: of x86-64, or of aarch64, where registers may stand before it. */
static uint64_t jump_target(const char *text)
{
    bool here = text[0] == 'j' && !begins(text, "jmp");
    bool there = begins(text, "b.") || begins(text, "cb") || begins(text, "tb");
    if (!here && !there)
        return UINT64_MAX;
    text += strcspn(text, " \t\n");
    size_t operands = strcspn(text, "<\n");
    for (const char *comma; (comma = memchr(text, ',', operands)); text = comma + 1)
        operands -= (size_t)(comma + 1 - text);
    char *end;
    uint64_t target = strtoull(text, &end, 16);
    return end == text ? UINT64_MAX : target;
}

/** Length of an instruction without the symbols and comments of objdump: "# 0x10" and "// #16", but "#16" is an operand. */
static size_t instruction_length(const char *text)
{
    size_t length = 0;
    while (text[length] && text[length] != '\n' && text[length] != '<' && !begins(text + length, "# ") &&
           !begins(text + length, "//"))
        length++;
    return length;
}

size_t mca_loop(const char *disassembly, char *loop, size_t size)
{
    uint64_t address, function = UINT64_MAX, first = UINT64_MAX, last = 0;
    const char *text;
    for (const char *line = disassembly; line; line = next_line(line)) {
        if (!instruction_of(line, &address, &text))
            continue;
        function = function == UINT64_MAX ? address : function;
        uint64_t target = jump_target(text);
        if (target < address && (first == UINT64_MAX || address - target > last - first)) {
            first = target;
            last = address;
        }
        if (is_end(text, function))
            break;
    }
    size_t used = 0;
    for (const char *line = disassembly; line && first != UINT64_MAX; line = next_line(line)) {
        if (!instruction_of(line, &address, &text) || address < first || address >= last)
            continue;
        size_t length = instruction_length(text);
        if (jump_target(text) != UINT64_MAX || used + length + 2 > size)
            return 0;
        memcpy(loop + used, text, length);
        used += length;
        loop[used++] = '\n';
        if (address >= last)
            break;
    }
    if (used)
        loop[used] = '\0';
    return used;
}

double mca_cycles(const char *printed)
{
    const char *iterations = strstr(printed, "Iterations:"), *cycles = strstr(printed, "Total Cycles:");
    if (!iterations || !cycles)
        return NAN;
    double per = strtod(iterations + 11, NULL), total = strtod(cycles + 13, NULL);
    return per > 0 && total > 0 ? total / per : NAN;
}

/** What a program wrote into a file. @return 0; CHILD_PROGRAM_FAILED: nothing; negative errno */
static int read_all(int file, char *text, size_t size)
{
    ssize_t length = lseek(file, 0, SEEK_SET) ? -1 : read(file, text, size - 1);
    int error = length > 0 ? 0 : length < 0 ? -errno : CHILD_PROGRAM_FAILED;
    text[length > 0 ? length : 0] = '\0';
    return error;
}

/** A file with CODE_BYTES from here on, or as many as are readable; negative errno. */
static int code_file(const void *function)
{
    uint8_t bytes[CODE_BYTES];
    int memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC), code = memfd_create("kneepoint", 0);
    ssize_t length = memory < 0 ? -1 : pread(memory, bytes, sizeof bytes, (off_t)(uintptr_t)function);
    if (memory >= 0)
        close(memory);
    if (code >= 0 && length > 0 && write(code, bytes, (size_t)length) == length)
        return code;
    if (code >= 0)
        close(code);
    return -EIO;
}

/**
 * Disassembly of a function of this process, from a copy of its bytes: much faster than from the program's file, and
 * the same for code that was loaded. @return 0 or what child_execute() returns of objdump
 */
static int disassemble(const void *function, char *text, size_t size)
{
    char path[64];
    int code = code_file(function), output = memfd_create("kneepoint", MFD_CLOEXEC);
    int error = code < 0 || output < 0 ? -EIO : 0;
    snprintf(path, sizeof path, "/proc/self/fd/%d", code);
    const char *const arguments[] = {"objdump", "-D", "-b", "binary", "-m", OBJDUMP_MACHINE, "--no-show-raw-insn",
                                     path,      NULL};
    struct child_result result;
    if (!error)
        error = run_program(arguments, -1, output, &result);
    if (!error)
        error = read_all(output, text, size);
    if (code >= 0)
        close(code);
    if (output >= 0)
        close(output);
    return error;
}

static int predict(const struct mca *mca, const char *loop, size_t length, double *cycles)
{
    struct child_result result;
    int file = text_file(loop, length);
    if (file < 0)
        return -ENOMEM;
    int error = ask(mca, file, NULL, &result);
    close(file);
    *cycles = error ? NAN : mca_cycles(result.printed);
    return error || isfinite(*cycles) ? error : CHILD_PROGRAM_FAILED;
}

static int refuse_prediction(int error, char *why, size_t size)
{
    if (error == -ETIME)
        return refuse(error, why, size, "llvm-mca took longer than %d s", LIMIT_MS / 1000);
    if (error < 0)
        return refuse(error, why, size, "cannot run llvm-mca: %s", strerror(-error));
    return refuse(-EINVAL, why, size, "llvm-mca does not understand the code");
}

int mca_code(const void *function, char *loop, char *why, size_t size)
{
    char *text = malloc(TEXT_MOST);
    int error = text ? disassemble(function, text, TEXT_MOST) : -ENOMEM;
    if (error == -ENOMEM)
        refuse(error, why, size, "no memory");
    else if (error == -ENOENT)
        refuse(error, why, size, "no objdump on PATH: install binutils");
    else if (error < 0)
        refuse(error, why, size, "objdump cannot disassemble it: %s", strerror(-error));
    else if (error)
        error = refuse(-EINVAL, why, size, "objdump failed");
    else if (!mca_loop(text, loop, MCA_CODE_MOST))
        error = refuse(-EINVAL, why, size, "there is no loop, or another jump in it, which llvm-mca does not follow");
    free(text);
    return error;
}

int mca_ports(const struct mca *mca, const char *isa, const char *loop, char *text, size_t text_size, char *why,
              size_t size)
{
    if (mca_lacks(mca, isa, why, size))
        return -EINVAL;
    char cpu[48];
    struct child_result result;
    int input = text_file(loop, strlen(loop)), output = memfd_create("kneepoint", MFD_CLOEXEC);
    snprintf(cpu, sizeof cpu, "-mcpu=%s", mca->cpu);
    const char *const arguments[] = {mca->tool,          "-mtriple=" MCA_TRIPLE, cpu, "-iterations=100",
                                     "-all-views=false", "-resource-pressure",   "-", NULL};
    int error = input < 0 || output < 0 ? -ENOMEM : run_program(arguments, input, output, &result);
    if (!error)
        error = read_all(output, text, text_size);
    if (input >= 0)
        close(input);
    if (output >= 0)
        close(output);
    return error ? refuse_prediction(error, why, size) : 0;
}

/** The loop of 2U, or where that is the one of U twice as often, this one, and how many times U it is. */
static int loop_of(const struct sequence_variant *variant, char *loop, double *times, char *why, size_t size)
{
    *times = 2;
    int error = mca_code((const void *)(uintptr_t)variant->run_2u, loop, why, size);
    if (error != -EINVAL)
        return error;
    *times = 1;
    return mca_code((const void *)(uintptr_t)variant->run_u, loop, why, size);
}

int mca_gamma(const struct mca *mca, const struct sequence *sequence, const struct sequence_variant *variant,
              double *gamma, char *why, size_t size)
{
    double cycles = NAN, times = 1;
    *gamma = NAN;
    if (mca_lacks(mca, sequence->isa, why, size))
        return -EINVAL;
    char *loop = malloc(MCA_CODE_MOST);
    int error = loop ? loop_of(variant, loop, &times, why, size) : refuse(-ENOMEM, why, size, "no memory");
    if (!error) {
        error = predict(mca, loop, strlen(loop), &cycles);
        if (error)
            error = refuse_prediction(error, why, size);
    }
    free(loop);
    *gamma = cycles / (times * (double)variant->dots * sequence_vectors_per_dot(sequence));
    return error;
}
