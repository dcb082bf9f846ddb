/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/console/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness/cmd/console/console.h"
#include "harness/command/command.h"

/** What shows help or is no option ends the search: argp prints and exits. */
static enum output_form find(int argc, char **argv, const char **sort, bool *twice)
{
    enum output_form form = OUTPUT_AS_IT_IS;
    static char json[] = "--json";
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        bool csv = strcmp(argv[i], "--csv") == 0, markdown = strcmp(argv[i], "--markdown") == 0;
        if (strncmp(argv[i], "--sort=", 7) == 0)
            *sort = argv[i] + 7;
        else if (strcmp(argv[i], "--sort") == 0 && i + 1 < argc)
            *sort = argv[i + 1];
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-?") == 0 || strcmp(argv[i], "--usage") == 0)
            return OUTPUT_AS_IT_IS;
        if (!csv && !markdown)
            continue;
        *twice = *twice || (form && form != (csv ? OUTPUT_CSV : OUTPUT_MARKDOWN));
        form = csv ? OUTPUT_CSV : OUTPUT_MARKDOWN;
        argv[i] = json;
    }
    return form;
}

int output_begin(const char *command, int argc, char **argv, struct output *output)
{
    bool twice = false;
    *output = (struct output){.kept = -1, .memory = -1};
    output->form = find(argc, argv, &output->sort, &twice);
    if (twice)
        return complain(EXIT_USAGE, command, "--csv and --markdown exclude each other; choose one");
    if (!output->form)
        return 0;
    fflush(stdout);
    output->memory = memfd_create("records", MFD_CLOEXEC);
    output->kept = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    if (output->memory < 0 || output->kept < 0 || dup2(output->memory, STDOUT_FILENO) < 0)
        return complain(EXIT_USAGE, command, "cannot redirect standard output: %s", strerror(errno));
    return 0;
}

/** @return array of the records that were written, NULL without memory */
static json_t *read_records(int memory)
{
    json_t *records = json_array();
    FILE *stream = lseek(memory, 0, SEEK_SET) == 0 ? fdopen(memory, "r") : NULL;
    while (records && stream) {
        json_t *record = json_loadf(stream, JSON_DISABLE_EOF_CHECK, NULL);
        if (!record)
            break;
        json_array_append_new(records, record);
    }
    if (stream)
        fclose(stream);
    else
        close(memory);
    return records;
}

int output_end(const char *command, struct output *output, const struct table *const *tables, int exit_code)
{
    if (!output->form)
        return exit_code;
    bool failed = fflush(stdout) || ferror(stdout) || dup2(output->kept, STDOUT_FILENO) < 0;
    close(output->kept);
    json_auto_t *records = read_records(output->memory);
    int error = !records                     ? -ENOMEM
                : output->form == OUTPUT_CSV ? table_write_csv(stdout, records)
                                             : table_write_markdown(stdout, tables, records, output->sort);
    return error || failed ? complain(EXIT_USAGE, command, "no memory to write the table") : exit_code;
}
