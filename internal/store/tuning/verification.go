package tuning

import (
	"slices"
	"time"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/judge"
)

// VerificationSchema is that of Verification as JSON.
const VerificationSchema = "hone.verify/1"

// Verification is what settings do to the program of a stored run, against its own build.
type Verification struct {
	Schema string `json:"schema"`
	Run    string `json:"run"`
	// Completing are the flags, with a space before them, that commands need beside Run to measure it again.
	Completing string `json:"-"`
	// Rounds are one or two. The first has all settings, the second those that the first showed
	// to be worth it, measured anew.
	Rounds []*Round `json:"rounds"`
	// Single says that the settings were few: one round has them all, with the whole level.
	Single bool `json:"single_round,omitempty"`
	// Tried are all settings with what the last round that they were in shows, the largest gain
	// first.
	Tried []Tried `json:"tried"`
	// Skipped are settings that were not tried.
	Skipped []Skipped `json:"skipped,omitempty"`
	// Wrote is the file that PGO takes from now on; empty if none was written.
	Wrote string `json:"wrote,omitempty"`
}

// Tried is one setting of a verification.
type Tried struct {
	Effect
	// Round is the round that it is of, from 1 on.
	Round int `json:"round"`
	// Unsettled says why its CPU time cannot be used; empty if it can.
	Unsettled string `json:"unsettled,omitempty"`
	// PeakRSSAsIs is the peak of memory of the program as it is, in the same round.
	PeakRSSAsIs uint64 `json:"peak_rss_bytes_as_is"`
}

// Gains says whether a gain of CPU time was shown.
func (t Tried) Gains() bool { return t.Claim == Less && t.Unsettled == "" }

// Memory is the verdict on what was resident at the end of a start's load; one without starts if that was not observed.
func (t Tried) Memory() judge.Verdict {
	v, _ := t.On(measure.Resident)
	return v
}

// Shrinks says whether less resident memory was shown.
func (t Tried) Shrinks() bool { v := t.Memory(); return ClaimOf(v, v.Starts > 0) == Less }

// OfMemory says that all settings were tried for less memory, which CPU time may pay.
func (v *Verification) OfMemory() bool {
	return len(v.Tried) > 0 && !slices.ContainsFunc(v.Tried, func(t Tried) bool { return t.Kind != spec.SettingMemory })
}

// Skipped is a setting that was not tried, and why.
type Skipped struct {
	Name   string `json:"name"`
	Reason string `json:"reason"`
}

// PGOFile is what go build takes for a profile by itself, in the directory of package main.
const PGOFile = "default.pgo"

// Round is one comparison of the program as it is with settings.
type Round struct {
	// Comparison is its name in the ledger.
	Comparison string        `json:"comparison"`
	Budget     time.Duration `json:"budget_ns"`
	// Conf is the confidence with which all intervals of the round hold at once.
	Conf    float64  `json:"confidence"`
	AsIs    AsIs     `json:"as_is"`
	Effects []Effect `json:"effects"`
	// Outcome is all that was measured, for reports.
	Outcome *record.Outcome `json:"-"`
}
