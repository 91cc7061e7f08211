package fix

import (
	"strings"
	"testing"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/store/tuning"
)

func TestACommitIsMeasuredAgain(t *testing.T) {
	const hash = "0123456789abcdef0123456789abcdef01234567"
	for want, c := range map[string]struct {
		line spec.Line
		dir  string
		args []string
		at   string
	}{
		"hone compare 0123456789ab:. . --path /x -- 127.0.0.1:{port}": {
			line: spec.Line{"run", ".", "--path=/x", "--duration=5s", "--", "127.0.0.1:{port}"}, dir: "/w"},
		"hone compare 0123456789ab:./cmd/a 0123456789ab:./cmd/a --connections 3": {
			line: spec.Line{"run", "./cmd/a", "--connections=3"}, dir: "/w/cmd/a", at: hash},
		"hone compare '0123456789ab:./a -fast' './a -fast'": {
			line: spec.Line{"run", "./a -fast"}, dir: "/w/a", args: []string{"-fast"}},
		"": {line: spec.Line{"run", "./a"}, dir: "/elsewhere"},
	} {
		run := record.Run{Head: record.Head{Command: c.line, Binary: build.Binary{Package: "example.com/x", Dir: c.dir,
			Variant: build.Variant{Name: "A", Args: c.args}}}, Asked: &spec.Stored{WorkDir: "/w"}}
		got := strings.ReplaceAll(repeat(run, hash, c.at), "'127.0.0.1:{port}'", "127.0.0.1:{port}")
		if got != want {
			t.Errorf("%s: %q, want %q", c.line, got, want)
		}
	}
}

func TestTheMessageOfACommit(t *testing.T) {
	r := &tuning.Rewritten{Place: "a/main.go:12 main.(*server).list", Title: "patterns are compiled for each call",
		Rule: "compile-per-call", Does: "makes a value once, and keeps it", Comparison: "abc", Repeat: "hone compare x:. .",
		Notes: []string{"it takes memory"}}
	text := message(r)
	subject, _, _ := strings.Cut(text, "\n")
	if subject != "main.(*server).list: makes a value once" || !strings.HasSuffix(text, "\n\nHone-Comparison: abc\n") {
		t.Errorf("the message is\n%s", text)
	}
	for _, want := range []string{"patterns are compiled", "compile-per-call", "Note: it takes memory",
		"\n  hone compare x:. .\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
