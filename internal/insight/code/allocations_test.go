package code

import (
	"strings"
	"testing"
)

const allocating = `package p

type item struct{ next *item }

func ways(xs []int, m map[int]string, b []byte, s string) {
	xs = append(xs, 1) // append
	m[3] = "x" // map
	s = s + "!" // join
	s = string(b) // string
	b = []byte(s) // bytes
	b = make([]byte, 100) // make
	it := &item{} // object
	_ = make(map[string]int) // makemap
	_ = it
	for _, x := range xs { // nothing
		_ = x
	}
}
`

func TestWaysToAllocate(t *testing.T) {
	f, marks := parsed(t, allocating)
	for mark, want := range map[string]string{
		"append": wayAppend, "map": WayMap, "join": wayJoin, "string": wayString, "bytes": wayBytes, "make": wayMake,
		"object": wayObject, "makemap": wayMakeMap, "nothing": "",
	} {
		if got := strings.Join(f.Allocations(marks[mark]), " "); got != want {
			t.Errorf("%s: %q, want %q", mark, got, want)
		}
	}
}
