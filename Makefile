# make demo and make test do all the set-up themselves; see README.md. Everything they make is below .build and .venv.

SHELL := /bin/bash
SUDO := $(if $(filter 0,$(shell id -u)),,sudo)
VENV := .venv
PYTHON := $(VENV)/bin/python
export PATH := $(CURDIR)/$(VENV)/bin:$(PATH)
# Compiled modules of Python are kept for the next run, also where the machine says otherwise.
unexport PYTHONDONTWRITEBYTECODE
TRACKME := .build/release/trackme
DATA_DIR ?= var/data
LISTEN ?= 127.0.0.1:50051
WEB_LISTEN ?= 127.0.0.1:8080
PACKAGES := build-essential pkg-config git openssl python3-venv postgresql postgresql-15-postgis-3 \
  postgresql-15-pgrouting osm2pgrouting osmium-tool libexpat1-dev protobuf-compiler protobuf-c-compiler \
  protobuf-compiler-grpc libgrpc-dev libgrpc++-dev libprotobuf-dev libprotobuf-c-dev libpq-dev libsodium-dev libssl-dev \
  libcurl4-openssl-dev libmicrohttpd-dev libzip-dev zlib1g-dev
WEB_PACKAGES := nodejs node-typescript esbuild brotli libjs-leaflet node-d3-array node-d3-format node-d3-scale node-d3-shape
BROWSER_PACKAGES := chromium-headless-shell fonts-dejavu-core

.PHONY: demo test test-long prepare checks run fresh build bench packages format lint swift-tests python-tests end-to-end
.PHONY: swift-tests-unoptimised from-outside echo help
.PHONY: web check-web web-tests web-packages browser-tests browser-packages measure-pages pictures
.PHONY: robustness checkers guarantees revocation emergencies hostile fuzz proto-json

# Shows the whole way: real recordings in, durable, delivered live; ends by itself.
demo: build $(VENV)/.ready ## shows the whole way of a reading, on real recordings; KEEP=1 stays until Ctrl-C
	$(PYTHON) clients/python/samples/demo.py --trackme $(TRACKME) --recordings Tests/fixtures/recordings

test: packages ## everything that must hold before a change lands, and what failed, in the end
	@Tests/timed prepare checks swift-tests from-outside checkers revocation hostile $(MORE)

# Packages are fetched while the compiler is at work.
prepare: ## the server, and whatever tests need beside it
	@$(MAKE) --no-print-directory --jobs 4 build echo $(VENV)/.ready .build/haproxy/.ready browser-packages

test-long: ## the same with all tests that take long, and the checkers in full: over an hour more
	@$(MAKE) --no-print-directory test KILLS=200 RATE=20 RUNS=1000 EMERGENCIES=1000 FUZZ=1000000 ATTACKS=120000 \
	  ATTEMPTS=10000 LONG=--long LOOKS=--every-look TESTS= HYPOTHESIS=long MORE=swift-tests-unoptimised

run: build ## serves in the foreground: LISTEN=127.0.0.1:50051 WEB_LISTEN=127.0.0.1:8080 DATA_DIR=var/data
	mkdir -p $(dir $(DATA_DIR))
	TRACKME_WEB_LISTEN=$(WEB_LISTEN) exec $(TRACKME) serve --listen $(LISTEN) --data-dir $(DATA_DIR)

# A command as a newcomer would run it.
export RUN ?= make demo
AS ?= root
fresh: ## runs RUN='make demo' on a clean clone in a clean Debian 12, AS=root or AS=user
	.ci/fresh --as $(AS) -- "$$RUN"

help: ## lists what can be made
	@awk -F ' *## ' '/^[a-z-]+:.*## / { sub(/:.*/, "", $$1); printf "make %-14s %s\n", $$1, $$2 }' Makefile

# Product and tests are one optimised build: see Package.swift.
SWIFT_BUILD ?= swift build -c release
build: packages ## builds the server
	$(SWIFT_BUILD) --product trackme

# What `trackme bench` runs: beside trackme, with the C++ server that it compares with.
bench: build echo ## builds what `trackme bench` runs
	$(SWIFT_BUILD) --product trackme-bench

