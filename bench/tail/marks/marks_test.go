package marks

import (
	"reflect"
	"strings"
	"testing"
)

const source = `package main

type store struct{}

func (s *store) count() { // cause behind: before, runnable
	s.lock() // cause: lock
	// because of this, an ordinary comment
	select { // cause 2: sleep
	case <-a:
	case <-b:
	}
	go func() {
		x := get() // cause: network // behind
	}()
}
`

func TestMarksSayWhatWasPlantedAndWhere(t *testing.T) {
	got, err := parse("dir/main.go", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	const in = "main.(*store).count"
	want := []Mark{
		{Cause: 1, Behind: true, States: []string{"before", "runnable"}, Function: in, File: "main.go", First: 5, Last: 15},
		{Cause: 1, States: []string{"lock"}, Function: in, File: "main.go", First: 6, Last: 6},
		{Cause: 2, States: []string{"sleep"}, Function: in, File: "main.go", First: 8, Last: 11},
		{Cause: 1, States: []string{"network"}, Function: in, File: "main.go", First: 13, Last: 13},
		{Behind: true, Function: in, File: "main.go", First: 13, Last: 13},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if !got[3].Covers(in+".func1", "/home/gopher/main.go", 13) || got[3].Covers(in, "main.go", 12) ||
		got[3].Covers("main.(*store).counter", "main.go", 13) || got[3].Covers(in, "other.go", 13) {
		t.Error("Covers takes another place, or not its own")
	}
}

func TestMarksThatSayNothingAreFaults(t *testing.T) {
	for text, want := range map[string]string{
		"package main\n\nfunc f() {\n\tg() // cause\n}\n":           "main.go:4:6: mark \"cause\"",
		"package main\n\nvar x = 1 // cause: lock\n":                "main.go:3:11: no statement",
		"package main\n\nfunc f() {\n\tg() // behind: network\n}\n": "main.go:4:6: mark \"behind: network\"",
	} {
		if _, err := parse("main.go", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
