package side

import (
	"strconv"
	"strings"

	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/bench/proc"
)

// HoneLoad is hone load under a name. args are the target and what the job asks for beside its duration. There is no
// warm-up: it would cost CPU time that the other tools do not spend.
func HoneLoad(name string, args func(j Job) []string) *Tool {
	return &Tool{
		Name: name, File: Hone,
		Args: func(j Job) proc.Command {
			all := []string{"load", "--no-ledger", "-d", j.Duration.String(), "--set", "workers=1", "--warmup", "0s",
				"--set", "timeout=30s", "--quiet", "--json"}
			return proc.Command{Args: append(all, args(j)...)}
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
}

var hone = honeHTTP()

// honeHTTP is hone as a tool for HTTP.
func honeHTTP() *Tool {
	t := HoneLoad(Hone, func(j Job) []string {
		args := []string{j.URL, "-c", strconv.Itoa(j.Connections)}
		if strings.HasPrefix(j.URL, "https:") {
			args = append(args, "-k")
		}
		if j.HTTP2 {
			args = append(args, "--http2")
		}
		if j.RateHz > 0 {
			args = append(args, "--rate", strconv.Itoa(j.RateHz))
		}
		return args
	})
	t.Open, t.Servers = true, []string{Bare, NetHTTP, HTTPS, HTTP2}
	return t
}
