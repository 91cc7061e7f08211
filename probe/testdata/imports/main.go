// Command imports is a program that has the probe because it imports it.
package main

import (
	"os"

	_ "github.com/gohone/hone/probe"
)

func main() {
	os.Stdout.WriteString("ready\n")
	os.Stdin.Read(make([]byte, 1))
}
