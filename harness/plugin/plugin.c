/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plugin/plugin.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/plugin/plugin_names.h"
#include "harness/plugin/plugin_rules.h"
#include "platforms/process/child.h"
#include "platforms/process/silence.h"
#include "platforms/process/threads.h"
#include "results/text/refuse.h"

/** Loading includes init(), which may make code or tables. */
enum { LOAD_LIMIT_MS = 30000, ENTRIES_MOST = 256, PLUGIN_REASON = 256 };

bool plugin_is_named(const char *given)
{
    size_t length = strlen(given);
    return strchr(given, '/') || (length > 3 && strcmp(given + length - 3, ".so") == 0);
}

int plugin_hash(const char *path, char *text, size_t size)
{
    struct plugin_file file;
    int error = plugin_file_open(path, &file);
    if (error)
        return error;
    snprintf(text, size, "%s", file.hash);
    plugin_file_close(&file);
    return 0;
}

/* ---- from the descriptions to our own ---- */

static size_t count_of(const void *const *list)
{
    size_t count = 0;
    while (list && count <= ENTRIES_MOST && list[count])
        count++;
    return count;
}

/** Whether this is not the first entry of its name, or one that was there before. All entries begin with their name. */
static bool is_taken(const void *const *list, size_t index, bool known)
{
    for (size_t i = 0; i < index; i++)
        known |= strcmp(*(const char *const *)list[i], *(const char *const *)list[index]) == 0;
    return known;
}

static int take_formats(struct plugin *plugin, char *why, size_t size)
{
    const void *const *list = (const void *const *)plugin->description->formats;
    int error = 0;
    for (size_t i = 0; !error && i < count_of(list); i++) {
        struct format *format = &plugin->format[i];
        *format = *(const struct format *)list[i];
        plugin->formats[i] = format;
        error = plugin_rules_format(format, why, size);
        if (!error && plugin_names_format(plugin, format))
            error = refuse(-ENOMEM, why, size, "finds no memory");
        if (!error && is_taken(list, i, format_find(format->name)))
            error = refuse(-EINVAL, why, size, "format %s: the name is taken; choose another", format->name);
    }
    return error;
}

/** Ours of a format that is among the plug-in's; NULL if it is not. */
static const struct format *taken_format(const struct plugin *plugin, const struct format *given)
{
    const struct format *const *list = plugin->description->formats;
    for (size_t i = 0; i < count_of((const void *const *)list); i++) {
        if (list[i] == given)
            return &plugin->format[i];
    }
    return NULL;
}

/** The format of a kernel: the plug-in's own, or the one of ours that it stands for. */
static int resolve_format(const struct plugin *plugin, struct kernel *kernel, char *why, size_t size)
{
    const struct format *given = kernel->format;
    const char *name = kernel->name ? kernel->name : "without a name";
    if (!given || !given->name)
        return refuse(-EINVAL, why, size, "kernel %.160s: it has no format", name);
    if (given->rows_per_panel == 0)
        kernel->format = format_find(given->name);
    else if (!(kernel->format = taken_format(plugin, given)))
        return refuse(-EINVAL, why, size, "kernel %.160s: its format %.63s is not among the plug-in's formats", name,
                      given->name);
    return kernel->format
               ? 0
               : refuse(-EINVAL, why, size, "kernel %.160s: kneepoint has no format '%.63s'", name, given->name);
}

static int take_kernels(struct plugin *plugin, char *why, size_t size)
{
    const void *const *list = (const void *const *)plugin->description->kernels;
    size_t count = count_of(list);
    int error = 0;
    for (size_t i = 0; !error && i < count; i++) {
        struct kernel *kernel = &plugin->kernel[i];
        *kernel = *(const struct kernel *)list[i];
        if (kernel->error_bound == 0)
            kernel->error_bound = kernel_operand_bound(&kernel->operand);
        error = resolve_format(plugin, kernel, why, size);
        if (!error && plugin_names_kernel(plugin, kernel))
            error = refuse(-ENOMEM, why, size, "finds no memory");
        if (!error)
            error = plugin_rules_kernel(kernel, why, size);
        if (!error && is_taken(list, i, kernel_find(kernel->name)))
            error = refuse(-EINVAL, why, size, "kernel %s: the name is taken; choose another", kernel->name);
        if (!kernel->origin)
            kernel->origin = plugin->description->name;
        plugin->kernels[i] = kernel;
    }
    return error;
}

