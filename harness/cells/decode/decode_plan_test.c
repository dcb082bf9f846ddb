/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/decode/decode_plan.h"

#include <string.h>

#include "harness/cells/product/main_kernels.h"
#include "harness/measure/session_testing.h"

static bool is_main(const struct session *session, const struct kernel *kernel, bool prompts)
{
    return prompts ? gemm_is_main(session, kernel) : gemv_is_main(session, kernel);
}

/* A rendering does what was published, and ours is what a user runs. */
static void a_rendering_is_chosen_only_where_none_of_ours_is_as_good(void **state)
{
    const struct session *session = *state;
    unsigned ours = 0;
    for (const struct format *const *format = format_all(); *format; format++) {
        for (int prompts = 0; prompts < 2; prompts++) {
            const struct kernel *chosen = decode_kernel_of(session, *format, prompts);
            if (!chosen)
                continue;
            assert_true(session_runs(session, chosen->isa));
            if (kernel_is_ours(session, chosen)) {
                ours++;
                continue;
            }
            for (const struct kernel *const *other = kernel_all(); *other; other++) {
                bool has = prompts ? (*other)->gemm.run != NULL : (*other)->gemv != NULL;
                if (has && (*other)->format == *format && kernel_is_ours(session, *other) &&
                    strcmp((*other)->isa, chosen->isa) == 0 && is_main(session, *other, prompts))
                    fail_msg("%s is chosen before %s", chosen->name, (*other)->name);
            }
        }
    }
    assert_true(ours > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {CASE(a_rendering_is_chosen_only_where_none_of_ours_is_as_good)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
