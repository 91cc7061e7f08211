package lab

import (
	"encoding/json"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/record"
)

// Asks is what a stored run makes hone do when it is measured again: who has not measured it has to agree first.
type Asks struct {
	// Parts have the gaps that secrets left.
	spec.Parts
	// WorkDir is what its source refers to.
	WorkDir string
	// Spoken says how its target is spoken to: headers, files, further targets; as JSON, so that nothing is left out.
	Spoken string
	// ModuleDir is where its sources are shown from.
	ModuleDir string
}

// AsksOf is what a run asks for. Of a run that cannot be measured again only ModuleDir is there.
func AsksOf(r record.Run) Asks {
	asks := Asks{ModuleDir: r.ModuleDir()}
	if r.Asked != nil {
		asks.Parts, _ = partsAgain(r, spec.Parts{})
		asks.WorkDir = r.Asked.WorkDir
		o := r.Asked.Protocol
		o.Body, o.Feed = nil, nil // reach the program's own address only
		if !o.IsMix() {           // as do the requests of a list or a sequence
			o.Requests, o.Sequence = nil, false
		}
		if text, err := json.Marshal(o); err == nil && string(text) != "{}" {
			asks.Spoken = string(text)
		}
	}
	return asks
}

// Program is its one variant, with the arguments that all variants share. It is false where nothing is executed.
func (a Asks) Program() (build.Variant, bool) {
	if len(a.Variants) == 0 {
		return build.Variant{}, false
	}
	v := a.Variants[0]
	v.Args = append(v.Args[:len(v.Args):len(v.Args)], a.Args...)
	return v, true
}
