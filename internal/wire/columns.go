package wire

import (
	"slices"
	"strings"

	"golang.org/x/net/http/httpguts"

	"github.com/gohone/hone/internal/text/fail"
)

// Validate says what keeps f, which may be nil, from filling requests.
func (f *Feed) Validate() error {
	if f == nil {
		return nil
	}
	if len(f.Rows) == 0 {
		return fail.New(fail.BadInput, "the feed has no rows").
			WithHint("give it at least one row besides the names of the columns")
	}
	if err := checkNames(f.Names); err != nil {
		return err
	}
	for i, row := range f.Rows {
		if len(row) != len(f.Names) {
			return fail.New(fail.BadInput, "row %d of the feed has %d values, want %d", i+1, len(row), len(f.Names)).
				WithHint("every row needs a value for each of %s", strings.Join(f.Names, ", "))
		}
	}
	return nil
}

// checkNames says what is wrong with the names of columns.
func checkNames(names []string) error {
	if len(names) == 0 {
		return fail.New(fail.BadInput, "the feed has no columns").
			WithHint("a CSV file begins with a row of column names")
	}
	for i, name := range names {
		switch {
		case name == "" || strings.ContainsAny(name, "{}"):
			return fail.New(fail.BadInput, "column %d of the feed is named %q, which cannot stand in braces", i+1,
				name).
				WithHint("a CSV file begins with a row of column names")
		case "{"+name+"}" == PortTemplate:
			return fail.New(fail.BadInput, "column %d of the feed is named %q", i+1, name).
				WithHint("rename it: %s stands for the port of the target", PortTemplate)
		case slices.Index(names, name) < i:
			return fail.New(fail.BadInput, "two columns of the feed are named %q", name).
				WithHint("rename one: {%s} must mean one column", name)
		}
	}
	return nil
}

// CheckWords refuses a {word} in a URL that is neither a column of f, which may be nil,
// nor the port.
func (o *Options) CheckWords(uri string) error {
	var names []string
	f := o.Feed
	if o.Raw && f == nil {
		return nil
	}
	if f != nil {
		names = f.Names
	}
	for rest := uri; ; {
		_, behind, ok := strings.Cut(rest, "{")
		if !ok {
			return nil
		}
		rest = behind
		word, _, ok := strings.Cut(rest, "}")
		if _, own, err := PlaceOf(word); err != nil && ok && !slices.Contains(names, word) {
			return err
		} else if own {
			continue
		}
		if !ok || !IsWord(word) || "{"+word+"}" == PortTemplate || slices.Contains(names, word) {
			continue
		}
		if o.Raw {
			continue
		}
		err := fail.New(fail.BadInput, "{%s} in %q is not a column of the feed", word, uri)
		switch near := fail.Nearest(word, names); {
		case f == nil:
			return err.WithHint("give a feed with a column %s; --set raw sends braces as they are; or "+hintPlaces,
				word)
		case near != "":
			return err.WithHint("did you mean {%s}? columns are %s", near, strings.Join(names, ", "))
		}
		return err.WithHint("columns are %s; write %%7B%s%%7D for plain braces", strings.Join(names, ", "), word)
	}
}

// IsWord says whether s could be meant as the name of a column.
func IsWord(s string) bool {
	for i := range len(s) {
		if !isAlphanumeric(s[i]) && strings.IndexByte("_-.", s[i]) < 0 {
			return false
		}
	}
	return s != ""
}

// CheckHeader refuses values that would end a header line and begin another.
func (f *Feed) CheckHeader(name, value string) error {
	for _, c := range (&Options{Feed: f, Raw: true}).Columns(value) {
		for i, row := range f.Rows {
			if !httpguts.ValidHeaderFieldValue(row[c.number]) {
				return fail.New(fail.BadInput,
					"row %d of the feed: column %q holds a control character, which header %q cannot",
					i+1, f.Names[c.number], name).
					WithHint("take the character out, or put {%s} into the body", f.Names[c.number])
			}
		}
	}
	return nil
}
