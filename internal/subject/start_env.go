package subject

import (
	"crypto/rand"
	"strconv"
	"strings"

	"github.com/gohone/hone/probe"
)

// probeEnv tells the probe in the subject where to listen. Hone's own value, which it
// has when hone itself is measured, is never passed on.
const probeEnv = probe.SocketVariable

// markVariable tells whose descendant a process is: see mark.
const markVariable = "HONE_SUBJECT"

// portFiller replaces PortTemplate by one and the same free port, which it looks for
// when the first template turns up.
type portFiller struct {
	port int
	err  error
}

func (f *portFiller) one(s string) string {
	if f.err != nil || !strings.Contains(s, PortTemplate) {
		return s
	}
	if f.port == 0 {
		if f.port, f.err = freePort(); f.err != nil {
			return s
		}
	}
	return strings.ReplaceAll(s, PortTemplate, strconv.Itoa(f.port))
}

func (f *portFiller) all(lists ...[]string) []string {
	var filled []string
	for _, list := range lists {
		for _, s := range list {
			filled = append(filled, f.one(s))
		}
	}
	return filled
}

// environment is what the subject gets: hone's own variables, the additions, its mark,
// and the probe's socket if there is one. Of several values for a key the last counts
// and is the only one passed on: programs differ in which of two they take.
func environment(own, added []string, dir, socket, mark string) []string {
	all := append(append([]string{}, own...), added...)
	if dir != "" {
		all = append(all, "PWD="+dir)
	}
	all = append(all, probeEnv+"="+socket, markVariable+"="+mark)
	last := map[string]int{}
	for i, entry := range all {
		last[envKey(entry)] = i
	}
	var env []string
	for i, entry := range all {
		if last[envKey(entry)] == i && entry != probeEnv+"=" && entry != markVariable+"=" {
			env = append(env, entry)
		}
	}
	return env
}

func envKey(entry string) string {
	key, _, _ := strings.Cut(entry, "=")
	return key
}

// longestSocketPath is the shorter of the limits of Linux (107) and macOS (103).
const longestSocketPath = 103

// randomName is a name that no other start has.
func randomName() string { return strings.ToLower(rand.Text()[:8]) }
