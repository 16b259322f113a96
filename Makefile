# make try      set up, build, and watch two devices agree
# make check    the model, JSON, the framework and the commands, in about a minute
# make test     set up, build, and run all that has to pass before anything lands, in some minutes
# make test-sql           only the tests of the database
# make test-supabase      only those of the local Supabase
# make test-phone         only those of the page for phones, in Chromium, with what 'make tests' has built
# make test-browsers      the same in Firefox and WebKitGTK
# make test-bench         only those of the benchmark, with what 'make tests' has built
# make test-documents     only the documents' command lines, with what 'make tests' has built
# make compare OLD=program [LIVES=10]   what the program says and writes beside an earlier one
# make check-darwin   the program's code as macOS would see it; with MODULES=--all the tests' as well
# make prove    all that takes long, one after the other, in hours: the page in all browsers, the next six, and more random runs
# make test-systems [RELEASES="bookworm trixie"]   try, check and most tests in a system of each release of Debian
# make simulate SEEDS=100000 [FROM=1]   devices that do at random what people do, on all processors
# make crash    kill real commands at every single step, fail every one (half an hour)
# make power [CUTS=20]   cut the power of real file systems in the middle of commands; needs root and loop devices
# make load     eight processes at one household, for half a minute
# make fuzz     TIME=60   try to break what holds for any bytes
# make years    a household of 40,000 commits: what it weighs, how quick it is
# make supabase [PORT=54321] [FOLDER=dir]   a Supabase on this machine, to try the cloud with
# make docs     write docs/commands.md, the reference of all commands, README's picture, and LarderKit's in .build/docs
# make bench    the commands people wait for, beside git; writes BENCHMARKS.md and its plot. For a part:
#               ROWS="list consume" SIZES="300 2000" RUNS=3; BENCH_DATA=dir keeps the households
# make bench-converge     two devices change the same items, by five tools: the cost, and the edits lost
# make bench-cloud        the first push and pull, beside Supabase's Python client
# make release  a program for all newer Linux, linked statically: .build/release-static/larder
# make package  the release as a tarball, a .deb and a Homebrew formula in .build/package; REPOSITORY=URL
# make try-installed [RELEASES="bookworm trixie"]   these in minimal Debian systems, as somebody new would use them
# make install  PREFIX=/usr/local [DESTDIR=dir], and says what the shell's settings lack
# make uninstall  PREFIX=/usr/local: what was installed, and nothing else
# make test-scripts       only those of setup, install and the formula

PREFIX ?= /usr/local
SWIFT ?= swift
TIME ?= 60
SEEDS ?= 10000
CUTS ?= 20
PROGRAM = .build/release/larder
# Apple's systems have Swift's libraries, and their linker does not know -s.
ON_LINUX := $(if $(filter Linux,$(shell uname)),--static-swift-stdlib -Xlinker -s)
RELEASE = --configuration release --product larder $(ON_LINUX)
# People install what is linked statically, where its archives are: on Debian, or with LIBGIT2_SOURCE=dir and STATIC=yes.
STATIC ?= $(and $(ON_LINUX),$(shell command -v apt-get))
RELEASED = $(if $(STATIC),.build/release-static/larder,$(PROGRAM))
STRICT = -Xswiftc -warnings-as-errors --explicit-target-dependency-import-check error
# 'make check' has a debug build, which is made again soonest. The others run what is optimised, which
# is quicker than it by more than building takes; it has a folder of its own.
OPTIMISED = --configuration release -Xswiftc -enable-testing --scratch-path .build/tests
TESTS = $(SWIFT) test --skip-build $(OPTIMISED) --parallel
# Those that call the program instead of starting it, and those that need nothing but the model.
CHECKED = ^(LarderJSONTests|LarderModelTests|LawsTests|LarderCLITests\.(Framework|Session|MessageWords|Reference|Typed|Barcode|Batch|CheckCommand|Location|Product|ReceiptCommand|StockCommand|History|Signature|EndOfTime|ToldTruth|PlainColumns))

.PHONY: all try check tests test prove prove-random test-sql test-supabase test-phone test-browsers test-bench test-documents test-systems load simulate crash power fuzz years docs supabase lint \
  compare check-darwin format bench bench-converge bench-cloud release released package try-installed install uninstall test-scripts setup setup-tests clean

all: setup
	@commit=$$(./scripts/commit-object) && set -x && \
	  $(SWIFT) build $(RELEASE) $${commit:+-Xlinker "$$PWD/$$commit"}

setup:
	@./scripts/setup

setup-tests:
	@./scripts/setup tests

try: all
	@./scripts/try $(PROGRAM)

# The page for phones on a copy of the sample household, until Ctrl-C ends it.
try-serve: all
	@./scripts/try-serve $(PROGRAM)

check: setup
	$(SWIFT) build --build-tests $(STRICT)
	LARDER_RUNS=2000 $(SWIFT) test --skip-build --parallel --filter '$(CHECKED)' >.build/check.log 2>&1 || \
	  { grep -A12 -E '^✘|^error:|Fatal error' .build/check.log | head -n 300; exit 1; }
	@tail -n 1 .build/check.log

tests: setup-tests
	$(SWIFT) build --build-tests $(OPTIMISED) $(STRICT)

test: tests
	@SWIFT="$(SWIFT)" ./scripts/test

prove: test test-phone test-browsers prove-random test-systems crash load
	@$(MAKE) --no-print-directory check-darwin MODULES=--all
	@$(MAKE) --no-print-directory simulate SEEDS=100000
	@$(MAKE) --no-print-directory fuzz TIME=600
	@$(MAKE) --no-print-directory years