# $(call SWIFT_TESTS,NAME,BUILD): in four processes, each with a PostgreSQL of its own; in each, one test after the other: side
# by side, a hundred tests share two cores and one PostgreSQL, and wait for each other.
SWIFT_LIBRARIES = HTTPServer|OpenIDConnect|Outbound|Postgres|RPCRuntime|Threads|Web
SWIFT_TESTS = tests="$$($(2) --show-bin-path)/trackmePackageTests.xctest --testing-library swift-testing --no-parallel"; \
  Tests/side-by-side "Tests/kept swift $(1)-others $$tests --skip '^(Services|Log|$(SWIFT_LIBRARIES))Tests\.'" \
    "Tests/kept swift $(1)-libraries $$tests --filter '^($(SWIFT_LIBRARIES))Tests\.'" \
    "Tests/kept swift $(1)-log $$tests --filter '^LogTests\.'" \
    "Tests/kept swift $(1)-services $$tests --filter '^ServicesTests\.'"
swift-tests: packages ## the Swift tests
	$(SWIFT_BUILD) --product trackmePackageTests
	@$(call SWIFT_TESTS,swift,$(SWIFT_BUILD))

# An optimised build does not look whether a pointer leads out of its buffer.
swift-tests-unoptimised: packages ## the same, not optimised: part of test-long
	swift build --product trackmePackageTests
	@$(call SWIFT_TESTS,unoptimised,swift build)

PYTHON_TESTS = "Tests/kept pytest client $(PYTHON) -m pytest -q clients/python/tests" \
  "Tests/kept pytest checkers $(PYTHON) -m pytest -q -c Tests/pytest.ini Tests/Robustness Tests/Report"
python-tests: $(VENV)/.ready build ## the tests of the Python client, of the checkers, and of how tests are run
	Tests/side-by-side $(PYTHON_TESTS)

# What takes seconds. All of them, whatever fails, and the output of each whole.
checks: web-packages ## the sources: generated ones, their format, the pages and their tests
	@$(MAKE) --no-print-directory --jobs 2 --keep-going --output-sync=target check-generated check-web lint-protos lint web-tests

# The pages are committed as they are bundled, so that a build of the server needs none of their tools.
web: web-packages ## bundles the pages of clients/web into the server's sources
	node clients/web/build.mjs

check-web: web-packages
	node clients/web/maps/italy.mjs --check
	node clients/web/build.mjs --check

web-tests: web-packages ## the tests of the pages
	node clients/web/run_tests.mjs

# Four side by side: the pages, and three that share the other files between them. ATTACKS are the trials of each attack on
# anonymous groups, ATTEMPTS those to get one place in a race, HYPOTHESIS how many random requests each RPC gets (quick: 10,
# long: 50 from each caller, thorough: 3,000); with LOOKS=--every-look pages are seen in both languages and themes, not in one.
ATTACKS ?= 1000
ATTEMPTS ?= 1000
HYPOTHESIS ?= quick
LOOKS ?=
# Which tests: all but those marked `long`, which are those of `make test-long`: they take over 20 s each, or prove once more
# what something quicker does.
TESTS ?= -m 'not long'
# Failures are told at the end: where there are many, the end comes early.
PYTEST = $(PYTHON) -m pytest -q --maxfail=20 -c Tests/pytest.ini $(TESTS)
BROWSER_TESTS = Tests/kept pytest browser $(PYTEST) Tests/Browser $(LOOKS)
export TRACKME_ATTACK_TRIALS = $(ATTACKS)
export TRACKME_ATTEMPTS = $(ATTEMPTS)
export TRACKME_HYPOTHESIS = $(HYPOTHESIS)
END_TO_END = "Tests/kept pytest end-to-end $(PYTEST) Tests/EndToEnd -n 3 --dist loadfile --no-loadscope-reorder" "$(BROWSER_TESTS)"
FROM_OUTSIDE = $(VENV)/.ready .build/haproxy/.ready build proto-json browser-packages
end-to-end: $(FROM_OUTSIDE) ## the tests from outside, over the wire and in a browser
	Tests/side-by-side $(END_TO_END)

# Nearly all of them wait for something half of their time.
from-outside: $(FROM_OUTSIDE) ## the same beside python-tests
	@Tests/side-by-side $(END_TO_END) $(PYTHON_TESTS)

