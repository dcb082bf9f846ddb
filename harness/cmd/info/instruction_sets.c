/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/info/info_command.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "harness/cmd/console/table.h"
#include "platforms/cpu/tiles.h"
#include "results/records/record.h"

enum { NAME_COLUMNS = 23 };

static void print_row(const char *name, const char *text)
{
    printf("  %-*s", NAME_COLUMNS - 2, name);
    console_print_hanging(NAME_COLUMNS, text);
}

/** Features that no row asks for. */
static void print_other_features(const struct machine *machine)
{
    size_t count;
    const struct isa *rows = isa_rows(&count);
    isa_features others = machine->features;
    for (size_t i = 0; i < count; i++)
        others &= ~rows[i].required;
    if (!others)
        return;
    char text[512] = "";
    size_t length = 0;
    for (unsigned feature = 0; feature < ISA_FEATURE_COUNT && length < sizeof text; feature++) {
        if (others >> feature & 1)
            length += (size_t)snprintf(text + length, sizeof text - length, "%s%s", length ? " " : "",
                                       isa_feature_name((enum isa_feature)feature));
    }
    print_row("also there", text);
}

/** What there is to say of tiles where an architecture could have them. */
static void print_tiles(const struct machine *machine)
{
    char text[200];
    if (strcmp(cpuid_dump_architecture(&machine->dump), "x86_64") != 0)
        return;
    tiles_describe(&machine->dump, text, sizeof text);
    print_row("AMX tiles", text);
}

/** How long SVE's vectors are where an architecture could have them. */
static void print_sve(const struct machine *machine)
{
    uint64_t bytes = machine->dump.sve_bytes;
    if (strcmp(cpuid_dump_architecture(&machine->dump), "aarch64") != 0)
        return;
    if (bytes)
        printf("  %-20s %" PRIu64 " bits\n", "SVE vectors", bytes * 8);
    else
        printf("  %-20s none\n", "SVE vectors");
}

/** Whether it is of another architecture than this machine's. */
static bool is_foreign(const struct machine *machine, const struct isa *isa)
{
    return strcmp(isa->architecture, "any") != 0 &&
           strcmp(isa->architecture, cpuid_dump_architecture(&machine->dump)) != 0;
}

/** Those of the other architecture, which say nothing of this machine, in one row. */
static void print_foreign(const struct machine *machine)
{
    size_t count, length = 0;
    const struct isa *rows = isa_rows(&count);
    char name[48] = "", text[512] = "";
    for (size_t i = 0; i < count && length < sizeof text; i++) {
        if (!is_foreign(machine, &rows[i]))
            continue;
        snprintf(name, sizeof name, "for %s", rows[i].architecture);
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%s", length ? ", " : "no: ", rows[i].name);
    }
    if (length)
        print_row(name, text);
}

static void print_isa(const struct machine *machine)
{
    size_t count;
    const struct isa *rows = isa_rows(&count);
    info_heading("Instruction sets (which kernels can run here)");
    for (size_t i = 0; i < count; i++) {
        char missing[128], text[160];
        if (is_foreign(machine, &rows[i]))
            continue;
        isa_missing(&rows[i], &machine->dump, missing, sizeof missing);
        snprintf(text, sizeof text, "%s%s", missing[0] ? "no: " : "yes", missing);
        print_row(rows[i].name, text);
    }
    print_foreign(machine);
    print_tiles(machine);
    print_sve(machine);
    print_other_features(machine);
}

static int record_isa(const struct machine *machine)
{
    size_t count;
    const struct isa *rows = isa_rows(&count);
    int error = 0;
    for (size_t i = 0; i < count && error == 0; i++) {
        char missing[128];
        isa_missing(&rows[i], &machine->dump, missing, sizeof missing);
        json_t *record = json_pack("{s:s, s:s, s:b, s:o}", "type", "isa", "name", rows[i].name, "runs", !missing[0],
                                   "missing", missing[0] ? json_string(missing) : json_null());
        error = record ? record_write_line(stdout, record) : -ENOMEM;
        json_decref(record);
    }
    return error;
}

const struct info_section info_instruction_sets = {print_isa, record_isa};
