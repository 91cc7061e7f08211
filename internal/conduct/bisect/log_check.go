package bisect

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"
	"time"
	"unicode"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/store/commitsearch"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/judge"
)

// Bounds of what an entry of a log may say: a log need not be written by hone.
const (
	mostLog  = 23.0 // the natural logarithm of 10^10
	mostTook = 24 * time.Hour
	mostName = 1 << 10 // bytes
)

var commitHash = regexp.MustCompile(`^[0-9a-f]{7,64}$`)

// check says what is wrong with an entry: a search that goes on with it takes all of it as measured.
func (e Entry) check() error {
	var faults []error
	want := func(ok bool, format string, args ...any) {
		if !ok {
			faults = append(faults, fmt.Errorf(format, args...))
		}
	}
	want(commitHash.MatchString(e.Commit), "commit %.20q is not a hash", e.Commit)
	want(e.From == "" || commitHash.MatchString(e.From), "from %.20q is not a hash", e.From)
	want(math.Abs(e.Log) <= mostLog, "log %v is not between -%v and %v", e.Log, mostLog, mostLog)
	want(e.Err >= 0 && e.Err <= mostLog, "err %v is not between 0 and %v", e.Err, mostLog)
	for _, word := range []string{e.Same, e.Word} {
		want(word == "" || word == sameAsGood || word == sameAsBad, "%.20q is neither good nor bad", word)
	}
	if e.Target != nil {
		faults = append(faults, checkTarget(*e.Target))
	}
	if e.Whole != nil {
		want(e.Target != nil, "a comparison of both ends has no target")
		faults = append(faults, checkWhole(*e.Whole))
	}
	return errors.Join(faults...)
}

// checkTarget says what is wrong with a target that a log names: it becomes arguments of hone bench.
func checkTarget(t commitsearch.Target) error {
	for what, text := range map[string]string{"package": t.Package, "benchmark": t.Benchmark, "measure": t.Measure.Key,
		"name": t.Measure.Name, "unit": t.Measure.Unit} {
		if len(text) > mostName || strings.HasPrefix(text, "-") || strings.ContainsFunc(text, unicode.IsControl) {
			return fmt.Errorf("%s %.40q of the target is not a name", what, text)
		}
	}
	if t.Measure.Key == "" {
		return errors.New("the target has no measure")
	}
	return nil
}

// checkWhole says what is wrong with a comparison of both ends that a log has: it shows a difference, with its size.
func checkWhole(w commitsearch.Whole) error {
	switch v := w.Verdict; {
	case v == nil:
		return errors.New("the comparison of both ends has no verdict")
	case !v.Word.Different():
		return fmt.Errorf("the comparison of both ends is %.20q: there is nothing to search for", string(v.Word))
	case !sizeOfVerdict(*v):
		return fmt.Errorf("the comparison of both ends has no size: ratio %v, from %v to %v", v.Ratio, v.Low, v.High)
	}
	for _, o := range w.Others {
		if err := checkTarget(o.Target); err != nil {
			return err
		}
		if !sizeOfVerdict(o.Verdict) {
			return fmt.Errorf("the difference of %.40q has no size", o.Target.Measure.Key)
		}
	}
	switch {
	case w.Took < 0 || w.Took > mostTook:
		return fmt.Errorf("the comparison of both ends took %v", w.Took)
	case w.Comparison != "" && !ledger.IsID(w.Comparison):
		return fmt.Errorf("%.20q is not the name of a comparison", w.Comparison)
	}
	return nil
}

// sizeOfVerdict says whether a verdict has a ratio within its interval, as those that hone writes.
func sizeOfVerdict(v judge.Verdict) bool {
	if math.IsNaN(v.Ratio) || !(v.Ratio > 0) || math.Abs(math.Log(v.Ratio)) > mostLog {
		return false
	}
	if v.Method == compare.Exact {
		return true
	}
	_, _, ok := observed(v)
	return ok && v.Low <= v.Ratio && v.Ratio <= v.High
}
