package stored

import (
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/loadtests"
	"github.com/gohone/hone/internal/store/record"
)

// Run is a run of the ledger with its document.
type Run struct {
	Row ledger.Run
	// Record is the document of a run under load. Of another kind it has the part that all runs have, and without a
	// document what the row says.
	Record record.Run
	// Once, Load and Captures are the documents of the other kinds: one of them is there, or none.
	Once     *record.Executions
	Load     *loadtests.Document
	Captures *record.Captured
}

// RunOf decodes the document of a run. The run is there with an error, too, and has what its row says.
func RunOf(row ledger.Run) (*Run, error) {
	head := record.Head{
		Schema: record.RunSchema, ID: row.ID, Comparison: row.Comparison, Status: row.Status, Reason: row.Reason,
		Started: row.Started, Label: row.Label,
	}
	r := &Run{Row: row, Record: record.Run{Head: head, Target: row.Target}}
	r.Record.Binary.Package, r.Record.Binary.Commit, r.Record.Binary.Dirty, r.Record.Binary.BuildID = row.Package,
		row.Commit, row.Dirty, row.BuildID
	if len(row.Doc) == 0 { // it crashed, or hone watch kept it
		return r, nil
	}
	var err error
	switch SchemaOf(row.Doc) {
	case record.ExecutionsSchema:
		r.Once = &record.Executions{Head: head}
		err = decode(row.Doc, r.Once, record.ExecutionsSchema)
	case record.CaptureSchema:
		r.Captures = &record.Captured{}
		err = decode(row.Doc, r.Captures, record.CaptureSchema)
	case loadtests.Schema:
		r.Load = &loadtests.Document{}
		err = decode(row.Doc, r.Load, loadtests.Schema)
		// of a test that crashed only the row knows
		r.Load.ID, r.Load.Status, r.Load.Reason = row.ID, row.Status, row.Reason
	}
	if err == nil {
		err = r.common()
	}
	r.Record.ID, r.Record.Comparison = row.ID, row.Comparison // a document of others may name another run
	if r.Once != nil {
		r.Once.ID, r.Once.Comparison = row.ID, row.Comparison
	}
	return r, checked(err, r.wrong())
}

// forgetCommands leaves out the command lines that the documents hold: those of a stranger would be printed for the
// user to copy.
func (r *Run) forgetCommands() {
	r.Record.Command = nil
	if r.Once != nil {
		r.Once.Command = nil
	}
	if r.Load != nil {
		r.Load.Command = nil
	}
}

// common decodes what the documents of all kinds have under the same names.
func (r *Run) common() error {
	if r.Once != nil || r.Load != nil || r.Captures != nil {
		return decode(r.Row.Doc, &r.Record.Head, SchemaOf(r.Row.Doc))
	}
	return decode(r.Row.Doc, &r.Record, record.RunSchema)
}

// Kept says that hone did not measure it: its profiles were taken under another load or imported, or hone watch kept
// it.
func (r *Run) Kept() bool {
	return r.Row.Status == ledger.Complete && (len(r.Row.Doc) == 0 || r.Captures != nil)
}
