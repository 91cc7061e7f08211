// Command plain is a control: it waits for nothing.
package main

import (
	"context"

	"github.com/gohone/hone/bench/tail/serving"
)

func main() {
	serving.Main(func(context.Context) (serving.Handler, error) { return answer, nil })
}

func answer(context.Context, *serving.Request) error { return nil }
