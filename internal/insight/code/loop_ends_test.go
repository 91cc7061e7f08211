package code

import "testing"

const leaving = `package p

import "errors"

func first(routes []route, req string) error {
	for _, r := range routes {
		if r.match(req) { // condition
			return r.handle(req) // handled
		}
	}
	for _, r := range routes {
		err := r.handle(req) // not if it fails
		if err != nil {
			return err
		}
	}
	for _, r := range routes {
		err := r.handle(req) // tried
		if err != nil {
			continue
		}
		return nil
	}
	for _, r := range routes {
		switch {
		case r.match(req):
			r.handle(req) // of the switch
			break
		default:
			r.handle(req) // of the loop
			return errors.New("no")
		}
	}
	for _, r := range routes {
		if r.match(req) {
			r.handle(req) // chosen
			break
		}
	}
	for _, r := range routes {
		for _, s := range routes {
			if s == r {
				s.handle(req) // inner
				break
			}
		}
	}
	for _, r := range routes {
		for _, s := range routes {
			s.handle(req) // all of one
		}
		return r.handle(req) // once
	}
	for _, r := range routes {
		if err := r.handle(req); err != nil { // head
			return err
		}
		if done := func() bool { return true }; done() { // literal
			r.handle("")
		}
	}
	return nil
}

type route struct{}

func (route) match(string) bool { return false }

func (route) handle(string) error { return nil }
`

// A loop that ends right after a line comes to it once; one that ends only in some cases comes to it again.
func TestALoopThatEndsAfterALine(t *testing.T) {
	f, marks := parsed(t, leaving)
	for mark, want := range map[string]bool{"condition": true, "handled": false, "not if it fails": true, "tried": true,
		"of the switch": true, "of the loop": false, "chosen": false, "inner": true, "all of one": true, "once": false,
		"head": true, "literal": true} {
		if inLoop, overData := f.DataLoop(marks[mark]); inLoop != want || overData != want {
			t.Errorf("%s: in a loop %t, over data %t, want %t", mark, inLoop, overData, want)
		}
	}
}
