/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/explain/explain_command.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/assemble/mca.h"
#include "harness/cmd/console/table.h"
#include "platforms/cpu/isa.h"
#include "results/files/need.h"
#include "results/records/record.h"

enum { NOTES_MOST = 1 << 14, PORTS_MOST = 1 << 16, REGISTERS = 64 };

/* ---- registers ---- */

static const char *const banks[] = {"xmm", "ymm", "zmm", "tmm", "k", "v", "z", "p"};

enum { BANKS = sizeof banks / sizeof *banks };

/** A register's name at a text: its bank and number. objdump writes "%ymm3"; on aarch64 "v3.16b". */
static bool register_at(const char *text, size_t *bank, unsigned *number, size_t *length)
{
    for (*bank = 0; *bank < BANKS; (*bank)++) {
        size_t letters = strlen(banks[*bank]);
        char *end;
        if (strncmp(text, banks[*bank], letters) != 0 || !isdigit((unsigned char)text[letters]))
            continue;
        unsigned long value = strtoul(text + letters, &end, 10);
        *number = (unsigned)value;
        *length = (size_t)(end - text);
        return value < REGISTERS && !isalnum((unsigned char)*end);
    }
    return false;
}

const char *explain_registers(const char *code, char *text, size_t size)
{
    bool named[BANKS][REGISTERS] = {{false}};
    size_t bank, length, used = 0;
    unsigned number;
    for (const char *at = code; *at; at++) {
        if ((at == code || !isalnum((unsigned char)at[-1])) && register_at(at, &bank, &number, &length))
            named[bank][number] = true;
    }
    text[0] = 0;
    for (bank = 0; bank < BANKS; bank++) {
        for (unsigned first = 0, last; first < REGISTERS; first = last + 1) {
            for (last = first; last + 1 < REGISTERS && named[bank][first] && named[bank][last + 1];)
                last++;
            if (!named[bank][first] || used >= size)
                continue;
            used += (size_t)snprintf(text + used, size - used, last > first ? "%s%s%u-%u" : "%s%s%u", used ? " " : "",
                                     banks[bank], first, last);
        }
    }
    return text;
}

/* ---- the step ---- */

bool explain_cut(char *code, size_t parts)
{
    size_t lines = 0;
    for (const char *at = code; *at; at++)
        lines += *at == '\n';
    if (lines < 2 || parts < 2 || (lines - 1) % parts != 0)
        return false;
    char *end = code;
    for (size_t line = 0; line < (lines - 1) / parts; line++)
        end = strchr(end, '\n') + 1;
    *end = 0;
    return true;
}

/* ---- records ---- */

static void set_runs(json_t *record, const struct explained *explained, const char *isa)
{
    char missing[160];
    isa_missing(isa_find(isa), &explained->machine->dump, missing, sizeof missing);
    json_object_set_new(record, "runs", json_boolean(!missing[0]));
    json_object_set_new(record, "reason", missing[0] ? json_string(missing) : json_null());
}

/** A source and its notes, if the binary carries it. */
static void add_source(json_t *sources, char *whole, const char *path)
{
    char *notes = path ? need(1, NOTES_MOST) : NULL;
    size_t length = strlen(whole);
    if (path)
        json_array_append_new(sources, json_string(path));
    if (notes && source_notes(path, notes, NOTES_MOST))
        snprintf(whole + length, 2 * NOTES_MOST - length, "%s%s", length ? "\n" : "", notes);
    free(notes);
}

/** Those of the headers that the notes of a source name, as "lanes.h": beside it, or where kernels share them. */
static void add_named(json_t *sources, char *whole, const char *path)
{
    const char *letters = "abcdefghijklmnopqrstuvwxyz0123456789_";
    char *notes = strdup(whole), folder[200], end[300];
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    for (char *at = notes; at && *at; at += strspn(at, letters) + (at[strspn(at, letters)] != 0)) {
        size_t length = strspn(at, letters);
        if (!length || strncmp(at + length, ".h", 2) != 0 || isalnum((unsigned char)at[length + 2]))
            continue;
        snprintf(end, sizeof end, "%s/%.*s.h", strrchr(folder, '/') + 1, (int)length, at);
        const char *header = source_path(end);
        add_source(sources, whole, header ? header : source_shared(strchr(end, '/') + 1));
    }
    free(notes);
}

