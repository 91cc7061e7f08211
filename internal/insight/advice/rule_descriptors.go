package advice

import (
	"fmt"
	"math"

	"github.com/gohone/hone/internal/text/units"
)

var descriptorLeak = &Rule{
	Name: "descriptor-leak", Title: "files and connections that are not closed",
	Looks: "a number of open descriptors that rises with the requests, and where the user's code opens some",
	Thresholds: []Threshold{
		{Name: "per request", Value: 0.005,
			Reason: "one in two hundred requests: a handler that leaks on a rare path still shows"},
		{Name: "descriptors", Value: 50, Reason: "connections that come and go move the number by a few tens"},
	},
	Remedy: Remedy{
		Change: "Close what is opened, on all ways out: defer f.Close() after the error is checked, and resp.Body.Close() " +
			"for each answer of an HTTP client.",
		Before: "f, err := os.Open(name)\nif err != nil { return err }\nreturn use(f)",
		After:  "f, err := os.Open(name)\nif err != nil { return err }\ndefer f.Close()\nreturn use(f)",
	},
	Find: func(v *search, r *Rule) []*found {
		g := v.Numbers.Growth
		opened := g.Descriptors * float64(g.Requests) * float64(max(1, g.Starts))
		if g.Descriptors < r.threshold("per request") || opened < r.threshold("descriptors") {
			return nil
		}
		o, ok := v.Opens()
		if !ok {
			return nil
		}
		closes := "and its function closes nothing"
		if o.Closed {
			closes = "and it is not closed on all ways"
		}
		return []*found{{Finding: Finding{
			Title: fmt.Sprintf("%s descriptors per request are not closed", units.Digits(g.Descriptors)), Place: o.Place,
			Costs: Costs{Measure: Growing, Endless: true,
				Cost: min(1, g.Descriptors), Gain: min(1, g.Descriptors)},
			Evidence: []Evidence{
				{Source: "timeline", Text: fmt.Sprintf("%s more are open after %s",
					units.Plural(int(math.Round(g.Descriptors*float64(g.Requests))), "descriptor"), g.Over())},
				{Source: "source", Text: fmt.Sprintf("%s opens one here, %s", o.Call, closes)},
			},
		}}}
	},
}
