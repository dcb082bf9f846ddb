/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a paper states (roofline/papers/<paper>.json), recomputed.
 *
 * json: one object
 */
#include "fuzz/frame/target.h"
#include "reports/papers/papers.h"

FUZZ_TARGET(bytes, length)
{
    struct papers papers = {0};
    char why[512] = "";
    if (papers_add(&papers, (const char *)bytes, length, "given.json", why, sizeof why)) {
        hold_refusal(why);
    } else {
        for (size_t i = 0; i < papers.count; i++) {
            hold(papers.claims[i].which < papers.claims[i].reading_count);
            (void)papers_difference(&papers.claims[i]);
            json_decref(papers_record(&papers.claims[i]));
        }
    }
    papers_free(&papers);
}
