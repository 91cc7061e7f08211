package side

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"time"
)

var hone = &Tool{
	Name: Hone, Open: true,
	// No warm-up: it would cost CPU time that the other tools do not spend.
	Args: func(j Job) Command {
		args := []string{
			"load", j.URL, "-c", strconv.Itoa(j.Connections), "-d", j.Duration.String(),
			"--workers", "1", "--warmup", "0s", "--timeout", "30s", "--quiet", "--json",
		}
		if j.RateHz > 0 {
			args = append(args, "--rate", strconv.Itoa(j.RateHz))
		}
		return Command{Args: args}
	},
	Read: func(_ string, _ Job, out []byte) (Report, error) {
		h, err := ReadHone(out)
		if err != nil {
			return Report{}, err
		}
		a, l := h.Account, h.Latency
		return Report{a.Answered, a.Failed, a.Unsent + a.Unanswered, l.P50, l.P99, l.Max}, nil
	},
}

// HoneReport is the part of hone load's JSON that benchmarks use.
type HoneReport struct {
	Valid  bool
	Doubts []struct {
		Text  string
		Fatal bool
	}
	// Account is of the whole session, Requests without the warm-up.
	Account, Requests HoneAccount

	AskedHz float64 `json:"asked_hz"`
	// AchievedHz is of right answers.
	AchievedHz float64     `json:"achieved_hz"`
	Latency    HoneLatency `json:"latency"`
	Latencies  struct{ Lag, Service HoneLatency }
	Generator  struct{ Busy float64 }
}

// HoneAccount is what became of the requests.
type HoneAccount struct{ Scheduled, Sent, Unsent, Answered, Failed, Unanswered uint64 }

// HoneLatency is one distribution of times.
type HoneLatency struct {
	Count int64
	P50   time.Duration `json:"p50_ns"`
	P99   time.Duration `json:"p99_ns"`
	Max   time.Duration `json:"max_ns"`
}

// ReadHone reads what hone load --json prints.
func ReadHone(out []byte) (HoneReport, error) {
	var h HoneReport
	if err := json.Unmarshal(out, &h); err != nil {
		return h, fmt.Errorf("read hone's report: %w in %q", err, out[:min(len(out), 200)])
	}
	if h.Account.Scheduled == 0 {
		return h, fmt.Errorf("read hone's report: no account in %q", out[:min(len(out), 200)])
	}
	return h, nil
}

// Complaint is why hone calls its measurement invalid; empty if it does not.
func (h HoneReport) Complaint() string {
	for _, d := range h.Doubts {
		if d.Fatal {
			return d.Text
		}
	}
	return ""
}

// FindHone is hone alone, at that path.
func FindHone(program string) (Found, error) {
	if _, err := os.Stat(program); err != nil {
		return Found{}, fmt.Errorf("no hone at %s: go build -o %s ../cmd/hone", program, program)
	}
	return Found{hone, program}, nil
}

// RunHone runs hone load --json with a command line of the caller's. An invalid
// measurement is a report, not an error.
func RunHone(ctx context.Context, cpu int, t Found, c Command) (HoneReport, Done, error) {
	p, err := Start(ctx, cpu, t.Program, c)
	if err != nil {
		return HoneReport{}, Done{}, err
	}
	d, failed := p.Wait()
	h, err := ReadHone(d.Stdout)
	if err != nil && failed != nil {
		err = failed
	}
	return h, d, err
}
