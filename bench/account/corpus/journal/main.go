// Command journal appends to a log that nobody reads. What it wrote stays in the page cache, for which its control group
// pays. Nothing of it is in the resident set.
//
// planted: page cache, 64 MB
// needs: disk cgroup
package main

import (
	"os"

	"resident/stay"
)

var log *os.File

func main() {
	stay.Program{Plant: func() { log = stay.File("", 64e6) }}.Main()
}