static int take_sequences(struct plugin *plugin, char *why, size_t size)
{
    const void *const *list = (const void *const *)plugin->description->sequences;
    size_t count = count_of(list);
    int error = 0;
    for (size_t i = 0; !error && i < count; i++) {
        struct sequence *sequence = &plugin->sequence[i];
        *sequence = *(const struct sequence *)list[i];
        error = plugin_rules_sequence(sequence, why, size);
        if (!error && plugin_names_sequence(plugin, sequence))
            error = refuse(-ENOMEM, why, size, "finds no memory");
        if (!error && is_taken(list, i, sequence_find(sequence->name)))
            error = refuse(-EINVAL, why, size, "sequence %s: the name is taken; choose another", sequence->name);
        if (!sequence->origin)
            sequence->origin = plugin->description->name;
        plugin->sequences[i] = sequence;
    }
    return error;
}

/** Whether kneepoint or the plug-in itself has a sequence of that name. */
static bool has_sequence(const struct plugin *plugin, const char *name)
{
    bool found = sequence_find(name) != NULL;
    for (size_t i = 0; !found && plugin->sequences[i]; i++)
        found = strcmp(plugin->sequences[i]->name, name) == 0;
    return found;
}

/** What a kernel names as its roofs must be there. */
static int check_gammas(const struct plugin *plugin, char *why, size_t size)
{
    for (size_t i = 0; plugin->kernels[i]; i++) {
        const struct kernel *kernel = plugin->kernels[i];
        if (kernel->gamma && !has_sequence(plugin, kernel->gamma))
            return refuse(-EINVAL, why, size, "kernel %s: gamma names no sequence '%.63s'", kernel->name,
                          kernel->gamma);
        if (kernel->gemm.multiply && !has_sequence(plugin, kernel->gemm.multiply))
            return refuse(-EINVAL, why, size, "kernel %s: gemm.multiply names no sequence '%.63s'", kernel->name,
                          kernel->gemm.multiply);
    }
    return 0;
}

static int take_entries(struct plugin *plugin, char *why, size_t size)
{
    const struct kneepoint_plugin *description = plugin->description;
    size_t formats = count_of((const void *const *)description->formats),
           kernels = count_of((const void *const *)description->kernels),
           sequences = count_of((const void *const *)description->sequences);
    if (formats > ENTRIES_MOST || kernels > ENTRIES_MOST || sequences > ENTRIES_MOST)
        return refuse(-EINVAL, why, size, "lists more than %d entries of a kind, or a list that does not end with NULL",
                      ENTRIES_MOST);
    plugin->format = calloc(formats + 1, sizeof *plugin->format);
    plugin->formats = calloc(formats + 1, sizeof *plugin->formats);
    plugin->kernel = calloc(kernels + 1, sizeof *plugin->kernel);
    plugin->sequence = calloc(sequences + 1, sizeof *plugin->sequence);
    plugin->kernels = calloc(kernels + 1, sizeof *plugin->kernels);
    plugin->sequences = calloc(sequences + 1, sizeof *plugin->sequences);
    if (!plugin->format || !plugin->formats || !plugin->kernel || !plugin->sequence || !plugin->kernels ||
        !plugin->sequences)
        return refuse(-ENOMEM, why, size, "finds no memory");
    int error = take_formats(plugin, why, size);
    if (!error)
        error = take_kernels(plugin, why, size);
    if (!error)
        error = take_sequences(plugin, why, size);
    return error ? error : check_gammas(plugin, why, size);
}

/* ---- the file ---- */

/** Without a slash the loader would look in the system's folders, where the user did not point. */
static void path_of(const char *given, char *path, size_t size)
{
    snprintf(path, size, "%s%s", strchr(given, '/') ? "" : "./", given);
}

