package corpus

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gohone/hone/bench/honecli"
)

// connections are those of the load of a service.
const connections = 20

// Ask has hone compare the commit that is checked out in tree with its base: by hone bench, or by hone compare if it is of a service.
// The ledger is not kept: the lines of results are the evidence. A benchmark or a comparison without a verdict is a result, too.
func (c Commit) Ask(ctx context.Context, hone honecli.Hone, tree string, budget time.Duration, more ...string) (said honecli.Said, err error) {
	if hone.Ledger, err = os.MkdirTemp("", "hone-ledger-"); err != nil {
		return said, fmt.Errorf("make a place for the ledger: %w", err)
	}
	defer os.RemoveAll(hone.Ledger)
	if c.Benchmark != "" {
		hone.Dir = filepath.Join(tree, c.Dir)
		b, err := hone.Bench(ctx, append([]string{"--vs", c.Base(), "--bench", c.Pattern(), "--budget", budget.String(), "--all"}, more...)...)
		if b.Said.Word != "" {
			err = nil // whatever it lacks
		}
		return b.Said, err
	}
	hone.Dir = tree
	pkg, s := "./"+filepath.ToSlash(c.Dir), SubjectOf(c.Repo)
	args := []string{c.Base() + ":" + pkg, pkg, "--target", "http://127.0.0.1:{port}" + s.Path, "-c", fmt.Sprint(connections),
		"--budget", budget.String(), "--set", "answers.volatile=true"}
	return hone.Compare(ctx, append(append(append(args, more...), "--"), s.Args...)...)
}

// Gates are flags for Ask.
func (c Commit) Gates() []string {
	if c.Benchmark == "" {
		return []string{"--gate", "cpu<+2%", "--gate", "allocs<=+0.5"}
	}
	return []string{"--gate", "time<+2%", "--gate", "allocs<=0"}
}
