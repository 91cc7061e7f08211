package watch

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/panels"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/text/vitals"
)

// Schema is that of what is saved.
const Schema = "hone.watch/1"

// Artefact is the kind and the name under which a run keeps what was seen.
const Artefact, artefactFile = "vitals", "vitals.json"

// Document is what was seen.
type Document struct {
	Schema string `json:"schema"`
	Run    string `json:"run"`
	// Title is what was watched, as the picture called it.
	Title    string        `json:"title"`
	Interval time.Duration `json:"interval_ns"`
	// Dropped are readings before the first one, which were not kept.
	Dropped  uint64           `json:"dropped,omitempty"`
	Marks    []vitals.Mark    `json:"marks,omitempty"`
	Warnings []string         `json:"warnings,omitempty"`
	Readings []vitals.Reading `json:"readings"`
}

// ReadDocument reads the artefact of a run. Errors are fail.Storage.
func ReadDocument(text []byte) (Document, error) {
	var d Document
	if err := json.Unmarshal(text, &d); err != nil {
		return d, fail.New(fail.Storage, "read stored readings: %w",
			err).WithHint("hone ledger verify checks the whole ledger")
	}
	if d.Schema != Schema {
		return d, fail.New(fail.Storage, "stored readings are %q, this hone reads %q", d.Schema, Schema).
			WithHint("use the hone that wrote it, or a newer one")
	}
	return d, nil
}

// Picture writes the whole time of a document as one picture of that size.
func (d Document) Picture(w io.Writer, size panels.Size, theme panels.Theme) error {
	if len(d.Readings) == 0 {
		_, err := fmt.Fprintln(w, "no readings")
		return err
	}
	history := vitals.NewHistory(len(d.Readings))
	for _, r := range vitals.Thin(d.Readings, panels.PlotColumns(size.Width)) {
		history.Add(r)
	}
	first, last := d.Readings[0].At, d.Readings[len(d.Readings)-1].At
	s := panels.State{
		Title:  d.Title,
		Phase:  fmt.Sprintf("%d readings in %s", len(d.Readings), units.Seconds(last.Sub(first).Round(time.Second))),
		Groups: []panels.Group{{History: history}}, Marks: d.Marks, Warnings: d.Warnings,
	}
	_, err := fmt.Fprintln(w, panels.Render(s, size, theme))
	return err
}