/** What the loader says, without the path that it begins with. */
static const char *loader_says(const char *path)
{
    const char *said = dlerror();
    size_t length = strlen(path);
    if (!said)
        return "no reason given";
    return strncmp(said, path, length) == 0 && strncmp(said + length, ": ", 2) == 0 ? said + length + 2 : said;
}

/** Its init(), which may refuse. What it says is shown on one line. */
static int begin(const struct plugin *plugin, char *why, size_t size)
{
    char reason[PLUGIN_REASON] = "";
    if (!plugin->description->init || plugin->description->init(reason, sizeof reason) == 0)
        return 0;
    reason[sizeof reason - 1] = '\0';
    return refuse(-ENOTSUP, why, size, "will not be measured here: %s",
                  reason[0] ? reason : "its init() refused and gave no reason");
}

static bool has_anothers_name(const struct plugin *plugin, const struct plugin *others, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (strcmp(others[i].description->name, plugin->description->name) == 0 ||
            (plugin->names.tag[0] && strcmp(others[i].names.tag, plugin->names.tag) == 0))
            return true;
    }
    return false;
}

/** A name, and a tag for its entries, that no other build of it has. 0 or -ENOMEM */
static int name_apart(struct plugin *plugin, const struct plugin *others, unsigned count)
{
    int error = 0;
    for (unsigned i = 0; !error && i < count; i++) {
        if (strcmp(others[i].description->name, plugin->description->name) == 0)
            error = plugin_names_begin(plugin, others[i].path);
    }
    bool is_again = false; /* the same file */
    for (unsigned i = 0; i < count; i++)
        is_again |= others[i].handle == plugin->handle;
    for (unsigned number = 2; !error && !is_again && has_anothers_name(plugin, others, count); number++)
        error = plugin_names_number(plugin, number);
    return error;
}

/** @return 0, or -errno with why, which continues after the path */
static int open_object(struct plugin *plugin, const struct plugin *others, unsigned count, char *why, size_t size)
{
    char path[4096];
    path_of(plugin->path, path, sizeof path);
    plugin->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!plugin->handle)
        return refuse(
            -EINVAL, why, size,
            "cannot be loaded: %.300s; if a library is missing, build or install it, then build the plug-in again "
            "(`make plugins` builds Kneepoint's adapters)",
            loader_says(path));
    const struct kneepoint_plugin *exported = dlsym(plugin->handle, "kneepoint_plugin");
    if (!exported)
        return refuse(-EINVAL, why, size, "is no plug-in: it exports no kneepoint_plugin (micro/plugin.h says how)");
    int error = plugin_rules_abi(exported, why, size);
    if (error)
        return error;
    plugin->described = *exported;
    plugin->description = &plugin->described;
    error = begin(plugin, why, size);
    if (!error)
        error = plugin_rules_plugin(plugin->description, why, size);
    if (!error && name_apart(plugin, others, count))
        error = refuse(-ENOMEM, why, size, "finds no memory");
    return error ? error : take_entries(plugin, why, size);
}

struct attempt {
    struct plugin plugin;
    const struct plugin *others;
    unsigned count;
};

struct opened {
    int error;
    char why[PLUGIN_WHY];
};

/** A thread that goes on running while others are measured. */
static int refuse_threads(char *why, size_t size)
{
    enum { LOOKS = 5 };
    return threads_running(LOOKS) ? refuse(-EBUSY, why, size,
                                           "starts a thread when it is loaded that keeps running: nothing can be "
                                           "measured beside it")
                                  : 0;
}

static void open_in_child(void *argument, void *report)
{
    struct attempt *attempt = argument;
    struct opened *opened = report;
    opened->error = open_object(&attempt->plugin, attempt->others, attempt->count, opened->why, sizeof opened->why);
    if (!opened->error)
        opened->error = refuse_threads(opened->why, sizeof opened->why);
}

