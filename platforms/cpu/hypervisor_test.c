/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/cpu/hypervisor.h"
#include "unit_test.h"

static void test_signatures_are_named(void **state)
{
    (void)state;
    assert_string_equal(hypervisor_name("KVMKVMKVM"), "KVM");
    assert_string_equal(hypervisor_name("VMwareVMware"), "VMware");
    assert_string_equal(hypervisor_name("Microsoft Hv"), "Hyper-V");
    assert_string_equal(hypervisor_name("XenVMMXenVMM"), "Xen");
    assert_string_equal(hypervisor_name("xen"), "Xen");
    assert_string_equal(hypervisor_name("TCGTCGTCGTCG"), "QEMU TCG");
    assert_string_equal(hypervisor_name("qemu"), "QEMU TCG");
}

static void test_other_text_stays(void **state)
{
    (void)state;
    assert_string_equal(hypervisor_name(""), "");
    assert_string_equal(hypervisor_name("KVM"), "KVM");
    assert_string_equal(hypervisor_name("KVMKVMKVMX"), "KVMKVMKVMX");
    assert_string_equal(hypervisor_name("Amazon EC2 m7i.large"), "Amazon EC2 m7i.large");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_signatures_are_named),
        cmocka_unit_test(test_other_text_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
