package side

import (
	"strconv"
	"strings"

	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/bench/proc"
)

var hone = &Tool{
	Name: Hone, Open: true, Servers: []string{Bare, NetHTTP, HTTPS, HTTP2},
	// No warm-up: it would cost CPU time that the other tools do not spend.
	Args: func(j Job) proc.Command {
		args := []string{
			"load", j.URL, "--no-ledger", "-c", strconv.Itoa(j.Connections), "-d", j.Duration.String(),
			"--workers", "1", "--warmup", "0s", "--timeout", "30s", "--quiet", "--json",
		}
		if strings.HasPrefix(j.URL, "https:") {
			args = append(args, "-k")
		}
		if j.HTTP2 {
			args = append(args, "--http2")
		}
		if j.RateHz > 0 {
			args = append(args, "--rate", strconv.Itoa(j.RateHz))
		}
		return proc.Command{Args: args}
	},
	Read: func(_ string, _ Job, out []byte) (Report, error) {
		h, err := honecli.ReadLoad(out)
		if err != nil {
			return Report{}, err
		}
		a, l := h.Account, h.Latency
		return Report{a.Answered, a.Failed, a.Unsent + a.Unanswered, l.P50, l.P99, l.Max}, nil
	},
}
