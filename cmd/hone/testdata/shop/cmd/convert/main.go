// Command convert ends by itself.
package main

import (
	"fmt"
	"os"
)

func main() {
	for _, name := range os.Args[1:] {
		text, err := os.ReadFile(name)
		fmt.Println(len(text), err)
	}
}
