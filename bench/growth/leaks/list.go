package leaks

import (
	"container/list"
	"context"
	"sync"
)

// sessionsList puts each page into a list whose end is never cut off.
func sessionsList(fixed bool) serve {
	var mu sync.Mutex
	sessions := list.New()
	return func(_ context.Context, _ int, page []byte) {
		mu.Lock()
		defer mu.Unlock()
		sessions.PushFront(page)
		if fixed && sessions.Len() > few {
			sessions.Remove(sessions.Back())
		}
	}
}
