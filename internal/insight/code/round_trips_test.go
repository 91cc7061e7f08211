package code

import "testing"

// A text that is encoded only to be decoded again is there and back; one that is sent, kept or measured is not.
func TestJSONThereAndBack(t *testing.T) {
	f, marks := parsed(t, `package p

import (
	"bytes"
	"encoding/json"
	"io"
)

type a struct{ N int }
type b struct{ N int }

func convert(x a) (y b, err error) {
	text, err := json.Marshal(x) // there
	if err != nil {
		return y, err
	}
	err = json.Unmarshal(text, &y) // back
	return y, err
}

func clone(x a) (y a) {
	var buf bytes.Buffer
	json.NewEncoder(&buf).Encode(x) // buffer
	json.NewDecoder(&buf).Decode(&y) // from
	return y
}

func check(w io.Writer, x a) (y a) {
	text, _ := json.Marshal(x) // sent
	json.Unmarshal(text, &y)
	w.Write(text)
	return y
}

func answer(w io.Writer, in []byte) {
	var x a
	json.Unmarshal(in, &x) // given
	json.NewEncoder(w).Encode(x) // answered
}
`)
	for mark, want := range map[string]bool{"there": true, "back": true, "buffer": true, "from": true, "sent": false,
		"given": false, "answered": false} {
		if got := f.JSONThereAndBack(marks[mark]); got != want {
			t.Errorf("%s: %t, want %t", mark, got, want)
		}
	}
}

// Who sleeps until a time that is computed keeps a rate; who sleeps for a fixed time does not.
func TestWhoKeepsARate(t *testing.T) {
	f, marks := parsed(t, `package p

import "time"

type pace struct{ next time.Time }

func (p *pace) wait(done chan bool) {
	time.Sleep(time.Until(p.next)) // until
	left := p.next.Sub(time.Now())
	<-time.After(left) // left
	time.Sleep(10 * time.Millisecond) // fixed
	step := time.Millisecond
	for range 3 {
		time.Sleep(step) // longer
		step *= 2
	}
}
`)
	for mark, want := range map[string]bool{"until": true, "left": true, "fixed": false, "longer": false} {
		if got := f.SleepsUntil(marks[mark]); got != want {
			t.Errorf("%s: %t, want %t", mark, got, want)
		}
	}
}
