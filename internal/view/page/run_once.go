package page

import (
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/view/model"
)

// onceRun is the page of a program that was executed to its end.
func (l *Library) onceRun(s *storedRun, of *record.Executions) *Run {
	r := s.page(KindOnce)
	found := l.findings(s, r)
	r.show(model.ExecutionsOf(*of, found), of.Hot, found)
	return s.finish(r)
}

// capturedRun is the page of profiles that were taken under a load that is not hone's, or imported from files; nil: of
// what hone watch kept.
func (l *Library) capturedRun(s *storedRun, of *record.Captured) *Run {
	doc := record.Captured{Head: s.record.Head}
	if of != nil {
		doc = *of
	}
	r := s.page(KindRun)
	found := l.findings(s, r)
	r.show(model.CapturesOf(doc), doc.Hot, found)
	return s.finish(r)
}
