package upgraded

import "github.com/gohone/hone/bench/corpus"

// program is one of the corpus between two releases of Go.
type program struct {
	Repo string
	// Benchmark is the one of a library; "" is that of the corpus, and none of a service.
	Benchmark string
	From, To  string
}

// The releases. Both of a pair know what the newer one has on, or take no notice of it, so that it can be switched off
// on both sides.
const (
	go25, go26, go27 = "go1.25.5", "go1.26.8", "go1.27.1"
)

// before is the day on which the programs are taken: their go.mod then wants no release that is newer than go25.
const before = "2025-10-01"

// programs are all, services first.
var programs = []program{
	{Repo: "mccutchen/go-httpbin", From: go26, To: go27},           // JSON
	{Repo: "stefanprodan/podinfo", From: go26, To: go27},           // JSON, logs
	{Repo: "allegro/bigcache", From: go26, To: go27},               // maps, JSON
	{Repo: "patrickdappollonio/http-server", From: go25, To: go26}, // garbage
	{Repo: "traefik/whoami", From: go25, To: go26},                 // garbage
	{Repo: "hashicorp/http-echo", From: go25, To: go26},            // small allocations

	{Repo: "sirupsen/logrus", Benchmark: "SmallJSONFormatter", From: go26, To: go27}, // JSON, maps
	{Repo: "BurntSushi/toml", From: go26, To: go27},                                  // small allocations
	{Repo: "shopspring/decimal", From: go26, To: go27},                               // small allocations
	{Repo: "vmihailenco/msgpack", From: go26, To: go27},                              // small allocations
	{Repo: "hashicorp/golang-lru", From: go25, To: go26},                             // maps, pointers
	{Repo: "expr-lang/expr", From: go25, To: go26},                                   // garbage
}

// String is how progress and results name it.
func (p program) String() string { return p.Repo + " " + p.From + " " + p.To }

// at is what is measured of the program at a commit.
func (p program) at(c corpus.Commit) corpus.Commit {
	if p.Benchmark != "" {
		c.Benchmark = p.Benchmark
	}
	return c
}
