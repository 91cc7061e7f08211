# The targets a newcomer needs. Everything else is one go command away.
GO     ?= go
CGO    := $(shell command -v $${CC:-gcc} >/dev/null 2>&1 && echo 1 || echo 0)
export CGO_ENABLED := $(CGO)
FUZZTIME ?= 20s
# Of every FUZZPARTS packages one is fuzzed, FUZZPART says which.
FUZZPARTS ?= 1
FUZZPART ?= 0
NEWER  ?= go1.27.1
RACE   := $(if $(filter 1,$(CGO)),-race,)
LINT   := $(GO) run -modfile=tools/go.mod honnef.co/go/tools/cmd/staticcheck

.PHONY: help build extensions all test slowest newer lint fuzz demo ladder engine visits calibrate agentsaa robust blame diff overhead instructions bigprofile peers loadcpu tlscpu grpcload wsload redisload held scaleout freeze openloop soak havlak sidebyside headlines libs benchwidth commits cheats tail findings tune ui uitypes pictures site watched biglist installable release image firstminute firstbuild

help: ## these targets
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

build: ## bin/hone, pure Go
	CGO_ENABLED=0 $(GO) build -o bin/hone ./cmd/hone

extensions: build ## bin/hone and its extensions, bin/hone-NAME
	for dir in cmd/hone-*; do CGO_ENABLED=0 $(GO) build -C $$dir -o ../../bin/ . || exit 1; done

all: test ## make test, and the tests of the other modules: the extensions, bench, ui, tools/site
	for dir in cmd/hone-* bench ui tools/site; do \
	  echo "in $$dir:"; (cd $$dir && bash $(CURDIR)/tools/gotest.sh $(RACE) -timeout 15m ./...) || exit 1; done

# cmd/hone tests mostly wait, for builds and for ends of measurements: several run at the same time, and beside them, at
# the lowest priority, the packages that only compute. internal/ledger runs without the race detector, too: race_test.go.
test: lint ## the tests of hone, with the race detector for what is concurrent, where there is a C compiler
	@rm -f bin/test-times && mkdir -p bin
	$(if $(RACE),,@echo "SKIPPED: race detector (no C compiler found: install gcc)")
	bash tools/gotest.sh $(RACE) -p 3 -timeout 15m $$(bash tools/packages.sh concurrent)
	nice -n 19 bash tools/gotest.sh -timeout 30m $$(bash tools/packages.sh serial) $(if $(RACE),./internal/ledger) >bin/test-beside 2>&1 & beside=$$!; \
	  bash tools/gotest.sh -timeout 25m -parallel 4 ./cmd/hone; code=$$?; \
	  wait $$beside || code=1; cat bin/test-beside; exit $$code

slowest: ## the twenty slowest tests of the last make test
	@sort -rnu bin/test-times | head -n 20

newer: ## build, and tests of what depends on the toolchain, under another Go release: NEWER=go1.27.1
	bash tools/newer.sh $(NEWER)

lint: ## gofmt, go vet, staticcheck
	@test -z "$$(gofmt -l .)" || { echo "gofmt these files:"; gofmt -l .; exit 1; }
	$(GO) vet ./...
	CGO_ENABLED=0 GOOS=darwin $(GO) vet ./...
	$(LINT) ./...
	for dir in cmd/hone-* bench ui; do $(GO) vet -C $$dir ./... || exit 1; done
	for dir in cmd/hone-*; do (cd $$dir && CGO_ENABLED=0 GOOS=darwin $(GO) vet ./... && $(GO) run -modfile=$(CURDIR)/tools/go.mod honnef.co/go/tools/cmd/staticcheck ./...) || exit 1; done

# Two packages at a time, each built once: most of the time of a short run is its start.
fuzz: ## every fuzz target for FUZZTIME each, or those of one package in FUZZPARTS
	@targets=$$(cd bench && $(GO) run ./robust -list-fuzz) || exit 1; \
	  echo "$$targets" | awk 'NR % $(FUZZPARTS) == $(FUZZPART) % $(FUZZPARTS)' | GO="$(GO)" FUZZTIME=$(FUZZTIME) xargs -P 2 -L 1 bash tools/fuzz.sh

ui: ## bundle the pages of the report and the web UI into internal/web/dist
	cd ui && $(GO) run .

pictures: build ## the pictures of the documents, from comparisons of now; needs chromium; 5 minutes
	cd ui && $(GO) run ./pictures

# Hugo is built once, in two minutes, and then comes from the build cache. No program here uses the network but for modules that are missing.
site: build ## the documentation site, in bin/site; fails at a broken link
	@mkdir -p bin/site-data && bin/hone reference > bin/site-data/commands.json
	CGO_ENABLED=0 $(GO) -C tools/site build -o ../../bin/hugo github.com/gohugoio/hugo
	bin/hugo --config tools/site/hugo.toml --destination bin/site --cleanDestinationDir --noBuildLock --logLevel warn --panicOnWarning
	$(GO) -C tools/site run ./check ../../bin/site ../..

watched: build ## benchmark: what it costs a measurement to be looked at; needs chromium; 8 minutes
	cd bench && $(GO) run ./watched

uitypes: ## check the types of the pages' sources; needs node
	cd ui && npm install --silent --no-package-lock && npm run --silent types

demo: ## the main job: three measurements of the framed server
	$(GO) run ./cmd/hone demo

ladder: build ## benchmark: each stage of the framed server against the one before
	bash bench/ladder.sh

tune: build ## benchmark: what settings and features do on two reference services; 10 minutes
	bash bench/tune.sh

engine: ## benchmark: the load engine against a C epoll client
	cd bench && $(GO) run ./framedclient

peers: ## install the load generators that hone is measured beside
	bash bench/peers.sh

