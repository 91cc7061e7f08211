// Package ladder finds the stages of a service by name.
package ladder

import (
	"fmt"
	"strings"
)

// Lookup finds the stage whose String is name; the error names the known ones.
func Lookup[S fmt.Stringer](stages []S, name string) (S, error) {
	for _, s := range stages {
		if s.String() == name {
			return s, nil
		}
	}
	var none S
	return none, fmt.Errorf("unknown stage %q (known: %s)", name, Names(stages))
}

// Names lists the names of stages, as in "raw, buffered, pooled".
func Names[S fmt.Stringer](stages []S) string {
	names := make([]string, len(stages))
	for i, s := range stages {
		names[i] = s.String()
	}
	return strings.Join(names, ", ")
}
