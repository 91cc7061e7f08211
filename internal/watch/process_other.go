//go:build !linux

package watch

import (
	"context"
	"errors"
	"net/netip"

	"github.com/gohone/hone/internal/vitals"
)

var errNoProc = errors.New("this system has no /proc: CPU, memory and connections of a process that hone did not start are not seen")

// without is the source of a process where there is none, with the reason.
type without struct{}

func (without) name() string { return "process" }

func (without) read(context.Context) (vitals.Reading, error) {
	return vitals.Reading{}, refusal{errNoProc}
}

func (without) close() {}

// processSources are one that says why there is none.
func processSources(*who) []source { return []source{without{}} }

// socketSources are none here.
func socketSources(*who) []source { return nil }

func findListener([]netip.Addr, int) (int, error) { return 0, refusal{errNoProc} }
