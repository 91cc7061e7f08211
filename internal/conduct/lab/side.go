package lab

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/output"
	"github.com/gohone/hone/internal/program/plant"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/prof"
)

// Side is one variant of a measurement: how it was built, the row of its run, and what there
// is to say of it.
type Side struct {
	Built
	Builds   []*build.Binary // its own, then those of the second stage, in other orders of the functions
	Letter   string          // its name in a comparison, empty in a run
	Draft    *ledger.Draft
	Captures map[string]prof.Capture // by kind, all of a kind added up
	Warnings []string
	Planted  *plant.Planted // what makes it worse, to prove a gate; nil for others
}

// label names the variant.
func (s *Side) label(hide redact.Env) string {
	label := s.Binary.Variant.Redacted(hide).Label()
	if s.Planted != nil {
		label += " with " + s.Planted.String()
	}
	return label
}

// Warn notes a warning once.
func (s *Side) Warn(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(s.Warnings, text) {
		s.Warnings = append(s.Warnings, text)
	}
}

// Code is what counts as the user's.
func (s *Side) Code() prof.Code {
	return prof.Code{Module: s.Binary.Module, MainPackage: s.Binary.Package}
}

// hotLines is how many of the most expensive sites a run names.
const hotLines = 5

// hot are the most expensive sites of the CPU profile; nil without one.
func (s *Side) hot() []prof.Cost {
	c, ok := s.Captures["cpu"]
	if !ok {
		return nil
	}
	hot, err := prof.Hot(c, prof.CostOptions{Module: s.Binary.Module}, hotLines)
	if err != nil {
		s.Warn("nothing to see in the CPU profile: %v", err)
	}
	return hot
}

// kinds are the kinds of profiles that there are, of those given.
func (s *Side) kinds(all []string) []string {
	var some []string
	for _, kind := range all {
		if _, ok := s.Captures[kind]; ok {
			some = append(some, kind)
		}
	}
	return some
}

// SaveOutput stores what the program wrote, if it wrote anything.
func (s *Side) SaveOutput(o output.Streams) error {
	for _, one := range []struct {
		name   string
		stream output.Stream
	}{{"stdout", o.Stdout}, {"stderr", o.Stderr}} {
		if one.stream.Written == 0 {
			continue
		}
		if _, err := s.Draft.AddArtefact("output", one.name+".txt",
			strings.NewReader(one.stream.String())); err != nil {
			return err
		}
	}
	return nil
}

// Store closes the row of the run.
func (s *Side) Store(doc any, status ledger.Status, reason string, measures []ledger.MeasureValue) error {
	text, err := json.Marshal(doc)
	if err != nil {
		return fmt.Errorf("encode run: %w", err)
	}
	if err := s.Draft.AddMeasures(measures); err != nil {
		return err
	}
	return s.Draft.Finish(status, reason, text)
}
