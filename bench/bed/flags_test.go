package bed

import "testing"

// Documents say by what command they were made, and read that back from the flags.
func TestListKeepsItsText(t *testing.T) {
	var words []string
	fs := NewFlags("test")
	fs.Words(&words, "what", "a,b", "what to do")
	f := fs.Lookup("what")
	if f.DefValue != "a,b" || len(words) != 2 {
		t.Errorf("default %q, %q", f.DefValue, words)
	}
	fs.Read([]string{"-what", "c,d,e"})
	if f.Value.String() != "c,d,e" || len(words) != 3 || fs.Faults() != nil {
		t.Errorf("%q, %q, %v", f.Value, words, fs.Faults())
	}
}
