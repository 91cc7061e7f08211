package facts

import (
	"strings"

	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/internal/insight/walltime"
)

// limiters are the functions of libraries that wait for a limiter of rates.
var limiters = []string{"golang.org/x/time/rate.*", "go.uber.org/ratelimit*", "github.com/juju/ratelimit.*",
	"github.com/uber-go/ratelimit*"}

// LimiterOf is the limiter of rates for which a call waits, of a library or of the user's own; nil if it waits for
// none.
func (v *View) LimiterOf(c walltime.Call) *code.Limiter {
	switch c.State {
	case walltime.Sleep, walltime.Channel:
	default:
		return nil
	}
	for _, name := range []string{c.Outer, c.Library} {
		if (&Frame{Function: name}).Is(limiters...) {
			method := name[strings.LastIndexByte(name, '.')+1:]
			if l := v.File(c.File).LimiterOf(c.Line, method); l != nil {
				return l
			}
			return &code.Limiter{Name: Short(name), Kind: "a limiter"}
		}
	}
	if c.File == "" {
		return nil
	}
	return v.File(c.File).LimiterAt(c.Line)
}
