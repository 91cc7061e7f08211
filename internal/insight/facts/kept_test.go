package facts

import "testing"

const keeping = `package m

import "bytes"

type version struct{ data []byte }

type page struct{ versions []version }

type store struct {
	pages map[string]*page
	out   chan []byte
}

func numbered(text []byte) version {
	var out bytes.Buffer
	out.Grow(len(text)) // grow
	out.Write(text)
	return version{data: out.Bytes()}
}

func (s *store) save(name string, text []byte) {
	v := numbered(text) // save
	p := s.pages[name]
	p.versions = append(p.versions, v)
}

func (s *store) size(text []byte) int {
	v := numbered(text) // size
	return len(v.data)
}

func (s *store) send(text []byte) {
	b := make([]byte, len(text)) // send
	copy(b, text)
	s.out <- b
}

func (s *store) name(text []byte) string {
	b := make([]byte, len(text)) // name
	copy(b, text)
	return string(b)
}

func (s *store) sum(text []byte) (n int) {
	b := append([]byte(nil), text...)
	b = append(b, text...) // sum
	for _, c := range b {
		n += int(c)
	}
	return n
}
`

func TestWhatIsKept(t *testing.T) {
	files := map[string]string{"store.go": keeping}
	for _, c := range []struct {
		frames []string
		kept   bool
	}{
		{[]string{"example.com/m.numbered store.go grow", "example.com/m.(*store).save store.go save"}, true},
		{[]string{"example.com/m.numbered store.go grow", "example.com/m.(*store).size store.go size"}, false},
		{[]string{"example.com/m.numbered store.go grow"}, false},
		{[]string{"example.com/m.(*store).send store.go send"}, true},
		{[]string{"example.com/m.(*store).name store.go name"}, false},
		{[]string{"example.com/m.(*store).sum store.go sum"}, false},
	} {
		v, s := viewOf(t, files, c.frames...)
		if got := v.Kept(s, 0); got != c.kept {
			t.Errorf("%s: kept %t, want %t", c.frames, got, c.kept)
		}
	}
}
