# SPDX-License-Identifier: BSD-3-Clause
#
# make plugins: installed libraries as plug-ins (micro/plugin.h), one file each. A file says in its first comment what header
# it needs, from which package, and what it is linked with; where the header is not found it is listed and left out.

PLUGINS := $(sort $(wildcard plugins/*.c))
plugin_says  = $(shell sed -n 's/^ \* *$(1): *//p' $(2))
plugin_flags = $(shell pkg-config --cflags $(call plugin_says,pkg-config,$(1)) 2>/dev/null)

plugins:  ## build comparison plug-ins for installed libraries into build/plugins, and list those that are not installed
	$(Q)mkdir -p $(BUILD)/plugins
	$(foreach p,$(PLUGINS),$(call build_plugin,$p)$(NEWLINE))

define build_plugin
	$(Q)if printf '\043include <%s>\n' '$(firstword $(call plugin_says,needs,$(1)))' | \
	    $(CC) $(CPPFLAGS) $(call plugin_flags,$(1)) -E -x c - >/dev/null 2>&1; then \
	  $(CC) $(CPPFLAGS) $(call plugin_flags,$(1)) $(CFLAGS_ALL) $(LDFLAGS) -shared -fPIC -o $(BUILD)/plugins/$(basename $(notdir $(1))).so $(1) \
	    $(call plugin_says,libraries,$(1)) && echo 'built $(BUILD)/plugins/$(basename $(notdir $(1))).so'; \
	else echo 'left out: $(basename $(notdir $(1))) needs $(call plugin_says,needs,$(1))'; fi
endef

.PHONY: plugins
