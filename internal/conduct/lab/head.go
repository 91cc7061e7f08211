package lab

import (
	"time"

	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/sys/machine"
	"github.com/gohone/hone/internal/text/redact"
)

// Head fills in what does not depend on how samples are taken. kinds are those of profiles, in
// the order in which they are listed.
func (m *Measurement) Head(s *Side, schema string, status ledger.Status, reason string, kinds []string,
	conditions []machine.Disturbance) record.Head {
	binary := s.Binary.Redacted(m.Hide)
	h := record.Head{
		Schema: schema, ID: s.Draft.ID(), Status: status, Reason: reason, Started: m.Started,
		Elapsed: time.Since(m.Started),
		Label:   s.label(m.Hide), Binary: binary, Args: redact.Args(m.Task.Args), Profiles: s.kinds(kinds),
		Hot:         s.hot(),
		Environment: m.Env, Conditions: machine.Summarize(conditions),
	}
	h.Warnings, h.Command = s.Warnings, m.Task.Command.Redacted()
	if m.Comparison != nil {
		h.Comparison = m.Comparison.ID()
	}
	return h
}
