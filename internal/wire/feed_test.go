package wire

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/gohone/hone/internal/text/fail"
)

func TestReadFeedKeepsToItsBounds(t *testing.T) {
	endless := func(first, rest string) io.Reader {
		return io.MultiReader(strings.NewReader(first), &repeater{text: strings.Repeat(rest, 1<<16/len(rest))})
	}
	for name, c := range map[string]struct {
		file string
		in   io.Reader
		want string
	}{
		"one long line":  {"a.csv", endless("id\n", "x"), "the feed has more than 976.5 KiB"},
		"one open quote": {"a.csv", endless("id\n\"", "x,\n"), "the feed has more than 976.5 KiB"},
		"one long value": {"a.jsonl", endless(`{"id": "`, "x"), "the feed has more than 976.5 KiB"},
		"many rows":      {"a.csv", endless("id\n", "1\n"), "a.csv:1002:1: the feed has more than 1,000 rows"},
		"many lines": {"a.jsonl", endless("", "{\"id\": 1}\n"),
			"a.jsonl:1001:1: the feed has more than 1,000 rows"},
		"many values": {"a.csv", endless(columnNames(1000), strings.Repeat("1,", 999)+"1\n"),
			"a.csv:10:1: the feed has more than 1,000 rows or 8,000 values"},
		"broken":       {"a.csv", iotest.ErrReader(errors.New("disk gone")), "read feed a.csv: disk gone"},
		"broken lines": {"a.jsonl", iotest.ErrReader(errors.New("disk gone")), "read feed a.jsonl: disk gone"},
	} {
		_, err := readFeed(c.file, c.in, feedBounds{bytes: 1_000_000, rows: 1000, values: 8000})
		if err == nil || !strings.Contains(err.Error(), c.want) || fail.KindOf(err) != fail.BadInput {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
	_, err := ReadFeed("a.csv", endless("id\n", "x"))
	if err == nil || !strings.Contains(err.Error(), "the feed has more than 64 MiB") ||
		!strings.Contains(fail.HintOf(err), "sample") {
		t.Errorf("bounds of its own: got %v with hint %q", err, fail.HintOf(err))
	}
}

// columnNames is a row of n column names.
func columnNames(n int) string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprint("c", i))
	}
	return strings.Join(all, ",") + "\n"
}

// repeater is a text without end.
type repeater struct {
	text string
	at   int
}

func (r *repeater) Read(p []byte) (int, error) {
	n := copy(p, r.text[r.at:])
	r.at = (r.at + n) % len(r.text)
	return n, nil
}
