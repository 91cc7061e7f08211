package lab

import (
	"encoding/json"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/record"
)

// Repetition is what a stored run makes hone do when it is measured again: who has not measured it has to agree first.
type Repetition struct {
	// Parts have the gaps that secrets left.
	spec.Parts
	// WorkDir is what its source refers to.
	WorkDir string
	// Spoken says how its target is spoken to: headers, files, further targets; as JSON, so that nothing is left out.
	Spoken string
	// ModuleDir is where its sources are shown from.
	ModuleDir string
}

// RepetitionOf is what a run asks for. Of a run that cannot be measured again only ModuleDir is there.
func RepetitionOf(r record.Run) Repetition {
	out := Repetition{ModuleDir: r.ModuleDir()}
	if r.Asked != nil {
		out.Parts, _ = partsAgain(r, spec.Parts{})
		out.WorkDir = r.Asked.WorkDir
		o := r.Asked.Protocol
		o.Body, o.Feed = nil, nil // reach the program's own address only
		if !o.IsMix() {           // as do the requests of a list or a sequence
			o.Requests, o.Sequence = nil, false
		}
		if text, err := json.Marshal(o); err == nil && string(text) != "{}" {
			out.Spoken = string(text)
		}
	}
	return out
}

// Program is its one variant, with the arguments that all variants share. It is false where nothing is executed.
func (a Repetition) Program() (build.Variant, bool) {
	if len(a.Variants) == 0 {
		return build.Variant{}, false
	}
	v := a.Variants[0]
	v.Args = append(v.Args[:len(v.Args):len(v.Args)], a.Args...)
	return v, true
}
