/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/list/list_command.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "harness/check/items/certificate.h"
#include "harness/cmd/console/console.h"
#include "harness/command/command.h"

static const char command_name[] = "list";

static json_t *line_json(const struct certificate_line *line)
{
    if (line->verdict == CERTIFICATE_NONE)
        return json_null();
    return json_pack("{s:s, s:I, s:I, s:I, s:I, s:f}", "verdict", certificate_verdict_name(line->verdict), "rows",
                     (json_int_t)line->rows, "unequal", (json_int_t)line->unequal, "wrong", (json_int_t)line->wrong,
                     "k_most", (json_int_t)line->k_most, "of_bound", line->of_bound);
}

static json_t *record_of(const struct kernel *kernel, const struct plugin *plugin, enum certificate_product product,
                         const struct certificate *certificate)
{
    json_t *patterns = json_object();
    for (int pattern = 0; pattern < CERTIFICATE_PATTERNS; pattern++)
        json_object_set_new(patterns, certificate_pattern_name((enum certificate_pattern)pattern),
                            line_json(&certificate->line[pattern]));
    json_t *record = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:o}", "type", "certificate", "name", kernel->name,
                               "product", certificate_product_name(product), "format", kernel->format->name, "isa",
                               kernel->isa, "verdict", certificate_verdict_name(certificate->verdict), "reason",
                               certificate->why[0] ? json_string(certificate->why) : json_null(), "patterns", patterns);
    if (record && kernel->wraps_beyond > 0)
        json_object_set_new(record, "wraps_beyond", json_real(kernel->wraps_beyond));
    if (record && plugin) {
        json_object_set_new(record, "plugin", json_string(plugin->description->name));
        json_object_set_new(record, "plugin_hash", json_string(plugin->file.hash));
    }
    return record;
}

/** "exact", the largest error as a share of what the kernel states, or how many rows are wrong. */
static const char *cell_text(const json_t *record, enum certificate_pattern pattern, char *text, size_t size)
{
    const json_t *line = json_object_get(json_object_get(record, "patterns"), certificate_pattern_name(pattern));
    const char *verdict = json_string_value(json_object_get(line, "verdict"));
    if (!verdict)
        snprintf(text, size, "-");
    else if (strcmp(verdict, certificate_verdict_name(CERTIFICATE_WITHIN)) == 0)
        snprintf(text, size, "%.2g%%", 100 * json_number_value(json_object_get(line, "of_bound")));
    else if (strcmp(verdict, certificate_verdict_name(CERTIFICATE_WRONG)) == 0)
        snprintf(text, size, "%lld wrong", (long long)json_integer_value(json_object_get(line, "wrong")));
    else
        snprintf(text, size, "%s", verdict);
    return text;
}

#define CELL_OF(what, pattern)                                                                                         \
    static const char *what##_text(const json_t *record, char *text, size_t size)                                      \
    {                                                                                                                  \
        return cell_text(record, pattern, text, size);                                                                 \
    }
CELL_OF(ends, CERTIFICATE_ENDS)
CELL_OF(saturating, CERTIFICATE_SATURATING)
CELL_OF(largest_k, CERTIFICATE_LARGEST_K)
CELL_OF(tails, CERTIFICATE_TAILS)
CELL_OF(random, CERTIFICATE_RANDOM)
CELL_OF(least, CERTIFICATE_LEAST)

static const char *k_most_text(const json_t *record, char *text, size_t size)
{
    const json_t *line =
        json_object_get(json_object_get(record, "patterns"), certificate_pattern_name(CERTIFICATE_LARGEST_K));
    snprintf(text, size, "%lld", (long long)json_integer_value(json_object_get(line, "k_most")));
    return text;
}

static const char *note_text(const json_t *record, char *text, size_t size)
{
    const char *why = json_string_value(json_object_get(record, "reason"));
    const json_t *wraps = json_object_get(record, "wraps_beyond");
    char words[128] = "";
    if (json_is_number(wraps))
        snprintf(words, sizeof words, "%sactivations up to %g of their range; beyond that it states that sums wrap",
                 why ? "; " : "", json_number_value(wraps));
    snprintf(text, size, "%s%s", why ? why : "", words);
    return text;
}

static const struct table_column columns[] = {
    {"kernel", "name", .left = true, .clips = 28},
    {"of", "product", .left = true},
    {"ends", "patterns", .text = ends_text, .rank = 2},
    {"saturating", "patterns", .text = saturating_text, .rank = 2},
    {"largest_k", "patterns", .text = largest_k_text, .rank = 2},
    {"tails", "patterns", .text = tails_text, .rank = 2},
    {"random", "patterns", .text = random_text, .rank = 2},
    {"least", "patterns", .text = least_text, .rank = 2},
    {"K up to", "patterns", .text = k_most_text, .rank = 3},
    {"verdict", "verdict", .rank = 1, .left = true},
};

const struct table certificate_table = {"certificate", "Certificates", columns, sizeof columns / sizeof *columns,
                                        .note = note_text};

struct tally {
    size_t made, wrong;
};

/** One certificate as a row; whether it is good is added up. */
static int list_one(const struct kernel *kernel, enum certificate_product product, const struct plugin *plugin,
                    const struct list_certificates *request, json_t *rows, struct tally *tally)
{
    struct certificate certificate;
    int error = certificate_make_apart(kernel, product, &certificate);
    if (error)
        return complain(EXIT_USAGE, command_name, "cannot check %s: %s", kernel->name, strerror(-error));
    tally->made++;
    tally->wrong += certificate.verdict > CERTIFICATE_WITHIN || certificate.verdict == CERTIFICATE_NONE;
    return table_take(command_name, rows, request->json, record_of(kernel, plugin, product, &certificate));
}

/** All that run here; it takes minutes. */
static int list_all(const struct list_certificates *request, json_t *rows, struct tally *tally)
{
    struct progress_part part = {.end_fraction = 1};
    int code = EXIT_DONE;
    json_t *record;
    size_t i;
    progress_begin(&part.progress, command_name);
    json_array_foreach((json_t *)(uintptr_t)request->kernels, i, record)
    {
        const struct kernel *kernel = kernel_find(json_string_value(json_object_get(record, "name")));
        if (!isa_runs(isa_find(kernel->isa), request->features))
            continue;
        progress_part_show(&part, (double)i / (double)json_array_size(request->kernels), kernel->name);
        for (int product = 0; !code && product < CERTIFICATE_PRODUCTS; product++) {
            if (certificate_has(kernel, (enum certificate_product)product))
                code = list_one(kernel, (enum certificate_product)product, plugins_of_kernel(request->plugins, kernel),
                                request, rows, tally);
        }
    }
    progress_end(&part.progress);
    return code;
}

int list_certificates(const struct list_certificates *request)
{
    struct tally tally = {0};
    json_t *rows = json_array();
    int code = list_all(request, rows, &tally);
    if (!code && !request->json) {
        code = table_show(command_name, &certificate_table, rows, request->view);
        console_print_text(
            "\nexact: every row equals the definition, bit for bit. Percent: the largest distance from it, as a share "
            "of the bound\nthat the kernel states. ends: weights and activations at the ends of their ranges; "
            "saturating: activations of one sign\nin runs of 2 to 64; tails: K around whole steps; least: activations "
            "of -128, which no quantizer produces and no kernel\nhas to accept.\n");
    }
    json_decref(rows);
    if (!code && tally.wrong)
        code = complain(EXIT_CHECK_FAILED, command_name, "%zu of %zu products give wrong results", tally.wrong,
                        tally.made);
    return code;
}
