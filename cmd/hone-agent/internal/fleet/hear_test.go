package fleet

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/gohone/hone/cmd/hone-agent/internal/cluster"
	"github.com/gohone/hone/internal/text/inputs"
	"github.com/gohone/hone/load"
)

// A recording by turns is heard in any pieces, and a line of it without an end is refused: what came of it is not kept.
func TestHearingALineWithoutAnEnd(t *testing.T) {
	session := func() *Session {
		return &Session{
			group: &Group{agents: []cluster.Hello{{ID: "a", Name: "one"}}}, rest: map[string][]byte{},
			test: &test{machine: cluster.NewCoordinator("run", nil, nil, 0, 0)},
		}
	}
	line, err := json.Marshal(turnLine{Account: &load.Counts{Sent: 3, Answered: 3}})
	if err != nil {
		t.Fatal(err)
	}
	s := session()
	for _, b := range append(append(line, '\n'), line...) {
		s.hear("a", []byte{b})
	}
	if s.broken != nil || s.account.Sent != 3 {
		t.Errorf("account %+v, %v", s.account, s.broken)
	}
	s = session()
	piece := bytes.Repeat([]byte("x"), cluster.MaxChunk)
	for range int(inputs.RecordingLine.Most)/len(piece) + 1 {
		s.hear("a", piece)
	}
	if s.broken == nil || !strings.Contains(s.broken.Error(),
		"agent one: read its recording: the line of a recording has") || s.rest["a"] != nil {
		t.Errorf("%d bytes are kept, %v", len(s.rest["a"]), s.broken)
	}
}
