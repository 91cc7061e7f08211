package tune

import (
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/store/tuning"
)

func asIs(r record.Run) tuning.AsIs {
	return tuning.AsIs{Run: r.ID, Label: r.Label, Readings: readings(r)}
}

func readings(r record.Run) tuning.Readings {
	out := tuning.Readings{Cycles: r.GCCycles, Starts: r.Starts, PeakRSSBytes: r.PeakRSSBytes}
	if r.Runtime != nil {
		out.Probed, out.Collector, out.HeapGoalBytes = true, r.Runtime.GCShare, r.Runtime.HeapGoalBytes
	}
	if per := r.PerRequest.AllocBytes; per != nil {
		out.BytesPerSecond = *per * r.RequestsPerSecond
	}
	return out
}

func effect(s tuning.Setting, r record.Run, c record.Contest) tuning.Effect {
	e := tuning.Effect{Setting: s, Run: r.ID, Verdicts: c.Verdicts, Readings: readings(r), Caveats: c.Caveats}
	e.Claim = tuning.ClaimOf(e.On(measure.CPU))
	if a := c.Answers; a != nil && a.Compared > 0 && !a.Same {
		e.Different = a.How()
	}
	return e
}
