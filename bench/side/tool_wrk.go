package side

import (
	"fmt"
	"regexp"
	"strconv"
	"time"

	"github.com/gohone/hone/bench/proc"
)

var wrk = &Tool{
	Name: "wrk",
	Args: func(j Job) proc.Command {
		return proc.Command{Args: []string{
			"-t1", "-c", strconv.Itoa(j.Connections), "-d", seconds(j.Duration) + "s", "--timeout", "30s", "--latency", j.URL,
		}}
	},
	Read: func(_ string, _ Job, out []byte) (Report, error) {
		var r Report
		m := wrkRequests.FindSubmatch(out)
		if m == nil {
			return r, fmt.Errorf("read wrk's report: no count of requests in %q", out)
		}
		total, err := strconv.ParseUint(string(m[1]), 10, 64)
		if err != nil {
			return r, fmt.Errorf("read wrk's report: %w", err)
		}
		for _, m := range wrkErrors.FindAllSubmatch(out, -1) {
			n, _ := strconv.ParseUint(string(m[1]), 10, 64) // digits only: cannot fail
			r.Failed += n
		}
		// wrk counts error statuses among its requests.
		if m := wrkStatus.FindSubmatch(out); m != nil {
			n, _ := strconv.ParseUint(string(m[1]), 10, 64)
			r.Failed, total = r.Failed+n, total-n
		}
		r.Answered = total
		r.P50, r.P99, r.Max = wrkTime(wrkP50, out), wrkTime(wrkP99, out), wrkTime(wrkMax, out)
		return r, nil
	},
}

var (
	wrkRequests = regexp.MustCompile(`(\d+) requests in`)
	wrkErrors   = regexp.MustCompile(`(?:connect|read|write|timeout) (\d+)`)
	wrkStatus   = regexp.MustCompile(`Non-2xx or 3xx responses: (\d+)`)
	wrkP50      = regexp.MustCompile(`50%\s+([\d.]+[a-z]+)`)
	wrkP99      = regexp.MustCompile(`99%\s+([\d.]+[a-z]+)`)
	wrkMax      = regexp.MustCompile(`Latency\s+\S+\s+\S+\s+([\d.]+[a-z]+)`)
)

// wrkTime is the duration that the pattern captures; its units are Go's.
func wrkTime(pattern *regexp.Regexp, out []byte) time.Duration {
	m := pattern.FindSubmatch(out)
	if m == nil {
		return 0
	}
	d, err := time.ParseDuration(string(m[1]))
	if err != nil {
		return 0
	}
	return d
}

// seconds is a duration in whole seconds, rounded up: wrk knows no shorter.
func seconds(d time.Duration) string {
	return strconv.Itoa(int((d + time.Second - 1) / time.Second))
}
