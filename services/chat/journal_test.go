package chat_test

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/services/chat"
)

// Every stage writes the same line for a message, with the identity of its connection.
func TestJournalNamesTheSender(t *testing.T) {
	eachStage(t, func(t *testing.T, stage string) {
		r := start(t, chat.Config{Stage: stage})
		r.user(t, "bob", "", "hall")
		ann := r.user(t, "ann", "Annie", "hall")
		must(t, ann.Say(t.Context(), []byte("hello")))
		must(t, ann.Join(t.Context(), "empty"))
		must(t, ann.Say(t.Context(), nil))
		refused(t, ann.Join(t.Context(), ""), chat.BadName)
		must(t, r.Shutdown(t.Context())) // final writes what it has collected

		stamp := `\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`
		want := regexp.MustCompile(fmt.Sprintf("^%[1]s user=ann nick=Annie room=hall conn=2 id=3 bytes=5 to=1\n"+
			"%[1]s user=ann nick=Annie room=empty conn=2 id=5 bytes=0 to=0\n$", stamp))
		if got := r.journal.String(); !want.MatchString(got) {
			t.Errorf("journal is\n%swant\n%s", got, want)
		}
	})
}

// Without lines, no stage writes any.
func TestNoLines(t *testing.T) {
	eachStage(t, func(t *testing.T, stage string) {
		r := start(t, chat.Config{Stage: stage, NoLines: true})
		must(t, r.user(t, "ann", "", "hall").Say(t.Context(), []byte("hello")))
		must(t, r.Shutdown(t.Context()))
		if got := r.journal.String(); got != "" {
			t.Errorf("journal is %q, want none", got)
		}
	})
}

// The stage final does not keep lines for itself for longer than its period.
func TestCollectedLinesAreWrittenSoon(t *testing.T) {
	r := start(t, chat.Config{WriteTimeout: 20 * time.Millisecond})
	must(t, r.user(t, "ann", "", "hall").Say(t.Context(), []byte("hello")))
	r.await(t, "the line", func(chat.Counters) bool { return strings.Contains(r.journal.String(), "user=ann") })
}

// More lines than the buffer holds are all written.
func TestJournalIsWhole(t *testing.T) {
	eachStage(t, func(t *testing.T, stage string) {
		r := start(t, chat.Config{Stage: stage})
		conn := r.member(t, "ann", "hall")
		const messages = 2000
		var sent []byte
		for i := range uint32(messages) {
			sent = chat.AppendMessage(sent, i, nil)
		}
		write(t, conn, sent)
		read(t, conn, messages*chat.AckSize)
		must(t, r.Shutdown(t.Context()))
		lines := strings.Split(strings.TrimSuffix(r.journal.String(), "\n"), "\n")
		if len(lines) != messages {
			t.Fatalf("%d lines, want %d", len(lines), messages)
		}
		for i, l := range lines {
			if !strings.Contains(l, fmt.Sprintf(" id=%d ", i)) {
				t.Fatalf("line %d is %s", i, l)
			}
		}
	})
}

// A journal that fails loses lines, not messages; the log says so.
func TestBrokenJournalIsReported(t *testing.T) {
	r := start(t, chat.Config{Stage: "naive", Journal: brokenWriter{}})
	must(t, r.user(t, "ann", "", "hall").Say(t.Context(), []byte("hello")))
	if log := r.Log.String(); !strings.Contains(log, "lines lost") || !strings.Contains(log, "disk full") {
		t.Errorf("log is\n%s", log)
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("disk full") }
