// Command sleep tries again after 12 ms where the first try fails, which it does for some requests.
package main

import (
	"context"
	"errors"
	"time"

	"github.com/gohone/hone/bench/tail/serving"
)

func main() {
	serving.Main(func(context.Context) (serving.Handler, error) { return reserve, nil })
}

var errTaken = errors.New("taken")

func reserve(_ context.Context, r *serving.Request) error {
	for errors.Is(try(), errTaken) {
		began := time.Now()
		time.Sleep(12 * time.Millisecond) // cause: sleep
		r.Waited(1, began)
	}
	return nil
}

func try() error {
	if serving.Seldom() {
		return errTaken
	}
	return nil
}
