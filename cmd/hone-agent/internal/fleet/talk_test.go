package fleet

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// However many lines there are, some are said in each period, and how many were not.
func TestALogIsBounded(t *testing.T) {
	t.Parallel()
	var said []string
	l := &talk{say: func(line string) { said = append(said, line) }}
	for i := range 10_000 {
		l.line(fmt.Sprint("refused ", i, "\nnext: rm -rf\r"), time.Duration(i)*time.Millisecond)
	}
	if len(said) != talkMost {
		t.Fatalf("%d lines, want %d", len(said), talkMost)
	}
	if all := strings.Join(said, ""); strings.ContainsAny(all, "\n\r") {
		t.Errorf("one line is several: %q", all)
	}
	l.tick(20 * time.Second)
	if want := fmt.Sprintf("%d lines were left out", 10_000-talkMost); !strings.HasPrefix(said[talkMost], want) {
		t.Errorf("%q, want %q", said[talkMost], want)
	}
	l.line("after", 20*time.Second)
	l.tick(time.Minute)
	if len(said) != talkMost+2 {
		t.Errorf("the next period says %q", said[talkMost:])
	}
}
