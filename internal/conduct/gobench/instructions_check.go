package gobench

import (
	"errors"
	"fmt"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
)

// checkFunctions refuses a gate on a function that no benchmark executes.
func (c *counting) checkFunctions() error {
	for _, g := range c.task.Gates {
		if g.Function == "" {
			continue
		}
		var err error
		var seen []string
		for _, b := range c.running() {
			if _, err = b.FunctionNamed(g.Function); err == nil {
				break
			}
			seen = append(seen, b.Executed()...)
		}
		if err != nil {
			return gate.UnknownFunction(fmt.Sprintf("gate %q", g.Text), g.Function, seen)
		}
	}
	return nil
}

// checkGates refuses gates on what is not measured: time where instructions are counted, and the
// other way round.
func (r Task) checkGates() error {
	var faults []error
	for _, g := range r.Gates {
		ofInstructions := g.Function != "" || g.Measure.Key == measure.OperationInstructions.Key
		switch {
		case r.Instructions && !ofInstructions:
			faults = append(faults,
				fmt.Errorf("--gate %q: --instructions counts instructions and no %s: gate on instructions or func(PACKAGE.NAME)",
					g.Text, g.Measure.Name))
		case !r.Instructions && ofInstructions:
			faults = append(faults,
				fmt.Errorf("--gate %q is a limit on instructions, which are not counted: add --instructions", g.Text))
		}
	}
	return errors.Join(faults...)
}
