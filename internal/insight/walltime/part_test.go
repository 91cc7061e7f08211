package walltime

import "testing"

// What a request starts and waits for is a part of it; what it starts and leaves is the background.
func TestWhatARequestStartsIsAPartOfIt(t *testing.T) {
	for name, c := range map[string]struct {
		why        reason // of the wait of the one that started it
		died       int64
		serves     bool
		born, want bool
	}{
		"a wait group":              {onWait, 30, true, true, true},
		"a channel":                 {onChannel, 30, true, true, true},
		"the next request":          {onNetwork, 30, true, true, false},
		"it goes on":                {onWait, 0, true, true, false},
		"it was there before":       {onWait, 30, true, false, false},
		"started by the background": {onWait, 30, false, true, false},
	} {
		h := &history{to: 50, goroutines: []goroutine{
			{creator: none, serves: c.serves, spans: []span{{at: 0, state: running}, {at: 15, state: blocked, why: c.why},
				{at: 40, state: running}}},
			{creator: 0, died: c.died, spans: []span{{at: 10, state: running}, {at: 30, state: gone}}},
			{creator: 1, born: 12, died: 20, spans: []span{{at: 12, state: running}, {at: 20, state: gone}}},
		}}
		if c.born {
			h.goroutines[1].born = 10
		}
		if got := h.worksOnRequest(1); got != c.want {
			t.Errorf("%s: works on a request: %t, want %t", name, got, c.want)
		}
		if h.worksOnRequest(2) {
			t.Errorf("%s: nobody waits for what the second one starts", name)
		}
	}
}
