package side

import (
	"fmt"
	"regexp"
	"strconv"

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
		r := Report{
			Answered: countOf(heyRight, out), Failed: countOf(heyWrong, out) + countOf(heyErrors, out),
			P50: timeOf(heyP50, out, "s"), P99: timeOf(heyP99, out, "s"), Max: timeOf(heyMax, out, "s"),
		}
		if r.Answered+r.Failed == 0 {
			return r, fmt.Errorf("read hey's report: no requests in %q", out)
		}
		return r, nil
	},
}

var (
	heyRight  = regexp.MustCompile(`(?m)^\s+\[2\d\d\]\s+(\d+) responses`)
	heyWrong  = regexp.MustCompile(`(?m)^\s+\[[013-9]\d\d\]\s+(\d+) responses`)
	heyErrors = regexp.MustCompile(`(?m)^\s+\[(\d+)\]\s+[A-Z]\w+ `) // [12]  Get "...
	heyP50    = regexp.MustCompile(`50% in ([\d.]+) secs`)
	heyP99    = regexp.MustCompile(`99% in ([\d.]+) secs`)
	heyMax    = regexp.MustCompile(`Slowest:\s+([\d.]+) secs`)
)
