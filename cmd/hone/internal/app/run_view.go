package app

import (
	"fmt"

	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/view/stored"
)

// ViewOf is what is known of a stored run, with its source. A run without profiles is fail.BadInput.
func ViewOf(lib *stored.Library, name string) (*facts.View, *stored.Run, error) {
	r, err := lib.Run(name)
	if err != nil {
		return nil, nil, err
	}
	id := r.Row.ID
	_, has, err := lib.Captures(id)
	if err != nil {
		return nil, nil, err
	}
	if len(has) == 0 {
		none := fail.New(fail.BadInput, "run %s has no profiles, so hone cannot say which code costs what", id)
		return nil, nil, none.WithHint("%s", WhyNoProfiles(r))
	}
	v, err := lib.View(r.Record)
	return v, r, err
}

// WhyNoProfiles says why a run has no profiles, and what to do about it.
func WhyNoProfiles(r *stored.Run) string {
	row := r.Row
	switch {
	case r.Load != nil:
		return "it is a load test of a server that hone did not start: hone run PACKAGE starts, loads and profiles a program"
	case row.Status == ledger.Running:
		return "it is not over: profiles are taken at its end"
	case row.Status != ledger.Complete && row.Reason != "":
		return fmt.Sprintf("it ended before profiles were taken (%s: %s): mend that, and measure again; to see all of it: "+
			"hone show %s", row.Status, row.Reason, row.ID)
	case row.Status != ledger.Complete:
		return fmt.Sprintf("it ended before profiles were taken (%s): measure again; to see all of it: hone show %s",
			row.Status, row.ID)
	case r.Record.Asked != nil && !r.Record.Asked.NoProfile:
		return "to see what hone noted while it measured: hone show " + row.ID
	}
	return "measure it without --no-profile"
}
