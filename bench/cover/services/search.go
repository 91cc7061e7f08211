package services

import (
	"cmp"
	"maps"
	"math"
	"net/http"
	"slices"
	"sort"
	"strings"
)

// search finds documents by words. Frequent words have long lists.
var search = Service{
	Name: "search", format: timed, handler: newSearch,
	Endpoints: []Endpoint{
		{Name: "search", Method: "GET", Request: "/search?q={key}+{key}", Keys: vocabulary},
		{Name: "suggest", Method: "GET", Request: "/suggest?q={key}", Keys: vocabulary},
		{Name: "snippet", Method: "GET", Request: "/snippet/{key}?width={size}", Keys: documents, Least: 20, Most: 200},
		{Name: "compare", Method: "GET", Request: "/compare/{key}/{key}", Keys: documents},
	},
}

const (
	documents  = 3000
	vocabulary = 1500
)

type index struct {
	texts  []string
	lists  map[string][]int // documents of each word
	sorted []string
}

func newSearch() http.Handler {
	x := &index{lists: map[string][]int{}}
	for i := range documents {
		x.texts = append(x.texts, text(i, 60, 50+i%vocabulary))
		seen := map[string]bool{}
		for _, w := range strings.Fields(x.texts[i]) {
			if !seen[w] {
				seen[w] = true
				x.lists[w] = append(x.lists[w], i)
			}
		}
	}
	x.sorted = slices.Sorted(maps.Keys(x.lists))
	m := http.NewServeMux()
	m.HandleFunc("GET /search", x.search)
	m.HandleFunc("GET /suggest", x.suggest)
	m.HandleFunc("GET /snippet/{key}", x.snippet)
	m.HandleFunc("GET /compare/{key}/{other}", x.compare)
	return m
}

// search ranks documents by how rare the words are that they have.
func (x *index) search(w http.ResponseWriter, r *http.Request) {
	scores := map[int]float64{}
	for _, n := range strings.Fields(r.URL.Query().Get("q")) {
		list := x.lists[word(atoi(n))]
		for _, d := range list {
			scores[d] += math.Log(documents / float64(len(list)))
		}
	}
	found := slices.SortedFunc(maps.Keys(scores), func(a, b int) int { return cmp.Or(cmp.Compare(scores[b], scores[a]), a-b) })
	answer(w, found[:min(20, len(found))])
}

func (x *index) suggest(w http.ResponseWriter, r *http.Request) {
	of := word(number(r, "q", vocabulary))
	prefix := of[:min(3, len(of))]
	var found []string
	for i := sort.SearchStrings(x.sorted, prefix); i < len(x.sorted) && strings.HasPrefix(x.sorted[i], prefix); i++ {
		if distance(of, x.sorted[i]) < 5 {
			found = append(found, x.sorted[i])
		}
	}
	answer(w, found)
}

// distance is that of Levenshtein.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := before
			if a[i] != b[j] {
				cost = 1 + min(before, row[j], row[j+1])
			}
			before, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}

// snippet marks the rare words of a document.
func (x *index) snippet(w http.ResponseWriter, r *http.Request) {
	var b strings.Builder
	for _, one := range strings.Fields(x.texts[number(r, "key", documents)]) {
		if len(x.lists[one]) < 100 {
			one = "<b>" + strings.ToUpper(one) + "</b>"
		}
		b.WriteString(one + " ")
	}
	say(w, b.String()[:min(b.Len(), number(r, "width", 201))])
}

// compare counts the words that two documents have in common.
func (x *index) compare(w http.ResponseWriter, r *http.Request) {
	count := map[string]int{}
	for _, one := range strings.Fields(x.texts[number(r, "key", documents)]) {
		count[one]++
	}
	n := 0
	for _, one := range strings.Fields(x.texts[number(r, "other", documents)]) {
		n += min(1, count[one])
	}
	say(w, n)
}
