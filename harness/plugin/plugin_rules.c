/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plugin/plugin_rules.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "harness/team/gemv.h"
#include "platforms/cpu/isa.h"
#include "results/text/refuse.h"

enum { NAME_MOST = 63, ROWS_MOST = 4096, DIFFERS_MOST = 120, ORDER_GROUPS_MOST = 1 << 16 };

static bool is_word(const char *text, const char *also)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    size_t length = text ? strlen(text) : 0;
    if (length == 0 || length > NAME_MOST)
        return false;
    for (const char *at = text; *at; at++) {
        if (!strchr(letters, *at) && !strchr(also, *at))
            return false;
    }
    return true;
}

int plugin_rules_abi(const struct kneepoint_plugin *plugin, char *why, size_t size)
{
    if (plugin->abi != KNEEPOINT_PLUGIN_ABI)
        return refuse(
            -EINVAL, why, size,
            "is built for plug-in ABI %u, and this version takes %d: build it again with this version's headers",
            plugin->abi, KNEEPOINT_PLUGIN_ABI);
    const struct {
        const char *name;
        size_t there, here;
    } sizes[] = {
        {"kneepoint_plugin", plugin->plugin_bytes, sizeof *plugin},
        {"format", plugin->format_bytes, sizeof(struct format)},
        {"kernel", plugin->kernel_bytes, sizeof(struct kernel)},
        {"gemv_slice", plugin->slice_bytes, sizeof(struct gemv_slice)},
        {"sequence", plugin->sequence_bytes, sizeof(struct sequence)},
        {"gemm_slice", plugin->gemm_slice_bytes, sizeof(struct gemm_slice)},
    };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (sizes[i].there != sizes[i].here)
            return refuse(
                -EINVAL, why, size,
                "has a struct %s of %zu bytes where this version has %zu: build it again with this version's headers",
                sizes[i].name, sizes[i].there, sizes[i].here);
    }
    return 0;
}

int plugin_rules_plugin(const struct kneepoint_plugin *plugin, char *why, size_t size)
{
    if (!is_word(plugin->name, "-."))
        return refuse(-EINVAL, why, size, "has no name of 1 to %d letters, digits, '_', '-' and '.'", NAME_MOST);
    bool brings = (plugin->formats && *plugin->formats) || (plugin->kernels && *plugin->kernels) ||
                  (plugin->sequences && *plugin->sequences);
    return brings ? 0 : refuse(-EINVAL, why, size, "has no format, kernel or sequence");
}

static const char *values_fault(const struct format *format)
{
    if (!format->values != !format->value_count)
        return "values and value_count go together";
    for (uint32_t i = 0; i < format->value_count; i++) {
        if (i && format->values[i] <= format->values[i - 1])
            return "values are not ascending";
        if (format_is_integer(format) &&
            (format->values[i] < format->weight_min || format->values[i] > format->weight_max))
            return "values are not within weight_min and weight_max";
    }
    return NULL;
}

/** Name of what is wrong with a format, or NULL. */
static const char *format_fault(const struct format *format)
{
    if (!(format->bits > 0))
        return "bits is not positive";
    if (format->rows_per_panel == 0 || format->rows_per_panel > ROWS_MOST)
        return "rows_per_panel is not 1 to 4096";
    if (format->k_per_step == 0)
        return "k_per_step is 0";
    if ((format->step_bytes != 0) == (format->panel_bytes != NULL))
        return "exactly one of step_bytes and panel_bytes must be given";
    if (format->k_multiple % format->k_per_step)
        return "k_multiple is no multiple of k_per_step";
    if (format->max_k < format->k_per_step)
        return "max_k is less than a step";
    if ((format->put != NULL) != (format->get != NULL))
        return "put and get go together";
    if (!format->get && !format->weight && !format->row_weights)
        return "it has neither weight() nor get()";
    if (format->put && format->pack)
        return "put and pack exclude each other";
    if (format->order_columns && format->k_per_step % format->order_columns)
        return "order_columns does not divide k_per_step";
    if (format->order_columns && format->max_k / format->order_columns > ORDER_GROUPS_MOST)
        return "max_k is more than 65536 groups of order_columns";
    if (format->weight_min > format->weight_max)
        return "weight_min is more than weight_max";
    if (format->get && !format_is_integer(format))
        return "get() gives integers and weight_min and weight_max are 0";
    if (format->k_least > format->max_k)
        return "k_least is more than max_k";
    return values_fault(format);
}

int plugin_rules_format(const struct format *format, char *why, size_t size)
{
    if (!is_word(format->name, ""))
        return refuse(-EINVAL, why, size, "has a format with no name of 1 to %d letters, digits and '_'", NAME_MOST);
    const char *fault = format_fault(format);
    return fault ? refuse(-EINVAL, why, size, "format %s: %s", format->name, fault) : 0;
}

