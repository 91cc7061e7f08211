package protocol

import (
	"slices"
	"strings"
)

// asks says that what is a request of this step.
func (s *httpStep) asks(what string) bool {
	return what == s.line || s.open && strings.HasPrefix(what, s.line)
}

// comparable are the answers that can be compared with those of another start. Answers that
// values are taken of are left out: a token differs by nature. A request with a value in its
// header or body is the same in both if its method and path are, as long as no other step has
// them and no feed fills it.
func (p *httpSteps) comparable(all []Sampled) []Sampled {
	all = slices.DeleteFunc(all, func(s Sampled) bool {
		return slices.ContainsFunc(p.steps, func(step *httpStep) bool { return len(step.takes) > 0 && step.asks(s.What) })
	})
	if p.columns > 0 {
		return all
	}
	for i := range all {
		asked := 0
		for _, step := range p.steps {
			if step.asks(all[i].What) {
				asked++
			}
		}
		if asked == 1 {
			all[i].Request = hashOf([]byte(all[i].What))
		}
	}
	return all
}
