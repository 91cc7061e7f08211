package side

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/proc"
)

// Job is what a tool is asked to do.
type Job struct {
	URL         string
	Connections int
	Duration    time.Duration
	// Streams are the calls at a time of all connections together, of tools for gRPC.
	Streams int
	// RateHz is the rate of an open loop in requests per second; 0 is a closed loop.
	RateHz int
	// HTTP2 asks hone for HTTP/2 with one stream for each connection.
	HTTP2 bool

	dir string // for files of the tool's own, while it runs
}

// Report is what a tool says of itself, in its own understanding of latency.
type Report struct {
	// Answered counts the requests that the tool counts as served; Failed the others
	// that it knows of.
	Answered, Failed uint64
	// GivenUp counts requests that were due and, as the tool itself says, never sent or
	// never answered.
	GivenUp uint64
	// P50, P99 and Max are zero where a tool prints none.
	P50, P99, Max time.Duration
}

// Tool is a load generator: how to ask it for a job, and how to read what it says.
type Tool struct {
	Name string
	// File is its file name where that is not Name: some are listed twice, with other options.
	File string
	// Open says that it can hold a rate.
	Open bool
	// Servers are the kinds of servers that it is asked to load; nil: those without TLS.
	Servers []string
	// Args is the command line for a job, without the program.
	Args func(j Job) proc.Command
	// Read takes a report from what the tool wrote. program is its path.
	Read func(program string, j Job, stdout []byte) (Report, error)
}

// Hone's name among the tools.
const Hone = "hone"

// All lists the tools, hone first.
var All = []*Tool{hone, wrk, vegeta, hey, bombardier, fortio, oha, ohaCorrected, k6, h2load}

// Loads says whether the tool is asked to load that kind of server.
func (t *Tool) Loads(server string) bool {
	if t.Servers == nil {
		return server == Bare || server == NetHTTP
	}
	return slices.Contains(t.Servers, server)
}

// Found is a tool that is installed.
type Found struct {
	*Tool
	Program string
}

// Run lets a tool do a job on one CPU (below 0: on any).
func (t Found) Run(ctx context.Context, cpu int, j Job) (_ Report, _ proc.Done, err error) {
	if j.dir, err = os.MkdirTemp("", "hone-bench-"); err != nil {
		return Report{}, proc.Done{}, fmt.Errorf("make directory: %w", err)
	}
	defer os.RemoveAll(j.dir)
	c := t.Args(j)
	c.Program = t.Program
	d, failed := proc.Run(ctx, cpu, c)
	r, err := t.Read(t.Program, j, d.Stdout)
	if err != nil && failed != nil {
		err = failed // the reason why there is no report
	}
	return r, d, err
}

// Find returns the tools that are installed, and the names of those that are not.
// honeProgram is hone's binary. All tools that load a net/http server are looked for if
// none is chosen.
func Find(honeProgram string, chosen []string) (found []Found, missing []string) {
	var loading []*Tool
	for _, t := range All {
		if len(chosen) > 0 || t.Loads(NetHTTP) {
			loading = append(loading, t)
		}
	}
	return FindAmong(loading, honeProgram, chosen)
}

// FindAmong is Find among tools that all load the server that is meant.
func FindAmong(tools []*Tool, honeProgram string, chosen []string) (found []Found, missing []string) {
	for _, t := range tools {
		if len(chosen) > 0 && !slices.Contains(chosen, t.Name) {
			continue
		}
		program, err := honeProgram, error(nil)
		name := cmp.Or(t.File, t.Name)
		if name == Hone {
			_, err = os.Stat(program)
		} else {
			program, err = programOf(name)
		}
		if err != nil {
			missing = append(missing, t.Name)
			continue
		}
		found = append(found, Found{t, program})
	}
	return found, missing
}

// programOf looks where peers.sh installs, then in PATH.
func programOf(name string) (string, error) {
	dir := os.Getenv("HONE_BENCH_CACHE")
	if dir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("find cache directory: %w", err)
		}
		dir = filepath.Join(cache, "hone-bench")
	}
	path := filepath.Join(dir, "bin", name)
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	return exec.LookPath(name)
}

// countOf is the sum of the counts that a pattern captures in what a tool wrote.
func countOf(pattern *regexp.Regexp, out []byte) (sum uint64) {
	for _, m := range pattern.FindAllSubmatch(out, -1) {
		n, _ := strconv.ParseUint(string(m[1]), 10, 64) // digits only: what is too large is the largest
		sum += n
	}
	return sum
}

// timeOf is the time that a pattern captures, in unit where it captures none; 0 without one.
func timeOf(pattern *regexp.Regexp, out []byte, unit string) time.Duration {
	m := pattern.FindSubmatch(out)
	if m == nil {
		return 0
	}
	d, _ := time.ParseDuration(string(m[1]) + unit) // 0 is "none"
	return d
}

// inSeconds is a duration from a number of seconds.
func inSeconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// Note has the tools that take part with their versions in a result, and those that are missing.
func Note(r *bed.Result, found []Found, missing []string) {
	for _, t := range found {
		version, _ := os.ReadFile(t.Program + ".version") // as peers.sh writes it
		r.With = append(r.With, strings.TrimSpace(t.Name+" "+strings.TrimSpace(string(version))))
	}
	for _, name := range missing {
		r.With = append(r.With, "without "+name+": bash bench/peers.sh installs it or says why not")
	}
}
