# SPDX-License-Identifier: BSD-3-Clause
#
# make install, uninstall and deb. The binary carries its data files, so nothing is looked up below PREFIX when it runs: what is
# installed beside it is for people (schemas, platform files, figures to adapt) and for compilers (headers of plug-ins).

PREFIX  ?= /usr/local
DESTDIR ?=
INSTALL ?= install

bindir        := $(PREFIX)/bin
includedir    := $(PREFIX)/include
datadir       := $(PREFIX)/share
mandir        := $(datadir)/man
# Headers alone have no architecture: not below lib/.
pkgconfigdir  := $(datadir)/pkgconfig
completiondir := $(datadir)/bash-completion/completions

# The contracts of plug-ins, the frames of sequences and kernels, and what these include.
HEADERS := $(sort $(wildcard micro/kernel.h micro/sequence.h micro/plugin.h micro/sequences/*.h micro/kernels/*.h))
HEADERS := $(sort $(HEADERS) $(shell sed -n 's/^ *\# *include *"\(micro\/[^"]*\)".*/\1/p' $(HEADERS)))
DATA    := $(filter-out %.h,$(EMBEDDED))
# Scripts that start the installed tool.
STARTERS := $(sort $(filter-out %.bats %.bash,$(wildcard scripts/fleet*)))

# install_tree MODE,FILES,FOLDER: each file under its own path below the folder.
define install_tree
	$(Q)for file in $(2); do $(INSTALL) -D -m $(1) "$$file" "$(DESTDIR)$(3)/$$file" || exit 1; done
endef

install: $(BIN)  ## install below PREFIX (/usr/local); DESTDIR=folder stages it
	$(Q)$(INSTALL) -D -m 755 $(BIN) "$(DESTDIR)$(bindir)/kneepoint"
	$(Q)$(INSTALL) -D -m 644 man/kneepoint.1 "$(DESTDIR)$(mandir)/man1/kneepoint.1"
	$(Q)$(INSTALL) -D -m 644 packaging/completion.bash "$(DESTDIR)$(completiondir)/kneepoint"
	$(call install_tree,644,$(HEADERS),$(includedir)/kneepoint)
	$(call install_tree,644,$(DATA),$(datadir)/kneepoint)
	$(call install_tree,755,$(STARTERS),$(datadir)/kneepoint)
	$(Q)$(INSTALL) -d "$(DESTDIR)$(pkgconfigdir)"
	$(Q)sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(VERSION)|' packaging/kneepoint.pc.in >"$(DESTDIR)$(pkgconfigdir)/kneepoint.pc"
	$(Q)chmod 644 "$(DESTDIR)$(pkgconfigdir)/kneepoint.pc"
	@echo "installed $(DESTDIR)$(bindir)/kneepoint"

uninstall:  ## remove what `make install` with the same PREFIX and DESTDIR put there
	$(Q)rm -f "$(DESTDIR)$(bindir)/kneepoint" "$(DESTDIR)$(mandir)/man1/kneepoint.1" "$(DESTDIR)$(completiondir)/kneepoint" \
	  "$(DESTDIR)$(pkgconfigdir)/kneepoint.pc"
	$(Q)rm -rf "$(DESTDIR)$(includedir)/kneepoint" "$(DESTDIR)$(datadir)/kneepoint"

.PHONY: install uninstall
