package side

import (
	"fmt"
	"regexp"
	"strconv"
	"time"

	"github.com/gohone/hone/bench/proc"
)

var hey = &Tool{
	Name: "hey", Open: true,
	Args: func(j Job) proc.Command {
		args := []string{"-c", strconv.Itoa(j.Connections), "-z", j.Duration.String(), "-t", "30"}
		if j.RateHz > 0 { // its rate is for each connection
			args = append(args, "-q", strconv.FormatFloat(float64(j.RateHz)/float64(j.Connections), 'f', -1, 64))
		}
		return proc.Command{Args: append(args, j.URL)}
	},
	Read: func(_ string, _ Job, out []byte) (Report, error) {
		var r Report
		for _, m := range heyStatus.FindAllSubmatch(out, -1) {
			n, _ := strconv.ParseUint(string(m[2]), 10, 64) // digits only: cannot fail
			if m[1][0] == '2' {
				r.Answered += n
			} else {
				r.Failed += n
			}
		}
		for _, m := range heyErrors.FindAllSubmatch(out, -1) {
			n, _ := strconv.ParseUint(string(m[1]), 10, 64)
			r.Failed += n
		}
		if r.Answered+r.Failed == 0 {
			return r, fmt.Errorf("read hey's report: no requests in %q", out)
		}
		r.P50, r.P99, r.Max = heyTime(heyP50, out), heyTime(heyP99, out), heyTime(heyMax, out)
		return r, nil
	},
}

var (
	heyStatus = regexp.MustCompile(`(?m)^\s+\[(\d{3})\]\s+(\d+) responses`)
	heyErrors = regexp.MustCompile(`(?m)^\s+\[(\d+)\]\s+[A-Z]\w+ `) // [12]  Get "...
	heyP50    = regexp.MustCompile(`50% in ([\d.]+) secs`)
	heyP99    = regexp.MustCompile(`99% in ([\d.]+) secs`)
	heyMax    = regexp.MustCompile(`Slowest:\s+([\d.]+) secs`)
)

func heyTime(pattern *regexp.Regexp, out []byte) time.Duration {
	m := pattern.FindSubmatch(out)
	if m == nil {
		return 0
	}
	s, _ := strconv.ParseFloat(string(m[1]), 64) // digits and a point; 0 is "none"
	return inSeconds(s)
}

// inSeconds is a duration from a number of seconds.
func inSeconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
