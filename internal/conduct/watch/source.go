package watch

import (
	"context"
	"errors"
	"net"
	"net/url"

	"github.com/gohone/hone/internal/text/vitals"
)

// source is one place from which a part of the vitals is read. It is read by one
// goroutine at a time.
type source interface {
	name() string
	// read returns what is known now. Beside an error there may be a reading of what was
	// still readable.
	read(ctx context.Context) (vitals.Reading, error)
	// close frees what the source holds; no read is under way then.
	close()
}

// refusal is a fault that will not go away by asking again: the source is left alone.
type refusal struct{ error }

func (e refusal) Unwrap() error { return e.error }

// ended says that what is watched is gone, for good or for now.
type ended struct{ error }

func (e ended) Unwrap() error { return e.error }

// unreachable says that there was no connection or no answer: the service may have ended, if no other source
// knows better.
type unreachable struct{ error }

func (e unreachable) Unwrap() error { return e.error }

// timedOut says that no answer came in time, which is not a wrong answer.
type timedOut struct{ error }

func (e timedOut) Unwrap() error { return e.error }

// dialFault makes unreachable of the error of a connection that was not made, and takes off
// the parts that repeat the address.
func dialFault(err error) error {
	var outer *url.Error
	if errors.As(err, &outer) {
		err = outer.Err
	}
	var op *net.OpError
	if errors.As(err, &op) && op.Op == "dial" {
		return unreachable{op}
	}
	return err
}
