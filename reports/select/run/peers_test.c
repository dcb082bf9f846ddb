/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/run/peers.h"
#include "reports/select/run/testing.h"

TEST(a_peer_is_no_reference)
{
    static const struct {
        const char *name, *plugin, *shown;
    } kernels[] = {{"q4_0.ggml.reference", "ggml", "q4_0.ggml"},
                   {"q4_0.reference.avx2", "", "q4_0.reference.avx2"},
                   {"q4_0.scalar.reference", "", "q4_0.scalar.reference"},
                   {"f32.mine.avx2", "mine", "f32.mine.avx2"},
                   {".reference", "mine", ".reference"}};
    json_auto_t *records = json_array();
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        json_array_append_new(records, json_pack("{s:s,s:s}", "name", kernels[i].name, "plugin", kernels[i].plugin));
    peers_rename(records);
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        assert_string_equal(view_text(json_array_get(records, i), "name"), kernels[i].shown);
}

TEST(what_mentions_a_peer_calls_it_so)
{
    json_t *records = json_pack("[{s:s,s:s},{s:s,s:s},{s:s,s:s},s]", "subject", "q4_0.ggml.reference", "name",
                                "barrier", "name", "q4_0.ggml.reference", "plugin", "ggml", "gamma_used",
                                "q4_0.ggml.reference@4", "kernel", "q4_0.scalar.reference", "no object");
    peers_rename(records);
    assert_string_equal(view_text(json_array_get(records, 0), "subject"), "q4_0.ggml");
    assert_string_equal(view_text(json_array_get(records, 0), "name"), "barrier");
    assert_string_equal(view_text(json_array_get(records, 2), "gamma_used"), "q4_0.ggml@4");
    assert_string_equal(view_text(json_array_get(records, 2), "kernel"), "q4_0.scalar.reference");
    json_decref(records);
    peers_rename(NULL);
}

RUN_TESTS(NULL, NULL)
