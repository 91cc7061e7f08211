package advice

import (
	"slices"
	"strings"
	"testing"
)

// What to do fits the statement that is shown, and the functions that it calls: who writes a file is not told to read
// it once, and no remedy names another package's compressor.
func TestTheRemedyIsForTheStatement(t *testing.T) {
	const root = " < net/http.(*conn).serve"
	const compilesType = "encoding/gob.(*Decoder).compileDec < encoding/gob.(*Decoder).Decode"
	for statement, c := range map[string]struct{ call, has, hasNot string }{
		"f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0o644)": {
			"os.OpenFile", "journal.file", "files.get"},
		"f, err := os.Open(name)": {
			"os.Open", "files.get", "journal.file"},
		"zw := zlib.NewWriter(dst)": {
			"compress/zlib.NewWriter", "*zlib.Writer", "gzip"},
		"zw := gzip.NewWriter(dst)": {
			"compress/gzip.NewWriter", "*gzip.Writer", "zlib"},
		"data, err := io.ReadAll(f)": {
			"runtime.growslice < io.ReadAll", "io.Copy", "make([]T"},
		"err := gob.NewDecoder(r).Decode(m)": {
			compilesType, "dec.Decode", "NewEncoder"},
		"block, err := aes.NewCipher(key)": {
			"crypto/aes.NewCipher", "cipher.Block", "http.Client"},
		"cert, err := x509.ParseCertificate(der)": {
			"crypto/x509.ParseCertificate", "x509.ParseCertificate", "http.Client"},
		"resp, err := (&http.Client{}).Get(url)": {
			"net/http.(*Transport).dialConn", "http.Client", "sql.Open"},
		"answer, err := s.shop.Price(id)": {
			"net.(*sysDialer).dialTCP < net.(*Dialer).DialContext < net/http.(*Transport).dial < example.org/shop.Price",
			"http.Client", "conns.get"},
		"conn, err := net.Dial(\"tcp\", addr)": {
			"net.(*sysDialer).dialTCP < net.(*Dialer).DialContext < net.Dial", "conns.get", "http.Client"},
		"answer, _, err := s.client.Exchange(question, server)": {
			"net.(*sysDialer).dialUDP < net.(*Dialer).DialContext < example.org/dns.(*Client).Exchange", "UDP", "http"},
		"err = gob.NewDecoder(file).Decode(&index)": {
			compilesType, "modified", "connection"},
		"tag := field.Tag.Get(\"csv\")": {
			"strconv.Unquote < reflect.StructTag.Lookup < reflect.StructTag.Get", "columnsOf", "slices.Equal"},
		"f, ok := t.FieldByName(name)": {
			"reflect.(*rtype).FieldByName", "columnsOf", "slices.Equal"},
		"same := reflect.DeepEqual(a, b)": {
			"reflect.deepValueEqual < reflect.DeepEqual", "slices.Equal", "columnsOf"},
		"s := when.Format(time.RFC3339)": {
			"time.Time.Format", "AppendFormat", "LoadLocation"},
		"loc, err := time.LoadLocation(\"Asia/Tokyo\")": {
			"time.LoadLocation", "LoadLocation", "time.Parse"},
	} {
		text := "package m\n\nfunc work() {\n\t" + statement + "\n}\n"
		v := cpuView(t, map[string]string{"a.go": text},
			map[string]int64{c.call + " < " + user + ".work@/src/a.go:4" + root: 400, "runtime.mcall": 600})
		all := find(t, v).Findings
		if len(all) != 1 {
			t.Errorf("%s: %s", statement, listed(all))
			continue
		}
		if f := all[0]; !strings.Contains(f.Change+f.After, c.has) ||
			strings.Contains(f.Change+f.Before+f.After, c.hasNot) {
			t.Errorf("%s (%s): %s\n%s\n%s", statement, f.Rule, f.Change, f.Before, f.After)
		}
	}
}

// A program with a protocol of its own has connections that keep their codec.
func TestAConnectionKeepsItsCodec(t *testing.T) {
	v := cpuView(t, map[string]string{"a.go": "package m\n\nfunc work() {\n\tgob.NewDecoder(conn).Decode(&m)\n}\n"},
		map[string]int64{"encoding/gob.(*Decoder).compileDec < encoding/gob.(*Decoder).Decode < " + user +
			".work@/src/a.go:4 < " + user + ".serve@/src/a.go:9": 400, "runtime.mcall": 600})
	if all := find(t, v).Findings; len(all) != 1 || !strings.Contains(all[0].Change, "connection") {
		t.Errorf("%+v", all)
	}
}

// Each remedy by line belongs to a rule that exists, and has all its parts.
func TestRemediesByLineAreComplete(t *testing.T) {
	for name, all := range remediesByLine {
		if !slices.ContainsFunc(All, func(r *Rule) bool { return r.Name == name }) {
			t.Errorf("no rule %s", name)
		}
		for i, r := range all {
			if r.Change == "" || r.Before == "" || r.After == "" || len(r.of)+len(r.calls)+len(r.code) == 0 {
				t.Errorf("%s, remedy %d: %+v", name, i, r)
			}
		}
	}
}
