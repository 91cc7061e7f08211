package rewrite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/gohone/hone/internal/program/gocommand"
	"github.com/gohone/hone/internal/program/gotest"
	"github.com/gohone/hone/internal/sys/paths"
	"github.com/gohone/hone/internal/sys/tempdir"
	"github.com/gohone/hone/internal/text/fail"
)

// Proof is what a check of a change has shown.
type Proof struct {
	// Tested says that the package of the change has tests, and that they pass with it.
	Tested bool
	// NotTested says why there was nothing to show: no tests, or tests that fail without the
	// change, too.
	NotTested string
}

// Check vets the package that was changed, and runs its tests. The tree is not touched; the tests are those of the
// user, and do what they do.
//
// Errors are fail.Subject: the change does not build, go vet objects to it, or tests fail that pass
// without it, each with the end of the output; and ctx's.
func (c *Change) Check(ctx context.Context) (*Proof, error) {
	temp, err := tempdir.Make()
	if err != nil {
		return nil, err
	}
	defer temp.Remove()
	before, err := c.options.flags(filepath.Join(temp.Path, "before"))
	if err != nil {
		return nil, err
	}
	flags, err := withOverlay(c.options.Flags, c.Overlay(), filepath.Join(temp.Path, "after"))
	if err != nil {
		return nil, err
	}
	if err := c.vet(ctx, before, flags); err != nil {
		return nil, err
	}
	return c.test(ctx, before, flags)
}

// vet accepts what go vet says of the code as it is, too.
func (c *Change) vet(ctx context.Context, before, flags []string) error {
	run := func(flags []string) error {
		_, _, err := gocommand.Ask(ctx, c.options.Env, c.Package, slices.Concat([]string{"vet"}, flags, []string{"."})...)
		return err
	}
	err := run(flags)
	if err == nil || fail.KindOf(err) != fail.BadInput {
		return err
	}
	if run(before) != nil {
		return ctx.Err()
	}
	return fail.New(fail.Subject, "vet the rewritten package: %w", err)
}

func (c *Change) test(ctx context.Context, before, flags []string) (*Proof, error) {
	if found, err := paths.Named(c.Package, "*_test.go"); err != nil || len(found) == 0 {
		return &Proof{NotTested: "the package has no tests"}, err
	}
	run := func(flags []string) func() (*gotest.Result, error) {
		return func() (*gotest.Result, error) {
			return gotest.Run(ctx, gotest.Task{Dir: c.Package, Env: c.options.Env, Flags: flags, Packages: []string{"."}})
		}
	}
	found, err := gotest.Compare(ctx, run(flags), run(before))
	switch {
	case err != nil:
		return nil, err
	case len(found.Broken) > 0:
		f := found.Broken[0]
		return nil, fail.New(fail.Subject, "test the rewritten package: %s", f).
			WithHint("it passes without the change: %s", f.Command())
	case len(found.Both) > 0:
		return &Proof{NotTested: fmt.Sprintf("a test of the package fails without the change, too: %s", found.Both[0])}, nil
	case found.Passed == 0:
		return &Proof{NotTested: "no test of the package ran"}, nil
	}
	return &Proof{Tested: true}, nil
}

// withOverlay are build flags with those of an overlay, content by path, whose files it writes to dir (go help build,
// -overlay).
func withOverlay(flags []string, overlay map[string]string, dir string) ([]string, error) {
	if len(overlay) == 0 {
		return flags, nil
	}
	err := os.MkdirAll(dir, 0o700)
	replace := map[string]string{}
	for path, content := range overlay {
		replace[path] = filepath.Join(dir, fmt.Sprintf("%d_%s", len(replace), filepath.Base(path)))
		err = errors.Join(err, os.WriteFile(replace[path], []byte(content), 0o600))
	}
	text, jsonErr := json.Marshal(map[string]map[string]string{"Replace": replace})
	file := filepath.Join(dir, "overlay.json")
	if err = errors.Join(err, jsonErr, os.WriteFile(file, text, 0o600)); err != nil {
		return nil, fail.New(fail.Or(fail.Environment, err), "write overlay: %w", err)
	}
	return append(slices.Clone(flags), "-overlay="+file), nil
}
