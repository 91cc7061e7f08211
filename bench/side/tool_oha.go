package side

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/gohone/hone/bench/proc"
)

var oha = &Tool{
	Name: "oha", Open: true,
	Args: func(j Job) proc.Command { return ohaArgs(j) },
	Read: readOha,
}

// ohaCorrected is oha with its own remedy for coordinated omission.
var ohaCorrected = &Tool{
	Name: "oha corrected", File: "oha", Open: true,
	Args: func(j Job) proc.Command { return ohaArgs(j, "--latency-correction") },
	Read: readOha,
}

func ohaArgs(j Job, more ...string) proc.Command {
	args := append([]string{
		"-c", strconv.Itoa(j.Connections), "-z", j.Duration.String(), "-t", "30s", "--no-tui", "--json",
	}, more...)
	if j.RateHz > 0 {
		args = append(args, "-q", strconv.Itoa(j.RateHz))
	}
	return proc.Command{Args: append(args, j.URL)}
}

func readOha(_ string, _ Job, out []byte) (Report, error) {
	var v struct {
		Summary            struct{ Slowest float64 } // seconds, as the percentiles
		LatencyPercentiles struct{ P50, P99 float64 }
		StatusCodes        map[string]uint64 `json:"statusCodeDistribution"`
		Errors             map[string]uint64 `json:"errorDistribution"`
	}
	if err := json.Unmarshal(out, &v); err != nil {
		return Report{}, fmt.Errorf("read oha's report: %w", err)
	}
	r := Report{
		P50: inSeconds(v.LatencyPercentiles.P50), P99: inSeconds(v.LatencyPercentiles.P99),
		Max: inSeconds(v.Summary.Slowest),
	}
	for code, n := range v.StatusCodes {
		if strings.HasPrefix(code, "2") {
			r.Answered += n
		} else {
			r.Failed += n
		}
	}
	for what, n := range v.Errors {
		if what == "aborted due to deadline" {
			r.GivenUp += n
		} else {
			r.Failed += n
		}
	}
	return r, nil
}
