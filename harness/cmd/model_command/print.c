/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/cmd/console/console.h"
#include "harness/cmd/model_command/model_command.h"
#include "results/controls.h"

static const double mib = 1024.0 * 1024.0, gib = 1024.0 * 1024.0 * 1024.0;

enum { ROLES_SHOWN = 40 };

const char *model_text(struct gguf_text text, char *out, size_t size)
{
    char raw[256];
    snprintf(raw, sizeof raw, "%.*s", (int)(text.length < sizeof raw ? text.length : sizeof raw - 1), text.at);
    return controls_escape(raw, out, size);
}

bool model_kernel_is_of(const struct model_view *view, const struct kernel *kernel, const struct census_type *type)
{
    return type->type && type->type->format && strcmp(kernel->format->name, type->type->format) == 0 && kernel->gemv &&
           isa_runs(isa_find(kernel->isa), view->features);
}

/* ---- the file ---- */

static void print_fact(const char *before, uint64_t number, const char *what)
{
    if (number)
        printf("%s%" PRIu64 " %s", before, number, what);
}

static void print_heading(const struct model_view *view)
{
    const struct model_facts *facts = &view->facts;
    char name[256], architecture[128], path[4352];
    model_text(facts->name, name, sizeof name);
    model_text(facts->architecture, architecture, sizeof architecture);
    printf("%s%s%s (%s), GGUF version %" PRIu32 ", %.2f GiB in %zu file%s: %s\n", console_bold(),
           *name ? name : "a model without a name", console_plain(), *architecture ? architecture : "no architecture",
           view->file.shards[0].gguf.version, (double)view->file.bytes / gib, view->file.shard_count,
           view->file.shard_count == 1 ? "" : "s", controls_escape(view->path, path, sizeof path));
    printf("  %zu tensors, %.4g weights", view->file.tensor_count, view->census.weights);
    if (view->census.weights > 0)
        printf(" of %.2f bits", 8 * view->census.bytes / view->census.weights);
    print_fact(", ", facts->layers, "layers");
    print_fact(", embedding of ", facts->embedding, "numbers");
    print_fact(", ", facts->heads, "heads");
    print_fact(", ", facts->kv_heads, "key-value heads");
    print_fact(", context of up to ", facts->context, "positions");
    if (facts->experts)
        printf(", %" PRIu64 " experts of which a token uses %" PRIu64, facts->experts, facts->experts_used);
    puts("");
}

static void print_kernels(const struct model_view *view, const struct census_type *type)
{
    const char *glue = "";
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        if (!model_kernel_is_of(view, *kernel, type))
            continue;
        printf("%s%s.%s", glue, (*kernel)->sequence, (*kernel)->isa);
        glue = ", ";
    }
    puts(*glue ? "" : type->type ? "none" : "none: not a type that is known");
}

static void print_types(const struct model_view *view)
{
    printf("\n  %-9s %7s %10s %10s  %s\n", "type", "tensors", "weights", "MiB", "kernels that take it here");
    for (size_t i = 0; i < view->census.type_count; i++) {
        const struct census_type *type = &view->census.types[i];
        char name[32];
        printf("  %-9s %7" PRIu64 " %10.4g %10.1f  ", census_type_name(type->type_id, type->type, name, sizeof name),
               type->tensors, type->weights, type->bytes / mib);
        print_kernels(view, type);
    }
}

/* ---- a token ---- */

static void print_shape(const struct census_group *group)
{
    char shape[48] = "-";
    if (group && group->m)
        snprintf(shape, sizeof shape, "%" PRIu64 "x%" PRIu64, group->m, group->k);
    printf(" %13s", shape);
}

/** What limits it, and the kernel that it was computed with or why there is none. */
static void print_limit(const struct model_view *view, const struct token_part *part)
{
    printf("  %s", view->has_platform ? token_limit_name(part->limit) : "-");
    if (part->kernel)
        printf(", %s", part->kernel->name);
    else if (part->why[0])
        printf(": %s", part->why);
    puts("");
}

static void print_part(const struct model_view *view, const struct token_part *part)
{
    const struct census_group *group = part->group;
    char name[32], roles[2 * ROLES_SHOWN + 1];
    controls_escape(group ? group->roles : "keys and values", roles, sizeof roles);
    if (strlen(roles) > ROLES_SHOWN)
        strcpy(roles + ROLES_SHOWN - 3, "...");
    printf("  %-*s %-8s", ROLES_SHOWN, roles,
           group ? census_type_name(group->type_id, group->type, name, sizeof name) : "16 bits");
    print_shape(group);
    if (group)
        printf(" %6.4g", group->calls);
    else
        printf(" %6s", "-");
    print_number(part->bytes / mib, 9, 2, "");
    print_number(1e3 * part->seconds, 9, 3, "");
    print_number(part->bytes / part->seconds / 1e9, 6, 1, "");
    print_limit(view, part);
}

static void print_sum(const struct model_view *view)
{
    const struct token_prediction *token = &view->token;
    printf("  %-*s %-8s %13s %6s", ROLES_SHOWN, "a token", "", "", "");
    print_number(token->bytes / mib, 9, 2, "");
    print_number(1e3 * token->seconds, 9, 3, "");
    print_number(token->bytes / token->seconds / 1e9, 6, 1, "");
    puts("");
    if (!(token->seconds > 0))
        return;
    printf(
        "\nAt most %.2f tokens/s: %.3f ms if all arithmetic hides behind reading. Predicted %.2f tokens/s, with omega "
        "and the start of calls where measured.\nArithmetic of attention, norms and sampling is not counted; all weights "
        "come from memory, which reads %.1f GB/s.\n",
        1 / token->least_s, 1e3 * token->least_s, 1 / token->seconds, token->roof_bytes_per_s / 1e9);
}

static void print_token(const struct model_view *view)
{
    if (view->has_platform)
        printf("\nOne token at %" PRIu64 " positions, on %s by %s, %zu thread%s\n", view->positions,
               view->platform.title, view->platform_from, view->team.total, view->team.total == 1 ? "" : "s");
    else
        printf("\nOne token at %" PRIu64 " positions; no time: %s\n", view->positions, view->why);
    printf("  %-*s %-8s %13s %6s %9s %9s %6s  %s\n", ROLES_SHOWN, "tensors", "type", "MxK", "calls", "MiB", "ms",
           "GB/s", "limited by");
    for (size_t i = 0; i < view->token.count; i++)
        print_part(view, &view->token.parts[i]);
    print_sum(view);
    if (view->facts.window)
        printf("Keys and values: each layer as if it had the sliding window of %" PRIu64 " positions.\n",
               view->facts.window);
    if (view->census.tied)
        puts("The embeddings are the output head, too: looked up and multiplied.");
}

void model_print(const struct model_view *view)
{
    print_heading(view);
    print_types(view);
    print_token(view);
}