static const char *gemm_fault(const struct kernel *kernel)
{
    const struct kernel_gemm *gemm = &kernel->gemm;
    if (!gemm->run && (gemm->prepare_many || gemm->scratch_bytes))
        return "gemm.prepare_many and gemm.scratch_bytes need gemm.run";
    if (gemm->unpacks_alone && (!gemm->run || !gemm->scratch_bytes))
        return "a kernel that gemm.unpacks_alone does it in gemm.run, into the scratch of gemm.scratch_bytes";
    if (!gemm->prepare_many != !gemm->prepared_bytes || !gemm->prepare_many != !gemm->tokens_per_group)
        return "gemm.prepare_many, gemm.prepared_bytes and gemm.tokens_per_group go together";
    return NULL;
}

static const char *ordered_fault(const struct kernel *kernel)
{
    const struct kernel_ordered *ordered = &kernel->ordered;
    if ((ordered->prepare || ordered->prepare_many) && !kernel->format->order_columns)
        return "ordered.prepare and ordered.prepare_many need a format with order_columns";
    if ((ordered->prepare && !kernel->prepare) || (ordered->prepare_many && !kernel->gemm.prepare_many))
        return "ordered.prepare needs prepare, and ordered.prepare_many gemm.prepare_many";
    return NULL;
}

/** What it demands of its operands. */
static const char *demands_fault(const struct kernel *kernel)
{
    const struct format *format = kernel->format;
    const struct kernel_operand *operand = &kernel->operand;
    uint32_t granule = format->k_multiple ? format->k_multiple : format->k_per_step;
    if (kernel->k_multiple % granule)
        return "k_multiple is no multiple of that of its format";
    if (kernel_last_k(kernel, SIZE_MAX) == 0)
        return "no K is within k_least, k_most and k_multiple and held by its format";
    if (kernel->panels_per_call * (uint64_t)format->rows_per_panel > ROWS_MOST)
        return "panels_per_call is more than 4096 rows";
    if (kernel->reads_past > KERNEL_READS_PAST_MOST)
        return "reads_past is more than 4032 bytes";
    if (!(kernel->wraps_beyond >= 0 && kernel->wraps_beyond <= 1))
        return "wraps_beyond is not within 0 and 1";
    if (operand->bits && (kernel->takes != KERNEL_TAKES_F32 || (!kernel->prepare && !kernel->gemm.prepare_many)))
        return "operand is what prepare() or gemm.prepare_many() makes of f32 activations";
    if (operand->bits == 1 || operand->bits > 16 || operand->zero_point > 1 ||
        (!operand->bits && (operand->columns || operand->zero_point)))
        return "operand.bits is not 2 to 16, or operand.zero_point not 0 or 1";
    return NULL;
}

static const char *rendering_fault(const struct kernel *kernel)
{
    if (kernel->differs &&
        (!*kernel->differs || strlen(kernel->differs) > DIFFERS_MOST || strchr(kernel->differs, '\n')))
        return "differs is not one line of 1 to 120 characters";
    if (kernel->prefetch_beside && (kernel->prefetch_bytes || !kernel->gemv))
        return "prefetch_beside is for kernels with gemv and without prefetch_bytes";
    return NULL;
}

static const char *kernel_fault(const struct kernel *kernel)
{
    const struct format *format = kernel->format;
    bool f32 = kernel->gives == KERNEL_GIVES_F32;
    if (!kernel->gemv && !kernel->gemm.run)
        return "it has neither gemv nor gemm.run";
    if (kernel->takes != KERNEL_TAKES_INT8 && kernel->takes != KERNEL_TAKES_F32)
        return "takes is neither int8 nor f32";
    if (!f32 && kernel->gives != KERNEL_GIVES_INT32)
        return "gives is neither int32 nor f32";
    if (!f32 && (kernel->takes != KERNEL_TAKES_INT8 || !format_is_integer(format)))
        return "int32 results come from int8 activations and integer weights only";
    if (!kernel->prepare && (kernel->prepared_bytes_per_step || kernel->prepared_bytes || kernel->row))
        return "prepared_bytes and row need prepare";
    if (kernel->prepare && (kernel->prepared_bytes != NULL) == (kernel->prepared_bytes_per_step != 0))
        return "exactly one of prepared_bytes and prepared_bytes_per_step must be given";
    /* of 1-bit activations it is 1, within which 0 lies whatever is right: then row() is what a wrong result fails by */
    if (!(kernel->error_bound >= 0 && kernel->error_bound <= 2) || (kernel->row && kernel->error_bound == 0))
        return "error_bound is not within 0 and 2 (what has the other sign is 2 off), or 0 though there is row()";
    if (!kernel->row && kernel->error_bound >= 0.1)
        return "an error_bound of 0.1 and more needs row(): what is compared with the definition alone must be near it";
    if (!f32 && kernel->error_bound > 0)
        return "int32 results are exact: error_bound is not 0";
    if (kernel->float_sums && (!f32 || kernel->float_sums < KERNEL_FLOAT_SUMS_LEAST))
        return "float_sums is below 8, or given though results are int32";
    const char *const faults[] = {gemm_fault(kernel), ordered_fault(kernel), demands_fault(kernel),
                                  rendering_fault(kernel)};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        if (faults[i])
            return faults[i];
    }
    if (kernel->gemv && kernel_cuts(kernel) && kernel->prepared_bytes)
        return "an operand that is not a row of steps cannot be cut: set whole_panels";
    if (kernel->gemv && kernel_cuts(kernel) && format->rows_per_panel > GEMV_ROWS_MAX)
        return "panels of more than 128 rows cannot be cut: set whole_panels";
    if (kernel->lossless && !format->put && !format->pack)
        return "a kernel cannot be lossless where the format has no pack()";
    return NULL;
}

