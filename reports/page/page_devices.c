/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The roofs of OpenCL devices, a row a roof, and their products.
 */
#include <stdio.h>

#include "reports/page/html.h"
#include "reports/page/page_sections.h"

/** "Arc B580 (gpu)" and what else rows have in common. */
static void write_device(const json_t *row, FILE *html)
{
    char device[256];
    snprintf(device, sizeof device, "%s (%s)", view_text(row, "title"), view_text(row, "kind"));
    html_cell(html, device);
}

static void write_timers(const json_t *row, FILE *html)
{
    const json_t *agree = json_object_get(row, "timers_agree");
    html_cell(html, !json_is_boolean(agree) ? "–" : json_is_true(agree) ? "agree" : "differ");
}

static void write_roof(const json_t *row, FILE *html)
{
    write_device(row, html);
    html_cell(html, view_text(row, "roof"));
    html_number(html, "%.4g", view_median(row, "bytes_per_s") * 1e-9);
    html_number(html, "%.4g", view_median(row, "operations_per_s") * 1e-9);
    html_number(html, "%.4g", view_median(row, "time_s") * 1e6);
}

static void write_gamma(const json_t *row, FILE *html)
{
    write_device(row, html);
    html_cell(html, view_text(row, "kernel"));
    html_number(html, "%.4g", view_median(row, "vector_s") * 1e9);
    html_number(html, "%.4g", view_number(row, "bytes_per_vector"));
    html_number(html, "%.4g", view_number(row, "knee_bytes_per_s") * 1e-9);
}

static void write_kernel_and_shape(const json_t *row, FILE *html)
{
    char shape[64];
    snprintf(shape, sizeof shape, "%.0f×%.0f", view_number(row, "m"), view_number(row, "k"));
    write_device(row, html);
    html_cell(html, view_text(row, "kernel"));
    html_cell(html, shape);
}

static void write_rate_and_limit(const json_t *row, const char *rate, FILE *html)
{
    html_number(html, "%.4g", view_median(row, "time_s") * 1e6);
    html_number(html, "%.4g", view_median(row, rate) * 1e-9);
    html_number(html, "%.2f", view_number(row, "roof_fraction"));
    html_cell(html, view_text(row, "binds"));
}

static void write_gemv(const json_t *row, FILE *html)
{
    write_kernel_and_shape(row, html);
    write_rate_and_limit(row, "bytes_per_s", html);
}

static void write_gemm(const json_t *row, FILE *html)
{
    write_kernel_and_shape(row, html);
    html_number(html, "%.0f", view_number(row, "n"));
    write_rate_and_limit(row, "operations_per_s", html);
}

static void write_table(const struct view *view, enum view_type type, const struct html_table *table,
                        void (*write)(const json_t *row, FILE *html), FILE *html)
{
    if (!view->of[type].count)
        return;
    html_table_begin(html, table);
    for (size_t i = 0; i < view->of[type].count; i++) {
        fputs("<tr>", html);
        write(view->of[type].rows[i], html);
        write_timers(view->of[type].rows[i], html);
        html_cell(html, view_text(view->of[type].rows[i], "variant"));
        fputs("</tr>\n", html);
    }
    html_table_end(html);
}

void page_write_devices(const struct view *view, FILE *html)
{
    static const char *const of_roofs[] = {"device",       "roof",   "#GB/s",   "#10⁹ operations/s",
                                           "#µs a launch", "timers", "variant", NULL};
    static const char *const of_gemvs[] = {"device",       "kernel", "M×K",    "#µs",     "#GB/s",
                                           "#of the roof", "limit",  "timers", "variant", NULL};
    static const char *const of_gammas[] = {"device",      "kernel", "#γ, ns",  "#bytes",
                                            "#knee, GB/s", "timers", "variant", NULL};
    static const char *const of_gemms[] = {"device",       "kernel", "M×K",    "#tokens", "#µs", "#10⁹ operations/s",
                                           "#of the roof", "limit",  "timers", "variant", NULL};
    if (!view->of[VIEW_DEVICE_ROOF].count && !view->of[VIEW_DEVICE_GAMMA].count && !view->of[VIEW_DEVICE_GEMV].count &&
        !view->of[VIEW_DEVICE_GEMM].count)
        return;
    fputs("<h3>OpenCL devices</h3>\n", html);
    write_table(view, VIEW_DEVICE_ROOF,
                &(struct html_table){.id = "devices",
                                     .caption = "Roofs of OpenCL devices",
                                     .example = "memory",
                                     .headings = of_roofs,
                                     .about =
                                         "The fastest variant of each kernel, in series of launches by the "
                                         "host's clock. The timers differ where profiling events say "
                                         "something else. A device of type cpu is this machine's cores, not a GPU."},
                write_roof, html);
    write_table(view, VIEW_DEVICE_GAMMA,
                &(struct html_table){
                    .id = "device-gamma",
                    .caption = "γ on OpenCL devices",
                    .example = "int2",
                    .headings = of_gammas,
                    .about = "The time in which a compute unit up-converts and multiplies 32 weights that are in "
                             "registers, while all units do so, and the bandwidth at which memory and that are "
                             "equally long."},
                write_gamma, html);
    write_table(view, VIEW_DEVICE_GEMV,
                &(struct html_table){
                    .id = "device-gemv",
                    .caption = "GEMV on OpenCL devices",
                    .example = "int2",
                    .headings = of_gemvs,
                    .about =
                        "The fastest variant of each kernel, its weights from the device's memory; the roof is the "
                        "device's memory read of the same run."},
                write_gemv, html);
    write_table(view, VIEW_DEVICE_GEMM,
                &(struct html_table){
                    .id = "device-gemm",
                    .caption = "GEMM on OpenCL devices",
                    .example = "int2",
                    .headings = of_gemms,
                    .about =
                        "The fastest variant of each kernel, its weights from the device's memory; the roof is the "
                        "slower of reading the weights and multiplying int8 or fp32 in the same run."},
                write_gemm, html);
}
