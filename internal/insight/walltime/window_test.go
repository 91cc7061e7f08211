package walltime

import (
	"slices"
	"testing"
)

// Where the processors are busy the next request is there when a goroutine reads: it never waits for one, and has its
// windows.
func TestWindowsWithoutWaits(t *testing.T) {
	const reads, writes, backend = 1, 2, 3
	h := &history{to: 100, stacks: &stacks{all: []stack{{}, {read: 1, depth: 2}, {write: true}, {read: 2, depth: 7}}}}
	h.goroutines = []goroutine{{spans: []span{
		{at: 10, state: syscalling, stack: reads}, {at: 11, state: running},
		{at: 20, state: syscalling, stack: backend}, {at: 21, state: running},
		{at: 30, state: syscalling, stack: writes}, {at: 35, state: running},
		{at: 40, state: syscalling, stack: reads}, {at: 41, state: running},
		{at: 60, state: syscalling, stack: writes}, {at: 62, state: running},
		{at: 70, state: syscalling, stack: reads}, {at: 71, state: running},
	}}}
	tracks := h.connectionTracks()
	want := []window{{start: 10, write: 30, end: 35}, {start: 40, write: 60, end: 62}}
	if len(tracks) != 1 || !slices.Equal(tracks[0].windows, want) {
		t.Errorf("%+v, want %+v", tracks, want)
	}
}
