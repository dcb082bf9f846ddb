# SPDX-License-Identifier: BSD-3-Clause
#
# make install, uninstall and deb. The binary carries its data files, so nothing is looked up below PREFIX when it runs, but for
# plug-ins by --peers: what is installed beside it is for people (schemas, platform files, figures to adapt) and for compilers (headers
# of plug-ins).

PREFIX  ?= /usr/local
DESTDIR ?=
INSTALL ?= install

bindir        := $(PREFIX)/bin
includedir    := $(PREFIX)/include
datadir       := $(PREFIX)/share
mandir        := $(datadir)/man
# As seen from bindir: harness/plugin/plugins_find.h. What `make plugins` has built by then.
pluginsdir    := $(PREFIX)/lib/kneepoint/plugins
# Headers alone have no architecture: not below lib/.
pkgconfigdir  := $(datadir)/pkgconfig
completiondir := $(datadir)/bash-completion/completions

# The contracts of plug-ins, the frames of sequences and kernels, and what these include.
HEADERS := $(sort $(wildcard micro/kernel.h micro/sequence.h micro/plugin.h micro/sequences/*.h $(addsuffix *.h,$(SHARED))))
HEADERS := $(call closure,$(HEADERS))
DATA    := $(filter-out %.h,$(EMBEDDED)) $(sort $(wildcard examples/*/*))
# Scripts that start the installed tool.
STARTERS := $(sort $(filter-out %.bats %.bash,$(wildcard scripts/fleet*)))

# install_tree MODE,FILES,FOLDER: each file under its own path below the folder; a line a folder of them, since files are many.
in_folder = $(foreach file,$(2),$(if $(filter $(1),$(dir $(file))),$(file)))
define install_tree
	$(foreach folder,$(sort $(dir $(2))),$(Q)$(INSTALL) -D -m $(1) -t "$(DESTDIR)$(3)/$(folder)" $(call in_folder,$(folder),$(2))
	)
endef

install: $(BIN) $(MANUAL)  ## install below PREFIX (/usr/local); DESTDIR=folder stages it
	$(Q)$(INSTALL) -D -m 755 $(BIN) "$(DESTDIR)$(bindir)/kneepoint"
	$(Q)for page in $(MANUAL); do $(INSTALL) -D -m 644 "$$page" "$(DESTDIR)$(mandir)/man$${page##*.}/$${page##*/}" || exit 1; done
	$(Q)$(INSTALL) -D -m 644 packaging/completion.bash "$(DESTDIR)$(completiondir)/kneepoint"
	$(call install_tree,644,$(HEADERS),$(includedir)/kneepoint)
	$(call install_tree,644,$(DATA),$(datadir)/kneepoint)
	$(call install_tree,755,$(STARTERS),$(datadir)/kneepoint)
	$(Q)$(INSTALL) -d "$(DESTDIR)$(pkgconfigdir)"
	$(Q)sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(VERSION)|' packaging/kneepoint.pc.in >"$(DESTDIR)$(pkgconfigdir)/kneepoint.pc"
	$(Q)chmod 644 "$(DESTDIR)$(pkgconfigdir)/kneepoint.pc"
	$(Q)for file in $(BUILD)/plugins/*.so; do \
	  [ ! -f "$$file" ] || $(INSTALL) -D -m 644 "$$file" "$(DESTDIR)$(pluginsdir)/$${file##*/}" || exit 1; done
	@echo "installed $(DESTDIR)$(bindir)/kneepoint"

uninstall:  ## remove what `make install` with the same PREFIX and DESTDIR put there
	$(Q)rm -f "$(DESTDIR)$(bindir)/kneepoint" "$(DESTDIR)$(completiondir)/kneepoint" "$(DESTDIR)$(pkgconfigdir)/kneepoint.pc"
	$(Q)for page in $(notdir $(PAGES)); do rm -f "$(DESTDIR)$(mandir)/man$${page##*.}/$$page"; done
	$(Q)rm -rf "$(DESTDIR)$(includedir)/kneepoint" "$(DESTDIR)$(datadir)/kneepoint" "$(DESTDIR)$(pluginsdir)"
	$(Q)rmdir "$(DESTDIR)$(PREFIX)/lib/kneepoint" 2>/dev/null || true

# The tree is copied, without runs and what was built, so that a package is never built from leftovers and leaves none here.
DEB      := $(BUILD)/deb
DEB_TREE := $(DEB)/kneepoint-$(VERSION)
deb:  ## build the Debian packages into build/deb; lintian looks at them where it is installed
	$(Q)for tool in dpkg-buildpackage dh; do command -v $$tool >/dev/null || \
	  { echo "make deb: $$tool is missing: install debhelper and dpkg-dev (Debian)" >&2; exit 2; }; done
	$(Q)rm -rf $(DEB) && mkdir -p $(DEB_TREE)
	$(Q)tar -cf - --exclude='./build*' --exclude=./.git --exclude=./results/runs --exclude='./results/*-*' --exclude=./results/tuning --exclude=./results/baselines . | tar -xf - -C $(DEB_TREE)
	$(Q)echo '$(or $(REVISION),unknown) $(DIRTY)' >$(DEB_TREE)/.revision
	$(Q)cd $(DEB_TREE) && env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS -u BUILD dpkg-buildpackage -b -us -uc >../build.log 2>&1 || \
	  { tail -n 20 ../build.log >&2; echo "make deb: the build failed; $(DEB)/build.log has all of it" >&2; exit 1; }
	$(Q)rm -rf $(DEB_TREE)
	$(Q)if command -v lintian >/dev/null; then lintian --allow-root --fail-on error,warning $(DEB)/*.changes; fi
	@ls $(DEB)/*.deb

.PHONY: install uninstall deb
