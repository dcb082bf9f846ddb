/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For tests of the command line: of the certificates of our kernels, each of which certificate_test makes as well, one in
 * eight is made and the others are as they should be. On a recorded machine (platforms/machine/machine_standin.h) none is made, since this one
 * may lack what the kernel needs.
 */
#include <stdatomic.h>

#include "harness/check/items/certificate.h"
#include "platforms/machine/machine_standin.h"

int __real_certificate_make_apart(const struct kernel *kernel, enum certificate_product product,
                                  struct certificate *certificate);
int __wrap_certificate_make_apart(const struct kernel *kernel, enum certificate_product product,
                                  struct certificate *certificate);

enum { ONE_IN = 8 };

int __wrap_certificate_make_apart(const struct kernel *kernel, enum certificate_product product,
                                  struct certificate *certificate)
{
    static atomic_uint asked;
    if (!machine_standin_folder() && atomic_fetch_add(&asked, 1) % ONE_IN == 0)
        return __real_certificate_make_apart(kernel, product, certificate);
    *certificate = (struct certificate){.verdict = CERTIFICATE_EXACT};
    for (int pattern = 0; pattern < CERTIFICATE_LEAST; pattern++)
        certificate->line[pattern] = (struct certificate_line){.verdict = CERTIFICATE_EXACT, .rows = 1, .k_most = 1};
    return 0;
}
