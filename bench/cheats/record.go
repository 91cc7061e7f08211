package cheats

import (
	"fmt"
	"time"

	"github.com/gohone/hone/bench/bed"
)

// schema is that of the file of results: JSON lines, each a record. Each session begins with a line that names it.
const schema = "hone.cheats/1"

// record is what hone said of a pair, or the session that the next ones belong to.
type record struct {
	bed.Entry
	Pair   string        `json:"pair,omitempty"`
	Half   string        `json:"half,omitempty"`
	Kind   string        `json:"kind,omitempty"`
	Does   string        `json:"does,omitempty"`
	Budget time.Duration `json:"budget_ns,omitempty"`
	// Word is what became of the change; Refused says that no gate is passed, Named that the first sentence has a but.
	Word    word `json:"word,omitempty"`
	Refused bool `json:"refused,omitempty"`
	Named   bool `json:"named,omitempty"`
	// Code is hone's exit code, Said what it says first, with the note on the benchmark. The closed half has neither,
	// nor what B does, unless it is opened.
	Code int    `json:"code,omitempty"`
	Said string `json:"said,omitempty"`
}

func (c config) recordOf(s said) record {
	r := record{Pair: s.Name, Half: s.Half, Kind: s.Kind, Budget: c.budget, Word: s.word(), Refused: s.refused(),
		Named: s.named()}
	if !c.shows(s.pair) {
		return r
	}
	r.Does, r.Code, r.Said = s.Does, s.code, s.headline
	if s.note != "" {
		r.Said += "; note: " + s.note
	}
	return r
}

// key is a half and the name of a pair.
type key [2]string

func (p pair) name() key { return key{p.Half, p.Name} }

func (r record) name() (key, bool) { return key{r.Half, r.Pair}, r.Pair != "" }

// honest says whether the pair is of that kind.
func (r record) honest() bool { return r.Kind == honest }

// decided says that hone had data enough to say something of the pair.
func (r record) decided() bool { return r.Word != undecided }

// caught says that the change is refused, named, or not called faster.
func (r record) caught() bool { return r.Refused || r.Named || r.Word == noGain }

// String is a record as progress shows it.
func (r record) String() string {
	if r.Said == "" {
		return "measured"
	}
	return fmt.Sprintf("exit %d, %s: %s", r.Code, r.Word, r.Said)
}
