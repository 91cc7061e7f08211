package services

import (
	"bytes"
	"container/heap"
	"encoding/json"
	"net/http"
	"sync"
)

// queue takes jobs and hands them out, the most urgent first; each is handed out again later, in case it was not done. What a job is
// stands in the body of a request, which is in no log.
var queue = Service{
	Name: "queue", format: zapped, handler: newQueue,
	Endpoints: []Endpoint{
		{
			Name: "push", Method: "POST", Request: "/jobs/{key}", Keys: topics, Least: 0, Most: 1000,
			Body: `{"urgency": {size}, "title": "resize the picture", "steps": ["load", "scale", "sharpen", "encode", "store"], "owner": {"name": "Ann", "team": "media"}}`,
		},
		{Name: "pop", Method: "DELETE", Request: "/jobs/{key}", Keys: topics},
		{Name: "peek", Method: "GET", Request: "/jobs/{key}?count={size}", Keys: topics, Least: 1, Most: 50},
		{Name: "report", Method: "GET", Request: "/report/{key}", Keys: topics},
	},
}

const (
	topics = 20
	room   = 2000 // jobs of one topic
)

type job struct {
	Urgency int      `json:"urgency"`
	Title   string   `json:"title"`
	Steps   []string `json:"steps"`
	Owner   struct {
		Name string `json:"name"`
		Team string `json:"team"`
	} `json:"owner"`
}

// jobs are a heap.
type jobs []job

func (j jobs) Len() int           { return len(j) }
func (j jobs) Less(a, b int) bool { return j[a].Urgency > j[b].Urgency }
func (j jobs) Swap(a, b int)      { j[a], j[b] = j[b], j[a] }
func (j *jobs) Push(x any)        { *j = append(*j, x.(job)) }
func (j *jobs) Pop() any {
	last := (*j)[len(*j)-1]
	*j = (*j)[:len(*j)-1]
	return last
}

type topic struct {
	mu   sync.Mutex
	jobs jobs
}

func newQueue() http.Handler {
	all := new([topics]topic)
	for i := range all {
		for n := range room / 2 {
			one := job{Urgency: -n, Title: text(n, 3, 300), Steps: []string{"load", "scale", "sharpen", "encode", "store"}}
			one.Owner.Name, one.Owner.Team = "Ann", "media"
			all[i].jobs = append(all[i].jobs, one)
		}
	}
	on := func(do func(*topic, http.ResponseWriter, *http.Request)) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			t := &all[number(r, "key", topics)]
			t.mu.Lock()
			defer t.mu.Unlock()
			do(t, w, r)
		}
	}
	m := http.NewServeMux()
	m.HandleFunc("POST /jobs/{key}", on((*topic).push))
	m.HandleFunc("DELETE /jobs/{key}", on((*topic).pop))
	m.HandleFunc("GET /jobs/{key}", on((*topic).peek))
	m.HandleFunc("GET /report/{key}", on((*topic).report))
	return m
}

func (t *topic) push(w http.ResponseWriter, r *http.Request) {
	var one job
	if err := json.NewDecoder(r.Body).Decode(&one); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if len(t.jobs) == room {
		t.jobs = t.jobs[:room/2] // the rest of a heap is a heap
	}
	heap.Push(&t.jobs, one)
	w.WriteHeader(http.StatusCreated)
}

func (t *topic) pop(w http.ResponseWriter, _ *http.Request) {
	one := heap.Pop(&t.jobs).(job)
	answer(w, one)
	one.Urgency -= room
	heap.Push(&t.jobs, one)
}

func (t *topic) peek(w http.ResponseWriter, r *http.Request) {
	answer(w, t.jobs[:min(number(r, "count", 51), len(t.jobs))])
}

// report is a table of how urgent the first jobs are, without spaces.
func (t *topic) report(w http.ResponseWriter, _ *http.Request) {
	text, err := json.MarshalIndent(t.jobs[:min(15, len(t.jobs))], "", "\t")
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	var b bytes.Buffer
	if err := json.Compact(&b, text); err == nil {
		_, _ = b.WriteTo(w) // a client that is gone needs no answer
	}
}
