# The targets a newcomer needs. Everything else is one go command away.
GO     ?= go
CGO    := $(shell command -v $${CC:-gcc} >/dev/null 2>&1 && echo 1 || echo 0)
export CGO_ENABLED := $(CGO)
FUZZTIME ?= 20s
RACE   := $(if $(filter 1,$(CGO)),-race,)
LINT   := $(GO) run -modfile=tools/go.mod honnef.co/go/tools/cmd/staticcheck

.PHONY: help build test lint fuzz demo ladder engine aa

help: ## these targets
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

build: ## bin/hone, pure Go
	CGO_ENABLED=0 $(GO) build -o bin/hone ./cmd/hone

# cmd/hone tests measure, so they run alone, after the rest.
test: lint ## all tests, with the race detector where there is a C compiler
	$(if $(RACE),,@echo "SKIPPED: race detector (no C compiler found: install gcc)")
	bash tools/gotest.sh $(RACE) -timeout 15m $$($(GO) list ./... | grep -v /cmd/hone$$)
	bash tools/gotest.sh $(RACE) -timeout 15m ./cmd/hone

lint: ## gofmt, go vet, staticcheck
	@test -z "$$(gofmt -l .)" || { echo "gofmt these files:"; gofmt -l .; exit 1; }
	$(GO) vet ./...
	CGO_ENABLED=0 GOOS=darwin $(GO) vet ./...
	$(LINT) ./...
	cd bench && $(GO) vet ./...

fuzz: ## every fuzz target for FUZZTIME each
	@for t in $$(grep -rlE '^func Fuzz' --include='*_test.go' . | xargs -n1 dirname | sort -u); do \
	  for f in $$(grep -rhoE '^func Fuzz[A-Za-z0-9]+' $$t/*_test.go | sed 's/func //'); do \
	    $(GO) test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) $$t || exit 1; done; done

demo: ## the main job: three measurements of the framed server
	$(GO) run ./cmd/hone demo

ladder: build ## benchmark: each stage of the framed server against the one before
	bash bench/ladder.sh

engine: ## benchmark: the load engine against a C epoll client
	cd bench && $(GO) run ./framedclient

aa: build ## calibration: 20 comparisons of a server with itself
	bash bench/aa.sh
