// Command burn is a program that works for a moment and ends.
package main

import (
	"crypto/sha256"
	"fmt"
)

func main() {
	sum := sha256.Sum256([]byte("begin"))
	for range 200_000 {
		sum = sha256.Sum256(sum[:])
	}
	fmt.Printf("%x\n", sum)
}
