package track

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/store/series"
	"github.com/gohone/hone/internal/store/series/imported"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
)

// importFiles adds results that other tools measured to a store: all of the files, or none.
func importFiles(of *app.App, store series.Store, dir, branch string, files []string) error {
	known := func(hash string) (series.Commit, bool) {
		c, err := git.Describe(of.Ctx, dir, hash)
		return series.CommitOf(c), err == nil
	}
	var points []series.Point
	var lines []string
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			return fail.New(fail.BadInput, "import results: %w", err)
		}
		r, err := imported.Read(of.Ctx, f, filepath.Base(name), imported.Options{Branch: branch, Commit: known})
		f.Close()
		if err != nil {
			return err
		}
		points = append(points, r.Points...)
		lines = append(lines, fmt.Sprintf("%s: %s of %s", name, units.Plural(len(r.Points), "point"), r.Format))
		for _, fault := range r.Faults {
			lines = append(lines, "not imported: "+fault.String())
		}
	}
	if len(points) == 0 {
		return fail.New(fail.BadInput, "the files have no results that can be imported").
			WithHint("data.js of github-action-benchmark, JSON of Bencher, or the output of go test -bench")
	}
	if err := store.Append(of.Ctx, points, nil); err != nil {
		return err
	}
	for _, line := range append(lines, "kept in "+store.String()) {
		if _, err := fmt.Fprintln(of.Stdout, printable.Line(line)); err != nil {
			return err
		}
	}
	return nil
}
