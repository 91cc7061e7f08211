// Command ceiling only collects when its memory comes near its limit, as some advise for services in containers.
//
// planted: garbage, 67 MB
// env: GOGC=off GOMEMLIMIT=120MiB
package main

import (
	"encoding/json"

	"resident/stay"
)

type order struct {
	ID    int
	Items []string
	Note  string
}

var open = map[int]order{}

func handle(id int) int {
	text, err := json.Marshal(order{id, []string{"bread", "butter", "jam"}, "leave it at the door, please"})
	stay.Must(0, err)
	var o order
	stay.Must(0, json.Unmarshal(text, &o))
	if id%100 == 0 {
		open[id] = o
	}
	return len(text)
}

var bytes int

func main() {
	stay.Program{Plant: func() {
		for id := range 105_000 {
			bytes += handle(id)
		}
	}}.Main()
}
