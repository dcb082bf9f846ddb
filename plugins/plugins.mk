# SPDX-License-Identifier: BSD-3-Clause
#
# make plugins: other people's kernels as plug-ins (micro/plugin.h), one adapter a file, in C or C++. An adapter says in its first comment
# what it needs and where that is found: scripts/build_plugin, which builds it, has the words. Of a library that is installed
# nothing else need be given; of a checkout that the user has, its folder in the adapter's variable.

PLUGINS := $(sort $(wildcard plugins/*.c plugins/*.cpp))
plugin_variable = $(shell sed -n 's/^ \* *variable: *//p' $(1))
# What the user gave for it, here or in the environment.
plugin_checkout = $(if $(call plugin_variable,$(1)),$($(call plugin_variable,$(1))))
CXX_WARNINGS := -Wall -Wextra -Wshadow -Wconversion
plugins: export CC := $(CC)
plugins: export CXX := $(CXX)
plugins: export CPPFLAGS := $(CPPFLAGS)
plugins: export CXXFLAGS := -std=c++20 $(CFLAGS) $(CXX_WARNINGS) $(filter -f%,$(CFLAGS_ALL)) -pthread $(TIMED)
plugins: export CFLAGS := $(CFLAGS_ALL) $(TIMED)
plugins: export LDFLAGS := $(LDFLAGS)
plugins: export SANITIZED := $(SAN)
plugins:  ## build plug-ins for the libraries and checkouts there are (LLAMA=folder ...) into build/plugins, and say what each of the others needs
	$(Q)failed=0; $(foreach p,$(PLUGINS),scripts/build_plugin '$p' '$(BUILD)/plugins' '$(call plugin_checkout,$p)' || failed=1;) exit $$failed

.PHONY: plugins