/** Paths and notes of a source and, if it is another, of a loop's, which may be NULL, of the headers that these name, and the macros of its row. */
static void set_sources(json_t *record, const struct source *source, const char *loop)
{
    json_t *sources = json_array();
    char *whole = need(1, 2 * NOTES_MOST);
    const char *const paths[] = {source->path, loop && source->path && strcmp(loop, source->path) == 0 ? NULL : loop};
    for (size_t i = 0; whole && i < 2; i++) {
        add_source(sources, whole, paths[i]);
        if (paths[i])
            add_named(sources, whole, paths[i]);
    }
    json_object_set_new(record, "sources", sources);
    json_object_set_new(record, "macros", source->macros[0] ? json_string(source->macros) : json_null());
    json_object_set_new(record, "notes", whole && whole[0] ? json_string(whole) : json_null());
    free(whole);
}

/** llvm-mca's table of the code, or why there is none. */
static void set_ports(json_t *record, const struct explained *explained, const char *isa, const char *code)
{
    char why[400] = "", *text = need(1, PORTS_MOST);
    struct mca mca;
    if (!text)
        snprintf(why, sizeof why, "no memory");
    else if (!mca_open_for(&mca, explained->mca, &explained->machine->identity, why, sizeof why) &&
             !mca_ports(&mca, isa, code, text, PORTS_MOST, why, sizeof why))
        why[0] = 0;
    json_object_set_new(record, "ports", why[0] ? json_null() : json_string(text));
    json_object_set_new(record, "ports_reason", why[0] ? json_string(why) : json_null());
    if (!why[0]) {
        json_object_set_new(record, "mca_cpu", json_string(mca.cpu));
        json_object_set_new(record, "mca_llvm", json_integer(mca.version));
        if (mca.one_of[0])
            json_object_set_new(record, "mca_one_of", json_string(mca.one_of));
    }
    free(text);
}

/** The loop of a function, or the first of the parts that it repeats; its registers, and the ports of that part. */
static void set_code(json_t *record, const struct explained *explained, const char *isa, const void *function,
                     size_t parts)
{
    char why[200] = "", registers[400], *code = need(1, MCA_CODE_MOST);
    if (!code)
        snprintf(why, sizeof why, "no memory");
    else if (!mca_code(function, code, why, sizeof why))
        why[0] = 0;
    json_object_set_new(record, "registers",
                        why[0] ? json_null() : json_string(explain_registers(code, registers, sizeof registers)));
    json_object_set_new(record, "code_is_part", json_boolean(!why[0] && explain_cut(code, parts)));
    json_object_set_new(record, "code", why[0] ? json_null() : json_string(code));
    json_object_set_new(record, "code_reason", why[0] ? json_string(why) : json_null());
    if (!why[0])
        set_ports(record, explained, isa, code);
    free(code);
}

/** Of a few accumulators, so that the loop is short, but as many as a kernel has. */
static const struct sequence_variant *shown_variant(const struct sequence *sequence)
{
    const struct sequence_variant *shown = &sequence->variant[sequence->variants - 1];
    for (uint64_t i = 0; i < sequence->variants; i++) {
        const struct sequence_variant *variant = &sequence->variant[i];
        if (variant->accumulators >= sequence->least_accumulators && variant->dots < shown->dots)
            shown = variant;
    }
    return shown;
}

json_t *explain_sequence(const struct explained *explained, const struct sequence *sequence)
{
    const struct sequence_variant *variant = shown_variant(sequence);
    double vectors = sequence_vectors_per_dot(sequence);
    json_t *record = json_pack("{s:s, s:s, s:s, s:s, s:s, s:f, s:i, s:i, s:f, s:i, s:i}", "type", "sequence_explained",
                               "name", sequence->name, "format", sequence->format, "isa", sequence->isa, "origin",
                               sequence->origin, "bytes_per_vector", sequence->bytes_per_vector, "group_dots",
                               (int)sequence->group_dots, "group_uops", (int)sequence_uops(sequence), "uops_per_vector",
                               sequence_uops(sequence) / (vectors * sequence->group_dots), "least_accumulators",
                               (int)sequence->least_accumulators, "most_accumulators", (int)sequence->variants);
    if (!record)
        return NULL;
    json_object_set_new(record, "claimed",
                        sequence->claimed_gamma > 0 ? json_real(sequence->claimed_gamma) : json_null());
    set_runs(record, explained, sequence->isa);
    /* of a kernel in C its step, in which a compiler mixes groups */
    bool in_c = sequence_is_step(sequence);
    set_sources(record, in_c ? source_of_kernel(sequence->name) : source_of_sequence(sequence->name), NULL);
    json_object_set_new(record, "accumulators", json_integer((json_int_t)variant->accumulators));
    json_object_set_new(record, "vectors_per_dot", json_real(vectors));
    json_object_set_new(record, "loop_vectors", json_real((double)variant->dots * vectors));
    set_code(record, explained, sequence->isa, (const void *)(uintptr_t)variant->run_u,
             in_c ? 1 : (size_t)(variant->dots / sequence->group_dots));
    return record;
}

