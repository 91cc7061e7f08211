// Command timer holds some requests back for 12 ms, unless the client leaves before.
package main

import (
	"context"
	"time"

	"github.com/gohone/hone/bench/tail/serving"
)

func main() {
	serving.Main(func(context.Context) (serving.Handler, error) { return admit, nil })
}

func admit(ctx context.Context, r *serving.Request) error {
	if !serving.Seldom() {
		return nil
	}
	began := time.Now()
	defer r.Waited(1, began)
	select { // cause: sleep
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(12 * time.Millisecond):
		return nil
	}
}