browser-tests: $(VENV)/.ready build browser-packages ## the pages in a real Chromium, alone
	$(BROWSER_TESTS)

pictures: $(VENV)/.ready build browser-packages ## draws the pictures of pages in docs/pictures
	TRACKME_PICTURES=1 $(PYTEST) Tests/Browser/test_charts.py Tests/Browser/test_consent_pages.py Tests/Browser/test_desk.py \
	  Tests/Browser/test_live_race_page.py Tests/Browser/test_race_editor.py

# What pages cost a browser: minutes of 5,000 markers that move. Options of the script in MEASURE.
MEASURE ?=
measure-pages: $(VENV)/.ready build browser-packages ## measures the pages in Chromium: weight, speed, memory
	$(PYTHON) Tests/Browser/measure_pages.py $(MEASURE)

# The robustness checkers; these are their short forms, which take about a minute each, and hostile two.
# Each prints the seed of its random numbers, and takes it back: make guarantees SEED=7.
robustness: guarantees revocation emergencies hostile fuzz ## the checkers: KILLS=10 RUNS=100 EMERGENCIES=50 FUZZ=12000

KILLS ?= 10
RATE ?= 40
RUNS ?= 100
EMERGENCIES ?= 50
FUZZ ?= 12000
LONG ?=
# $(call CHECK,NAME): the command of one of them.
CHECK = Tests/kept checker $(1) $(PYTHON) Tests/Robustness/$(firstword $(subst -, ,$(1))).py $(if $(SEED),--seed $(SEED))
GUARANTEES = $(call CHECK,guarantees) --kills $(KILLS) --rate $(RATE)
EMERGENCY_CALLS = $(call CHECK,emergencies) --emergencies $(EMERGENCIES) $(LONG)

# The server is killed KILLS times at random, and both it and PostgreSQL in the middle of compactions.
guarantees: $(VENV)/.ready build
	$(GUARANTEES)

# RUNS grants end while devices push at full speed, a fifth of them while the server is killed.
revocation: $(VENV)/.ready build
	$(call CHECK,$@) --runs $(RUNS)

# Two of them wait most of their time for what they have killed.
checkers: $(VENV)/.ready build
	@Tests/side-by-side "$(GUARANTEES)" "$(EMERGENCY_CALLS) --beside-others" $(FUZZERS)

# EMERGENCIES persons cross limits while everything is killed at random; with LONG=--long some waver for over ten minutes.
emergencies: $(VENV)/.ready build
	$(EMERGENCY_CALLS)

# Ten accounts and a hundred strangers do whatever may hurt the others, and then flood the server with frames of HTTP/2; with
# LONG=--long on the whole load, for minutes, and with floods on up to 100 connections for ten more.
hostile: $(VENV)/.ready build
	$(call CHECK,$@) $(LONG)

# FUZZ hostile requests of every type, and as many over HTTP.
FUZZERS = "$(call CHECK,fuzz) --requests $(FUZZ)" "$(call CHECK,fuzz-connect) --requests $(FUZZ) --connect"
fuzz: $(VENV)/.ready build
	Tests/side-by-side $(FUZZERS)

# What test_proto_json.py asks.
proto-json: build
	$(SWIFT_BUILD) --product trackme-proto-json

# The C++ server that `trackme bench ingest` compares with.
echo: packages
	$(MAKE) --no-print-directory -C Tests/Echo

# Generated sources stand as the generator writes them.
SWIFT_FILES = $(shell git ls-files -co --exclude-standard '*.swift' | grep -v /Generated/)

format: ## formats the Swift sources
	@swift format --in-place --parallel $(SWIFT_FILES)

lint:
	@swift format lint --strict --parallel $(SWIFT_FILES)

# Debian's packages, where one is missing.
INSTALL = @dpkg -s $(1) > /dev/null 2>&1 || { echo "Installing Debian's packages: a minute or two" && \
  $(SUDO) apt-get update -qq && $(SUDO) env DEBIAN_FRONTEND=noninteractive \
    apt-get install -yqq --no-install-recommends $(1) > /dev/null; }
