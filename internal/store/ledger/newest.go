package ledger

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gohone/hone/internal/text/fail"
)

// Last is the name of the newest run or comparison; last-1 is the one before it, and so on.
const Last = "last"

var newestName = regexp.MustCompile(`^last(?:-([0-9]{1,6}))?$`)

// newestWord says whether a word names a record by its age, and how many newer ones there are.
func newestWord(word string) (back int, ok bool) {
	m := newestName.FindStringSubmatch(word)
	if m == nil {
		return 0, false
	}
	back, _ = strconv.Atoi(m[1]) // no digits are 0
	return back, true
}

// Newest is what the name last, or last-N, stands for.
type Newest struct {
	Ref
	Started time.Time
	// Label says what it is of; empty where nothing is known.
	Label string
	// Comparison is what a run belongs to; empty for none.
	Comparison string
}

// OnNewest sets the function that is called each time a name by age is resolved, before what it names is used.
func (l *Ledger) OnNewest(say func(Newest)) { l.onNewest = say }

// newest finds the record of the wanted kinds that so many newer ones follow, and says which one it is.
func (l *Ledger) newest(word string, back int, want ...Kind) (Ref, error) {
	all, err := l.byAge(want)
	if err != nil {
		return Ref{}, err
	}
	what := whatOf(want)
	if len(all) == 0 {
		return Ref{}, fail.New(fail.BadInput, "the ledger %s has no %s yet", l.dir, what).
			WithHint("hone run ./your/package makes a run; hone compare ./your/package makes a comparison")
	}
	if back >= len(all) {
		return Ref{}, fail.New(fail.BadInput, "find %s %q: the oldest is %s-%d", what, word, Last,
			len(all)-1).WithHint("hone history")
	}
	if l.onNewest != nil {
		l.onNewest(all[back])
	}
	return all[back].Ref, nil
}

// byAge lists what names by age can mean, the newest first. A record that is still measured does not count. Where runs
// and comparisons are wanted, a comparison stands for its runs. Where runs alone are wanted, those of a comparison
// count, too: after a comparison of A and B, last is B and last-1 is A.
func (l *Ledger) byAge(want []Kind) (all []Newest, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c, err := l.current()
	if err != nil {
		return nil, err
	}
	var records []*Record
	for _, kind := range want {
		for _, r := range c.all(kind) {
			inComparison := len(want) > 1 && r.Run != nil && c.records[r.Run.Comparison] != nil
			if r.Status() != Running && !inComparison {
				records = append(records, r)
			}
		}
	}
	slices.SortFunc(records, newestFirst)
	labels := map[string][]string{} // by comparison
	for _, r := range slices.Backward(c.all(KindRun)) {
		if of := labels[r.Run.Comparison]; r.Run.Label != "" && !slices.Contains(of, r.Run.Label) {
			labels[r.Run.Comparison] = append(of, r.Run.Label)
		}
	}
	for _, r := range records {
		if r.Run != nil {
			all = append(all, Newest{r.Ref(), r.Run.Started, r.Run.Label, r.Run.Comparison})
		} else {
			all = append(all, Newest{r.Ref(), r.Comparison.Started, strings.Join(labels[r.Comparison.ID], " against "),
				""})
		}
	}
	return all, nil
}
