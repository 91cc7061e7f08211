package page

import (
	"encoding/json"
	"strings"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/lab"
	"github.com/gohone/hone/internal/ledger"
	"github.com/gohone/hone/internal/loadtest"
)

// schemaOf is the schema of a stored document, empty if it has none.
func schemaOf(doc json.RawMessage) string {
	var head struct {
		Schema string `json:"schema"`
	}
	_ = json.Unmarshal(doc, &head) // who reads the document says what is wrong with it
	return head.Schema
}

// decode reads a document into v, if its schema is one of those.
func decode(doc json.RawMessage, v any, schemas ...string) error {
	has := schemaOf(doc)
	known := false
	for _, s := range schemas {
		known = known || s == has
	}
	if !known && json.Valid(doc) {
		return fail.New(fail.Storage, "stored document is %q, this hone reads %q", has, strings.Join(schemas, ", ")).
			WithHint("use the hone that wrote it, or a newer one")
	}
	if err := json.Unmarshal(doc, v); err != nil {
		return fail.New(fail.Storage, "read stored document: %w", err).WithHint("hone ledger verify checks the whole ledger")
	}
	return nil
}

// recordOf is the document of a run under load. Of a run without one, and of other kinds of runs, it is the part that all have.
func recordOf(row ledger.Run) (lab.Record, error) {
	r := lab.Record{Head: lab.Head{
		Schema: lab.RunSchema, ID: row.ID, Comparison: row.Comparison, Status: row.Status, Reason: row.Reason,
		Started: row.Started, Label: row.Label,
	}, Target: row.Target}
	r.Binary.Package, r.Binary.Commit, r.Binary.Dirty, r.Binary.BuildID = row.Package, row.Commit, row.Dirty, row.BuildID
	if len(row.Doc) == 0 {
		return r, nil
	}
	if schemaOf(row.Doc) == loadtest.StoredSchema {
		return r, nil // a load test has no program
	}
	if schema := schemaOf(row.Doc); schema == lab.OnceSchema || schema == lab.CaptureSchema {
		return r, decode(row.Doc, &r.Head, schema)
	}
	return r, decode(row.Doc, &r, lab.RunSchema)
}
