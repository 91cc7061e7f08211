package advice

import "github.com/gohone/hone/internal/insight/facts"

// withoutNew are functions of the standard library that make a new value each time, and what does the same without.
// What another function of a library allocates is a part of what it is called for: a pool of the user's cannot hold it.
var withoutNew = []struct{ of, less string }{
	{"bufio.(*Scanner).Text", "Bytes of the bufio.Scanner"},
	{"bufio.(*Reader).ReadString", "ReadSlice of the bufio.Reader"},
	{"bufio.(*Reader).ReadBytes", "ReadSlice of the bufio.Reader"},
	{"bytes.(*Buffer).String", "Bytes of the bytes.Buffer"},
	{"encoding/hex.EncodeToString", "hex.AppendEncode"},
	{"encoding/base64.(*Encoding).EncodeToString", "AppendEncode of the encoding"},
	{"encoding/base64.(*Encoding).DecodeString", "AppendDecode of the encoding"},
	{"encoding/hex.DecodeString", "hex.AppendDecode"},
	{"strconv.Itoa", "strconv.AppendInt"}, {"strconv.FormatInt", "strconv.AppendInt"},
	{"strconv.FormatUint", "strconv.AppendUint"}, {"strconv.FormatFloat", "strconv.AppendFloat"},
	{"strconv.Quote", "strconv.AppendQuote"},
	{"time.Time.Format", "time.Time.AppendFormat"}, {"time.Time.String", "time.Time.AppendFormat"},
	{"slices.Clone*", "An append to a slice that is kept"}, {"bytes.Clone", "An append to a slice that is kept"},
	{"slices.Collect*", "slices.AppendSeq"}, {"slices.Sorted*", "slices.AppendSeq with a sort after it"},
	{"regexp.(*Regexp).FindAllString*", "FindStringIndex in a loop"},
}

// lessWith names what does the same as a function of a library without a new value; empty if nothing is known to.
func lessWith(function string) string {
	for _, one := range withoutNew {
		if function != "" && (&facts.Frame{Function: function}).Is(one.of) {
			return one.less
		}
	}
	return ""
}
