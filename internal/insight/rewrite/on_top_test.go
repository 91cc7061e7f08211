package rewrite

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// A line that stays is found after a change, wherever lines came and went.
func TestLinesAreFollowed(t *testing.T) {
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var before, after []string
		stays := map[int]int{}
		for i := range 60 {
			name := fmt.Sprintf("line %d", i)
			if rng.IntN(9) == 0 {
				after = append(after, fmt.Sprintf("new before %d", i))
			}
			before = append(before, name)
			if rng.IntN(9) == 0 {
				continue
			}
			after = append(after, name)
			stays[len(before)] = len(after)
		}
		text := func(lines []string) []byte { return []byte(strings.Join(lines, "\n") + "\n") }
		first := &Change{Files: []File{{Path: "/m/a.go", Before: text(before), After: text(after)}}}
		second := &Change{Files: []File{{Path: "/m/a.go", Before: text(after), After: text(append([]string{"", ""}, after...))}},
			options: Options{On: first}}
		for old, now := range stays {
			if got := first.Line("/m/a.go", old); got != now {
				t.Fatalf("seed %d: line %d is at %d, want %d", seed, old, got, now)
			}
			if got := second.Line("/m/a.go", old); got != now+2 {
				t.Fatalf("seed %d: line %d is at %d after both, want %d", seed, old, got, now+2)
			}
			if got := first.Line("/m/b.go", old); got != old {
				t.Fatalf("line %d of another file moved to %d", old, got)
			}
		}
	}
}

const twice = `package main

import "regexp"

func isWord(text string) bool {
	return regexp.MustCompile("^[a-z]+$").MatchString(text)
}

func isNumber(text string) bool {
	return regexp.MustCompile("^[0-9]+$").MatchString(text)
}

func main() { println(isWord("a"), isNumber("1")) }
`

// A change is made on top of another one, at its line in the tree, and both are checked together.
func TestAChangeOnTopOfAnother(t *testing.T) {
	dir := layOut(t, map[string]string{"main.go": twice, "main_test.go": `package main

import "testing"

func Test(t *testing.T) {
	if !isWord("a") || isWord("1") || !isNumber("1") || isNumber("a") {
		t.Error("wrong")
	}
}
`})
	first, err := apply(t, dir, Place{File: "main.go", Line: 6})
	if err != nil {
		t.Fatal(err)
	}
	r := For("compile-per-call")
	o := Options{Module: dir, On: first}
	second, err := r.Apply(t.Context(), o, Place{File: "main.go", Line: 10, Function: "main.isNumber"})
	if err != nil {
		t.Fatal(err)
	}
	for path, text := range second.Overlay() {
		if !strings.Contains(text, "isWordPattern") && !strings.Contains(text, "isWord") ||
			strings.Count(text, "regexp.MustCompile") != 2 || strings.Contains(text, "return regexp") {
			t.Errorf("%s is\n%s", path, text)
		}
	}
	if patch := string(second.Patch()); strings.Count(patch, "\n-\t") != 1 {
		t.Errorf("the patch of the second change is\n%s", patch)
	}
	if proof, err := second.Check(t.Context()); err != nil || !proof.Tested {
		t.Errorf("%+v, %v", proof, err)
	}
	if _, err := r.Apply(t.Context(), o, Place{File: "main.go", Line: 6, Function: "main.isWord"}); err == nil {
		t.Error("what a change removed is found once more")
	}
}
