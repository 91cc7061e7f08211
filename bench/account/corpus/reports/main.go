// Command reports makes reports under GOGC=400: what it is done with stays for long.
//
// planted: garbage, 64 MB
// env: GOGC=400
package main

import (
	"strings"

	"resident/stay"
)

type report struct {
	lines []string
	text  string
}

var templates []string

func build(lines int) (r report) {
	for i := range lines {
		r.lines = append(r.lines, templates[i%len(templates)]+" ")
	}
	r.text = strings.Join(r.lines, "\n")
	return r
}

var length int

func main() {
	stay.Program{
		Rest: func() {
			for range 2000 {
				templates = append(templates, strings.Repeat("a line of a report, ", 400))
			}
		},
		Plant: func() {
			for range 20 {
				length += len(build(195).text)
			}
		},
	}.Main()
}
