package report

// Fact is one row of a report: what it is of, what it is, and what it rests on, which texts put in brackets.
type Fact struct{ Name, Text, Note string }

// String is the fact without its name: "13.9 us  (95 % interval 13.7 ... 14.1, over slices of 1 start)".
func (f Fact) String() string {
	if f.Note == "" {
		return f.Text
	}
	return f.Text + "  (" + f.Note + ")"
}

// Note is a sentence beside the check. Kind is the word before it: note, warning or invalid.
type Note struct{ Kind, Text string }

// String is the line: "note: 3 of 40 slices were disturbed ...".
func (n Note) String() string { return n.Kind + ": " + n.Text }
