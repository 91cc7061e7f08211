package code

import "testing"

const listings = `package p

import (
	"io"
	"io/ioutil"
	"net/http"
	"os"
)

func names(dir string) (all []string) {
	entries, err := ioutil.ReadDir(dir) // names
	if err != nil || len(entries) != 1 {
		return nil
	}
	for _, e := range entries {
		if !e.IsDir() {
			all = append(all, e.Name())
		}
	}
	return append(all, entries[0].Name())
}

func sizes(dir string) (sum int64) {
	entries, _ := ioutil.ReadDir(dir) // sizes
	for _, e := range entries {
		sum += e.Size()
	}
	return sum
}

func infos(dir string) (sum int64) {
	entries, _ := os.ReadDir(dir) // a list
	for _, e := range entries {
		info, _ := e.Info() // info of names
		println(info.Name())
		more, _ := e.Info() // info of sizes
		sum += more.Size()
	}
	return sum
}

func handed(dir string) []os.FileInfo {
	entries, _ := ioutil.ReadDir(dir) // handed on
	return entries
}

func serve(w http.ResponseWriter, r *http.Request) {
	f, _ := os.Open(r.URL.Path) // copied
	io.Copy(w, f)               // copies
	g, _ := os.Open("names")    // parsed
	data, _ := io.ReadAll(g)
	w.Write(data)
	h, _ := open(r)                // by a helper
	info, _ := h.Stat()         // asked
	http.ServeContent(w, r, "", info.ModTime(), h)
	out, _ := os.Create("copy") // written
	io.Copy(out, r.Body)
}

func open(r *http.Request) (*os.File, error) {
	f, err := os.Open(r.URL.Path) // helper
	if err != nil {
		return nil, err
	}
	if _, err = f.Stat(); err != nil { // state
		f.Close()
	}
	return f, err
}

func head(name string) (*os.File, error) {
	f, err := os.Open(name) // read first
	io.ReadAll(f)
	return f, err
}
`

// A listing of which only names are taken needs no look at each entry; a file that is sent is the answer itself.
func TestListingsAndFilesThatAreSent(t *testing.T) {
	f, marks := parsed(t, listings)
	for mark, want := range map[string]bool{"names": true, "sizes": false, "handed on": false,
		"info of names": true, "info of sizes": false} {
		if got := f.TakesNames(marks[mark]); got != want {
			t.Errorf("takes names of %s: %t", mark, got)
		}
	}
	for mark, want := range map[string]bool{"copied": true, "copies": true, "parsed": false, "by a helper": true,
		"asked": true, "written": false, "helper": false} {
		if got := f.SendsFile(marks[mark]); got != want {
			t.Errorf("sends what is %s: %t", mark, got)
		}
	}
	for mark, want := range map[string]bool{"helper": true, "state": true, "read first": false, "parsed": false} {
		if got := f.ReturnsFile(marks[mark]); got != want {
			t.Errorf("returns what is %s: %t", mark, got)
		}
	}
}
