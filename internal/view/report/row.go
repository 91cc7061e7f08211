package report

// Row is one row of a report, on a terminal and on a page: what it is of, what it is, and what it rests on, which texts put
// in brackets.
type Row struct {
	Name string `json:"name"`
	Text string `json:"text"`
	Note string `json:"note,omitempty"`
	Tone Tone   `json:"tone,omitempty"`
}

// Tone is the colour of a row on a page, by what it means; empty for none.
type Tone string

// String is the row without its name: "13.9 us  (95 % interval 13.7 ... 14.1, over slices of 1 start)".
func (f Row) String() string {
	if f.Note == "" {
		return f.Text
	}
	return f.Text + "  (" + f.Note + ")"
}

// Note is a sentence beside the check. Kind is the word before it: note, warning or invalid.
type Note struct{ Kind, Text string }

// String is the line: "note: 3 of 40 slices were disturbed ...".
func (n Note) String() string { return n.Kind + ": " + n.Text }
