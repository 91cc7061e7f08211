package side

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/gohone/hone/bench/proc"
)

var fortio = &Tool{
	Name: "fortio", Open: true,
	Args: func(j Job) proc.Command {
		return proc.Command{Args: []string{
			"load", "-c", strconv.Itoa(j.Connections), "-t", j.Duration.String(), "-timeout", "30s",
			"-qps", strconv.Itoa(j.RateHz), // 0 is as fast as it can
			"-p", "50,99", "-json", "-", "-quiet", j.URL,
		}}
	},
	Read: func(_ string, _ Job, out []byte) (Report, error) {
		var v struct {
			RetCodes          map[string]uint64
			DurationHistogram struct {
				Max         float64 // seconds, as the percentiles
				Percentiles []struct{ Percentile, Value float64 }
			}
		}
		if err := json.Unmarshal(out, &v); err != nil {
			return Report{}, fmt.Errorf("read fortio's report: %w", err)
		}
		var r Report
		for code, n := range v.RetCodes {
			if code == "200" {
				r.Answered += n
			} else {
				r.Failed += n
			}
		}
		for _, p := range v.DurationHistogram.Percentiles {
			switch p.Percentile {
			case 50:
				r.P50 = inSeconds(p.Value)
			case 99:
				r.P99 = inSeconds(p.Value)
			}
		}
		r.Max = inSeconds(v.DurationHistogram.Max)
		return r, nil
	},
}