/** Whether a name is "<format>.<sequence>.<isa>" of these. */
static bool is_named(const char *name, const char *format, const char *sequence, const char *isa)
{
    char expected[3 * NAME_MOST + 3];
    snprintf(expected, sizeof expected, "%s.%s.%s", format, sequence, isa);
    return name && strcmp(name, expected) == 0;
}

static int check_names(const char *what, const char *name, const char *format, const char *sequence, const char *isa,
                       char *why, size_t size)
{
    const char *shown = name ? name : "without a name";
    if (!is_word(format, "") || !is_word(sequence, "") || !isa)
        return refuse(-EINVAL, why, size, "%s %.160s: format, sequence and isa must be words", what, shown);
    if (!isa_find(isa))
        return refuse(-EINVAL, why, size, "%s %.160s: no instruction set '%.63s'; `kneepoint info` lists them", what,
                      shown, isa);
    if (!is_named(name, format, sequence, isa))
        return refuse(-EINVAL, why, size, "%s %.160s: its name must be %s.%s.%s", what, shown, format, sequence, isa);
    return 0;
}

int plugin_rules_kernel(const struct kernel *kernel, char *why, size_t size)
{
    int error = kernel->format ? check_names("kernel", kernel->name, kernel->format->name, kernel->sequence,
                                             kernel->isa, why, size)
                               : refuse(-EINVAL, why, size, "kernel %.160s: it has no format",
                                        kernel->name ? kernel->name : "without a name");
    const char *fault = error ? NULL : kernel_fault(kernel);
    return fault ? refuse(-EINVAL, why, size, "kernel %s: %s", kernel->name, fault) : error;
}

static bool has_code(const struct sequence *sequence)
{
    for (uint64_t i = 0; i < sequence->variants; i++) {
        const struct sequence_variant *variant = &sequence->variant[i];
        if (variant->accumulators == 0 || variant->accumulators > SEQUENCE_ACCUMULATORS_MAX || !variant->run_u ||
            !variant->run_2u || !variant->stream || !variant->stream_prefetch || variant->stream_groups == 0 ||
            variant->dots == 0 || variant->dots % sequence->group_dots)
            return false;
    }
    return true;
}

static const char *sequence_fault(const struct sequence *sequence)
{
    if (sequence->vector_bytes != 16 && sequence->vector_bytes != 32 &&
        (!sequence->vector_bytes || sequence->vector_bytes % 64 || sequence->vector_bytes > SEQUENCE_VECTOR_BYTES_MAX))
        return "vector_bytes is not 16, 32, 64 or, for a tile, a multiple of 64 up to 1024";
    if (!sequence->group_dots || !sequence_uops(sequence) || !sequence->group_vectors)
        return "group_dots, group_uops and group_vectors must be positive";
    if (!sequence->weight_bytes || sequence->weight_bytes > SEQUENCE_WEIGHT_BYTES_MAX || !sequence->activation_bytes ||
        sequence->activation_bytes > SEQUENCE_ACTIVATION_BYTES_MAX)
        return "weight_bytes is not 1 to 16384, or activation_bytes not 1 to 8192";
    if (!(sequence->bytes_per_vector > 0) || !(sequence->tolerance >= 0))
        return "bytes_per_vector is not positive, or tolerance negative";
    if (sequence->weight_values > SEQUENCE_OWN || sequence->activation_values > SEQUENCE_OWN ||
        sequence->lane > SEQUENCE_FLOAT32)
        return "weight_values, activation_values or lane has an unknown value";
    if (!sequence->dots && !sequence->reference)
        return "it has neither dots nor a reference: nothing can check it";
    if (!sequence->fill && (sequence->weight_values == SEQUENCE_OWN || sequence->activation_values == SEQUENCE_OWN))
        return "own values need fill";
    if (!sequence->variants || sequence->variants > SEQUENCE_ACCUMULATORS_MAX || !sequence->variant ||
        !has_code(sequence))
        return "a variant lacks code, dots or accumulators";
    return NULL;
}

int plugin_rules_sequence(const struct sequence *sequence, char *why, size_t size)
{
    int error = check_names("sequence", sequence->name, sequence->format, sequence->sequence, sequence->isa, why, size);
    const char *fault = error ? NULL : sequence_fault(sequence);
    return fault ? refuse(-EINVAL, why, size, "sequence %s: %s", sequence->name, fault) : error;
}
