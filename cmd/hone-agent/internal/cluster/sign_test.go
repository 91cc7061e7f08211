package cluster

import (
	"bytes"
	"strings"
	"testing"
)

func newSigner(t testing.TB) *Signer {
	t.Helper()
	seed, err := NewSeed()
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewSigner(seed)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestOrdersAreSigned(t *testing.T) {
	s, other := newSigner(t), newSigner(t)
	message, err := s.Sign(Order{Run: "r", Agent: "a", Seq: 3, Job: []byte(`{"x":1}`)})
	if err != nil {
		t.Fatal(err)
	}
	if o, err := Open(message, []string{other.Key(), s.Key()}); err != nil || o.Seq != 3 || string(o.Job) != `{"x":1}` {
		t.Errorf("%+v, %v", o, err)
	}
	for want, c := range map[string]struct {
		message []byte
		trusted []string
	}{
		"does not trust":  {message, []string{other.Key()}},
		"the signature":   {bytes.Replace(message, []byte(`"seq":3`), []byte(`"seq":4`), 1), []string{s.Key()}},
		"does not fit":    {bytes.Replace(message, []byte(s.Key()), []byte(other.Key()), 1), []string{other.Key()}},
		"read order":      {message[:len(message)/2], []string{s.Key()}},
		`with the key ""`: {[]byte(`{}`), []string{s.Key()}},
	} {
		if _, err := Open(c.message, c.trusted); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if _, err := NewSigner([]byte("SAANYTHING")); err == nil {
		t.Error("a seed that is none is accepted")
	}
}

// Whatever an agent receives, it takes no order that is not signed.
func FuzzOpen(f *testing.F) {
	s := newSigner(f)
	message, err := s.Sign(Order{Run: "r", Agent: "a"})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(message)
	f.Add([]byte(`{"order":{},"key":"` + s.Key() + `","signature":""}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		if o, err := Open(in, []string{s.Key()}); err == nil && (o.Run != "r" || o.Agent != "a") {
			t.Errorf("%q is taken as %+v", in, o)
		}
	})
}
