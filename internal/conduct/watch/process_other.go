//go:build !linux

package watch

import (
	"context"
	"errors"
	"net/netip"

	"github.com/gohone/hone/internal/text/vitals"
)

var errNoProc = errors.New("this system has no /proc: CPU, memory and connections of a process that hone did not " +
	"start are not seen")

// without is the source of a process where the system shows none, with the reason.
type without struct{ unheld }

func (without) name() string { return "process" }

func (without) read(context.Context) (vitals.Reading, error) {
	return vitals.Reading{}, refusal{errNoProc}
}

// processSources are one source that gives the reason.
func processSources(*watched) []source { return []source{without{}} }

// socketSources are none here.
func socketSources(*watched) []source { return nil }

func findListener([]netip.Addr, int) (int, error) { return 0, refusal{errNoProc} }
