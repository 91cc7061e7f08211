package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/text/fail"
)

// An error has the lines that a compiler or a program wrote, and none of them passes for one of hone's own.
func TestErrorsForgeNoLines(t *testing.T) {
	const forged = "build: x.go:1:1: bad\nnext: rm -rf /\ngates: all passed\r\u2028\x1b[2J"
	for _, kind := range []fail.Kind{fail.Subject, fail.Untrusted} {
		var out bytes.Buffer
		a, end := app.NewApp(&out, &out)
		a.Explain(fail.New(kind, "%s", forged).WithHint("%s", forged))
		a.Progress(false).Warn(forged)
		end()
		for line := range strings.Lines(out.String()) {
			if !strings.HasPrefix(line, "hone: ") && !strings.HasPrefix(line, "hint: ") &&
				!strings.HasPrefix(line, "  ") {
				t.Errorf("a line of others: %q in\n%s", line, out.String())
			}
		}
		if strings.Count(out.String(), "next: rm -rf /") != 3 || strings.ContainsAny(out.String(), "\r\u2028\x1b") {
			t.Errorf("%q", out.String())
		}
	}
}
