/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/list_command/certificates.h"

#include <stdio.h>

#include "harness/check/certificate.h"
#include "harness/cmd/console/console.h"
#include "harness/command.h"

static const char command_name[] = "list";

static json_t *line_json(const struct certificate_line *line)
{
    if (line->verdict == CERTIFICATE_NONE)
        return json_null();
    return json_pack("{s:s, s:I, s:I, s:I, s:I, s:f}", "verdict", certificate_verdict_name(line->verdict), "rows",
                     (json_int_t)line->rows, "unequal", (json_int_t)line->unequal, "wrong", (json_int_t)line->wrong,
                     "k_most", (json_int_t)line->k_most, "of_bound", line->of_bound);
}

static int print_json(const struct kernel *kernel, const struct plugin *plugin, enum certificate_product product,
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
    return print_record(command_name, record) ? EXIT_USAGE : EXIT_DONE;
}

/** "exact", the largest error as a share of what the kernel states, or how many rows are wrong. */
static void cell_text(const struct certificate_line *line, char *text, size_t size)
{
    if (line->verdict == CERTIFICATE_WITHIN)
        snprintf(text, size, "%.2g%%", 100 * line->of_bound);
    else if (line->verdict == CERTIFICATE_WRONG)
        snprintf(text, size, "%zu wrong", line->wrong);
    else
        snprintf(text, size, "%s", line->verdict == CERTIFICATE_NONE ? "-" : certificate_verdict_name(line->verdict));
}

static void print_row(const struct kernel *kernel, enum certificate_product product,
                      const struct certificate *certificate)
{
    printf("%-34s %-4s", kernel->name, certificate_product_name(product));
    for (int pattern = 0; pattern < CERTIFICATE_PATTERNS; pattern++) {
        char text[32];
        cell_text(&certificate->line[pattern], text, sizeof text);
        printf(" %11s", text);
    }
    printf(" %10zu  %s%s%s", certificate->line[CERTIFICATE_LARGEST_K].k_most,
           certificate_verdict_name(certificate->verdict), certificate->why[0] ? ": " : "", certificate->why);
    if (kernel->wraps_beyond > 0)
        printf("  activations within %g of theirs, beyond which it says that sums wrap", kernel->wraps_beyond);
    putchar('\n');
    fflush(stdout); /* it takes seconds, and a reader wants to see them */
}

static void print_head(void)
{
    printf("%-34s %-4s", "kernel", "of");
    for (int pattern = 0; pattern < CERTIFICATE_PATTERNS; pattern++)
        printf(" %11s", certificate_pattern_name((enum certificate_pattern)pattern));
    printf(" %10s  %s\n", "K up to", "verdict");
}

struct tally {
    size_t made, wrong;
};

/** One certificate, printed; whether it is good is added up. */
static int list_one(const struct kernel *kernel, enum certificate_product product, const struct plugin *plugin,
                    bool json, struct tally *tally)
{
    struct certificate certificate;
    if (certificate_make_apart(kernel, product, &certificate))
        return complain(EXIT_USAGE, command_name, "no memory to check %s", kernel->name);
    tally->made++;
    tally->wrong += certificate.verdict > CERTIFICATE_WITHIN || certificate.verdict == CERTIFICATE_NONE;
    if (json)
        return print_json(kernel, plugin, product, &certificate);
    print_row(kernel, product, &certificate);
    return EXIT_DONE;
}

int list_certificates(const json_t *kernels, isa_features features, const struct plugins *plugins, bool json)
{
    struct tally tally = {0};
    int code = EXIT_DONE;
    size_t i;
    json_t *record;
    if (!json)
        print_head();
    json_array_foreach(kernels, i, record)
    {
        const struct kernel *kernel = kernel_find(json_string_value(json_object_get(record, "name")));
        for (int product = 0; !code && product < CERTIFICATE_PRODUCTS; product++) {
            if (isa_runs(isa_find(kernel->isa), features) && certificate_has(kernel, (enum certificate_product)product))
                code = list_one(kernel, (enum certificate_product)product, plugins_of_kernel(plugins, kernel), json,
                                &tally);
        }
    }
    if (!json)
        puts(
            "\nexact: every row equals the definition, bit for bit. Percent: the largest distance from it, of what the "
            "kernel states.\n"
            "ends: weights and activations at the ends of their ranges; saturating: activations of one sign in runs of "
            "2 to 64;\n"
            "tails: K around whole steps; least: activations of -128, which no quantizer gives and no kernel has to "
            "take.");
    if (!code && tally.wrong)
        code = complain(EXIT_CHECK_FAILED, command_name, "%zu of %zu products give what they must not", tally.wrong,
                        tally.made);
    return code;
}
