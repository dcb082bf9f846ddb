# SPDX-License-Identifier: BSD-3-Clause
#
# make faults: the tool of the tests of commands, in which one call of the system fails on purpose (scripts/faults/fail.c).

FAULTS := $(BUILD)/kneepoint-faults
FAIL   := $(BUILD)/scripts/faults/fail.o
$(FAIL): scripts/faults/fail.c $(BUILT_WITH)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS_ALL) -MMD -MP -c $< -o $@

# It wraps what it defines.
$(FAULTS): $(BUILD)/harness/main.o $(OBJ_STANDINS) $(FAIL) $(LIB) $(LINKED_WITH)
	$(Q)$(CC) $(LDFLAGS) $(TEST_LDFLAGS) -o $@ $(BUILD)/harness/main.o $(OBJ_STANDINS) $(WRAP) $(FAIL) \
	  $$(nm $(FAIL) | sed -n 's/.* T __wrap_/-Wl,--wrap=/p') $(LIB) $(LDLIBS)

faults: $(FAULTS)  ## make each way to a call of the system fail, in each command on a small input, or T=command; SAN=1; N=1: each call
	$(Q)scripts/faults/faults --binary $(FAULTS) $(if $(N),--each-call) $(T)

check: $(if $(filter scripts/faults/%,$(BATS)),$(FAULTS))
tests: $(FAULTS)

.PHONY: faults