loadcpu: build ## benchmark: CPU per HTTP request of hone load and its peers
	cd bench && $(GO) run ./httpclient

tlscpu: build ## benchmark: CPU per request over TLS of hone load, wrk (HTTP/1.1) and h2load (HTTP/2)
	cd bench && $(GO) run ./httpclient -servers https,http2 -tools hone,wrk,h2load -c 16,100 -n 8

grpcload: build ## benchmark: CPU per gRPC call of hone load, ghz and hone's own HTTP/2; 3 minutes
	bash bench/peers.sh ghz
	cd bench && $(GO) run ./grpc

wsload: build ## benchmark: CPU per echo over WebSocket of hone load, k6 and Go clients; 3 minutes
	bash bench/peers.sh k6
	cd bench && $(GO) run ./websocket

redisload: build ## benchmark: CPU per command of hone load and redis-benchmark; a minute
	cd bench && $(GO) run ./redis

held: build ## benchmark: memory of hone load for each of 10,000 connections; 2 minutes
	cd bench && $(GO) run ./held

scaleout: build ## benchmark: rate of two agents against one, CPU of the coordinator, merging 100 recordings; 7 minutes
	cd bench && $(GO) run ./scaleout

freeze: build ## benchmark: what each load generator says of a server that stood still
	cd bench && $(GO) run ./freeze

openloop: build ## benchmark: does hone load hold 20,000 requests/s, and how late it sends
	cd bench && $(GO) run ./openloop

soak: build ## benchmark: is hone load's memory flat over 10 minutes
	cd bench && $(GO) run ./soak

visits: build ## benchmark: each stage of the visitor counter against the one before, a slower one among them
	bash bench/visits.sh

sidebyside: ## benchmark: the reference services beside the libraries that do the same; 40 minutes
	cd bench && $(GO) run ./sidebyside -json ../bin/sidebyside.json

headlines: build ## benchmark: every published ladder and headline, measured here: writes docs/headlines.md; 15 minutes
	cd bench && $(GO) run ./headlines

libs: ## build, vet and test the libraries' programs of sidebyside (downloads them)
	cd bench/peers && $(GO) mod tidy -diff && $(GO) build -o /dev/null ./... && $(GO) vet ./... && $(GO) test ./...

havlak: ## benchmark: the loop finder in Go and C++, as whole processes
	$(GO) run ./services/havlak/cmd/havlaktimes -rounds 9

calibrate: build ## calibration of verdicts: equal variants and planted slow-downs on real services; hours
	cd bench && $(GO) run ./calibrate

agentsaa: build ## calibration of comparisons that two agents load: equal variants only, on two services; 20 minutes
	cd bench && $(GO) run ./calibrate -agents 2 -only aa -aa 20 -service framed,http -results calibrate/agents.jsonl -doc ../docs/calibration-agents.md

benchwidth: build ## benchmark: width of hone bench's intervals in 30 s, false alarms, a planted 1.5 % found, beside benchstat: writes docs/calibration-bench.md; an hour and a half, goes on where it was
	cd bench && $(GO) run ./benchwidth

commits: build ## benchmark: public commits that claim to be faster, and three that change nothing, by hone bench, for benchstat and by a long run over link orders: writes docs/calibration-commits.md; 50 minutes, goes on where it was
	cd bench && $(GO) run ./commits

cheats: build ## changes that only look faster, and honest ones, by hone compare and hone bench: writes docs/cheats.md; 10 minutes
	cd bench && $(GO) run ./cheats

robust: build ## hone killed, its ledger damaged, its input mutated, its servers hostile: writes docs/robustness.md; hours, goes on where it was
	cd bench && nice $(GO) run ./robust

tail: build ## hone tail on services whose causes are known: writes docs/tail.md; a quarter of an hour, goes on where it was
	cd bench && $(GO) run ./tail

findings: build ## hone advise on programs whose defects are known, and on their repairs: writes docs/findings.md; 40 minutes, goes on where it was
	cd bench && $(GO) run ./findings

blame: build ## benchmark: does the collector's time go that profile blame predicts
	cd bench && $(GO) run ./blame

diff: build ## benchmark: does profile diff colour the function that changed, and no other
	cd bench && $(GO) run ./diff

overhead: build ## benchmark: what the probe costs a service while nothing is captured
	bash bench/overhead.sh

metricscost: build ## benchmark: what recording metrics costs the program and the load generator, and hone in memory; 24 minutes
	cd bench && $(GO) run ./metricscost

instructions: build ## two builds of one commit agree within 0.1 % in instructions per operation (takes valgrind; 6 minutes)
	bash bench/instructions.sh

biglist: build ## benchmark: hone history, and the history of the web UI, of 10,000 runs; 3 minutes
	cd bench && $(GO) run ./biglist

bigprofile: build ## benchmark: top of a profile with 100,000 stacks, beside go tool pprof
	cd bench && $(GO) run ./bigprofile

installable: ## go install of the last commit as if it were a tag: from the module's zip; a minute
	cd bench && CGO_ENABLED=0 $(GO) run ./install

release: ## a snapshot of a release in bin/release: archives, packages, SBOMs, checksums; the first takes a quarter of an hour
	bash tools/release/goreleaser.sh release --snapshot --clean --skip=sign
	bash tools/release/check.sh

image: ## the container image in bin/image (OCI layout), built without a daemon, and run as its user
	bash tools/release/image.sh

firstminute: ## install the packages of make release on a bare Debian, and time the first minute with hone; needs root and debootstrap
	bash bench/firstminute.sh

firstbuild: ## benchmark: the first build from source, with an empty build cache, and which modules it goes to; minutes
	cd bench && $(GO) run ./firstbuild
