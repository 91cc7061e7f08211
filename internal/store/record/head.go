package record

import (
	"time"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/sys/machine"
	"github.com/gohone/hone/prof"
)

// Head is what the documents of all runs have, of those under load and of executions.
type Head struct {
	Schema     string        `json:"schema"`
	ID         string        `json:"id"`
	Comparison string        `json:"comparison,omitempty"`
	Status     ledger.Status `json:"status"`
	Reason     string        `json:"reason,omitempty" printable:"lines"`
	Started    time.Time     `json:"started"`
	Elapsed    time.Duration `json:"elapsed_ns"`
	Label      string        `json:"label"`
	Binary     build.Binary  `json:"binary"`
	Args       []string      `json:"args,omitempty"` // for all variants, after the variant's own
	// Command is the command line that measured it, without secrets.
	Command spec.Line `json:"asked_by,omitempty"`
	// Dir is the directory it ran in. DirRef is not empty if that was in a copy of a checkout
	// of this git ref, which was removed at the end.
	Dir    string `json:"dir,omitempty"`
	DirRef string `json:"dir_ref,omitempty"`
	// Copied are the files that each start had fresh, in a directory of its own that it ran in.
	Copied      []string    `json:"copied,omitempty"`
	Warnings    []string    `json:"warnings,omitempty"`
	Profiles    []string    `json:"profiles,omitempty"` // kinds captured
	Hot         []prof.Cost `json:"hot,omitempty"`      // most expensive sites of the CPU profile
	Environment Environment `json:"environment"`
	// Conditions are what the machine did during the slices, or the executions.
	Conditions machine.Summary `json:"conditions"`
}
