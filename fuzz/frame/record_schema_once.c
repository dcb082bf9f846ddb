/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The schema of records is 100 KB and read for each run: while inputs are tried it is read once. The linker puts this in its place.
 */
#include "results/schema/record_schema.h"

json_t *__real_record_schema(void);
json_t *__wrap_record_schema(void);

json_t *__wrap_record_schema(void)
{
    static json_t *once;
    if (!once)
        once = __real_record_schema();
    return json_incref(once);
}