json_t *explain_kernel(const struct explained *explained, const struct kernel *kernel)
{
    const struct format *format = kernel->format;
    const char *gamma = kernel_gamma(kernel);
    char end[200];
    json_t *record =
        json_pack("{s:s, s:s, s:s, s:s, s:s, s:f, s:i, s:i, s:i, s:b, s:b, s:s, s:s, s:b, s:f}", "type",
                  "kernel_explained", "name", kernel->name, "format", format->name, "isa", kernel->isa, "origin",
                  kernel->origin, "bits", format->bits, "rows_per_panel", (int)format->rows_per_panel, "k_per_step",
                  (int)format->k_per_step, "max_k", (int)format->max_k, "gemv", kernel->gemv != NULL, "gemm",
                  kernel->gemm.run != NULL, "activations", kernel->takes == KERNEL_TAKES_INT8 ? "int8" : "f32",
                  "result", kernel->gives == KERNEL_GIVES_INT32 ? "int32" : "f32", "lossless", kernel->lossless,
                  "error_bound", kernel->error_bound);
    if (!record)
        return NULL;
    json_object_set_new(record, "differs", kernel->differs ? json_string(kernel->differs) : json_null());
    json_object_set_new(record, "prepares", json_boolean(kernel->prepare != NULL));
    json_object_set_new(record, "prefetch_bytes", json_integer((json_int_t)kernel->prefetch_bytes));
    json_object_set_new(record, "sequence", sequence_find(gamma) ? json_string(gamma) : json_null());
    set_runs(record, explained, kernel->isa);
    snprintf(end, sizeof end, "%s/%s.%s.S", format->name, kernel->sequence, kernel->isa);
    set_sources(record, source_of_kernel(kernel->name), source_path(end));
    if (kernel->gemv && !sequence_find(gamma))
        set_code(record, explained, kernel->isa, (const void *)(uintptr_t)kernel->gemv, 1);
    return record;
}

/* ---- as text ---- */

static long long number_of(const json_t *record, const char *field)
{
    return (long long)json_integer_value(json_object_get(record, field));
}

static bool is(const json_t *record, const char *field)
{
    return json_is_true(json_object_get(record, field));
}

enum { LABEL = 14 }; /* columns of what stands before a line, and a blank */

/** Lines with blanks before them, broken where the terminal is narrower. */
static void print_indented(const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n"), width = console_columns();
        char line[1024];
        snprintf(line, sizeof line, "%.*s", (int)length, text);
        printf("%s", length ? "    " : "");
        if (width && length + 4 > width)
            console_print_hanging(4, line);
        else
            puts(line);
        text += length + (text[length] == '\n');
    }
}

static void print_sources(const json_t *record)
{
    const json_t *sources = json_object_get(record, "sources");
    for (size_t i = 0; i < json_array_size(sources); i++)
        printf("%-13s %s\n", i ? "" : "source", json_string_value(json_array_get(sources, i)));
    if (!json_array_size(sources))
        printf("%-13s not in this program: it comes from a plug-in, or from a table of many\n", "source");
    if (record_text(record, "macros")[0]) {
        printf("%-13s ", "compiled with");
        console_print_hanging(LABEL, record_text(record, "macros"));
    }
    if (record_text(record, "notes")[0]) {
        puts("\nThe author's notes on ports and registers:");
        print_indented(record_text(record, "notes"));
    }
}

static void print_runs(const json_t *record)
{
    char line[1024];
    printf("%-13s ", "runs here");
    snprintf(line, sizeof line, "%s, %s%s", record_text(record, "isa"),
             is(record, "runs") ? "yes" : "no: ", record_text(record, "reason"));
    console_print_hanging(LABEL, line);
}

static void print_code(const json_t *record, const char *of)
{
    const char *code = record_text(record, "code");
    char line[1024];
    if (!code[0]) {
        snprintf(line, sizeof line, "\nIts step is not shown: %s.\n", record_text(record, "code_reason"));
        console_print_text(line);
        return;
    }
    printf("\n%s:\n", of);
    print_indented(code);
    printf("%-13s ", "registers");
    snprintf(line, sizeof line, "%s, all in all", record_text(record, "registers"));
    console_print_hanging(LABEL, line);
    if (!record_text(record, "ports")[0]) {
        snprintf(line, sizeof line, "\nPort pressure is not shown: %s.\n", record_text(record, "ports_reason"));
        console_print_text(line);
        return;
    }
    const char *one_of = record_text(record, "mca_one_of");
    snprintf(line, sizeof line, "\nPort pressure predicted by llvm-mca (LLVM %lld) for %s%s%s, not measured:\n",
             number_of(record, "mca_llvm"), record_text(record, "mca_cpu"), one_of[0] ? ", this core being " : "",
             one_of);
    console_print_text(line);
    ports_write(stdout, record_text(record, "ports"), console_columns());
}

