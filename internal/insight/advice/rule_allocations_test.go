package advice

import (
	"testing"

	"github.com/gohone/hone/prof"
)

const adding = `package main

func statement(rows []string) string {
	page := ""
	for _, r := range rows {
		page = add(page, r) // grows
		line := add("- ", r) // makes
		use(line)
	}
	return add(page, "end") // once
}

func add(page, row string) string {
	return page + row // plus
}

func use(string) {}
`

func TestStringsThatGrowInAFunctionOfALoop(t *testing.T) {
	for mark, want := range map[string]bool{"grows": true, "makes": false, "once": false} {
		v, s := onStack(t, map[string]string{"main.go": adding}, "runtime.concatstring2", "main.add main.go plus",
			"main.statement main.go "+mark)
		s.Frames[0].Origin = prof.Runtime
		if got := v.growing()(s) >= 0; got != want {
			t.Errorf("%s: grows: %v, want %v", mark, got, want)
		}
	}
}
