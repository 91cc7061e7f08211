package tail

import (
	"fmt"
	"time"
)

// digestSchema is that of hone tail --json.
const digestSchema = "hone.tail/1"

// digest is what is read of hone tail --json.
type digest struct {
	Schema   string   `json:"schema"`
	Method   string   `json:"method,omitempty"`
	Requests int      `json:"requests"`
	Joined   int      `json:"joined"`
	Cohorts  []cohort `json:"cohorts"`
	Causes   []cause  `json:"causes"`
}

// cohort is the mean request of some, by the client's latency.
type cohort struct {
	Name        string  `json:"name"` // typical or slow
	Requests    int     `json:"requests"`
	Latency     float64 `json:"latency_ns"`
	Unexplained float64 `json:"unexplained_ns"`
	Parts       []part  `json:"parts"`
}

// place is where time goes: a state on a frame of the user's code.
type place struct {
	State    string `json:"state"`
	Reason   string `json:"reason,omitempty"`
	Library  string `json:"library,omitempty"`
	Function string `json:"function,omitempty"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	// Behind is what another goroutine did meanwhile.
	Behind *place `json:"behind,omitempty"`
}

// part is a part of a cohort's mean request.
type part struct {
	place
	Nanos float64 `json:"ns"`
}

// cause is a part of the difference between slow and typical requests.
type cause struct {
	place
	Nanos float64 `json:"ns"`
	Share float64 `json:"share"` // as a fraction
}

// String is a place as in "lock main.(*store).count main.go:44, behind network ...".
func (p place) String() string {
	text := p.State
	if p.Reason != "" {
		text += " (" + p.Reason + ")"
	}
	if p.Library != "" {
		text += " " + p.Library
	}
	if p.Function != "" {
		text += fmt.Sprintf(" %s %s:%d", p.Function, base(p.File), p.Line)
	}
	if p.Behind != nil {
		text += ", behind " + p.Behind.String()
	}
	return text
}

// check says what keeps a digest from being judged.
func (d *digest) check() error {
	if d.Schema != digestSchema {
		return fmt.Errorf("schema %q: want %s", d.Schema, digestSchema)
	}
	if d.cohort("typical") == nil || d.cohort("slow") == nil {
		return fmt.Errorf("%d cohorts of %d requests, %d joined: want typical and slow", len(d.Cohorts), d.Requests, d.Joined)
	}
	return nil
}

// cohort is the one with this name; nil if there is none, or no request in it.
func (d *digest) cohort(name string) *cohort {
	for i, c := range d.Cohorts {
		if c.Name == name && c.Requests > 0 && c.Latency > 0 {
			return &d.Cohorts[i]
		}
	}
	return nil
}

// short leaves out what no judgement needs, so that a file of results stays small.
func (d *digest) short() {
	const parts, causes = 12, 8
	for i := range d.Cohorts {
		c := &d.Cohorts[i]
		c.Parts = c.Parts[:min(parts, len(c.Parts))]
	}
	d.Causes = d.Causes[:min(causes, len(d.Causes))]
}

func duration(nanos float64) time.Duration { return time.Duration(nanos).Round(10 * time.Microsecond) }
