package code

import "testing"

const replies = `package p

import "time"

type job struct{ done chan error }

func ask(jobs chan job, slots chan int, quit chan int) error {
	errs := make(chan error, 1)
	jobs <- job{errs}
	for err := range errs { // all of a reply
		return err
	}
	for range slots { // a parameter
	}
	select { // a reply or the end
	case err := <-errs:
		return err
	case <-quit:
	}
	late := time.After(time.Second)
	select { // a slot or the end
	case <-slots:
	case <-late:
	}
	select { // a look
	case <-errs:
	default:
	}
	return nil
}
`

// A reply may be taken by a loop or a select; a channel that others made is for what they have.
func TestWaysToWaitForAReply(t *testing.T) {
	f, marks := parsed(t, replies)
	for mark, want := range map[string]bool{"all of a reply": true, "a parameter": false, "a reply or the end": true,
		"a slot or the end": false, "a look": false} {
		if got := f.WaitsForReply(marks[mark]); got != want {
			t.Errorf("%s: %t", mark, got)
		}
	}
}
