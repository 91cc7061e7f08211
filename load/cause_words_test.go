package load

import "testing"

// The causes of failed requests add up to their number; refused connects are told apart from them.
func TestRefusedConnectsAreNoRequests(t *testing.T) {
	var c Counts
	c.Causes[Closed], c.Causes[Reset], c.Causes[Refused] = 1, 2, 7
	want := "connection reset 2, connection closed 1; besides, 7 connects were refused"
	if got := c.causeWords(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	c.Causes[Closed], c.Causes[Reset] = 0, 0
	if got, want := c.causeWords(), "besides, 7 connects were refused"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
