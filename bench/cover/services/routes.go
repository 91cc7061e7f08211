package services

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"
)

// routes has many endpoints: each resource has each task.
var routes = Service{Name: "routes", format: caddy, handler: newRoutes, Endpoints: allRoutes()}

var (
	resources = []string{"accounts", "orders", "invoices", "teams", "projects", "tickets", "devices", "sessions", "reports", "labels"}
	tasks     = []struct {
		name string
		do   func(string) any
	}{
		{"summary", summary}, {"sorted", sorted}, {"matches", matches}, {"encoded", encoded}, {"hashed", hashed}, {"dates", dates}, {"pairs", pairs}, {"reversed", reversed},
	}
)

const rows = 100

func allRoutes() (all []Endpoint) {
	for _, resource := range resources {
		for _, t := range tasks {
			all = append(all, Endpoint{Name: resource + " " + t.name, Method: "GET", Request: "/api/v1/" + resource + "/{key}/" + t.name, Keys: rows})
		}
	}
	return all
}

func newRoutes() http.Handler {
	m := http.NewServeMux()
	for i, resource := range resources {
		var texts [rows]string
		for row := range rows {
			texts[row] = text(i*rows+row, 30+20*i, 400) // later resources have more text
		}
		for _, t := range tasks {
			m.HandleFunc("GET /api/v1/"+resource+"/{key}/"+t.name, func(w http.ResponseWriter, r *http.Request) {
				answer(w, t.do(texts[number(r, "key", rows)]))
			})
		}
	}
	return m
}

func summary(s string) any {
	count := map[string]int{}
	for _, w := range strings.Fields(s) {
		count[w]++
	}
	return count
}

func sorted(s string) any {
	words := strings.Fields(s)
	slices.Sort(words)
	return slices.Compact(words)
}

var doubled = regexp.MustCompile(`(?:ba|cor|fin|ros)\w*(?:sal|tor|ver)`)

func matches(s string) any { return doubled.FindAllString(s, -1) }

func encoded(s string) any {
	for range 4 {
		s = base64.URLEncoding.EncodeToString([]byte(s))
	}
	return len(s)
}

func hashed(s string) any {
	h := fnv.New64a()
	for i := range 40 {
		_, _ = h.Write([]byte(s[i:])) // a hash takes all
	}
	return h.Sum64()
}

func dates(s string) any {
	var all []string
	for i := range len(s) / 20 {
		all = append(all, time.Unix(int64(i*len(s))*86400, 0).UTC().Format(time.RFC1123))
	}
	return all
}

// pairs reads back what it writes.
func pairs(s string) any {
	fields := map[string]any{}
	for i, w := range strings.Fields(s) {
		fields[w] = map[string]any{"n": i, "text": w, "even": i%2 == 0}
	}
	written, err := json.Marshal(fields)
	if err == nil {
		clear(fields)
		err = json.Unmarshal(written, &fields)
	}
	return fmt.Sprint(len(fields), err)
}

func reversed(s string) any {
	letters := []rune(s)
	slices.Reverse(letters)
	return string(letters)
}
