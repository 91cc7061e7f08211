package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/extension"
	"github.com/gohone/hone/internal/fail"
)

// Bad input has the exit code for it, and a next step.
func TestErrorsHaveAKindAndAHint(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, args := range [][]string{
		{"query", "nonsense{", "--run", "0123abcd"}, {"query"}, {"query", "up", "--step", "many"}, {"push", "nonsense"},
		{"push", "0123abcd", "--to", "http://127.0.0.1:1/"}, {"nosuch"}, {"runs", "--nosuch"}, {"prune", "x"},
	} {
		var stdout, stderr bytes.Buffer
		code := extension.Main(commands, args, &stdout, &stderr)
		if code != int(fail.BadInput) || !strings.Contains(stderr.String(), "hint: ") {
			t.Errorf("%q: exit code %d: %s", args, code, &stderr)
		}
	}
}
