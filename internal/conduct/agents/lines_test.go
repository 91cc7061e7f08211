package agents

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
)

// A message arrives as it was sent, whatever its length, and with it the kind and the hint of an error. Half of one is
// not one, and one that is too long is refused on both sides.
func TestLines(t *testing.T) {
	var way bytes.Buffer
	l := NewLines(&way, &way)
	for _, text := range []string{"no", strings.Repeat("long ", 10_000)} {
		sent := fail.New(fail.Untrusted, "%s\nand more", text).WithHint("hone help")
		var got Answer
		if err := errors.Join(l.Send(Answer{ID: 7, End: true, Fault: FaultOf(sent)}), l.Receive(&got)); err != nil {
			t.Fatal(err)
		}
		if err := got.Fault.Err(); got.ID != 7 || fail.KindOf(err) != fail.Untrusted || err.Error() != sent.Error() ||
			fail.HintOf(err) != "hone help" {
			t.Errorf("%+v, %v", got, err)
		}
	}
	var got Answer
	if err := l.Receive(&got); !errors.Is(err, io.EOF) {
		t.Errorf("at the end: %v", err)
	}
	way.WriteString(`{"id":7,`)
	if err := l.Receive(&got); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("half a message: %v", err)
	}
	l.most.Most = 100
	way.WriteString(strings.Repeat("x", 1000))
	var over *inputs.TooLarge
	if err := l.Receive(&got); !errors.As(err, &over) {
		t.Errorf("received: %v", err)
	}
	if err := l.Send(Answer{Warn: strings.Repeat("x", 1000)}); !errors.As(err, &over) {
		t.Errorf("sent: %v", err)
	}
}
