package watch

import (
	"time"

	"github.com/gohone/hone/internal/text/vitals"
)

const (
	// pauseSpan is what the pauses of a reading are of.
	pauseSpan = time.Minute
	// quietAfter is how long the share of the last collection stands for now: beyond it a
	// program that collects nothing is shown as that.
	quietAfter = 10 * time.Second
)

// lately is what is remembered of a program's collections.
type lately struct {
	pauses vitals.Window
	share  vitals.Value // of the CPU time, by the last collection
	moved  time.Time    // when it was
}

func newLately() lately { return lately{pauses: vitals.Window{Span: pauseSpan}} }

// collected notes the collector's share of the CPU time.
func (l *lately) collected(share vitals.Value, now time.Time) { l.share, l.moved = share, now }

// shareNow is the share of the last collection, or 0 where that was long ago.
func (l *lately) shareNow(now time.Time) vitals.Value {
	if l.share.Known() && now.Sub(l.moved) > quietAfter {
		return vitals.Of(0)
	}
	return l.share
}

// unheld is of sources that hold nothing.
type unheld struct{}

func (unheld) close() {}
