//go:build !linux

package watch

import (
	"errors"
	"net/netip"
)

var errNoProc = errors.New("this system has no /proc: CPU, memory and connections of a process that hone did not start are not seen")

// processSources has one source, which says why there is none.
func processSources(w *who) []source {
	return []source{&without{"process", errNoProc}}
}

// socketSources are none here.
func socketSources(*who) []source { return nil }

func findListener([]netip.Addr, int) (int, error) { return 0, refusal{errNoProc} }