# What 'make test' tries with a share of the cases.
prove-random: tests
	LARDER_RUNS=40000 LARDER_DAMAGES=300 LARDER_LONG=1 LARDER_LOAD_ROWS=20000 $(TESTS) \
	  --filter 'RandomLife|RandomDevices|WorldTests|RandomDamage|JoinAgreement|LimitTests|CloudLoad'

# The local Supabase, with Supabase's own Python client.
test-supabase: setup-tests
	@PYTHONPATH=Tests $$(./scripts/python-for supabase-tests \
	  Tests/LocalSupabase/requirements-tests.txt) \
	  -W ignore::ResourceWarning -m unittest discover -s Tests/LocalSupabase/tests -t Tests

# The page for phones, with the program that 'make tests' has built.
PHONE = PYTHONPATH=Tests $$(./scripts/python-for phone-tests Tests/Phone/requirements.txt) \
  -W ignore::ResourceWarning -m unittest

test-phone: setup-tests
	@$(PHONE) discover -s Tests/Phone/tests -t Tests

test-browsers:
	@./scripts/setup browsers
	LARDER_BROWSER=firefox LARDER_ALL=1 $(PHONE) discover -s Tests/Phone/tests -t Tests
	LARDER_BROWSER=webkit LARDER_ALL=1 $(PHONE) discover -s Tests/Phone/tests -t Tests

# Needs no package beside Python.
test-bench:
	@PYTHONPATH=Tests python3 -m unittest discover -s Tests/Bench/tests -t Tests

test-documents:
	@./scripts/test-documents .build/tests/release/larder

# Needs root. What is committed is tried, with the toolchain of this system.
test-systems:
	@./scripts/test-systems $(RELEASES)

# With stand-ins for the package managers, and in folders of their own.
test-scripts:
	@./scripts/test-setup
	@./scripts/test-install .build/tests/release/larder
	@./scripts/test-formula

# What the migrations promise, on a PostgreSQL of its own.
test-sql: setup-tests
	@./scripts/test-database

load: tests
	LARDER_LOAD_SECONDS=30 $(TESTS) --filter ManyProcessesTests

simulate: setup
	$(SWIFT) build --configuration release --product simulate
	LARDER_SEED=$(or $(LARDER_SEED),random) .build/release/simulate --seeds $(SEEDS) $(FROM:%=--from %)
	LARDER_SEED=$(or $(LARDER_SEED),random) .build/release/simulate --cloud --seeds $(SEEDS) $(FROM:%=--from %)

crash: tests
	LARDER_CRASH=all $(TESTS) --filter "CrashTests\.(CrashTests|CloudKillTests)"

# It goes on where it was stopped: all of it is in FOLDER, or in one of its own for each PORT.
supabase:
	@./scripts/setup supabase
	@./scripts/supabase --port $(or $(PORT),54321) $(if $(FOLDER),--folder "$(FOLDER)",--keep)

lint: check-darwin
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Tests Examples

# For changes that may change nothing.
compare: all
	LARDER_WORKSHOP=1 $(SWIFT) build $(RELEASE:larder=larder-years)
	@./scripts/compare "$(OLD)" $(PROGRAM) --seeds $(or $(LIVES),10) --years $(PROGRAM)-years

# What the code would be on macOS, compiled on Linux.
check-darwin: setup-tests
	@[ "$$(uname)" = Darwin ] || SWIFT="$(SWIFT)" ./scripts/check-darwin $(or $(MODULES),larder)

format:
	$(SWIFT) format --in-place --recursive --parallel Package.swift Sources Tests Examples

docs: setup
	$(SWIFT) build --product larder
	.build/debug/larder reference > .build/commands.md
	@mkdir -p docs
	mv .build/commands.md docs/commands.md
	./scripts/picture .build/debug/larder
	@./scripts/docs

# What people install is measured.
bench bench-converge: released
	$(SWIFT) build $(RELEASE:larder=larder-generator)
	LARDER_WORKSHOP=1 $(SWIFT) build $(RELEASE:larder=larder-years)
	@./scripts/bench $(if $(filter %-converge,$@),converge,rows) $(RELEASED)

bench-cloud: released setup-tests
	@./scripts/bench-cloud $(RELEASED)

# TIME is in seconds, for each of json, entity, adoption and join.
fuzz: setup
	@SWIFT="$(SWIFT)" ./scripts/fuzz $(TIME)

power: all
	@./scripts/power $(PROGRAM) $(CUTS)

years: all
	LARDER_WORKSHOP=1 $(SWIFT) build $(RELEASE:larder=larder-years)
	@./scripts/years $(PROGRAM) $(PROGRAM)-years

# LIBGIT2_SOURCE=dir takes libgit2 from its unpacked source.
release:
	@SWIFT="$(SWIFT)" ./scripts/release .build/release-static

released: $(if $(STATIC),release,all)

# What it needs is there before the minutes that it takes. The documents' command lines run with the very program first:
# it has less of ICU's data than those of the tests.
package:
	@./scripts/setup package
	@$(MAKE) --no-print-directory release
	@./scripts/test-documents .build/release-static/larder
	@./scripts/package .build/release-static/larder .build/package

try-installed:
	@./scripts/try-installed .build/package $(RELEASES)

install: released
	@PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" ./scripts/install $(RELEASED)

uninstall:
	@PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" ./scripts/install --remove

clean:
	$(SWIFT) package clean
