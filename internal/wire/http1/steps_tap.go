package http1

import (
	"strings"
)

// isRequest says that what is a request of this step.
func (s *compiledStep) isRequest(what string) bool {
	return what == s.line || s.open && strings.HasPrefix(what, s.line)
}

// Sampled says how answers to a request are compared with those of another start. Those that values are taken of are
// not: a token differs by nature. A request with a value in its header or body is the same in both starts if its method
// and path are (named), as long as no other step has them and no feed fills it.
func (p *steps) Sampled(what string) (differs, named bool) {
	asked := 0
	for _, step := range p.steps {
		if step.isRequest(what) {
			asked++
			differs = differs || len(step.takes) > 0
		}
	}
	return differs, asked == 1 && p.columns == 0
}

// HTTPVersion says how what goes over a connection is read, see tap.Tap.
func (p *steps) HTTPVersion() int { return 1 }
