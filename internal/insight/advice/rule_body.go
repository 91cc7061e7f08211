package advice

import (
	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/prof"
)

var unclosedBody = &Rule{
	Name: "unclosed-body", Title: "answers whose body is not closed on each path",
	Looks: "time in net/http as a client, where the source shows a way out of the function on which the body of the " +
		"answer is neither closed nor handed on",
	Remedy: Remedy{
		Change: "Close the body right after the error is looked at: defer resp.Body.Close(). Until it is closed its " +
			"connection cannot be used again, a new one is made for the next request, and two goroutines and their buffers " +
			"stay. Read it to its end, too, if it is not short.",
		Before: "resp, err := client.Do(req)\nif err != nil { return err }\n" +
			"if resp.StatusCode == 404 { return errUnknown }\ndefer resp.Body.Close()",
		After: "resp, err := client.Do(req)\nif err != nil { return err }\ndefer resp.Body.Close()\n" +
			"if resp.StatusCode == 404 { return errUnknown }",
	},
	Find: func(v *search, r *Rule) []*found {
		leaks := map[code.Place]int{}
		all := v.spendsOn(r, calls(oneOf("net/http.(*Client).*", "net/http.Get", "net/http.Head", "net/http.Post*")),
			func(u *facts.Account) string {
				leak := v.File(u.Place.File).LeavesOpen(int(u.Place.Line))
				if leak == 0 {
					return ""
				}
				leaks[u.Place] = leak
				return "the body of an answer is not closed, so that its connection is not used again"
			})
		for _, f := range all {
			f.Place.Line = int64(leaks[f.Place])
			if len(all) == 1 { // what the library does in goroutines of its own is for these requests
				for i := range v.Stacks {
					if s := &v.Stacks[i]; s.Own(0) == len(s.Frames) && s.Find(ofClient) >= 0 {
						f.stacks, f.Cost, f.Gain = append(f.stacks, i), f.Cost+s.Cost, f.Gain+s.Cost
					}
				}
			}
		}
		return all
	},
}

// ofClient takes what net/http as a client does in goroutines of its own.
func ofClient(f *facts.Frame) bool {
	return f.Origin == prof.Standard && f.Is("net/http.(*persistConn).*", "net/http.(*Transport).dial*",
		"net/http.(*Transport).startDial*", "net/http.(*Transport).queueForDial*")
}
