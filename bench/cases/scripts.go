package cases

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/judge"
)

// Overhead is what the probe costs a service while nothing is captured: each service with the probe (B) against itself
// without it (A), builds with another order of functions in turn, since the probe's code moves the program's.
var Overhead = bed.Case{Name: "overhead", Shows: "what the probe costs a service while nothing is captured",
	Takes: "9 minutes", About: []string{"probe"}, Run: measureOverhead}

func measureOverhead(ctx context.Context, b *bed.Bed) error {
	budget := b.String("budget", "120s", "time of a comparison")
	layouts := b.String("layouts", "20", "orders of functions")
	if err := b.Start(ctx); err != nil {
		return err
	}
	t := b.Table("Probe", "program", "CPU per request with it over without it", "gate of 1 %")
	missed := 0
	for _, s := range [][]string{
		{"../services/framed/cmd/framed", "framed://127.0.0.1:{port}", "-stage", "raw"},
		{"../services/framed/cmd/framed", "framed://127.0.0.1:{port}", "-stage", "batched"},
		{"./subjects/halved", "http://127.0.0.1:{port}/"},
	} {
		var c struct {
			Comparison struct {
				Contests []struct{ Verdicts []judge.Verdict }
			}
		}
		args := append([]string{s[0], s[0], "--set=no-inject=A", "--set", "layouts=" + *layouts, "--budget", *budget,
			"--gate", "cpu<+1%", "--target", s[1],
			"-c", "50", "--", "-addr", "127.0.0.1:{port}"}, s[2:]...)
		done, err := b.Hone.Ask(ctx, &c, []int{honecli.Regression, honecli.Undecided}, "compare --quiet --no-profile",
			args...)
		if err != nil {
			return err
		}
		if len(c.Comparison.Contests) != 1 || len(c.Comparison.Contests[0].Verdicts) == 0 {
			return errors.New("hone compare has no verdict")
		}
		v := c.Comparison.Contests[0].Verdicts[0]
		name, change := strings.TrimSpace(filepath.Base(s[0])+" "+strings.Join(s[2:], " ")),
			figures.Ratio{Value: v.Ratio, Low: v.Low, High: v.High}
		word := "passed"
		if done.Code != 0 {
			word, missed = "not shown", missed+1
		}
		t.Row(name, change.String(), word)
		b.Claim("the probe while nothing is captured: CPU per request with it over without it, "+name, "%s", change)
	}
	if missed > 0 {
		return fmt.Errorf("%d programs are not shown to stay under 1 %%", missed)
	}
	return nil
}

// Instructions builds the benchmarks of some packages twice from one commit, and fails unless their instructions per
// operation agree within 0.1 %: what hone bench --instructions takes for "the same".
var Instructions = bed.Case{Name: "instructions",
	Shows: "do two builds of one commit agree in instructions per operation", Takes: "6 minutes", Needs: "valgrind",
	Run: measureInstructions}

func measureInstructions(ctx context.Context, b *bed.Bed) error {
	const most = 0.001
	if err := b.Start(ctx); err != nil {
		return err
	}
	b.Hone.Dir = ".."
	t := b.Table("Builds", "benchmark", "B over A")
	var faults []error
	for _, p := range [][2]string{{"./services/rpc", "^BenchmarkEnvelope$/decode_by_hand"},
		{"./internal/wire/schemes", "^Benchmark(HTTPAnswer|FramedAnswer)"}} {
		out := filepath.Join(b.Dir, "instructions.txt")
		if _, err := b.Hone.Run(ctx, []int{honecli.Undecided}, "bench", p[0], "--vs", "./", "--all", "--instructions",
			"--bench", p[1], "--quiet", "-o", out,
			"--ledger", b.Hone.Ledger); err != nil {
			return err
		}
		before, err := meansOf(strings.TrimSuffix(out, ".txt") + "-A.txt")
		if err != nil {
			return err
		}
		after, err := meansOf(strings.TrimSuffix(out, ".txt") + "-B.txt")
		if err != nil {
			return err
		}
		for name, a := range before {
			off := after[name]/a - 1
			t.Row(name, fmt.Sprintf("%+.3f %%", 100*off))
			if !(max(off, -off) <= most) {
				faults = append(faults, fmt.Errorf("%s: the builds differ by %+.3f %%, more than 0.1 %%", name,
					100*off))
			}
		}
	}
	if len(t.Rows) == 0 {
		return errors.New("no instructions were counted")
	}
	return errors.Join(faults...)
}

// meansOf are the means of the first unit of each benchmark in a file of results.
func meansOf(path string) (map[string]float64, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	values := map[string][]float64{}
	r := benchfmt.NewReader(f, path)
	for r.Scan() {
		if result, ok := r.Result().(*benchfmt.Result); ok && len(result.Values) > 0 {
			name := string(result.Name)
			values[name] = append(values[name], result.Values[0].Value)
		}
	}
	means := map[string]float64{}
	for name, all := range values {
		for _, v := range all {
			means[name] += v / float64(len(all))
		}
	}
	return means, r.Err()
}

// Tune is what needs no change of source, on two reference services: the settings that hone tries on a run, the sweep
// of the collector, and the cost of features.
var Tune = bed.Case{Name: "tune", Shows: "what settings and features do on two reference services", Takes: "10 minutes",
	Run: measureTune}

func measureTune(ctx context.Context, b *bed.Bed) error {
	const chat, naive = "chat://127.0.0.1:{port}?room=10", "../services/chat/cmd/chat"
	if err := b.Start(ctx); err != nil {
		return err
	}
	say := func(title string, args ...string) error {
		args = append([]string{"--ledger", b.Hone.Ledger, "--quiet"}, args...)
		d, err := b.Hone.Run(ctx, nil, append(strings.Fields(title), args...)...)
		b.Table("hone "+title).Say("%s", d.Stdout)
		return err
	}
	verify := func(target, program, stage string, load ...string) error {
		var run struct{ ID string }
		args := append(append([]string{program, "--target", target}, load...), "-d", "5s", "--profile-time", "4s", "--",
			"-stage", stage, "-addr", "127.0.0.1:{port}")
		if _, err := b.Hone.Ask(ctx, &run, nil, "run --quiet", args...); err != nil {
			return err
		}
		return say("advise --verify "+run.ID, "--target", target)
	}
	return errors.Join(
		verify(chat, naive, "naive", "-c", "50"),
		verify("framed://127.0.0.1:{port}", "../services/framed/cmd/framed", "reactor", "-c", "100", "--depth", "16"),
		say("tune gc "+naive, "--target", chat, "-c", "50", "--memory-limit", "64MiB", "--", "-stage", "naive", "-addr",
			"127.0.0.1:{port}"),
		say("ablate "+naive, "--target", chat, "-c", "50", "--without", "compression=arg:-compress=false", "--without",
			"lines=arg:-lines=false",
			"--", "-stage", "naive", "-addr", "127.0.0.1:{port}"))
}
