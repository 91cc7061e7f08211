package chat_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/gohone/hone/services/chat"
)

// Users who come, change rooms, talk and go, all at once, are only ever told what was
// said in a room that they were in; in the end all rooms are empty.
func TestRoomsUnderChurn(t *testing.T) {
	const users, rooms = 8, 3
	eachStage(t, func(t *testing.T, stage string) {
		r := start(t, chat.Config{Stage: stage, MaxRoom: users})
		var all sync.WaitGroup
		for u := range users {
			all.Go(func() { churn(t, r, u, rooms) })
		}
		all.Wait()
		r.await(t, "the end of all", func(c chat.Counters) bool { return c.Connected == 0 })
		for room := range rooms { // each takes as many as a new one
			for u := range users {
				r.user(t, fmt.Sprintf("late-%d-%d", room, u), "", fmt.Sprint("room-", room))
			}
		}
	})
}

// churn is a few short visits of one user.
func churn(t *testing.T, r *running, user, rooms int) {
	choice := rand.New(rand.NewPCG(1, uint64(user)))
	for visit := range 3 {
		c, err := chat.Dial(t.Context(), r.Addr)
		if err != nil {
			t.Error(err)
			return
		}
		been := make(map[string]bool)
		err = c.Login(t.Context(), fmt.Sprintf("user-%d-%d", user, visit), "")
		for range 4 {
			room := fmt.Sprint("room-", choice.IntN(rooms))
			if err == nil {
				err = c.Join(t.Context(), room)
				been[room] = true
			}
			for range 2 {
				if err == nil {
					err = c.Say(t.Context(), []byte(room))
				}
			}
		}
		if err != nil {
			t.Errorf("user %d: %v", user, err)
		}
		for _, b := range c.Heard() {
			if !been[b.Room] || string(b.Text) != b.Room {
				t.Errorf("user %d was told %q of %s, and has been in %v", user, b.Text, b.Room, been)
			}
		}
		c.Close()
	}
}
