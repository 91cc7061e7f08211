package side

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/gohone/hone/bench/proc"
)

var bombardier = &Tool{
	Name: "bombardier", Open: true,
	Args: func(j Job) proc.Command {
		args := []string{
			"-c", strconv.Itoa(j.Connections), "-d", j.Duration.String(), "-t", "30s", "-o", "json", "-p", "r", "-l",
		}
		if j.RateHz > 0 {
			args = append(args, "-r", strconv.Itoa(j.RateHz))
		}
		return proc.Command{Args: append(args, j.URL)}
	},
	Read: func(_ string, _ Job, out []byte) (Report, error) {
		var v struct {
			Result struct {
				Req1xx, Req2xx, Req3xx, Req4xx, Req5xx, Others uint64
				Latency                                        struct {
					Max         float64 // microseconds, as the percentiles
					Percentiles map[string]float64
				}
			}
		}
		if err := json.Unmarshal(out, &v); err != nil {
			return Report{}, fmt.Errorf("read bombardier's report: %w", err)
		}
		micros := func(x float64) time.Duration { return time.Duration(x * float64(time.Microsecond)) }
		x, l := v.Result, v.Result.Latency
		return Report{
			Answered: x.Req2xx, Failed: x.Req1xx + x.Req3xx + x.Req4xx + x.Req5xx + x.Others,
			P50: micros(l.Percentiles["50"]), P99: micros(l.Percentiles["99"]), Max: micros(l.Max),
		}, nil
	},
}
