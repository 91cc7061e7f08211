// Command evensleep sleeps for 3 ms in every request.
package main

import (
	"context"
	"time"

	"github.com/gohone/hone/bench/tail/serving"
)

func main() {
	serving.Main(func(context.Context) (serving.Handler, error) { return poll, nil })
}

func poll(_ context.Context, r *serving.Request) error {
	began := time.Now()
	time.Sleep(3 * time.Millisecond) // cause: sleep
	r.Waited(1, began)
	return nil
}
