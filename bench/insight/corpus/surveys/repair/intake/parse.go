package intake

import (
	"encoding/csv"
	"io"
)

func (p Parser) reader(r io.Reader) *csv.Reader {
	cr := csv.NewReader(r)
	cr.FieldsPerRecord = p.Columns
	cr.ReuseRecord = true
	return cr
}
