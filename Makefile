# make try      set up, build, and watch two devices agree
# make test     set up, build, and run every test
# make fuzz     TIME=60, try to break what holds for any bytes
# make years    a household of 40,000 commits: what it weighs, how quick it is
# make install  PREFIX=/usr/local

PREFIX ?= /usr/local
SWIFT ?= swift
TIME ?= 60
PROGRAM = .build/release/larder
# Debug and release builds keep apart in .build; tests use the debug one.
RELEASE = --configuration release --static-swift-stdlib --product larder -Xlinker -s
STRICT = -Xswiftc -warnings-as-errors --explicit-target-dependency-import-check error

.PHONY: all try test lint format bench fuzz years install setup clean

all: setup
	$(SWIFT) build $(RELEASE)

setup:
	@./scripts/setup

try: all
	@./scripts/try $(PROGRAM)

test: setup
	$(SWIFT) build --build-tests $(STRICT)
	$(SWIFT) test --skip-build --parallel

lint:
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Tests

format:
	$(SWIFT) format --in-place --recursive --parallel Package.swift Sources Tests

bench: all
	@./scripts/bench $(PROGRAM)

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
