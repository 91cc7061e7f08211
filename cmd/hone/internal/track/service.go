package track

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/conduct/track"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/view/page"
)

// service is a program under load that is tracked.
type service struct {
	*app.App
	asked *app.MeasureFlags
	dir   string // that the user works in
}

// newService reads what a command line asks of one program.
func newService(of *app.App, f *app.MeasureFlags, cmd *cobra.Command, dir string, words, rest []string) (*service,
	error) {
	f.Unreached = f.Bench.All // --all, which is an option of both
	// A service changes what it answers from time to time, and its series goes on: the outcome says it.
	f.Answers.Allow = true
	if !spec.Of(cmd.Flags()).Given("budget") {
		f.Budget = spec.DefaultBudget
	}
	if _, err := of.TakeWords(f, cmd, words, rest, 1, 1); err != nil {
		return nil, err
	}
	s := &service{of, f, dir}
	return s, s.nameDirectory()
}

// subject is the package, whose name the series has.
func (s *service) subject() (string, error) {
	v := s.asked.Variants[0]
	found, err := source.Resolve(s.Ctx, v.Source, source.Options{WorkDir: s.dir, Env: build.Env(v), Flags: v.BuildFlags})
	if err != nil {
		return "", err
	}
	if found.OfFiles() {
		return v.Source, nil
	}
	return found.Package, nil
}

// nameDirectory has the program named by its directory, which a commit has, too, where it is named by its import path.
func (s *service) nameDirectory() error {
	v := &s.asked.Variants[0]
	switch {
	case app.IsSource(v.Source) || len(source.GoFiles(v.Source)) > 0:
	case strings.Contains(v.Source, ":"):
		return fail.New(fail.BadInput, "%s is at a git ref, and hone track measures the commit that is checked out",
			v.Source).
			WithHint("hone compare measures any two versions")
	default:
		if dir := dirOf(s.Ctx, v.Source); dir != "" {
			v.Source = dir
		}
	}
	return nil
}

// compare holds the program in the work tree against a commit, as hone compare COMMIT:PACKAGE PACKAGE does.
func (s *service) compare(_ context.Context, base string) (found *track.Compared, err error) {
	f := *s.asked
	task := f.Task
	task.Parts = f.Parts
	if f.Variants, f.Task.Command, err = task.AtCommits(s.dir, base, lab.WorkTree); err != nil {
		return nil, err
	}
	f.Task.Command = f.Task.Command.With(spec.Option(spec.ForCompare, "answers.may-differ"))
	err = s.Measure(&f, func(out *record.Outcome, _ *page.Library, err error) error {
		if err == nil {
			found, err = comparedWith(out)
		}
		return err
	})
	wrong := (*lab.VariantError)(nil)
	if errors.As(err, &wrong) && wrong.Letter == "A" && fail.KindOf(err) == fail.Subject && s.serves() {
		why, _, _ := strings.Cut(err.Error(), "\n")
		return &track.Compared{NoBase: why}, nil
	}
	return found, err
}

// measuredAlone is for how long the program of the work tree is loaded, to see that it serves.
const measuredAlone = time.Second

// serves says that the program of the work tree builds, starts and answers. Where neither it nor the base does, what both
// need is missing: then the base is not to blame.
func (s *service) serves() bool {
	f := *s.asked
	f.Duration, f.Slice, f.ProfileTime = measuredAlone, measuredAlone/10, 0
	return s.Measure(&f, func(_ *record.Outcome, _ *page.Library, err error) error { return err }) == nil
}

// comparedWith is what a comparison has shown. One without a verdict is no point: the next commit is held against the
// same base again.
func comparedWith(out *record.Outcome) (*track.Compared, error) {
	if why := out.Comparison.Refusal(); why != "" {
		return nil, fail.New(fail.Invalid, "nothing was compared, and the series has no point of this commit: %s", why).
			WithHint("hone show %s prints what was kept", out.Comparison.ID)
	}
	return track.OfService(out), nil
}
