package lab

import (
	"encoding/json"

	"github.com/gohone/hone/internal/compare"
	"github.com/gohone/hone/prof"
)

// ComparisonSchema1 is that of the documents of hone before comparisons had several
// variants and looks. ComparisonRecord reads them, too.
const ComparisonSchema1 = "hone.comparison/1"

// UnmarshalJSON reads a document of either schema.
func (c *ComparisonRecord) UnmarshalJSON(text []byte) error {
	type fields ComparisonRecord // without this method
	if err := json.Unmarshal(text, (*fields)(c)); err != nil || c.Schema != ComparisonSchema1 {
		return err
	}
	var old struct {
		Verdicts []compare.Verdict `json:"verdicts"`
		Changes  []prof.Change     `json:"changes"`
	}
	if err := json.Unmarshal(text, &old); err != nil {
		return err
	}
	c.Schema = ComparisonSchema
	c.Contests = []Contest{{A: 0, B: 1, Word: c.Word, Verdicts: old.Verdicts, Changes: old.Changes}}
	return nil
}
