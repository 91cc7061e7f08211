package lab

import "github.com/gohone/hone/internal/subject"

// Asks is what a stored run makes hone do when it is measured again: who has not measured it has to agree first.
type Asks struct {
	// Request has the gaps that secrets left.
	Request
	// WorkDir is what its source refers to.
	WorkDir string
	// Spoken are the flags that say how its target is spoken to: headers, files, further targets.
	Spoken []string
	// ModuleDir is where its sources are shown from.
	ModuleDir string
}

// AsksOf is what a run asks for. Of a run that cannot be measured again only ModuleDir is there.
func AsksOf(r Record) Asks {
	asks := Asks{ModuleDir: r.moduleDir()}
	if r.Asked != nil {
		asks.Request, asks.WorkDir = r.Asked.request(r), r.Asked.WorkDir
		o := r.Asked.Protocol
		o.Body, o.Feed, o.Requests, o.Steps = nil, nil, nil, nil // have no flags, and reach the program's own address only
		asks.Spoken, _ = protocolFlags(o)
	}
	return asks
}

// Program is its one variant, with the arguments that all variants share. It is false where nothing is executed.
func (a Asks) Program() (subject.Variant, bool) {
	if len(a.Variants) == 0 {
		return subject.Variant{}, false
	}
	v := a.Variants[0]
	v.Args = append(v.Args[:len(v.Args):len(v.Args)], a.Args...)
	return v, true
}
