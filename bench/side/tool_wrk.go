package side

import (
	"fmt"
	"regexp"
	"strconv"
	"time"

	"github.com/gohone/hone/bench/proc"
)

var wrk = &Tool{
	Name: "wrk", Servers: []string{Bare, NetHTTP, HTTPS}, // it checks no certificates
	Args: func(j Job) proc.Command {
		return proc.Command{Args: []string{
			"-t1", "-c", strconv.Itoa(j.Connections), "-d", seconds(j.Duration) + "s", "--timeout", "30s", "--latency",
			j.URL,
		}}
	},
	Read: func(_ string, _ Job, out []byte) (Report, error) {
		if !wrkRequests.Match(out) {
			return Report{}, fmt.Errorf("read wrk's report: no count of requests in %q", out)
		}
		wrong := countOf(wrkStatus, out) // wrk counts error statuses among its requests
		return Report{
			Answered: countOf(wrkRequests, out) - wrong, Failed: countOf(wrkErrors, out) + wrong,
			P50: timeOf(wrkP50, out, ""), P99: timeOf(wrkP99, out, ""), Max: timeOf(wrkMax, out, ""),
		}, nil
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

// seconds is a duration in whole seconds, rounded up: wrk knows no shorter.
func seconds(d time.Duration) string {
	return strconv.Itoa(int((d + time.Second - 1) / time.Second))
}
