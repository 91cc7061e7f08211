package output

import (
	"fmt"
	"strings"
	"testing"
)

func TestExcerpt(t *testing.T) {
	var long strings.Builder
	for i := range 50 {
		fmt.Fprintf(&long, "line %d\n", i)
	}
	if got := strings.Split(Excerpt(long.String()), "\n"); len(got) != quotedLines || got[quotedLines-1] != "line 49" {
		t.Errorf("excerpt of 50 lines: %q", got)
	}
	if got := Excerpt("log\npanic: x\n\n" + long.String()); !strings.HasPrefix(got, "panic: x") {
		t.Errorf("excerpt of a panic: %q", got)
	}
	if got := Excerpt(strings.Repeat("ä", quotedBytes) + "\n"); len(got) > quotedBytes {
		t.Errorf("excerpt has %d bytes", len(got))
	}
	if Excerpt("") != "" {
		t.Error("excerpt of nothing")
	}
}
