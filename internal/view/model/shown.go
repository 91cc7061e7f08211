package model

// Tone is what a statement means for the reader, and so its colour on a page. A browser adds a sign, so that colour is
// never the only difference.
type Tone string

// The tones.
const (
	Better  Tone = "better"
	Worse   Tone = "worse"
	Neutral Tone = "neutral"
	Warning Tone = "warning" // it can be trusted with a reserve
	Bad     Tone = "bad"     // it cannot be trusted, or failed
	Good    Tone = "good"    // passed, valid
)

// Statement is one sentence with its tone.
type Statement struct {
	Text string `json:"text"`
	Tone Tone   `json:"tone"`
	// Word begins its line on a terminal, which has no tones: note, warning or invalid; empty for none.
	Word string `json:"-"`
}

// String is the line: "note: 3 of 40 slices were disturbed ...".
func (s Statement) String() string {
	if s.Word == "" {
		return s.Text
	}
	return s.Word + ": " + s.Text
}

// Check says whether a measurement can be trusted.
type Check struct {
	Statement
	Notes []Statement `json:"notes,omitempty"`
}

// Row is one row of a table of facts: what it is of, what it is, and what it rests on, which texts put in brackets.
type Row struct {
	Name string `json:"name"`
	Text string `json:"text"`
	// Parts are the values that Text lists, one each; nil where it has one value.
	Parts []string `json:"parts,omitempty"`
	Note  string   `json:"note,omitempty"`
	Tone  Tone     `json:"tone,omitempty"`
}

// String is the row without its name: "13.9 us  (95 % interval 13.7 ... 14.1, over slices of 1 start)".
func (r Row) String() string {
	if r.Note == "" {
		return r.Text
	}
	return r.Text + "  (" + r.Note + ")"
}

// Number is a value in the unit of its row, and as text with its unit.
type Number struct {
	Value float64 `json:"value"`
	Text  string  `json:"text"`
}

// Command is a command line to copy, and what it shows.
type Command struct {
	Line string `json:"line"`
	What string `json:"what"`
}

// String is the line with what it shows in brackets.
func (c Command) String() string {
	if c.What == "" {
		return c.Line
	}
	return c.Line + " (" + c.What + ")"
}

// Place is a line of source. File is the name that the profile gives it, Short the end of it.
type Place struct {
	Function string `json:"function"`
	File     string `json:"file,omitempty"`
	Short    string `json:"short,omitempty"`
	Line     int64  `json:"line,omitempty"`
}

// Letter is how a variant is called.
func Letter(i int) string { return string(rune('A' + i)) }

// About begins a text on variant i of n: "B: ", or nothing where there is one only.
func About(i, n int) string {
	if n < 2 {
		return ""
	}
	return Letter(i) + ": "
}

// Detail is how much is shown.
type Detail int

const (
	// Brief is for the end of a measurement: what was off is said, what was not is left out.
	Brief Detail = iota
	// Full is for hone show and for pages.
	Full
)
