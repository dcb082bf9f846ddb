/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/decode/decode_plan.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/cells/decode/decode.h"
#include "harness/cells/layer/layer.h"
#include "harness/cells/product/main_kernels.h"

const char decode_head_format[] = "bf16";

/* ---- which cells ---- */

int decode_add(struct cells *cells, const struct decode_work *work)
{
    struct cell *cell = cells_add(cells, &cell_kind_decode);
    if (!cell)
        return -ENOMEM;
    struct decode_cell *own = decode_cell(cell);
    char users[24] = "", kept[16] = "", lengths[DECODE_LENGTHS_TEXT];
    struct decode_weights_request none = decode_request(work, 0, 1), all = decode_request(work, work->model.layers, 1);
    own->work = *work;
    own->head_bytes = decode_weights_bytes(&none);
    own->layer_bytes = decode_weights_bytes(&all) - own->head_bytes;
    own->cache_bytes =
        decode_cache_bytes(work->cache, &work->model, decode_work_given(work), work->model.layers, &work->context);
    own->distance = own->huge_fraction = NAN;
    cell->kernel = work->kernel;
    cell->threads = work->threads;
    cell->cold = cell->beside_roof = true;
    cell->repeats = 1;
    if (work->users)
        snprintf(users, sizeof users, "/u%zu", work->users);
    if (work->cache)
        snprintf(kept, sizeof kept, "/%s", layer_cache_name(work->cache));
    snprintf(cell->name, sizeof cell->name, "decode/%s/%s/%s/c%s%s%s/t%u", work->model.name, work->kernel->name,
             work->head->name, decode_lengths_text(&work->context, 0, lengths, sizeof lengths), kept, users,
             work->threads);
    if (decode_is_tuned(work))
        snprintf(cell->name + strlen(cell->name), sizeof cell->name - strlen(cell->name), "/tuned");
    return 0;
}

int decode_add_scheduled(struct cells *cells, const struct decode_work *work,
                         const struct product_schedule_request *layers, const struct product_schedule_request *head)
{
    int error = decode_add(cells, work);
    if (error || product_schedule_is_plain(layers, work->threads))
        return error;
    struct cell *cell = &cells->cell[cells->count - 1];
    struct decode_cell *own = decode_cell(cell);
    own->schedule = product_schedule_make(layers, work->threads);
    own->head_schedule = product_schedule_make(head, work->threads);
    if (!own->schedule || !own->head_schedule)
        return -ENOMEM;
    product_schedule_name(own->schedule, cell);
    return 0;
}

/* ---- in a characterization ---- */

enum { FORMATS_MOST = 6 };

static const struct planned {
    const char *model, *format[FORMATS_MOST];
    bool renderings; /* every main kernel of a format, and so the paper's own as well; else the best one */
} planned[] = {
    {"falcon3-1b", {"bf16", "q4_0", "int2_planes", "int1_planes", "i2_s", "tl2"}, false},
    {"bitnet-700m", {"i2_s", "tl2"}, true},
};
enum { PLANNED = sizeof planned / sizeof *planned };

static bool is_main(const struct session *session, const struct kernel *kernel, bool prompts)
{
    return prompts ? gemm_is_main(session, kernel) : gemv_is_main(session, kernel);
}

/** Main kernels before others, then the better ISA, then kernels of ours before renderings of published ones. */
static bool is_before(const struct session *session, const struct kernel *one, const struct kernel *other, bool prompts)
{
    bool one_is_main = is_main(session, one, prompts), other_is_main = is_main(session, other, prompts);
    int one_priority = isa_find(one->isa)->priority, other_priority = isa_find(other->isa)->priority;
    if (one_is_main != other_is_main)
        return one_is_main;
    if (one_priority != other_priority)
        return one_priority > other_priority;
    return kernel_is_ours(session, one) && !kernel_is_ours(session, other);
}

const struct kernel *decode_kernel_of(const struct session *session, const struct format *format, bool prompts)
{
    const struct kernel *best = NULL;
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        bool has = prompts ? (*kernel)->gemm.run != NULL : (*kernel)->gemv != NULL;
        if ((*kernel)->format == format && has && session_runs(session, (*kernel)->isa) &&
            (!best || is_before(session, *kernel, best, prompts)))
            best = *kernel;
    }
    return best;
}

