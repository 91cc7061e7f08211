package calibrate

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"time"

	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/internal/judge/measure"
)

// tool is hone's binary.
type tool struct {
	honecli.Hone
	// flags are those of every measurement; nil for none.
	flags []string
}

// measured runs hone run or hone compare with a ledger of its own, which is not kept: the
// lines of results are the evidence, and hundreds of ledgers would fill the disk.
func (t tool) measured(ctx context.Context, s service, command string, variants []string, more ...string) ([]byte, int,
	error) {
	ledger, err := os.MkdirTemp("", "hone-calibrate-")
	if err != nil {
		return nil, 0, fmt.Errorf("make a place for the ledger: %w", err)
	}
	defer os.RemoveAll(ledger)
	d, err := t.Run(ctx, []int{honecli.Invalid, honecli.Undecided},
		t.arguments(s, ledger, command, variants, more...)...)
	return d.Stdout, d.Code, err
}

func (t tool) arguments(s service, ledger, command string, variants []string, more ...string) []string {
	args := append([]string{command}, variants...)
	args = append(args, "--target")
	args = append(args, s.load(s.Target)...)
	args = append(args, slices.Concat(more, t.flags)...)
	return append(args, "--ledger", ledger, "--json", "--no-profile", "--quiet", "--", "-addr", "127.0.0.1:{port}")
}

// cpuNanos measures the CPU time per request of a service as it is, in nanoseconds.
func (t tool) cpuNanos(ctx context.Context, s service, d time.Duration) (float64, error) {
	out, code, err := t.measured(ctx, s, "run", []string{s.variant(0)}, "-d", d.String())
	if err != nil {
		return 0, err
	}
	var run struct {
		CPU    struct{ Value float64 } `json:"cpu_ns_per_request"`
		Reason string
	}
	if err := json.Unmarshal(out, &run); err != nil {
		return 0, fmt.Errorf("read hone's run: %w", err)
	}
	if code != 0 || !(run.CPU.Value > 0) {
		return 0, fmt.Errorf("measure %s: no CPU time per request: %s", s.variant(0), run.Reason)
	}
	return run.CPU.Value, nil
}

// compare lets hone compare two spins of a service.
func (t tool) compare(ctx context.Context, s service, a, b int, budget time.Duration, more ...string) (comparison,
	error) {
	out, code, err := t.measured(ctx, s, "compare", []string{s.variant(a), s.variant(b)},
		append(more, "--budget", budget.String())...)
	if err != nil {
		return comparison{}, err
	}
	return readComparison(out, code)
}

// readComparison reads what hone compare --json prints. The first verdict is that on
// CPU time per request.
func readComparison(out []byte, code int) (comparison, error) {
	doc, err := honecli.ReadComparison(out)
	if err != nil {
		return comparison{}, err
	}
	c := comparison{Verdict: invalid, Seconds: rounded(doc.Elapsed.Seconds(), 2)}
	if code == honecli.Invalid {
		c.Reason = shortened(doc.Reason)
		return c, nil
	}
	verdicts, err := doc.Verdicts()
	if err != nil {
		return c, err
	}
	for _, v := range verdicts {
		switch v.Measure.Key {
		case measure.Throughput.Key:
			c.Throughput = string(v.Word)
		case "p99":
			c.P99 = string(v.Word)
		}
	}
	v := verdicts[0]
	c.Verdict, c.Starts, c.Pairs = string(v.Word), v.Starts, v.Pairs
	c.Ratio, c.Low = rounded(v.Ratio, 6), rounded(v.Low, 6) // far more digits than these are known to
	if !math.IsInf(v.High, 1) {
		c.High = rounded(v.High, 6)
	}
	switch c.Verdict {
	case faster, slower, same, noChange, undecided:
		return c, nil
	}
	return c, fmt.Errorf("read hone's comparison: unknown verdict %q", c.Verdict)
}

func rounded(v float64, digits int) float64 {
	scale := math.Pow10(digits)
	return math.Round(v*scale) / scale
}

// shortened bounds a reason: a line of results stays a line.
func shortened(s string) string { return s[:min(len(s), 200)] }
