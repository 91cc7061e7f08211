// Command diff checks what hone profile diff colours on a real service: one function's work
// is halved and the load doubled, and that function alone is to be coloured; then the
// service is held against itself, and hardly anything is to be.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/bench/side"
)

type config struct {
	hone   string
	rounds int
}

func main() { side.Main("diff", parse, run) }

func parse(args []string) (config, error) {
	var c config
	fs := side.NewFlags("diff")
	fs.Hone(&c.hone)
	fs.IntVar(&c.rounds, "rounds", 10, "pairs of measurements of each kind")
	fs.Read(args)
	fs.Want(c.rounds > 0, "want at least one round")
	return c, fs.Faults()
}

// diff is what is read of hone.profile-diff/1.
type diff struct {
	Rows []struct {
		Function    string
		Word        string
		A, B, Delta float64
	}
}

// changed is the function that is halved.
const changed = "main.compare"

func run(ctx context.Context, c config) error {
	dir, err := os.MkdirTemp("", "diff-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for _, line := range side.Machine() {
		fmt.Println(line)
	}
	hone, err := honecli.Find(c.hone)
	if err != nil {
		return err
	}
	alone, found, strangers, functions := 0, 0, 0, 0
	for i := range c.rounds {
		d, err := compare(ctx, hone, dir, "4000", "-half")
		if err != nil {
			return err
		}
		coloured := d.coloured()
		hit, others := false, []string{}
		for _, name := range coloured {
			if hit = hit || name == changed; name != changed {
				others = append(others, name)
			}
		}
		if hit {
			found++
		}
		if hit && len(others) == 0 {
			alone++
		}
		equal, err := compare(ctx, hone, dir, "2000")
		if err != nil {
			return err
		}
		strangers, functions = strangers+len(equal.coloured()), functions+len(equal.Rows)
		fmt.Printf("round %d: halved and doubled: found %t, also coloured %d of %d %q; against itself: %d of %d %q\n",
			i+1, hit, len(others), len(d.Rows), others, len(equal.coloured()), len(equal.Rows), equal.coloured())
	}
	fmt.Printf("\n%s was coloured in %d of %d, alone in %d; against itself %d of %d functions (%.2g %%; wanted: at most 5 %%)\n",
		changed, found, c.rounds, alone, strangers, functions, 100*float64(strangers)/float64(functions))
	return nil
}

func (d diff) coloured() []string {
	var names []string
	for _, r := range d.Rows {
		if r.Word != "same" {
			names = append(names, r.Function)
		}
	}
	return names
}

// compare profiles the service at 2,000 requests/s, and again at another rate and with
// other flags.
func compare(ctx context.Context, hone honecli.Hone, dir, rate string, flags ...string) (diff, error) {
	var d diff
	a, err := measure(ctx, hone, dir, "2000")
	if err != nil {
		return d, err
	}
	b, err := measure(ctx, hone, dir, rate, flags...)
	if err != nil {
		return d, err
	}
	_, err = hone.Ask(ctx, &d, nil, "profile", "diff", a, b, "--ledger", dir, "--json")
	return d, err
}

// measure loads the service at a rate and returns the run's name.
func measure(ctx context.Context, hone honecli.Hone, dir, rate string, flags ...string) (string, error) {
	var run struct{ ID string }
	args := append([]string{
		"run", "./diff/subject", "-d", "1s", "-c", "20", "-q", rate, "--profile-time", "10s", "--profile-rate", "250", "--ledger", dir, "--json", "--quiet",
		"--target", "http://127.0.0.1:{port}/", "--", "-addr", "127.0.0.1:{port}",
	}, flags...)
	if _, err := hone.Ask(ctx, &run, nil, args...); err != nil {
		return "", fmt.Errorf("at %s/s %s: %w", rate, strings.Join(flags, " "), err)
	}
	return run.ID, nil
}
