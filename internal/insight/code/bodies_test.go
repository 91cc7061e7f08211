package code

import "testing"

func TestBodiesThatStayOpen(t *testing.T) {
	const text = `package p

import ("encoding/json"; "errors"; "net/http")

func closed(c *http.Client, r *http.Request) error {
	resp, err := c.Do(r) // closed
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != 200 {
		return errors.New("status")
	}
	return nil
}

func late(c *http.Client, r *http.Request) error {
	resp, err := c.Do(r) // late
	if err != nil {
		return err
	}
	if resp.StatusCode != 200 {
		return errors.New("status") // leak
	}
	defer resp.Body.Close()
	return nil
}

func never(c *http.Client, r *http.Request, into any) error {
	resp, err := c.Do(r) // never
	if err != nil {
		return err
	}
	return json.NewDecoder(resp.Body).Decode(into)
}

func handsOn(c *http.Client, r *http.Request) (*http.Response, error) {
	resp, err := c.Do(r) // handsOn
	return resp, err
}

func toHelper(c *http.Client, r *http.Request) error {
	resp, err := c.Do(r) // toHelper
	if err != nil {
		return err
	}
	return use(resp)
}
`
	f, marks := parsed(t, text)
	for mark, want := range map[string]string{"closed": "", "late": "leak", "never": "never", "handsOn": "",
		"toHelper": ""} {
		if got := f.LeavesOpen(marks[mark]); got != marks[want] {
			t.Errorf("%s: line %d, want %d", mark, got, marks[want])
		}
	}
}

func TestWhatALineTakesOfAText(t *testing.T) {
	const text = `package p

import ("fmt"; "slices"; "sort"; "strings")

func take(s string, n int, all []int, k int, pending chan int, shared struct{ done chan int }) any {
	_ = strings.Split(s, ",")[2] // direct
	one := strings.Split(s, ",") // one
	two := strings.Fields(s) // two
	every := strings.Split(s, ",") // every
	for _, e := range every { _ = e }
	_ = one[n] + two[0] + two[1]
	_ = fmt.Sprintf("%-20s|%5.1f", s, 1.0) // columns
	_ = fmt.Sprintf("%s=%d %.2f 100%%", s, n, 1.0) // plain
	reply := make(chan int)
	go func() { reply <- 1 }()
	<-reply // reply
	<-pending // parameter
	<-shared.done // field
	best := slices.Clone(all)
	slices.Sort(best) // first
	whole := slices.Clone(all)
	sort.Ints(whole) // whole
	cut := slices.Clone(all)
	slices.Sort(cut) // cut
	cut = cut[:k]
	for range cut {}
	for range whole {}
	for i := range all { defer println(i) } // defers
	return best[:min(k, len(best))]
}
`
	f, marks := parsed(t, text)
	for name, ask := range map[string]struct {
		of   func(int) bool
		want map[string]bool
	}{
		"one part": {f.TakesOnePart, map[string]bool{"direct": true, "one": true, "two": false, "every": false}},
		"columns":  {f.SetsColumns, map[string]bool{"columns": true, "plain": false}},
		"reply":    {f.WaitsForReply, map[string]bool{"reply": true, "parameter": false, "field": false}},
		"the first": {func(line int) bool { return f.SortsForFirst(line) != "" },
			map[string]bool{"first": true, "whole": false, "cut": true}},
		"defers": {f.DefersInLoop, map[string]bool{"defers": true}},
	} {
		for mark, want := range ask.want {
			if got := ask.of(marks[mark]); got != want {
				t.Errorf("%s of line %q: %v", name, mark, got)
			}
		}
	}
}
