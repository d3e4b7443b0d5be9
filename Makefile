# Builds the engine as runners of tests call it: make EXE=name [EVALFILE=parameters.toml]
#
# EXE is where the program goes, EVALFILE a parameter file for it to carry instead of the default one.
# Other variables that such callers set (CC, CXX) mean nothing here.

EXE ?= kamerton
CARGO ?= cargo
TARGET := $(or $(CARGO_TARGET_DIR),target)
ifeq ($(OS),Windows_NT)
SUFFIX := .exe
endif
ifneq ($(EVALFILE),)
export KAMERTON_PARAMETERS := $(abspath $(EVALFILE))
endif

.PHONY: all
all:
	$(CARGO) build --release --locked --package engine --bin kamerton
	cp -f $(TARGET)/release/kamerton$(SUFFIX) $(EXE)
