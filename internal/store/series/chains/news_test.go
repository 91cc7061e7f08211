package chains

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/store/series"
)

// withIDs are points that each have an ID of their own.
func withIDs(points ...series.Point) []series.Point {
	for i := range points {
		points[i].ID = fmt.Sprintf("id %d", i)
	}
	return points
}

// newsOf is the news of points, and what was marked then is added to them.
func newsOf(t *testing.T, points *[]series.Point, mark bool) string {
	t.Helper()
	n, err := NewsOf("here", series.Content{Points: *points}, Query{}, Options{}, StepOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, s := range n.Steps {
		all = append(all, s.Commit.Hash[:3]+" "+string(s.State))
	}
	for _, s := range n.Closed {
		all = append(all, "closed "+s.Commit.Hash[:3]+" "+string(s.State))
	}
	if mark {
		*points = withIDs(append(*points, Told(*points, "")...)...)
	}
	return strings.Join(all, ", ")
}

// Each step is told once: also where nobody was told after the commit that showed it, since the job was cut.
func TestEachStepIsToldOnce(t *testing.T) {
	same, all := changed(0, 1), along(changed(0, 1), confirmed(30, 2), changed(0, 1), confirmed(20, 2), changed(0, 1))
	points := withIDs(all[:3]...)
	want := func(want string, mark bool) {
		t.Helper()
		if got := newsOf(t, &points, mark); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	want("002 confirmed", false) // who only looks changes nothing
	want("002 confirmed", true)
	want("", true)
	if n := len(points); n != 4 {
		t.Errorf("%d points: a second mark says nothing", n)
	}
	points = withIDs(append(points, all[3], all[4], all[5])...) // of the fourth nobody was told
	want("004 confirmed", true)
	points = withIDs(append(points, again(4, 3, changed(20, 2)))...)
	want("", true)
	points = withIDs(append(points, point(6, 5, confirmed(-16.7, 1)), point(7, 6, same))...)
	want("closed 004 taken back", true)
	want("", true)
}

// Without a mark the news are those of the newest commit, also after steps of older ones were measured again.
func TestNewsWithoutAMark(t *testing.T) {
	points := withIDs(append(along(changed(0, 1), confirmed(30, 2), changed(0, 1), confirmed(20, 2)),
		again(4, 3, changed(20, 1)), again(2, 1, changed(30, 1)))...)
	if got := newsOf(t, &points, false); got != "004 confirmed" {
		t.Errorf("%q", got)
	}
}

// A step that somebody was told of, and that a further measurement does not show, is told of once more.
func TestAStepThatIsNotFoundAgain(t *testing.T) {
	points := withIDs(along(changed(0, 1), confirmed(3, 1.5), changed(0, 1))...)
	if got := newsOf(t, &points, true); got != "" { // it is not of the newest commit
		t.Errorf("%q", got)
	}
	points = withIDs(slices.Concat(points, []series.Point{again(2, 1, changed(0, 1))})...)
	if got := newsOf(t, &points, true); got != "closed 002 not found again" {
		t.Errorf("%q", got)
	}
	if got := newsOf(t, &points, true); got != "" {
		t.Errorf("%q", got)
	}
}
