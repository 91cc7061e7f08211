package receipt

import (
	"fmt"
	"slices"

	"github.com/gohone/hone/internal/judge/repeat"
	"github.com/gohone/hone/internal/program/touches"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
)

// ofVariant is what the patch of a variant passed; nil where nothing is said of it.
func (r *Receipt) ofVariant(letter string) *record.Checked {
	for i := range r.Checked {
		if r.Checked[i].Variant == letter {
			return &r.Checked[i]
		}
	}
	return nil
}

// holdChecked holds what a patch passed against a second check. What differs between two trees is the same everywhere;
// how many tests pass is not, since a test may skip itself on another machine.
func holdChecked(claimed, again *record.Checked) Finding {
	f := Finding{Of: claimed.Variant, Decides: true, Check: true, Answer: repeat.Holds}
	switch {
	case claimed.Base != again.Base:
		f.Answer, f.Reason = repeat.Refuted, fmt.Sprintf("the patch is on %.12s, and was checked on %.12s there",
			again.Base, claimed.Base)
	case claimed.Files != again.Files:
		f.Answer, f.Reason = repeat.Refuted, fmt.Sprintf("%s differ, and the receipt says %d",
			units.Plural(again.Files, "file"), claimed.Files)
	case !slices.Equal(claimed.Allowed, again.Allowed):
		f.Answer, f.Reason = repeat.Refuted, "the receipt does not say what the patch touches besides code: "+
			touched(again.Allowed)
	case !slices.Equal(claimed.Packages, again.Packages):
		f.Answer, f.Reason = repeat.Refuted, fmt.Sprintf("the packages with tests are %q, and the receipt says %q",
			again.Packages, claimed.Packages)
	case again.Tests < claimed.Tests:
		f.Answer, f.Reason = repeat.Open, fmt.Sprintf("%s pass here, and %d there", units.Plural(again.Tests, "test"),
			claimed.Tests)
	default:
		f.Reason = fmt.Sprintf("%s pass here", units.Plural(again.Tests, "test"))
	}
	return f
}

func touched(all []touches.Touch) string {
	if len(all) == 0 {
		return "nothing"
	}
	return fmt.Sprintf("%s: %s", all[0].Kind, all[0])
}
