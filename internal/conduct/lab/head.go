package lab

import (
	"time"

	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/sys/machine"
	"github.com/gohone/hone/internal/text/redact"
)

// head fills in what does not depend on how samples are taken. kinds are those of profiles, in
// the order in which they are listed.
func (m *measurement) head(s *side, schema string, status ledger.Status, reason string, kinds []string,
	conditions []machine.Disturbance) record.Head {
	binary := s.binary.Redacted(m.hide)
	h := record.Head{
		Schema: schema, ID: s.draft.ID(), Status: status, Reason: reason, Started: m.started,
		Elapsed: time.Since(m.started),
		Label:   binary.Variant.Label(), Binary: binary, Args: redact.Args(m.task.Args), Profiles: s.kinds(kinds),
		Hot:         s.hot(),
		Environment: m.env, Conditions: machine.Summarize(conditions),
	}
	h.Warnings, h.Command = s.warnings, m.task.Command.Redacted()
	if m.comparison != nil {
		h.Comparison = m.comparison.ID()
	}
	return h
}