packages:
	@command -v swift > /dev/null || { echo "Swift 6.3 is needed: https://www.swift.org/install/linux/"; exit 1; }
	$(call INSTALL,$(PACKAGES))

# One after the other: dpkg can be used by one.
web-packages: packages
	$(call INSTALL,$(WEB_PACKAGES))

browser-packages: web-packages
	$(call INSTALL,$(BROWSER_PACKAGES))

# The proxy of docs/configuration.md, for its test: unpacked, because a package that is installed starts a service.
DOWNLOAD := apt-get download -qq -o APT::Sandbox::User=root haproxy liblua5.3-0 libopentracing-c-wrapper0 libopentracing1
.build/haproxy/.ready: | browser-packages
	rm -rf .build/haproxy && mkdir -p .build/haproxy
	cd .build/haproxy && { $(DOWNLOAD) 2> /dev/null || { $(SUDO) apt-get update -qq && $(DOWNLOAD); }; }
	for package in .build/haproxy/*.deb; do dpkg-deb -x "$$package" .build/haproxy; done
	touch $@

$(VENV)/.ready: Tests/requirements.txt clients/python/pyproject.toml | packages
	python3 -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check -r Tests/requirements.txt -e 'clients/python'
	touch $@

# The sources that follow from Protos/. They are committed; `make generate` rewrites them.

PROTO_FILES := $(sort $(shell cd Protos && find google grpc trackme -name '*.proto'))
# Types of protobuf itself: in C only as far as they are used; descriptor.proto is what the generator reads with.
WELL_KNOWN := google/protobuf/any.proto google/protobuf/descriptor.proto google/protobuf/duration.proto \
  google/protobuf/timestamp.proto
PROTO_PATH := -I Protos -I /usr/include
GENERATED_INTO ?= .
LIBRARIES := Sources/Libraries
GENERATED := $(addprefix $(LIBRARIES)/,CMessages/google CMessages/grpc CMessages/trackme CMessages/include/google \
  CMessages/include/grpc CMessages/include/trackme CMessages/descriptor_set.c WireCodec/Generated ServiceAPI/Generated) \
  clients/web/src/api

.PHONY: generate check-generated lint-protos

# Writes C structs (protoc-c), Swift structs, handler protocols, clients, the embedded descriptor set, and the TypeScript
# of the pages.
generate: ## rewrites the sources that follow from Protos/
	set -e; work=$$(mktemp -d); trap 'rm -rf "$$work"' EXIT; \
	c="$$work/out/$(LIBRARIES)/CMessages"; mkdir -p "$$work/c" "$$c/include"; \
	protoc $(PROTO_PATH) --include_imports --include_source_info --descriptor_set_out="$$work/set" $(PROTO_FILES); \
	$(SWIFT_BUILD) --product trackme-generate; \
	"$$($(SWIFT_BUILD) --show-bin-path)/trackme-generate" "$$work/set" "$$work/out"; \
	protoc-c $(PROTO_PATH) --c_out="$$work/c" $(PROTO_FILES) $(WELL_KNOWN); \
	cp -r "$$work/c/." "$$c/include"; \
	cp -r "$$work/c/." "$$c"; \
	find "$$c/include" -name '*.c' -delete; \
	find "$$c" -path "$$c/include" -prune -o -name '*.h' -exec rm {} +; \
	for path in $(GENERATED); do \
	  rm -rf "$(GENERATED_INTO)/$$path"; mkdir -p "$$(dirname "$(GENERATED_INTO)/$$path")"; \
	  cp -r "$$work/out/$$path" "$(GENERATED_INTO)/$$path"; \
	done

# Fails, and shows the difference, where the committed sources are not what Protos/ gives.
check-generated:
	set -e; fresh=$$(mktemp -d); trap 'rm -rf "$$fresh"' EXIT; \
	$(MAKE) --no-print-directory generate GENERATED_INTO="$$fresh"; \
	for path in $(GENERATED); do \
	  diff -r -u "$$path" "$$fresh/$$path" || { echo "stale: run make generate"; exit 1; }; \
	done

# Files of others stand as published, so they are not reformatted.
lint-protos:
	cd Protos && buf lint && buf format --diff --exit-code --exclude-path google --exclude-path grpc \
	  && buf breaking --against v1.baseline.binpb
