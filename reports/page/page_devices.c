/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The roofs of OpenCL devices, a row a roof.
 */
#include <stdio.h>

#include "reports/page/html.h"
#include "reports/page/page_sections.h"

static void write_row(const json_t *row, FILE *html)
{
    const json_t *agree = json_object_get(row, "timers_agree");
    char device[256];
    snprintf(device, sizeof device, "%s (%s)", view_text(row, "title"), view_text(row, "kind"));
    fputs("<tr>", html);
    html_cell(html, device);
    html_cell(html, view_text(row, "roof"));
    html_number(html, "%.4g", view_median(row, "bytes_per_s") * 1e-9);
    html_number(html, "%.4g", view_median(row, "operations_per_s") * 1e-9);
    html_number(html, "%.4g", view_median(row, "time_s") * 1e6);
    html_cell(html, !json_is_boolean(agree) ? "–" : json_is_true(agree) ? "agree" : "differ");
    html_cell(html, view_text(row, "variant"));
    fputs("</tr>\n", html);
}

void page_write_devices(const struct view *view, FILE *html)
{
    static const char *const headings[] = {"device",       "roof",   "#GB/s",   "#10⁹ operations/s",
                                           "#µs a launch", "timers", "variant", NULL};
    if (!view->of[VIEW_DEVICE_ROOF].count)
        return;
    fputs("<h3>OpenCL devices</h3>\n", html);
    html_table_begin(html, &(struct html_table){
                               .id = "devices",
                               .caption = "Roofs of OpenCL devices",
                               .example = "memory",
                               .headings = headings,
                               .about = "The fastest variant of each kernel, in series of launches by the "
                                        "host's clock. The timers differ where profiling events say "
                                        "something else. A device of type cpu is this machine's cores, not a GPU."});
    for (size_t i = 0; i < view->of[VIEW_DEVICE_ROOF].count; i++)
        write_row(view->of[VIEW_DEVICE_ROOF].rows[i], html);
    html_table_end(html);
}
