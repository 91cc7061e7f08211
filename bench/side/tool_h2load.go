package side

import (
	"fmt"
	"regexp"
	"strconv"

	"github.com/gohone/hone/bench/proc"
)

// h2load speaks HTTP/2 where the server offers it, one stream for each connection. It checks no certificates. The
// latencies that it prints are without percentiles.
var h2load = &Tool{
	Name: "h2load", Servers: []string{HTTP2},
	Args: func(j Job) proc.Command {
		return proc.Command{Args: []string{"-t1", "-c", strconv.Itoa(j.Connections), "-m1", "-D",
			seconds(j.Duration) + "s", j.URL}}
	},
	Read: func(_ string, _ Job, out []byte) (Report, error) {
		if !h2loadDone.Match(out) {
			return Report{}, fmt.Errorf("read h2load's report: no count of requests in %q", out)
		}
		return Report{
			Answered: countOf(h2loadRight, out), Failed: countOf(h2loadFailed, out) + countOf(h2loadWrong, out),
			Max: timeOf(h2loadMax, out, ""),
		}, nil
	},
}

var (
	h2loadDone   = regexp.MustCompile(`(\d+) succeeded`)
	h2loadRight  = regexp.MustCompile(`status codes: (\d+) 2xx`)
	h2loadWrong  = regexp.MustCompile(`(\d+) [345]xx`)
	h2loadFailed = regexp.MustCompile(`(\d+) failed`)
	h2loadMax    = regexp.MustCompile(`time for request:\s+\S+\s+(\S+)`)
)