/** What stands for a width where no kernel of its first format runs: without AVX-512. */
static const struct {
    const char *format, *instead;
} same_width[] = {{"int2_planes", "int2_vnni4"}, {"int1_planes", "int1_planes_m8"}};

const struct kernel *decode_kernel_of_width(const struct session *session, const char *format, bool prompts)
{
    const struct kernel *kernel = decode_kernel_of(session, format_find(format), prompts);
    for (size_t i = 0; !kernel && i < sizeof same_width / sizeof *same_width; i++) {
        if (strcmp(same_width[i].format, format) == 0)
            kernel = decode_kernel_of(session, format_find(same_width[i].instead), prompts);
    }
    return kernel;
}

/** A pass with a kernel, if memory holds it. */
static int plan_one(struct cells *cells, const struct session *session, struct decode_work *work,
                    const struct kernel *kernel)
{
    char why[SESSION_WHY];
    size_t distinct;
    work->kernel = kernel;
    if (decode_fits(session, work, &distinct, why, sizeof why))
        return 0;
    const int error = layer_add(cells, session, &work->model, work->cache);
    return error ? error : decode_add(cells, work);
}

static int plan_format(struct cells *cells, const struct session *session, const struct planned *model,
                       const char *format, struct decode_work *work)
{
    const struct kernel *best = decode_kernel_of_width(session, format, false);
    int error = 0;
    for (const struct kernel *const *kernel = kernel_all(); best && !error && *kernel; kernel++) {
        bool wanted = *kernel == best || (model->renderings && (*kernel)->format == best->format &&
                                          session_runs(session, (*kernel)->isa) && gemv_is_main(session, *kernel) &&
                                          !plugins_of_kernel(&session->plugins, *kernel));
        error = wanted ? plan_one(cells, session, work, *kernel) : 0;
    }
    return error;
}

static int plan_model(struct cells *cells, const struct planning *planning, const struct planned *model)
{
    const struct session *session = planning->session;
    struct decode_work work = {.context = {1, {DECODE_CONTEXT}}, .threads = planning->sizes[planning->teams - 1]};
    char why[SESSION_WHY];
    int error = model_find(model->model, &work.model, why, sizeof why);
    work.head = decode_kernel_of(session, format_find(decode_head_format), false);
    for (size_t f = 0; !error && work.head && f < FORMATS_MOST && model->format[f]; f++)
        error = plan_format(cells, session, model, model->format[f], &work);
    return error;
}

int decode_plan(struct cells *cells, const struct planning *planning)
{
    int error = 0;
    for (size_t i = 0; !error && i < PLANNED; i++)
        error = plan_model(cells, planning, &planned[i]);
    return error;
}

enum cell_value decode_value(const struct planning *planning, const struct cell *cell)
{
    (void)planning, (void)cell;
    return CELL_PAPERS;
}

/* ---- what it takes ---- */

/** Where the machine is not known yet: bytes a second of a core and of memory; to write a byte for the first time, seconds. */
static const double SLOW_CORE = 8e9, SLOW_MEMORY = 24e9, FIRST_WRITE_S = 1e-9;

/** Of a member, in a read of the roof before each sample. */
static const double ROOF_BYTES = 64 << 20;

/** Multiply-adds a second of a core, by GEMMs. */
static const double SLOW_GEMM = 50e9;

/** To check the reduced model, to begin a visit, seconds; bytes of its summary. */
static const double CHECK_S = 0.5, BEGIN_S = 0.3, SUMMARY_BYTES = 6000;

struct cell_cost decode_cost(const struct session *session, const struct cell *cell)
{
    (void)session;
    const struct decode_cell *own = decode_cell(cell);
    double bytes = (double)(own->layer_bytes + own->head_bytes + own->cache_bytes);
    double multiplied = 8 * (double)(own->layer_bytes + own->head_bytes) / cell->kernel->format->bits *
                        (double)own->work.users / (SLOW_GEMM * cell->threads);
    double rate = SLOW_CORE * cell->threads < SLOW_MEMORY ? SLOW_CORE * cell->threads : SLOW_MEMORY;
    return (struct cell_cost){.once_s = CHECK_S,
                              .visit_s = BEGIN_S + FIRST_WRITE_S * bytes,
                              .sample_s = (1.3 * bytes + ROOF_BYTES * cell->threads) / rate + multiplied,
                              .bytes = SUMMARY_BYTES};
}
