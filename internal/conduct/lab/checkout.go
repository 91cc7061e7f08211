package lab

import (
	"fmt"

	"github.com/gohone/hone/internal/text/fail"
)

// notStarted adds to the error of a program that did not start in a copy of a checkout what
// may be missing there.
func (v *service) notStarted(err error) error {
	if v.home.Root == "" || fail.ExitCode(err) != int(fail.Subject) {
		return err
	}
	return fail.New(fail.Subject, "%w", err).
		WithHint("%s ran in a checkout of %s, which has the files that git tracks and no others; --work-dir . runs all variants in this directory",
			v.binary.Variant.Source, v.binary.Checkout.Ref)
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
		return fmt.Sprintf("the program wrote %s in its checkout, and its later starts found it ({dir} is a fresh directory for each start)", names[0])
	default:
		return fmt.Sprintf("the program wrote %d files in its checkout (%s and others), and its later starts found them ({dir} is a fresh directory for each start)", n, names[0])
	}
}