static void print_sequence(const json_t *record)
{
    const char *name = record_text(record, "name");
    char of[200], line[512];
    snprintf(line, sizeof line,
             "%s is a sequence: the instructions that up-convert and multiply weights of %s, without the rest of a "
             "kernel.\n\n",
             name, record_text(record, "format"));
    console_print_text(line);
    printf("%-13s %s", "origin", record_text(record, "origin"));
    if (json_is_number(json_object_get(record, "claimed")))
        printf(", which claims a gamma of %.2f", record_number(record, "claimed"));
    printf("\n%-13s %g of an output vector of 32 weights\n", "bytes", record_number(record, "bytes_per_vector"));
    long long dots = number_of(record, "group_dots");
    printf("%-13s %lld a group of %lld dot product%s, %.2f an output vector\n", "uops", number_of(record, "group_uops"),
           dots, dots == 1 ? "" : "s", record_number(record, "uops_per_vector"));
    if (number_of(record, "least_accumulators") < number_of(record, "most_accumulators"))
        printf("%-13s %lld to %lld, independent of each other\n", "accumulators",
               number_of(record, "least_accumulators"), number_of(record, "most_accumulators"));
    else
        printf("%-13s %lld\n", "accumulators", number_of(record, "most_accumulators"));
    print_runs(record);
    print_sources(record);
    if (is(record, "code_is_part"))
        snprintf(of, sizeof of, "The step, one group for %g output vectors, as this program has it",
                 record_number(record, "group_dots") * record_number(record, "vectors_per_dot"));
    else
        snprintf(of, sizeof of, "The step, as this program repeats it for %g output vectors",
                 record_number(record, "loop_vectors"));
    print_code(record, of);
    printf("\nMeasure it on its own:\n  kneepoint gamma %s --all\n  kneepoint knee %s\n", name, name);
}

static void print_kernel(const json_t *record)
{
    const char *name = record_text(record, "name"), *sequence = record_text(record, "sequence");
    bool gemv = is(record, "gemv"), gemm = is(record, "gemm");
    char line[2048];
    snprintf(line, sizeof line, "%s is a %s kernel of format %s, %g bits a weight.\n\n", name,
             gemv && gemm ? "GEMV and GEMM"
             : gemm       ? "GEMM"
                          : "GEMV",
             record_text(record, "format"), record_number(record, "bits"));
    console_print_text(line);
    printf("%-13s ", "origin");
    snprintf(line, sizeof line, "%s%s%s", record_text(record, "origin"), record_text(record, "differs")[0] ? ": " : "",
             record_text(record, "differs"));
    console_print_hanging(LABEL, line);
    printf("%-13s ", "takes");
    snprintf(line, sizeof line, "%s%s; gives %s, %s", record_text(record, "activations"),
             is(record, "prepares") ? ", which it converts to its own operand beforehand" : "",
             record_text(record, "result"), is(record, "lossless") ? "lossless" : "rounded");
    console_print_hanging(LABEL, line);
    printf("%-13s panels of %lld rows, steps of %lld columns, K up to %lld\n", "matrix",
           number_of(record, "rows_per_panel"), number_of(record, "k_per_step"), number_of(record, "max_k"));
    printf("%-13s %lld bytes ahead\n", "prefetches", number_of(record, "prefetch_bytes"));
    print_runs(record);
    if (sequence[0])
        printf("%-13s %s, whose gamma predicts it\n", "sequence", sequence);
    print_sources(record);
    if (!sequence[0] && gemv)
        print_code(record, "It has no sequence of its own. The last loop of its GEMV");
    puts("\nMeasure it on its own:");
    if (gemv)
        printf("  kneepoint gemv %s --threads 1\n", name);
    if (gemm)
        printf("  kneepoint gemm %s --threads 1\n", name);
    if (is(record, "runs"))
        printf("  kneepoint list kernels %s --certificate\n", name);
}

void explain_print_code(const json_t *record)
{
    if (strcmp(record_text(record, "type"), "kernel_explained") == 0)
        print_kernel(record);
    else
        print_sequence(record);
}
