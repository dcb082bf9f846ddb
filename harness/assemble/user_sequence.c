/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/assemble/user_sequence.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "embedded.h"
#include "platforms/cpu/cpuid_dump.h"
#include "platforms/cpu/isa.h"
#include "platforms/process/child_execute.h"
#include "results/files/input.h"
#include "results/text/hash.h"

enum { TEXT_MOST = 1 << 20, COMPILER_LIMIT_MS = 60000, ARGUMENTS = 48 };

/** Make the folders of a file below a directory. */
static int make_folders(char *path, size_t directory_length)
{
    for (char *slash = strchr(path + directory_length + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        int failed = mkdir(path, 0700) && errno != EEXIST ? errno : 0;
        *slash = '/';
        if (failed)
            return -failed;
    }
    return 0;
}

/** The frame, steps and C halves: what a sequence may include, under the same names as in the source tree. */
static int write_frame(const char *directory)
{
    char path[PATH_MAX];
    for (const struct embedded_file *file = embedded_files; file->path; file++) {
        const char *end = strrchr(file->path, '.');
        if (strncmp(file->path, "micro/", 6) != 0 || (strcmp(end, ".h") != 0 && strcmp(end, ".inc") != 0))
            continue;
        snprintf(path, sizeof path, "%s/%s", directory, file->path);
        int error = make_folders(path, strlen(directory));
        if (error)
            return error;
        FILE *out = fopen(path, "w");
        if (!out)
            return -errno;
        size_t written = fwrite(file->bytes, 1, file->length, out);
        if (fclose(out) || written != file->length)
            return -EIO;
    }
    return 0;
}

static int read_text(const char *path, char **text, unsigned long *hash, char *why, size_t size)
{
    FILE *in;
    int error = input_open(path, &in);
    *text = error ? NULL : calloc(1, TEXT_MOST + 1);
    size_t length = *text ? fread(*text, 1, TEXT_MOST + 1, in) : 0;
    if (!error)
        error = !*text ? -ENOMEM : ferror(in) ? -errno : length > TEXT_MOST ? -EFBIG : 0;
    if (in)
        fclose(in);
    if (error) {
        snprintf(why, size, "cannot read %s: %s", path, input_error(error));
        free(*text);
        return error;
    }
    *hash = hash_bytes(HASH_BEGIN, *text, length);
    return 0;
}

/* ---------------------------------------------------------------- the compiler */

/** The first line that states an error, without the folder of the frame in front of it. */
static void first_error(const char *printed, const char *directory, char *line, size_t size)
{
    const char *at = strstr(printed, "rror:"), *begin = printed;
    for (const char *c = printed; at && c < at; c++)
        begin = *c == '\n' ? c + 1 : begin;
    if (!at) {
        begin = strstr(printed, "undefined reference");
        begin = begin ? begin : printed;
    }
    size_t folder = strlen(directory);
    if (strncmp(begin, directory, folder) == 0 && begin[folder] == '/')
        begin += folder + 1;
    snprintf(line, size, "%.*s", (int)strcspn(begin, "\n"), begin);
}

/** What child_execute() returns, with why where that is negative. Its temporary files, which remain if it is stopped, lie in the directory. */
static int run_compiler(char **arguments, const char *path, const char *directory, struct child_result *result,
                        char *why, size_t size)
{
    const struct child_program compiler = {arguments, directory, -1, -1};
    int error = child_execute(&compiler, COMPILER_LIMIT_MS, result);
    if (error == -ENOENT)
        snprintf(why, size, "no compiler '%s' to assemble %s: install gcc, or set CC", arguments[0], path);
    else if (error == -ETIME)
        snprintf(why, size, "%s did not assemble within %d s", path, COMPILER_LIMIT_MS / 1000);
    else if (error < 0)
        snprintf(why, size, "the compiler of %s cannot be run: %s", path, strerror(-error));
    return error;
}

/** @return 0; -EINVAL the compiler refused, with its first error in why; what run_compiler() returns */
static int compile(char **arguments, const char *path, const char *directory, char *why, size_t size)
{
    struct child_result result;
    char line[300];
    int error = run_compiler(arguments, path, directory, &result, why, size);
    if (error <= 0)
        return error;
    first_error(result.printed, directory, line, sizeof line);
    snprintf(why, size, "%s does not assemble: %s", path, line[0] ? line : "the compiler failed without a message");
    return -EINVAL;
}

/** A command line, built up word by word; words that are made live in it. */
struct command_line {
    char *word[ARGUMENTS + 1];
    char made[12][PATH_MAX + 256];
    unsigned words, makes;
};

static void add(struct command_line *line, const char *word)
{
    line->word[line->words++] = (char *)(uintptr_t)word;
    line->word[line->words] = NULL;
}

__attribute__((format(printf, 2, 3))) static void add_made(struct command_line *line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line->made[line->makes], sizeof line->made[0], format, arguments);
    va_end(arguments);
    add(line, line->made[line->makes++]);
}

