package leaks

import "context"

// places are more than requests in any trial.
const places = 1 << 20

// backlog sends each page to a channel with a huge buffer from which nothing receives.
func backlog(fixed bool) serve {
	pages := make(chan []byte, places)
	if fixed {
		go func() { // as long as the service
			for range pages {
			}
		}()
	}
	return func(_ context.Context, _ int, page []byte) {
		select {
		case pages <- page:
		default: // full
		}
	}
}
