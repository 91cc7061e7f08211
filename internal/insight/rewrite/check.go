package rewrite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

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

// CheckOptions say what to check a change with.
type CheckOptions struct {
	// Main is the package that is measured, as go build takes it, in WorkDir; empty leaves it out.
	Main    []string
	WorkDir string
	// TestTime bounds the tests; 0 is two minutes.
	TestTime time.Duration
}

// Check builds the measured package with a change, vets the package that was changed, and runs its
// tests. The tree is not touched; the tests are those of the user, and do what they do.
//
// Errors are fail.Subject: the change does not build, go vet objects to it, or tests fail that pass
// without it, each with the end of the output; and ctx's.
func (c *Change) Check(ctx context.Context, o CheckOptions) (*Proof, error) {
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
	if len(o.Main) > 0 {
		args := slices.Concat([]string{"build", "-o", os.DevNull}, flags, []string{"--"}, o.Main)
		if err := c.goTool(ctx, o.WorkDir, "build the rewritten program", args); err != nil {
			return nil, err
		}
	}
	if err := c.vet(ctx, before, flags); err != nil {
		return nil, err
	}
	return c.test(ctx, o, before, flags)
}

func (c *Change) goTool(ctx context.Context, dir, what string, args []string) error {
	out, complaint, err := runGo(ctx, dir, c.options.Env, args...)
	if err != nil {
		return goFault(what, err, string(out)+complaint)
	}
	return nil
}

// vet accepts what go vet says of the code as it is, too.
func (c *Change) vet(ctx context.Context, before, flags []string) error {
	err := c.goTool(ctx, c.Package, "vet the rewritten package", slices.Concat([]string{"vet"}, flags, []string{"."}))
	if err == nil || ctx.Err() != nil {
		return err
	}
	if c.goTool(ctx, c.Package, "vet the package",
		slices.Concat([]string{"vet"}, before, []string{"."})) != nil {
		return nil
	}
	return err
}

// mostTestTime is how long the tests of a package may take by default.
const mostTestTime = 2 * time.Minute

func (c *Change) test(ctx context.Context, o CheckOptions, before, flags []string) (*Proof, error) {
	if none, err := c.hasNoTests(); none || err != nil {
		return &Proof{NotTested: "the package has no tests"}, err
	}
	most := o.TestTime
	if most == 0 {
		most = mostTestTime
	}
	run := func(flags []string) error {
		bounded, end := context.WithTimeout(ctx, 2*most+time.Minute) // the build of the tests takes its time, too
		defer end()
		args := slices.Concat([]string{"test"}, flags, []string{"-count=1", "-timeout=" + most.String(), "."})
		return c.goTool(bounded, c.Package, "test the rewritten package", args)
	}
	err := run(flags)
	if err == nil {
		return &Proof{Tested: true}, nil
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, fail.New(fail.Subject, "the tests of %s do not end within %v", c.Package, most)
	}
	if run(before) != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return &Proof{NotTested: "the tests of the package fail without the change, too"}, nil
	}
	return nil, err
}

// hasNoTests says that no file of the package is called as tests are.
func (c *Change) hasNoTests() (bool, error) {
	found, err := filepath.Glob(filepath.Join(escapeGlob(c.Package), "*_test.go"))
	return len(found) == 0, err
}

func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
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
