package leaks

import (
	"context"
	"slices"
	"sync"
)

// auditSlice appends each page to a slice.
func auditSlice(fixed bool) serve {
	var mu sync.Mutex
	var audit [][]byte
	return func(_ context.Context, _ int, page []byte) {
		mu.Lock()
		defer mu.Unlock()
		audit = append(audit, page)
		if fixed && len(audit) == 2*few {
			audit = slices.Delete(audit, 0, few)
		}
	}
}
