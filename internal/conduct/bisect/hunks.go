package bisect

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/gohone/hone/internal/store/commitsearch"
	"github.com/gohone/hone/internal/sys/git"
)

// mostHunks is how many hunks of a commit are shown.
const mostHunks = 6

// mostSource bounds a file that hunks are looked for in; generated Go reaches some MB.
const mostSource = 32 << 20

// hunks are what a commit changed in Go files against the one before, without tests: those of the named functions
// first.
func hunks(ctx context.Context, dir string, before, after git.Commit,
	named func(function string) bool) (all []commitsearch.Hunk, more int, err error) {
	files, err := git.ChangedFiles(ctx, dir, []git.Commit{{Hash: after.Hash, Parents: []string{before.Hash}}})
	if err != nil {
		return nil, 0, err
	}
	for _, file := range files[0] {
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") ||
			strings.HasPrefix(file, "vendor/") {
			continue
		}
		was, is := fileAt(ctx, dir, before, file), fileAt(ctx, dir, after, file)
		if ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
		for _, h := range parts(file, was, is) {
			h.Named = h.Function != "" && named(h.Function)
			all = append(all, h)
		}
	}
	slices.SortStableFunc(all, func(a, b commitsearch.Hunk) int {
		switch {
		case a.Named == b.Named:
			return 0
		case a.Named:
			return -1
		}
		return 1
	})
	if len(all) > mostHunks {
		all, more = all[:mostHunks], len(all)-mostHunks
	}
	return all, more, nil
}

// fileAt is a file of a commit; nil where it has none.
func fileAt(ctx context.Context, dir string, c git.Commit, file string) []byte {
	blobs, err := git.OpenBlobs(ctx, dir)
	if err != nil {
		return nil
	}
	text, err := blobs.Read(ctx, c.Hash+":"+file, mostSource)
	if err != nil {
		return nil
	}
	return text
}

// parts are the hunks of a file, each with the function that its first changed line lies in.
func parts(file string, was, is []byte) (all []commitsearch.Hunk) {
	text := diff.Diff("a/"+file, was, "b/"+file, is)
	for _, part := range bytes.Split(text, []byte("\n@@ ")) {
		line, body, found := bytes.Cut(part, []byte("\n"))
		if !bytes.HasPrefix(line, []byte("-")) || !found {
			continue // what stands before the first hunk
		}
		all = append(all, commitsearch.Hunk{File: file, Function: enclosing(is, line, body),
			Lines: append([]string{"@@ " + string(line)},
				strings.Split(strings.TrimSuffix(string(body), "\n"), "\n")...)})
	}
	return all
}

// enclosing is the name of the function that the first changed line of a hunk lies in, after the change. head is "-1,2
// +3,4 @@".
func enclosing(is []byte, head, body []byte) (name string) {
	_, from, _ := bytes.Cut(head, []byte("+"))
	start := 0
	for _, digit := range from {
		if digit < '0' || digit > '9' {
			break
		}
		start = 10*start + int(digit-'0')
	}
	context := 0
	for line := range bytes.Lines(body) {
		if !bytes.HasPrefix(line, []byte(" ")) {
			break
		}
		context++
	}
	number := 0
	for line := range bytes.Lines(is) {
		if number++; number > start+context {
			return name
		}
		switch {
		case bytes.HasPrefix(line, []byte("func ")):
			name = functionName(string(line))
		case bytes.HasPrefix(line, []byte("}")) && number < start+context:
			name = ""
		}
	}
	return name
}

// functionName is that of a line that begins a function: split, or (*Reader).split for a method, as profiles write it.
func functionName(line string) string {
	rest := strings.TrimPrefix(line, "func ")
	receiver := ""
	if strings.HasPrefix(rest, "(") {
		inner, after, found := strings.Cut(rest[1:], ")")
		if !found {
			return ""
		}
		fields := strings.Fields(inner)
		if len(fields) == 0 {
			return ""
		}
		receiver, _, _ = strings.Cut(fields[len(fields)-1], "[")
		if strings.HasPrefix(receiver, "*") {
			receiver = "(" + receiver + ")"
		}
		receiver, rest = receiver+".", strings.TrimSpace(after)
	}
	end := strings.IndexAny(rest, "([")
	if end < 0 {
		return ""
	}
	return receiver + rest[:end]
}
