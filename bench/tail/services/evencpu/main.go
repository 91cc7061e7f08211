// Command evencpu is a control: each request takes the same CPU time, some 200 us, and waits for
// nothing.
package main

import (
	"context"
	"crypto/sha256"

	"github.com/gohone/hone/bench/tail/serving"
)

func main() {
	serving.Main(func(context.Context) (serving.Handler, error) { return sign, nil })
}

// rounds of a hash that takes 100 to 400 ns.
const rounds = 1000

func sign(context.Context, *serving.Request) error {
	var sum [sha256.Size]byte
	for range rounds {
		sum = sha256.Sum256(sum[:])
	}
	return nil
}
