package load

import (
	"slices"
	"testing"
)

// An answer that is taken back loses its stamp; if it had none because the store was full, it is not missed either.
func TestAnAnswerTakenBackLosesItsStamp(t *testing.T) {
	a, b := &link{serial: 0}, &link{serial: 1}
	s := &stamping{room: 3}
	s.add(a, rightAnswer{sent: 1, at: 10})
	s.add(b, rightAnswer{sent: 2, at: 10})
	s.add(a, rightAnswer{sent: 3, at: 20})
	s.add(b, rightAnswer{sent: 4, at: 30}) // no room
	s.takeBack(b, rightAnswer{sent: 4, at: 30})
	if s.missed != 0 {
		t.Errorf("%d missed, want none: the only one was taken back", s.missed)
	}
	s.takeBack(a, rightAnswer{sent: 9, at: 15}) // came before the stamps were asked for
	s.takeBack(b, rightAnswer{sent: 2, at: 10})
	if want := []Stamp{{Conn: 0, Sent: 1, Answered: 10}, {Conn: 0, Sent: 3, Answered: 20}}; len(s.chunks) != 1 ||
		!slices.Equal(s.chunks[0], want) {
		t.Errorf("left is %v, want %v", s.chunks, want)
	}
	if s.add(b, rightAnswer{sent: 5, at: 40}); s.room != 0 || s.missed != 0 {
		t.Errorf("room %d, missed %d after one took the free place", s.room, s.missed)
	}
}
