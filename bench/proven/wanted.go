package proven

import (
	"github.com/gohone/hone/bench/account"
	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/benchwidth"
	"github.com/gohone/hone/bench/bisect"
	"github.com/gohone/hone/bench/calibrate"
	"github.com/gohone/hone/bench/cheats"
	"github.com/gohone/hone/bench/compiler"
	"github.com/gohone/hone/bench/cover"
	"github.com/gohone/hone/bench/fixed"
	"github.com/gohone/hone/bench/growth"
	"github.com/gohone/hone/bench/holders"
	"github.com/gohone/hone/bench/insight"
	"github.com/gohone/hone/bench/layouts"
	"github.com/gohone/hone/bench/noop"
	"github.com/gohone/hone/bench/optimise"
	"github.com/gohone/hone/bench/pullrequest"
	"github.com/gohone/hone/bench/reach"
	"github.com/gohone/hone/bench/receipts"
	"github.com/gohone/hone/bench/sql"
	"github.com/gohone/hone/bench/track"
	"github.com/gohone/hone/bench/upgraded"
)

// wanted is a calibration with the arguments by which it is to be taken.
type wanted struct {
	bed.Case
	args []string
}

// name tells two uses of one case apart.
func (w wanted) name() string {
	if len(w.args) > 0 && w.args[0] == "-agents" {
		return w.Case.Name + "-agents"
	}
	if len(w.args) > 1 && w.args[0] == "-half" {
		return w.Case.Name + "-" + w.args[1]
	}
	return w.Case.Name
}

// all are the calibrations, with the trials that are wanted of each.
var all = []wanted{
	{noop.Case, []string{"-n", "240", "-planted", "6"}},
	{noop.Itself, []string{"-n", "40"}},
	{calibrate.Case, []string{"-aa", "60", "-aa-short", "60"}},
	{calibrate.Case, []string{"-agents", "2", "-aa", "20", "-aa-short", "0", "-planted", "0", "-classic", "0"}},
	{benchwidth.Case, nil},
	{layouts.Case, nil},
	{bisect.Case, []string{"-n", "15"}},
	{track.Case, nil},
	{pullrequest.Case, nil},
	{receipts.Case, nil},
	{reach.Case, []string{"-n", "60"}},
	{insight.Case, nil},
	{holders.Case, nil},
	{account.Case, nil},
	{upgraded.Case, nil},
	{compiler.Case, []string{"-noops", "60", "-budget", "60s"}},
	{cheats.Case, nil},
	{optimise.Honest, nil},
	{optimise.Case, nil},
	{growth.Case, nil},
	{fixed.Case, nil},
	{cover.Case, []string{"-half", bed.HalfOpen}},
	{cover.Case, []string{"-half", bed.HalfClosed}},
	{sql.Case, []string{"-half", bed.HalfOpen}},
	{sql.Case, []string{"-half", bed.HalfClosed}},
}
