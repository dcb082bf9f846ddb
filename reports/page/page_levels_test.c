/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/page/page_sections.h"
#include "reports/select/run/testing.h"

static char *written_by(void (*write)(const struct view *view, FILE *html), const char *lines)
{
    struct made_run run;
    char *text = NULL;
    size_t length;
    make_run(&run, "{}", lines);
    FILE *html = open_memstream(&text, &length);
    write(&run.view, html);
    fclose(html);
    free_run(&run);
    return text;
}

static char *levels_of(const char *lines)
{
    return written_by(page_write_levels, lines);
}

#define ROOF(level, threads, rate)                                                                                     \
    "{'type':'beta','name':'roof','level':'" level "','threads':" #threads                                             \
    ",'stream':'s','roof':true,'bytes_per_s':{'median':" #rate "}},"
#define LATENCY(level, threads, readers, seconds)                                                                      \
    "{'type':'latency','name':'" level "/idle','level':'" level "','threads':" #threads ",'readers':" #readers         \
    ",'latency_s':{'median':" #seconds "}}"

TEST(a_row_has_one_core_the_widest_team_and_the_idle_latency)
{
    freed char *text =
        levels_of(RECORDS(ROOF("memory", 1, 1e10) ROOF("memory", 2, 1.5e10) ROOF("memory", 16, 9e10) ROOF("L1", 1, 5e11)
                              ROOF("L1", 16, 8e12) ROOF("L2", 16, 2e12) LATENCY("memory", 16, 15, 3e-7),
                          LATENCY("memory", 1, 0, 1.25e-7)));
    assert_contains(text, "<th scope=\"col\" class=\"n\">1 core, GB/s</th>",
                    "<th scope=\"col\" class=\"n\">16 cores, GB/s</th>");
    assert_lacks(text, ">2 cores");
    assert_contains(text, "memory</th><td>10</td><td>90</td><td>125</td>", "L1</th><td>500</td><td>8000</td><td>–</td>",
                    "L2</th><td>–</td>");
    assert_lacks(text, "L3", "Not measured");
}

TEST(what_was_not_measured_names_its_command)
{
    freed char *text = levels_of(ROOF("memory", 1, 1e10) LATENCY("memory", 1, 0, null));
    assert_contains(text, "memory</th><td>10</td><td>–</td>");
    assert_lacks(text, "bandwidth of memory");
    assert_contains(text, "Not measured: bandwidth of the caches (<code>kneepoint beta --level=all "
                          "--into=results/machine/run</code>), latency (<code>kneepoint beta --latency "
                          "--into=results/machine/run</code>).");
    free(text);
    text = levels_of("{'type':'clock','name':'c'}");
    assert_lacks(text, "<table");
    assert_contains(text, "Not measured: bandwidth of memory (<code>kneepoint beta --into=results/machine/run</code>)");
}

#define TILES(isa, level, threads, multiplied, streamed, cycles)                                                       \
    ",{'type':'tiles','name':'" level #multiplied #streamed "','level':'" level "','threads':" #threads ",'isa':'" isa \
    "','multiplied':" #multiplied ",'streamed':" #streamed ",'cycles_per_tile':{'median':" #cycles "}}"

TEST(tiles_of_one_core_have_a_table)
{
    char *text =
        levels_of(ROOF("memory", 1, 1e10) LATENCY("memory", 1, 0, 1e-7) TILES("amx_bf16", "L1", 1, true, true, 5)
                      TILES("amx_int8", "L1", 2, false, false, 3) TILES("amx_int8", "L1", 1, false, false, 9.31)
                          TILES("amx_int8", "L1", 1, false, true, 18) TILES("amx_int8", "L1", 1, true, false, 22)
                              TILES("amx_int8", "L2", 1, false, true, 19));
    assert_contains(text, "What a tile of amx_int8 takes, core cycles</caption>",
                    "L1</th><td>9.3</td><td>22.0</td></tr>", "L2</th><td>19.0</td><td>–</td></tr>");
    free(text);
    text =
        levels_of(ROOF("memory", 1, 1e10) LATENCY("memory", 1, 0, 1e-7) TILES("amx_int8", "L1", 1, false, false, null));
    assert_lacks(text, "What a tile");
    free(text);
}

TEST(roofs_of_devices_have_a_table)
{
    static const char lines[] =
        "{'type':'device_roof','name':'opencl:0/read','roof':'memory read','title':'Arc <B580>','kind':'gpu','variant':'uint4',"
        "'timers_agree':true,'time_s':{'median':1e-3},'bytes_per_s':{'median':4.2e11}},"
        "{'type':'device_roof','name':'opencl:1/read','roof':'memory read','title':'cpu','kind':'cpu','variant':'uint16',"
        "'timers_agree':null,'time_s':{'median':null},'bytes_per_s':{'median':null}},"
        "{'type':'device_roof','name':'opencl:1/launch','roof':'launch','title':'cpu','kind':'cpu','variant':'uint1',"
        "'timers_agree':false,'time_s':{'median':3e-6}}";
    freed char *text = written_by(page_write_devices, lines);
    assert_contains(
        text, "Roofs of OpenCL devices</caption>",
        "<td>Arc &lt;B580&gt; (gpu)</td><td>memory read</td><td>420</td><td>–</td><td>1000</td><td>agree</td>",
        "<td>cpu (cpu)</td><td>memory read</td><td>–</td><td>–</td><td>–</td><td>–</td>",
        "<td>cpu (cpu)</td><td>launch</td><td>–</td><td>–</td><td>3</td><td>differ</td>");
    free(text);
    text = written_by(
        page_write_devices,
        "{'type':'device_gemv','name':'opencl:0/q4_0.rows.opencl/512x4096','kernel':'q4_0.rows.opencl','m':512,'k':4096,"
        "'title':'Arc','kind':'gpu','variant':'float16','timers_agree':true,'time_s':{'median':2e-5},"
        "'bytes_per_s':{'median':4e11},'roof_fraction':0.951,'binds':'memory'},"
        "{'type':'device_gamma','name':'opencl:0/q4_0.rows.opencl','kernel':'q4_0.rows.opencl','title':'Arc','kind':'gpu',"
        "'variant':'float16','timers_agree':true,'vector_s':{'median':1.25e-9},'bytes_per_vector':18,'knee_bytes_per_s':2.88e11},"
        "{'type':'device_gemv','name':'opencl:0/q4_k.rows.opencl/512x4096','kernel':'q4_k.rows.opencl','m':512,'k':4096,"
        "'title':'Arc','kind':'gpu','variant':'float16','timers_agree':null,'time_s':{'median':null},"
        "'bytes_per_s':{'median':null},'roof_fraction':null}");
    assert_null(strstr(text, "Roofs of OpenCL devices"));
    assert_contains(text,
                    "<td>Arc (gpu)</td><td>q4_0.rows.opencl</td><td>512×4096</td><td>20</td><td>400</td><td>0.95</td>"
                    "<td>memory</td><td>agree</td><td>float16</td>",
                    "<td>q4_0.rows.opencl</td><td>1.25</td><td>18</td><td>288</td><td>agree</td>",
                    "<td>q4_k.rows.opencl</td><td>512×4096</td><td>–</td><td>–</td><td>–</td><td></td><td>–</td>");
    free(text);
    text = written_by(page_write_devices, ROOF("memory", 1, 1e10) LATENCY("memory", 1, 0, 1e-7));
    assert_string_equal(text, "");
}

RUN_TESTS(NULL, NULL)
