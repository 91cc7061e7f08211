// Command sessions logs users in, and never out.
package main

import (
	"fmt"

	"holding/heap"
)

type session struct {
	user string
	body []byte
}

type store struct {
	sessions map[string]*session //holder: sessions
	logins   int
}

var cache = store{sessions: map[string]*session{}} //holder: sessions

func login(user string) {
	cache.sessions[user] = &session{user, make([]byte, 4<<10)}
	cache.logins++
}

func main() {
	heap.Program{
		Build: func(size int) {
			for i := range size / (4 << 10) {
				login(fmt.Sprint("user ", i))
			}
		},
		Clear: func() { cache.sessions = nil },
	}.Main()
}
