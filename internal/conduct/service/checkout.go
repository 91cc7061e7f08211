package service

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/text/fail"
)

// notStarted adds to the error of a program that did not start in a copy of a checkout what
// may be missing there.
func (v *service) notStarted(err error) error {
	if v.home.Root == "" || fail.ExitCode(err) != int(fail.Subject) {
		return err
	}
	return fail.New(fail.Subject, "%w", err).
		WithHint("%s ran in a checkout of %s, which has the files that git tracks and no others; --work-dir . runs "+
			"all variants in this directory",
			v.Binary.Variant.Source, v.Binary.Checkout.Ref)
}

// makeAlike gives checkouts what else stands in the user's directory, if another variant runs in that.
func (m *services) makeAlike(ctx context.Context, homes []*build.Place) error {
	if !slices.ContainsFunc(homes, func(p *build.Place) bool { return p.Root == "" }) {
		return nil
	}
	for i, home := range homes {
		left, err := home.AddUntracked(ctx, m.WorkDir)
		if err != nil {
			return err
		}
		if len(left) > 0 {
			m.Progress.Warn(fmt.Sprintf("variant %c runs in a checkout without %s, which git does not track, "+
				"and which is too large to copy; if the program reads it: --work-dir . runs all variants in this "+
				"directory",
				'A'+i, strings.Join(left, ", ")))
		}
	}
	return nil
}

// wroteInCheckout says that a program wrote files that its later starts found; "" if there
// are none, or there was one start.
func (v *service) wroteInCheckout() string {
	if v.runs < 2 {
		return ""
	}
	names := v.home.Written()
	switch n := len(names); n {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("the program wrote %s in its checkout, and its later starts found it ({dir} is a fresh "+
			"directory for each start)", names[0])
	default:
		return fmt.Sprintf("the program wrote %d files in its checkout (%s and others), and its later starts found "+
			"them ({dir} is a fresh directory for each start)", n, names[0])
	}
}
