/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a plug-in says of itself: the structs of micro/plugin.h with any numbers in them. Functions and texts are there or not,
 * by a bit each, since an address that leads nowhere is found in a process of its own (harness/plugin/plugin_crash.h).
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz/frame/target.h"
#include "harness/plugin/plugin_rules.h"

/** The bytes from the front, then zeros. */
struct source {
    const uint8_t *at, *end;
};

static void take(struct source *source, void *into, size_t size)
{
    size_t left = (size_t)(source->end - source->at), count = size < left ? size : left;
    memset(into, 0, size);
    if (count)
        memcpy(into, source->at, count);
    source->at += count;
}

static unsigned take_number(struct source *source, unsigned below)
{
    uint8_t byte;
    take(source, &byte, 1);
    return byte % below;
}

static const char *take_text(struct source *source)
{
    static char own[8][80];
    static unsigned next;
    static const char *const texts[] = {NULL,          "",          "own", "mine", "avx2", "own.mine.avx2",
                                        "int2_planes", "reference", "a\nb"};
    unsigned which = take_number(source, 12);
    if (which < sizeof texts / sizeof *texts)
        return texts[which];
    char *text = own[next++ % 8];
    take(source, text, 79);
    return text;
}

static void nothing(void)
{
}

/** In place of a pointer to a function: one that is never called, or NULL. */
static void set_function(struct source *source, void *member)
{
    void (*function)(void) = take_number(source, 2) ? nothing : NULL;
    memcpy(member, &function, sizeof function);
}

#define FUNCTION(member) set_function(source, &(member))

static const int32_t values[8] = {-8, -3, -1, 0, 1, 2, 5, 7};

static size_t panel_bytes(size_t k)
{
    return k;
}

static void make_format(struct source *source, struct format *format)
{
    take(source, format, sizeof *format);
    format->name = take_text(source);
    format->panel_bytes = take_number(source, 2) ? panel_bytes : NULL;
    FUNCTION(format->put);
    FUNCTION(format->get);
    FUNCTION(format->pack);
    FUNCTION(format->weight);
    FUNCTION(format->fill);
    FUNCTION(format->row_weights);
    format->values = take_number(source, 2) ? values : NULL;
    format->value_count %= 9;
}

static void make_kernel(struct source *source, const struct format *format, struct kernel *kernel)
{
    take(source, kernel, sizeof *kernel);
    kernel->name = take_text(source);
    kernel->sequence = take_text(source);
    kernel->isa = take_text(source);
    kernel->format = take_number(source, 8) ? format : NULL;
    kernel->origin = kernel->gamma = kernel->gemm.multiply = NULL;
    kernel->differs = take_text(source);
    FUNCTION(kernel->gemv);
    FUNCTION(kernel->prepared_bytes);
    FUNCTION(kernel->prepare);
    FUNCTION(kernel->row);
    FUNCTION(kernel->gemm.run);
    FUNCTION(kernel->gemm.prepare_many);
    FUNCTION(kernel->gemm.prepared_bytes);
    FUNCTION(kernel->gemm.scratch_bytes);
    FUNCTION(kernel->ordered.prepare);
    FUNCTION(kernel->ordered.prepare_many);
    /* a bool is 0 or 1 */
    kernel->whole_panels = take_number(source, 2);
    kernel->lossless = take_number(source, 2);
    kernel->gemm.unpacks_alone = take_number(source, 2);
}

static void make_sequence(struct source *source, struct sequence *sequence, struct sequence_variant *variant)
{
    take(source, sequence, sizeof *sequence);
    for (size_t i = 0; i < 4; i++) {
        take(source, &variant[i], sizeof variant[i]);
        FUNCTION(variant[i].run_u);
        FUNCTION(variant[i].run_2u);
        FUNCTION(variant[i].stream);
        FUNCTION(variant[i].stream_prefetch);
    }
    sequence->name = take_text(source);
    sequence->isa = take_text(source);
    sequence->format = take_text(source);
    sequence->sequence = take_text(source);
    sequence->origin = take_text(source);
    sequence->dots = NULL;
    FUNCTION(sequence->reference);
    FUNCTION(sequence->fill);
    sequence->variants %= 5;
    sequence->variant = take_number(source, 4) ? variant : NULL;
}

static void judge(int error, const char *why)
{
    if (error)
        hold_refusal(why);
}

FUZZ_TARGET(bytes, length)
{
    struct source from = {bytes, bytes + length}, *source = &from;
    struct kneepoint_plugin plugin;
    struct format format;
    struct kernel kernel;
    struct sequence sequence;
    struct sequence_variant variant[4];
    char why[512] = "";
    take(source, &plugin, offsetof(struct kneepoint_plugin, name));
    plugin.name = take_text(source);
    plugin.version = NULL;
    plugin.formats = NULL;
    plugin.kernels = NULL;
    plugin.sequences = NULL;
    judge(plugin_rules_abi(&plugin, why, sizeof why), why);
    judge(plugin_rules_plugin(&plugin, why, sizeof why), why);
    make_format(source, &format);
    int error = plugin_rules_format(&format, why, sizeof why);
    judge(error, why);
    if (!error) { /* resolved, as plugin_load() does */
        make_kernel(source, &format, &kernel);
        judge(plugin_rules_kernel(&kernel, why, sizeof why), why);
    }
    make_sequence(source, &sequence, variant);
    judge(plugin_rules_sequence(&sequence, why, sizeof why), why);
}
