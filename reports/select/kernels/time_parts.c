/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/kernels/time_parts.h"

#include <math.h>
#include <string.h>

#include "results/records/record.h"

const char *time_part_name(enum time_part part)
{
    static const char *const names[TIME_PARTS] = {
        "memory",     "compute not hidden", "panel and page ends", "prefetch distance", "start and synchronisation",
        "unexplained"};
    return part < TIME_PARTS ? names[part] : "";
}

/** Whether a term is of the kernel of a GEMV, its shape and team. */
static bool is_term_of(const json_t *row, const json_t *gemv)
{
    return strcmp(view_text(row, "subject"), view_text(gemv, "name")) == 0 &&
           view_number(row, "m") == view_number(gemv, "m") && view_number(row, "k") == view_number(gemv, "k") &&
           view_number(row, "threads") == view_number(gemv, "threads");
}

/** The term of that name and variant of the kernel of a GEMV, its shape and team; NULL: it was not measured. */
static const json_t *term_of(const struct view *view, const json_t *gemv, const char *term, const char *variant)
{
    for (size_t i = 0; i < view->of[VIEW_TERM].count; i++) {
        const json_t *row = view->of[VIEW_TERM].rows[i];
        if (strcmp(view_text(row, "term"), term) == 0 && strcmp(view_text(row, "variant"), variant) == 0 &&
            is_term_of(row, gemv))
            return row;
    }
    return NULL;
}

/** Seconds of all events of a term in the GEMV; NaN where it is not known. */
static double all_events_s(const json_t *term)
{
    return term ? view_number(term, "all_events") * view_median(term, "cost_s") : (double)NAN;
}

static double memory_s(const struct view *view, const json_t *gemv)
{
    double recorded = view_number(gemv, "shared_read_s");
    const json_t *roof = view_roof(view, "memory", record_count(gemv, "threads"));
    return isfinite(recorded) ? recorded : view_number(gemv, "packed_bytes") / view_median(roof, "bytes_per_s");
}

/** gamma times vectors over the clock. */
static double modelled_compute_s(const json_t *gemv)
{
    double recorded = view_number(gemv, "compute_s"), threads = view_number(gemv, "threads");
    double core_hz = view_median(gemv, "bytes_per_s") / view_median(gemv, "bytes_per_cycle_per_core") / threads;
    double vectors = view_number(gemv, "m") * view_number(gemv, "k") / 32 / threads;
    return isfinite(recorded) ? recorded : view_number(gemv, "gamma") * vectors / core_hz;
}

/** The kernel's own from the second cache, less the panel ends in it; NaN where it was not measured. */
static double measured_compute_s(const struct view *view, const json_t *gemv)
{
    const json_t *memory = term_of(view, gemv, "memory", "");
    double ends_s = all_events_s(term_of(view, gemv, "panel_end", "L2"));
    return memory ? view_median(memory, "without_s") - (isfinite(ends_s) ? ends_s : 0) : (double)NAN;
}

/** Seconds of page ends: none where the pool lies on huge pages. */
static double pages_s(const struct view *view, const json_t *gemv)
{
    double huge = view_number(json_object_get(view->meta, "memory"), "huge_page_fraction");
    double cost_s = all_events_s(term_of(view, gemv, "pages", ""));
    return isfinite(huge) && isfinite(cost_s) && huge < 1 ? (1 - huge) * cost_s : 0;
}

/** What another distance of the prefetch saves at least; 0 where none was tried or none does for certain. */
static double prefetch_s(const struct view *view, const json_t *gemv)
{
    double most_s = 0;
    for (size_t i = 0; i < view->of[VIEW_TERM].count; i++) {
        const json_t *row = view->of[VIEW_TERM].rows[i];
        if (!is_term_of(row, gemv) || strcmp(view_text(row, "term"), "prefetch") != 0)
            continue;
        const json_t *interval = json_object_get(json_object_get(row, "difference_s"), "ci95");
        most_s = fmax(most_s, -json_number_value(json_array_get(interval, 1)));
    }
    return most_s;
}

/** Of a call; of records that do not have it the barrier of the team, which one thread has none of. */
static double start_s(const struct view *view, const json_t *gemv)
{
    double recorded = view_number(gemv, "start_s"), threads = view_number(gemv, "threads");
    for (size_t i = 0; !isfinite(recorded) && i < view->of[VIEW_SYNC].count; i++) {
        if (view_number(view->of[VIEW_SYNC].rows[i], "threads") == threads)
            recorded = view_median(view->of[VIEW_SYNC].rows[i], "time_s");
    }
    return isfinite(recorded) ? recorded : 0;
}

bool time_parts_of(const struct view *view, const json_t *gemv, struct time_parts *parts)
{
    double ends_s = all_events_s(term_of(view, gemv, "panel_end", "memory"));
    double measured_s = measured_compute_s(view, gemv), compute_s = modelled_compute_s(gemv);
    struct time_parts found = {.total_s = view_median(gemv, "time_s"),
                               .ends_known = isfinite(ends_s),
                               .compute_measured = isfinite(measured_s)};
    compute_s = found.compute_measured ? measured_s : compute_s;
    found.of_s[TIME_MEMORY] = memory_s(view, gemv);
    found.of_s[TIME_COMPUTE] = fmax(0, compute_s - found.of_s[TIME_MEMORY]);
    found.of_s[TIME_ENDS] = (found.ends_known ? ends_s : 0) + pages_s(view, gemv);
    found.of_s[TIME_PREFETCH] = prefetch_s(view, gemv);
    found.of_s[TIME_START] = start_s(view, gemv);
    found.of_s[TIME_UNEXPLAINED] = found.total_s;
    for (int part = 0; part < TIME_UNEXPLAINED; part++)
        found.of_s[TIME_UNEXPLAINED] -= found.of_s[part];
    if (!isfinite(found.of_s[TIME_UNEXPLAINED]) || !isfinite(compute_s) || !(found.total_s > 0))
        return false;
    *parts = found;
    return true;
}
