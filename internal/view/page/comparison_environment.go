package page

import "slices"

// environment has a row for each property of the variants, with what differs first. The commit and the build differ
// between two variants of a source as they should; what a reader has to know is that they do.
func (c *compared) environment() []EnvironmentRow {
	var names []string
	values := make([]map[string]string, len(c.runs))
	for i, s := range c.stored {
		values[i] = map[string]string{}
		for _, row := range environmentOf(s.record.Head, s.row.Origin) {
			if !slices.Contains(names, row.Name) {
				names = append(names, row.Name)
			}
			values[i][row.Name] = row.Text
		}
	}
	differ, same := []EnvironmentRow{}, []EnvironmentRow{}
	for _, name := range names {
		row := EnvironmentRow{Name: name}
		for i := range values {
			row.Values = append(row.Values, values[i][name])
			row.Differs = row.Differs || values[i][name] != values[0][name]
		}
		if row.Differs {
			differ = append(differ, row)
		} else {
			same = append(same, row)
		}
	}
	return append(differ, same...)
}
