// Package stored reads what the ledger keeps of measurements. A run or a comparison is decoded in one place, whatever
// its kind; its profiles are parsed once, and the rules of package advice run once. It only reads. Text for terminals
// (report), pages (page) and answers for agents are made of what it returns.
package stored

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/text/fail"
)

// SchemaOf is the schema of a stored document, empty if it has none.
func SchemaOf(doc json.RawMessage) string {
	var head struct {
		Schema string `json:"schema"`
	}
	_ = json.Unmarshal(doc, &head) // who reads the document says what is wrong with it
	return head.Schema
}

// decode reads a document that has one of the schemas. Any other is fail.Storage.
func decode(doc json.RawMessage, into any, schemas ...string) error {
	if has := SchemaOf(doc); !slices.Contains(schemas, has) && json.Valid(doc) {
		return fail.New(fail.Storage, "stored document is %q, this hone reads %q", has, strings.Join(schemas, ", ")).
			WithHint("use the hone that wrote it, or a newer one")
	}
	if err := json.Unmarshal(doc, into); err != nil {
		return fail.New(fail.Storage, "read stored document: %w",
			err).WithHint("hone ledger verify checks the whole ledger")
	}
	return nil
}
