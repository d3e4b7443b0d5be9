# Builds the engine as runners of tests call it: make EXE=name [EVALFILE=parameters.toml]
#
# EXE is where the program goes, EVALFILE a parameter file for it to carry instead of the default one.
# Other variables that such callers set (CC, CXX) mean nothing here.
#
# Where the toolchain has LLVM's tools (rustup component add llvm-tools) the engine is built twice: first with counters,
# to see in its bench which ways through the code are taken, then anew by what they counted. It plays the same, some 1
# to 7 % faster. GUIDED=no leaves that out, GUIDED=yes asks for it.
# CARGO_PROFILE=profiling keeps lines and names for profilers.

EXE ?= kamerton
CARGO ?= cargo
TARGET := $(or $(CARGO_TARGET_DIR),target)
ifeq ($(OS),Windows_NT)
SUFFIX := .exe
endif
ifneq ($(EVALFILE),)
export KAMERTON_PARAMETERS := $(abspath $(EVALFILE))
endif

# That of the toolchain alone: one of another LLVM may not read what this one counts.
PROFDATA := $(wildcard $(shell rustc --print target-libdir)/../bin/llvm-profdata$(SUFFIX))
# The compiler's flags are told apart by spaces, so that no folder's name may have one.
GUIDED ?= $(if $(and $(PROFDATA),$(filter 1,$(words $(abspath $(TARGET))))),yes,no)

CARGO_PROFILE ?= release
BUILD := $(CARGO) build --profile $(CARGO_PROFILE) --locked --package engine --bin kamerton
# Added to what .cargo/config.toml says, where RUSTFLAGS itself would replace it.
FLAGS := $(CARGO_BUILD_RUSTFLAGS) $(RUSTFLAGS)
unexport RUSTFLAGS
export CARGO_BUILD_RUSTFLAGS := $(FLAGS)
GUIDE := $(abspath $(TARGET)/guided)

.PHONY: all guided-yes guided-no
all: guided-$(GUIDED)

guided-no:
	$(BUILD)
	cp -f $(TARGET)/$(CARGO_PROFILE)/kamerton$(SUFFIX) $(EXE)

guided-yes:
	$(if $(PROFDATA),,$(error GUIDED=yes needs LLVM's tools: rustup component add llvm-tools))
	rm -rf $(GUIDE)/counts
	CARGO_BUILD_RUSTFLAGS="$(FLAGS) -C profile-generate=$(GUIDE)/counts" $(BUILD) --target-dir $(GUIDE)/counting
	$(GUIDE)/counting/$(CARGO_PROFILE)/kamerton$(SUFFIX) bench > $(GUIDE)/bench.txt
	$(GUIDE)/counting/$(CARGO_PROFILE)/kamerton$(SUFFIX) bench --no-constants > $(GUIDE)/bench.txt
	$(PROFDATA) merge --output $(GUIDE)/kamerton.profdata $(GUIDE)/counts
	CARGO_BUILD_RUSTFLAGS="$(FLAGS) -C profile-use=$(GUIDE)/kamerton.profdata" $(BUILD) --target-dir $(GUIDE)/build
	cp -f $(GUIDE)/build/$(CARGO_PROFILE)/kamerton$(SUFFIX) $(EXE)
