package verify

import (
	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/conduct/precheck"
	"github.com/gohone/hone/internal/program/touches"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/view/receipt"
)

// checkAgain checks the patches of a receipt, as hone does before it measures one: what they touch, and the tests of
// both sides. A patch of which the receipt does not say that it was checked may touch code alone. The error says that
// the receipt does not hold: a patch that breaks a test is not measured.
func checkAgain(of *app.App, r *receipt.Receipt, name, repository string) (all []record.Checked, err error) {
	claimed := r.Checked
	if last := r.Sides[len(r.Sides)-1]; r.Patch != nil && len(claimed) == 0 {
		claimed = []record.Checked{{Variant: last.Name, Base: r.Patch.Base}}
	}
	for _, c := range claimed {
		t := precheck.Task{Name: "the patch of the receipt", Variant: c.Variant, Dir: repository, Base: c.Base}
		for _, side := range r.Sides {
			if side.Name == c.Variant {
				t.Commit = side.Commit
			}
		}
		var words []string
		for _, one := range c.Allowed {
			words = append(words, string(one.Kind))
		}
		if t.Allow, err = touches.ParseKinds(words); err != nil {
			return nil, err
		}
		for i := range t.Env {
			t.Env[i] = environment(r)
		}
		passed, err := of.Precheck(t, false)
		switch {
		case err == nil:
			all = append(all, *passed)
		case of.Ctx.Err() != nil:
			return nil, fail.New(fail.Interrupted, "interrupted")
		case fail.KindOf(err) == fail.Subject || fail.KindOf(err) == fail.BadInput:
			return nil, fail.New(fail.Regression, "%s does not hold here: %w", name, err).WithHint("%s", fail.HintOf(err))
		default:
			return nil, err
		}
	}
	return all, nil
}
