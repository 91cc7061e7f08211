package advice

import "testing"

// The finding says what the source of the recorded run has.
func TestAFindingSaysWhereFlushIsDeferred(t *testing.T) {
	all := find(t, recordedView(t, "ladder", "framed-buffered-noflush.view")).Findings
	want := "line 22 makes a bufio.Writer. Flush is only deferred to the end of the function: line 23"
	if got := all[0].Evidence[1].Text; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
