# Muster. `make help` lists what there is; `make run` shows it at work.

PREFIX ?= /usr/local
DESTDIR ?=
SYSCONFDIR ?= /etc
ARGS ?=
# Programs carry the Swift runtime in them: they run where no toolchain is.
RELEASE = swift build -c release --static-swift-stdlib
MICRO = MUSTER_BENCH=1 swift build -c release --scratch-path .build/bench \
	--product muster-bench-micro

.DEFAULT_GOAL := help
.PHONY: help deps generate build run test lint check fuzz crash sim figures abuse bench
.PHONY: bench-micro instructions
.PHONY: clean-root install deb test-systemd clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' Makefile

deps: .build/deps.stamp ## install what is missing of the Debian packages (needs root or sudo)

.build/deps.stamp: tools/deps
	@tools/deps
	@mkdir -p .build && touch $@

.venv/stamp: tools/venv Tests/Interop/requirements.txt .build/deps.stamp
	@tools/venv
	@touch $@

generate: deps ## generate the code of the messages from proto/
	tools/generate

build: deps ## the programs, into .build/release
	$(RELEASE)

run: build ## start everything on the sample data and show it (ARGS=--once: show, then stop)
	@tools/run $(ARGS)

test: deps .venv/stamp ## every suite; ends with `N passed, N failed`
	swift build --build-tests
	@tools/test

lint: deps .venv/stamp ## the style of Swift and of the protocol
	@tools/lint

check: lint ## lint, generated code is current, the protocol breaks nobody, the tree is tidy
	@tools/check

fuzz: deps ## feed the decoders random bytes, ten minutes (ARGS=SECONDS)
	@tools/fuzz $(or $(ARGS),600)

crash: deps .venv/stamp ## kill processes under load, 200 times, and look for what was lost
	swift build
	@tools/crash $(or $(ARGS),200)

sim: deps ## every program in one process, from seeds (SEEDS=N fresh ones, SEED=N that one)
	@tools/sim $(if $(SEED),--seed $(SEED),--seeds $(or $(SEEDS),100)) $(ARGS)

figures: build ## measure what the README states
	@tools/figures $(ARGS)

abuse: build ## what others notice while hostile peers are at it (ARGS=SECONDS FOR EACH)
	@tools/abuse $(ARGS)

bench: build ## calls a second through the gateway, and the machine's limits (ARGS=SECONDS A ROW)
	@tools/bench $(ARGS)

bench-micro: deps ## what check-ins and the gateway do without sockets (ARGS=CHECK-INS)
	$(MICRO)
	@.build/bench/release/muster-bench-micro $(ARGS)

instructions: deps ## how many instructions and allocations a call takes (ARGS=CALLS)
	@tools/deps valgrind
	$(MICRO)
	@tools/instructions $(ARGS)

clean-root: ## prove on a bare Debian 12 that a clone builds, tests and runs (needs root)
	@tools/clean-root $(ARGS)

install: build ## into $(DESTDIR)$(PREFIX), settings into $(DESTDIR)$(SYSCONFDIR)
	@tools/deps help2man
	@tools/install "$(DESTDIR)" "$(PREFIX)" "$(SYSCONFDIR)"

deb: build ## Debian packages, into .build/deb
	@tools/deb

test-systemd: deb ## try the packages on a Debian that systemd boots in a container (needs root)
	@tools/test-systemd $(ARGS)

clean: ## remove what was built; the data folder stays
	rm -rf .build .venv