/** Whether loading it ends a process. */
static int try_apart(const char *path, const struct plugin *others, unsigned count, struct plugin_output *said,
                     char *why, size_t size)
{
    struct attempt attempt = {.plugin = {.path = path}, .others = others, .count = count};
    struct child_result child;
    struct opened opened;
    child_run(open_in_child, &attempt, &opened, sizeof opened, LOAD_LIMIT_MS, &child);
    char last[CHILD_SAID];
    child_said(child.printed, last);
    if (child.outcome == CHILD_RETURNED && !opened.error)
        plugin_output_add(said, path, child.printed);
    switch (child.outcome) {
    case CHILD_RETURNED: return opened.error ? refuse(opened.error, why, size, "%s %s%s", path, opened.why, last) : 0;
    case CHILD_HUNG:
        return refuse(-EINVAL, why, size, "%s: loading it does not finish (stopped after %d s)%s", path,
                      LOAD_LIMIT_MS / 1000, last);
    case CHILD_CRASHED:
        return refuse(-EINVAL, why, size, "%s: loading it and reading its description ends with signal %d (%s)%s", path,
                      child.detail, strsignal(child.detail), last);
    case CHILD_WROTE:
        return refuse(-EINVAL, why, size, "%s: loading it writes to descriptors that are not its own%s", path, last);
    case CHILD_EXITED:
        return refuse(-EINVAL, why, size, "%s: loading it ends the process with status %d%s", path, child.detail, last);
    case CHILD_LOST:
        return refuse(-child.detail, why, size, "the report of the process that loaded %s was lost: %s", path,
                      strerror(child.detail));
    default:
        return refuse(-child.detail, why, size, "cannot start a process to load %s in: %s", path,
                      strerror(child.detail));
    }
}

/** First in a process of its own, then in this one; then whether both loaded what was hashed. */
static int load_both_times(struct plugin *plugin, const struct plugin *others, unsigned count,
                           struct plugin_output *said, char *why, size_t size)
{
    char reason[PLUGIN_WHY], path[4096];
    int error = try_apart(plugin->path, others, count, said, why, size);
    if (error)
        return error;
    struct silence silence;
    silence_begin(&silence); /* it has been heard */
    error = open_object(plugin, others, count, reason, sizeof reason);
    const int lost = silence_end(&silence);
    if (lost)
        return refuse(lost, why, size, "standard output was lost while %s was loaded: %s", plugin->path,
                      strerror(-lost));
    if (error)
        return refuse(error, why, size, "%s %s", plugin->path, reason);
    path_of(plugin->path, path, sizeof path);
    if (!plugin_file_is(&plugin->file, path))
        return refuse(-ESTALE, why, size,
                      "%s was rebuilt while it was being loaded; let the build finish and run "
                      "again",
                      plugin->path);
    return 0;
}

int plugin_load(const char *path, const struct plugin *others, unsigned count, struct plugin *plugin,
                struct plugin_output *said, char *why, size_t size)
{
    *plugin = (struct plugin){.path = path};
    int error = plugin_file_open(path, &plugin->file);
    if (error)
        return refuse(error, why, size, "cannot read plug-in %s: %s", path,
                      error == -ENOEXEC ? "it is a pipe, a socket or a device" : strerror(-error));
    error = load_both_times(plugin, others, count, said, why, size);
    if (error)
        plugin_unload(plugin);
    return error;
}

void plugin_unload(struct plugin *plugin)
{
    free(plugin->format);
    free(plugin->formats);
    free(plugin->kernel);
    free(plugin->sequence);
    free(plugin->kernels);
    free(plugin->sequences);
    plugin_names_release(plugin);
    plugin_file_close(&plugin->file);
    *plugin = (struct plugin){0};
}

/* ---- records ---- */

static json_t *names_of(const void *const *list)
{
    json_t *names = json_array();
    for (size_t i = 0; i < count_of(list); i++)
        json_array_append_new(names, json_string(*(const char *const *)list[i]));
    return names;
}

json_t *plugin_json(const struct plugin *plugin)
{
    const struct kneepoint_plugin *description = plugin->description;
    return json_pack("{s:s?, s:s, s:s, s:o, s:o, s:o}", "version", description->version, "file", plugin->path, "hash",
                     plugin->file.hash, "formats", names_of((const void *const *)plugin->formats), "kernels",
                     names_of((const void *const *)plugin->kernels), "sequences",
                     names_of((const void *const *)plugin->sequences));
}
