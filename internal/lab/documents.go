package lab

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/ledger"
)

// SchemaOf is the schema of a stored document, empty if it has none.
func SchemaOf(doc json.RawMessage) string {
	var head struct {
		Schema string `json:"schema"`
	}
	_ = json.Unmarshal(doc, &head) // who reads the document says what is wrong with it
	return head.Schema
}

// Decode reads a stored document that has one of the schemas; of comparisons an earlier one, too. Any other is fail.Storage.
func Decode(doc json.RawMessage, into any, schemas ...string) error {
	has := SchemaOf(doc)
	older := slices.Contains(schemas, ComparisonSchema) && has == ComparisonSchema1
	if !slices.Contains(schemas, has) && !older && json.Valid(doc) {
		return fail.New(fail.Storage, "stored document is %q, this hone reads %q", has, strings.Join(schemas, ", ")).
			WithHint("use the hone that wrote it, or a newer one")
	}
	if err := json.Unmarshal(doc, into); err != nil {
		return fail.New(fail.Storage, "read stored document: %w", err).WithHint("hone ledger verify checks the whole ledger")
	}
	return nil
}

// HeadOf is what the row of a run says by itself.
func HeadOf(row ledger.Run, schema string) Head {
	return Head{
		Schema: schema, ID: row.ID, Comparison: row.Comparison, Status: row.Status, Reason: row.Reason, Started: row.Started, Label: row.Label,
	}
}

// RecordOf is the document of a run under load. Of a run without a document, and of runs of other kinds, whose documents have
// one of the schemas, it is the part that all runs have.
func RecordOf(row ledger.Run, others ...string) (Record, error) {
	r := Record{Head: HeadOf(row, RunSchema), Target: row.Target}
	r.Binary.Package, r.Binary.Commit, r.Binary.Dirty, r.Binary.BuildID = row.Package, row.Commit, row.Dirty, row.BuildID
	if len(row.Doc) == 0 {
		return r, nil
	}
	var err error
	if others = append(others, OnceSchema, CaptureSchema); slices.Contains(others, SchemaOf(row.Doc)) {
		err = Decode(row.Doc, &r.Head, others...)
	} else {
		err = Decode(row.Doc, &r, RunSchema)
	}
	r.ID, r.Comparison = row.ID, row.Comparison // a document of others may name another run
	return r, err
}
