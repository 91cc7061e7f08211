# The targets a newcomer needs. Everything else is one go command away.
GO     ?= go
# Only the race detector needs cgo. Without it, all else is compiled once: as hone is released.
export CGO_ENABLED := 0
FUZZTIME ?= 20s
# Which of the long tests run (tools/long.sh), and which of the packages are fuzzed: all, or a part such as 2/8.
export LONG ?= all
FUZZPART ?= all
NEWER  ?= go1.27.1
LINT   := $(GO) run -modfile=tools/go.mod honnef.co/go/tools/cmd/staticcheck

.PHONY: help build extensions all long test tests newer lint prose fuzz demo proven bench ui pictures site release image axe

help: ## these targets
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

build: ## bin/hone, pure Go
	$(GO) build -trimpath -o bin/hone ./cmd/hone

extensions: build ## bin/hone and its extensions, bin/hone-NAME
	for dir in cmd/hone-*; do $(GO) build -C $$dir -trimpath -o ../../bin/ . || exit 1; done

all: ## all tests under the race detector, also those of the extensions, bench, ui and tools; lint. LONG=2/8: an eighth of the long ones
all: LONG := all
all: LINTED := && nice -n 19 $(MAKE) --no-print-directory lint
long: ## the tests of tools/long.txt only
long: LONG := only
all long: RACE := $(shell command -v $${CC:-gcc} >/dev/null 2>&1 && echo -race)
all long: tests
	$(if $(RACE),,@echo "SKIPPED: race detector (no C compiler found: install gcc)")
	bash tools/modules.sh $(RACE)

test: ## the tests of hone but the long ones
test: LONG := none
test: tests

# What is concurrent mostly waits. What only computes runs at the same time, at the lowest priority. The stories of
# cmd/hone measure, so nothing runs next to them.
tests:
	@rm -f bin/test-times && mkdir -p bin
	bash tools/beside.sh bin/test-beside \
	  "nice -n 19 bash tools/gotest.sh -timeout 30m $$(bash tools/packages.sh serial | tr '\n' ' ') $(LINTED)" \
	  "bash tools/gotest.sh $(RACE) -p 3 -timeout 15m $$(bash tools/packages.sh concurrent | tr '\n' ' ')"
	bash tools/gotest.sh -timeout 25m -parallel 4 ./cmd/hone

newer: ## build, and tests of what depends on the toolchain, under another Go release: NEWER=go1.27.1
	bash tools/newer.sh $(NEWER)

lint: export GOFLAGS := -trimpath
lint: ## gofmt, go vet, staticcheck
	@test -z "$$(gofmt -l .)" || { echo "gofmt these files:"; gofmt -l .; exit 1; }
	$(GO) vet ./...
	$(LINT) ./...
	for dir in cmd/hone-* bench ui tools; do $(GO) vet -C $$dir -tags axe ./... || exit 1; done
	for dir in cmd/hone-*; do (cd $$dir && $(GO) run -modfile=$(CURDIR)/tools/go.mod honnef.co/go/tools/cmd/staticcheck ./...) || exit 1; done
	$(GO) -C tools build -o ../bin/typecheck ./typecheck && bin/typecheck darwin . cmd/hone-*

prose: ## list the turns of phrase that are hard to read; it fails at none
	@$(GO) -C tools run ./prose ..

# Two packages at a time, each built once: most of the time of a short run is its start.
fuzz: ## every fuzz target for FUZZTIME each; FUZZPART=2/8: those of an eighth of the packages
	@targets=$$(cd bench && $(GO) run -trimpath . robust -list-fuzz) || exit 1; \
	  echo "$$targets" | awk -v part=$(FUZZPART) 'split(part, p, "/") < 2 || NR % p[2] == p[1] % p[2]' | \
	  GO="$(GO)" FUZZTIME=$(FUZZTIME) xargs -P 2 -L 1 bash tools/fuzz.sh

# The types of the sources: cd ui && npm install --no-package-lock && npm run types; needs node.
ui: ## bundle the pages of the report and the web UI into internal/view/web/dist
	cd ui && $(GO) run .

# Not in make test: axe-core comes from the network, once.
axe: ## test the pages with axe-core for accessibility; needs chromium, and npm the first time; 2 minutes
	GO="$(GO)" bash tools/axe.sh

pictures: build ## the pictures of the documents, from comparisons of now; needs chromium; 7 minutes; one: ARGS=first-minute
	cd ui && $(GO) run ./pictures $(ARGS)

# Hugo is built once, in two minutes, and then comes from the build cache. No program here uses the network but for modules that are missing.
site: build ## the documentation site, in bin/site; fails at a broken link
	@mkdir -p bin/site-data && bin/hone reference > bin/site-data/commands.json
	$(GO) -C tools/site build -o ../../bin/hugo github.com/gohugoio/hugo
	bin/hugo --config tools/site/hugo.toml --destination bin/site --cleanDestinationDir --noBuildLock --logLevel warn --panicOnWarning
	$(GO) -C tools/site run ./check ../../bin/site ../..

proven: build ## take trials that the calibrations lack, of all by turns: ARGS='-for 60m'; ARGS=-report lists what is wanted
	cd bench && $(GO) run . proven $(ARGS)

bench: build ## one benchmark: make bench CASE=http ARGS='-n 3'; without CASE the list of them
	cd bench && $(GO) run . $(or $(CASE),-list) $(ARGS)

demo: ## the main job: three measurements of the framed server
	$(GO) run ./cmd/hone demo

release: ## a snapshot of a release in bin/release: archives, packages, SBOMs, checksums; the first takes a quarter of an hour
	bash tools/release/goreleaser.sh release --snapshot --clean --skip=sign
	bash tools/release/check.sh
	bash tools/release/extensions.sh --check

image: ## the container image in bin/image (OCI layout), built without a daemon, and run as its user
	bash tools/release/image.sh