/** CC may hold options after the compiler: "gcc -m64". */
static void add_compiler(struct command_line *line, const char *compiler)
{
    enum { OWN_WORDS = 24 };
    char *words = line->made[line->makes++], *save = NULL;
    snprintf(words, sizeof line->made[0], "%s", compiler);
    for (char *word = strtok_r(words, " \t", &save); word && line->words + OWN_WORDS < ARGUMENTS;
         word = strtok_r(NULL, " \t", &save))
        add(line, word);
}

/** A file whose name begins like an option is a file. */
static void add_source(struct command_line *line, const char *path)
{
    if (path[0] == '-')
        add_made(line, "./%s", path);
    else
        add(line, path);
}

/** Whether it says so itself. @return 0 or what run_compiler() returns of one that cannot be asked */
static int ask_for_clang(const char *compiler, const char *path, const char *directory, bool *is_clang, char *why,
                         size_t size)
{
    struct command_line line = {0};
    add_compiler(&line, compiler);
    add(&line, "--version");
    struct child_result result;
    int error = run_compiler(line.word, path, directory, &result, why, size);
    *is_clang = strstr(result.printed, "clang");
    return error < 0 ? error : 0;
}

static void begin(struct command_line *line, const char *compiler, const char *directory, bool referenced)
{
    *line = (struct command_line){0};
    add_compiler(line, compiler);
    add(line, "-c");
    add_made(line, "-I%s", directory);
    add(line, "-DSELF=user");
    if (referenced)
        add(line, "-DSEQUENCE_REFERENCE");
}

static int build(const char *path, const char *directory, const char *object, const struct user_facts *facts, char *why,
                 size_t size)
{
    const char *given = getenv("CC");
    const char *compiler = given && given[strspn(given, " \t")] ? given : "cc";
    struct command_line line;
    bool is_clang;
    int error = ask_for_clang(compiler, path, directory, &is_clang, why, size);
    if (error)
        return error;
    begin(&line, compiler, directory, facts->referenced);
    if (is_clang)
        add(&line, "-fno-integrated-as");
    add_made(&line, "-Wa,-march=%s%s", isa_assembler_base(), isa_find(facts->isa)->assembler);
    add_made(&line, "-DSELF_NAME=\"%s\"", facts->name);
    add_made(&line, "-DSELF_ISA=\"%s\"", facts->isa);
    add_made(&line, "-DSELF_FORMAT_NAME=\"%s\"", facts->format);
    add_made(&line, "-DSELF_SEQUENCE=\"%s\"", facts->sequence);
    add(&line, "-x");
    add(&line, "assembler-with-cpp");
    add_source(&line, path);
    add(&line, "-o");
    add_made(&line, "%s/user.o", directory);
    error = compile(line.word, path, directory, why, size);
    if (!error && facts->referenced) {
        begin(&line, compiler, directory, true);
        add(&line, "-std=gnu17");
        add(&line, "-O2");
        add(&line, "-fPIC");
        add(&line, "-x");
        add(&line, "c");
        add_source(&line, path);
        add(&line, "-o");
        add_made(&line, "%s/reference.o", directory);
        error = compile(line.word, path, directory, why, size);
    }
    if (error)
        return error;
    line = (struct command_line){0};
    add_compiler(&line, compiler);
    add(&line, "-shared");
    add(&line, "-Wl,-z,text"); /* code that must be relocated is not position independent: say so here */
    add(&line, "-o");
    add(&line, object);
    add_made(&line, "%s/user.o", directory);
    if (facts->referenced)
        add_made(&line, "%s/reference.o", directory);
    add(&line, "-lm");
    return compile(line.word, path, directory, why, size);
}

static int runs_here(const struct user_sequence *user, char *why, size_t size)
{
    struct cpuid_dump dump;
    char missing[160];
    const struct isa *isa = isa_find(user->facts.isa);
    if (cpuid_dump_host(&dump) == 0 && isa_runs(isa, isa_features_of(&dump)))
        return 0;
    isa_missing(isa, &dump, missing, sizeof missing);
    snprintf(why, size, "%s cannot run on this CPU: it %s", user->path, missing);
    return -ENOTSUP;
}

int user_sequence_build(const char *path, const char *directory, const char *object, struct user_sequence *user,
                        char *why, size_t size)
{
    char *text;
    *user = (struct user_sequence){.path = path};
    int error = read_text(path, &text, &user->hash, why, size);
    if (error)
        return error;
    error = user_facts_read(path, text, &user->facts, why, size);
    free(text);
    if (!error)
        error = runs_here(user, why, size);
    if (error)
        return error;
    error = write_frame(directory);
    if (error) {
        snprintf(why, size, "cannot write the frame of %s to %s: %s; set TMPDIR", path, directory, strerror(-error));
        return error;
    }
    return build(path, directory, object, &user->facts, why, size);
}

int user_sequence_load(const char *object, struct user_sequence *user, char *why, size_t size)
{
    user->handle = dlopen(object, RTLD_NOW | RTLD_LOCAL);
    user->sequence = user->handle ? dlsym(user->handle, "sequence_user") : NULL;
    if (user->sequence)
        return 0;
    snprintf(why, size, "cannot load what was assembled from %s: %s", user->path, dlerror());
    return -EINVAL;
}
