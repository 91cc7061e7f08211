package intake

import (
	"encoding/csv"
	"strings"
)

func (p Parser) fields(line string) ([]string, error) {
	cr := csv.NewReader(strings.NewReader(line))
	cr.FieldsPerRecord = p.Columns
	return cr.Read()
}
