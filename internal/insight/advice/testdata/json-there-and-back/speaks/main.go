// Command speaks answers with the profile of a member, without what only the member may see.
package main

import (
	"encoding/json"
	"flag"
	"log"
	"net/http"
	"strconv"
)

type address struct {
	Street, Town, Country string
}

type member struct {
	ID        int       `json:"id"`
	Name      string    `json:"name"`
	Addresses []address `json:"addresses"`
	Tags      []string  `json:"tags"`
	Secret    string    `json:"secret"`
}

type public struct {
	ID        int       `json:"id"`
	Name      string    `json:"name"`
	Addresses []address `json:"addresses"`
	Tags      []string  `json:"tags"`
}

type club struct{ members []member }

// open gives what everybody may see of a member.
func open(m *member) (public, error) {
	var p public
	text, err := json.Marshal(m) // want: json-there-and-back
	if err != nil {
		return p, err
	}
	if err := json.Unmarshal(text, &p); err != nil { // want: json-there-and-back
		return p, err
	}
	return p, nil
}

func (c *club) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.PathValue("id"))
	if err != nil || n < 0 || n >= len(c.members) {
		http.NotFound(w, r)
		return
	}
	p, err := open(&c.members[n])
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/plain")
	w.Write([]byte(p.Name + ", " + strconv.Itoa(len(p.Addresses)) + " addresses\n"))
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`host:port` to listen on")
	flag.Parse()
	c := &club{}
	for i := range 100 {
		m := member{ID: i, Name: "member " + strconv.Itoa(i), Secret: "do not tell"}
		for j := range 12 {
			m.Addresses = append(m.Addresses, address{"Main Street " + strconv.Itoa(j), "Springfield", "Elsewhere"})
			m.Tags = append(m.Tags, "tag "+strconv.Itoa(j))
		}
		c.members = append(c.members, m)
	}
	http.Handle("GET /members/{id}", c)
	log.Fatal(http.ListenAndServe(*addr, nil))
}
