# make try      set up, build, and watch two devices agree
# make test     set up, build, and run every test
# make test-sql           only those of the database
# make test-supabase      only those of the local Supabase
# make load     the same for eight processes at one household, for half a minute
# make simulate SEEDS=100000 [FROM=1]   devices that do at random what people do, on all processors
# make crash    kill real commands at every single step, fail every one (half an hour)
# make supabase [PORT=54321] [FOLDER=dir]   a Supabase on this machine, to try the cloud with
# make fuzz     TIME=60   try to break what holds for any bytes
# make docs     write docs/commands.md, the reference of all commands
# make years    a household of 40,000 commits: what it weighs, how quick it is
# make bench    the commands people wait for; make bench-cloud: the first push and pull
# make install  PREFIX=/usr/local

PREFIX ?= /usr/local
SWIFT ?= swift
TIME ?= 60
SEEDS ?= 10000
PROGRAM = .build/release/larder
# Debug and release builds keep apart in .build; tests use the debug one.
RELEASE = --configuration release --static-swift-stdlib --product larder -Xlinker -s
STRICT = -Xswiftc -warnings-as-errors --explicit-target-dependency-import-check error

.PHONY: all try test test-sql test-supabase load simulate crash fuzz years docs supabase lint \
  format bench bench-cloud install setup setup-tests clean

all: setup
	$(SWIFT) build $(RELEASE)

setup:
	@./scripts/setup

setup-tests:
	@./scripts/setup tests

try: all
	@./scripts/try $(PROGRAM)

test: setup-tests
	$(SWIFT) build --build-tests $(STRICT)
	@SWIFT="$(SWIFT)" ./scripts/test
	@$(MAKE) --no-print-directory test-supabase test-sql

# The local Supabase, with Supabase's own Python client.
test-supabase: setup-tests
	@PYTHONPATH=Tests $$(./scripts/python-for supabase-tests \
	  Tests/LocalSupabase/requirements-tests.txt) \
	  -W ignore::ResourceWarning -m unittest discover -s Tests/LocalSupabase/tests -t Tests

# What the migrations promise, on a PostgreSQL of its own.
test-sql: setup-tests
	@./scripts/test-database

load: setup
	$(SWIFT) build --build-tests $(STRICT)
	LARDER_LOAD_SECONDS=30 $(SWIFT) test --skip-build --filter ManyProcessesTests

simulate: setup
	$(SWIFT) build --configuration release --product simulate
	LARDER_SEED=$(or $(LARDER_SEED),random) .build/release/simulate --seeds $(SEEDS) $(FROM:%=--from %)
	LARDER_SEED=$(or $(LARDER_SEED),random) .build/release/simulate --cloud --seeds $(SEEDS) $(FROM:%=--from %)

crash: setup-tests
	$(SWIFT) build --build-tests $(STRICT)
	LARDER_CRASH=all $(SWIFT) test --skip-build --filter "CrashTests\.(CrashTests|CloudKillTests)"

# It goes on where it was stopped: all of it is in FOLDER, or in one of its own for each PORT.
supabase:
	@./scripts/setup supabase
	@./scripts/supabase --port $(or $(PORT),54321) $(if $(FOLDER),--folder "$(FOLDER)",--keep)

lint:
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Tests

format:
	$(SWIFT) format --in-place --recursive --parallel Package.swift Sources Tests

docs: setup
	$(SWIFT) build --product larder
	.build/debug/larder reference > .build/commands.md
	@mkdir -p docs
	mv .build/commands.md docs/commands.md

bench: all
	@./scripts/bench $(PROGRAM)

bench-cloud: all setup-tests
	@./scripts/bench-cloud $(PROGRAM)

# TIME is in seconds, for each of json, entity, adoption and join.
fuzz: setup
	@SWIFT="$(SWIFT)" ./scripts/fuzz $(TIME)

years: all
	LARDER_WORKSHOP=1 $(SWIFT) build $(RELEASE:larder=larder-years)
	@./scripts/years $(PROGRAM) $(PROGRAM)-years

install: all
	install -d $(DESTDIR)$(PREFIX)/bin
	install -m 755 $(PROGRAM) $(DESTDIR)$(PREFIX)/bin/larder

clean:
	$(SWIFT) package clean
