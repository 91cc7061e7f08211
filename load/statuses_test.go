package load

import (
	"encoding/json"
	"strconv"
	"testing"
)

func TestStatusesNameTheMostFrequentFirst(t *testing.T) {
	var a, b Statuses
	a.Add(500, 100)
	a.Add(404, 4000)
	b.Add(404, 300)
	b.Add(0, 7)
	a.Merge(b)
	if got, want := a.String(), "404: 4,300; 500: 100; no status: 7"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if (Statuses{}).String() != "" || (Statuses{}) == a {
		t.Error("no statuses are something")
	}
}

func TestStatusesBeyondTheRoomAreCountedTogether(t *testing.T) {
	var s Statuses
	for code := range uint16(20) {
		s.Add(400+code, 2)
	}
	all, other := s.All()
	if len(all) != mostStatuses || other != 2*(20-mostStatuses) {
		t.Errorf("%d statuses and %d others, want %d and %d", len(all), other, mostStatuses, 2*(20-mostStatuses))
	}
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var back Statuses
	if err := json.Unmarshal(text, &back); err != nil || back != s {
		t.Errorf("%s came back as %v, %v", text, back, err)
	}
}

// Whatever is read is written again the same, and no count is lost.
func FuzzStatusesJSON(f *testing.F) {
	for _, text := range []string{`{"404":4300,"500":100}`, `{"other":3}`, `{"70000":1}`, `{"-1":1}`, `{"404":-1}`,
		`[]`, `null`, `{"007":1,"7":2}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var s, again Statuses
		if s.UnmarshalJSON(text) != nil {
			return
		}
		written, err := s.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		if err := again.UnmarshalJSON(written); err != nil || again.String() != s.String() {
			t.Errorf("%q: read %q, written %s, read again %q, %v", text, s.String(), written, again.String(), err)
		}
	})
}

// A status of HTTP has a name of gRPC only in calls of gRPC, whatever number a server sends.
func TestCodesOfHTTPAndGRPCAreApart(t *testing.T) {
	for code := uint16(100); code < 1000; code++ {
		if name := CodeName(code); name != strconv.Itoa(int(code)) {
			t.Errorf("status %d is called %q", code, name)
		}
	}
	if ok, last := CodeName(FirstGRPCCode), CodeName(FirstGRPCCode+16); ok != "OK" || last != "UNAUTHENTICATED" {
		t.Errorf("codes of gRPC are called %q and %q", ok, last)
	}
}
