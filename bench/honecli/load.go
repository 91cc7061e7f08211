package honecli

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/gohone/hone/bench/proc"
)

// Load is the part of hone load's JSON that benchmarks use.
type Load struct {
	Valid  bool
	Doubts []struct {
		Text  string
		Fatal bool
	}
	// Account is of the whole session, Requests without the warm-up.
	Account, Requests Account

	// AchievedHz is of right answers.
	AchievedHz float64 `json:"achieved_hz"`
	Latency    Latency
	Latencies  struct{ Lag Latency }
	Generator  struct{ Busy float64 }
}

// Account is what became of the requests.
type Account struct{ Scheduled, Sent, Unsent, Answered, Failed, Unanswered uint64 }

// Latency is one distribution of times.
type Latency struct {
	P50 time.Duration `json:"p50_ns"`
	P99 time.Duration `json:"p99_ns"`
	Max time.Duration `json:"max_ns"`
}

// ReadLoad reads what hone load --json prints.
func ReadLoad(out []byte) (l Load, err error) {
	if err := json.Unmarshal(out, &l); err != nil {
		return l, fmt.Errorf("read hone's report: %w in %.200q", err, out)
	}
	if l.Account.Scheduled == 0 {
		return l, fmt.Errorf("read hone's report: no account in %.200q", out)
	}
	return l, nil
}

// Complaint is why hone calls its measurement invalid; empty if it does not.
func (l Load) Complaint() string {
	for _, d := range l.Doubts {
		if d.Fatal {
			return d.Text
		}
	}
	return ""
}

// Load runs hone load with these arguments on one CPU. An invalid measurement is a report,
// not an error.
func (h Hone) Load(ctx context.Context, cpu int, args ...string) (Load, error) {
	args = append([]string{"load", "--set", "workers=1", "--quiet", "--no-ledger", "--json"}, args...)
	d, failed := proc.Run(ctx, cpu, proc.Command{Program: h.Program, Args: args})
	l, err := ReadLoad(d.Stdout)
	if err != nil && failed != nil {
		err = failed
	}
	return l, err
}
