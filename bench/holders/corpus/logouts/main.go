// Command logouts has a map of sessions whose users all left.
package main

//holder: none

import (
	"fmt"

	"holding/heap"
)

type session struct{ body [4000]byte }

var sessions = map[string]*session{}

func main() {
	heap.Program{
		Build: func(size int) {
			for i := range size / 4096 {
				sessions[fmt.Sprint("user ", i)] = new(session)
			}
			for user := range sessions {
				delete(sessions, user)
			}
		},
	}.Main()
}
