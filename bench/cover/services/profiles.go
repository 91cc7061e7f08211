package services

import (
	"container/list"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
	"sync"
)

// profiles answers from a cache. What is not there is expensive to make, so cost depends on how popular the keys are.
var profiles = Service{
	Name: "profiles", format: caddy, handler: newProfiles,
	Endpoints: []Endpoint{
		{Name: "profile", Method: "GET", Request: "/profile/{key}", Keys: people},
		{Name: "avatar", Method: "GET", Request: "/avatar/{key}", Keys: people},
		{Name: "friends", Method: "GET", Request: "/friends/{key}?depth={size}", Keys: people, Least: 1, Most: 3},
		{Name: "card", Method: "GET", Request: "/card/{key}", Keys: people},
	},
}

const people = 20000

// lru keeps the values that were asked for last.
type lru struct {
	mu    sync.Mutex
	room  int
	order *list.List
	by    map[int]*list.Element
	make  func(int) any
}

type cached struct {
	key   int
	value any
}

func newLRU(room int, make func(int) any) *lru {
	return &lru{room: room, order: list.New(), by: map[int]*list.Element{}, make: make}
}

func (c *lru) get(key int) any {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.by[key]; ok {
		c.order.MoveToFront(e)
		return e.Value.(cached).value
	}
	value := c.make(key)
	c.by[key] = c.order.PushFront(cached{key, value})
	if c.order.Len() > c.room {
		delete(c.by, c.order.Remove(c.order.Back()).(cached).key)
	}
	return value
}

func newProfiles() http.Handler {
	about, avatars := newLRU(2000, load), newLRU(500, draw)
	m := http.NewServeMux()
	m.HandleFunc("GET /profile/{key}", func(w http.ResponseWriter, r *http.Request) { answer(w, about.get(number(r, "key", people))) })
	m.HandleFunc("GET /avatar/{key}", func(w http.ResponseWriter, r *http.Request) { say(w, avatars.get(number(r, "key", people))) })
	m.HandleFunc("GET /friends/{key}", func(w http.ResponseWriter, r *http.Request) {
		answer(w, friends(number(r, "key", people), number(r, "depth", 4)))
	})
	m.HandleFunc("GET /card/{key}", func(w http.ResponseWriter, r *http.Request) { say(w, card(number(r, "key", people))) })
	return m
}

// load is what a database would take long for.
func load(key int) any {
	fields := map[string]string{}
	for i := range 20 {
		fields[word(key+i)] = text(key*31+i, 12, 900)
	}
	return fields
}

// draw makes a picture of letters of a hash.
func draw(key int) any {
	sum := sha256.Sum256([]byte(word(key)))
	for range 600 {
		sum = sha256.Sum256(sum[:])
	}
	return strings.Repeat(hex.EncodeToString(sum[:])+"\n", 8)
}

// friends of friends, up to a depth.
func friends(key, depth int) map[int]int {
	found, edge := map[int]int{key: 0}, []int{key}
	for d := range depth {
		var next []int
		for _, of := range edge {
			for i := range 7 {
				f := (of*31 + i*977) % people
				if _, ok := found[f]; !ok {
					found[f] = d + 1
					next = append(next, f)
				}
			}
		}
		edge = next
	}
	return found
}

// card is a text in a frame.
func card(key int) string {
	lines := strings.SplitAfter(text(key, 120, 300), " ")
	var b strings.Builder
	for i, l := range lines {
		b.WriteString("| " + strings.ToUpper(l[:1]) + l[1:])
		if i%6 == 5 {
			b.WriteString("|\n")
		}
	}
	return b.String()
}
