package main

import (
	"fmt"
	"html"
	"strconv"
	"sync"
	"time"
)

type cue struct {
	From, To time.Duration
	Text     string
}

type library struct {
	mu     sync.RWMutex
	videos map[string][]*cue
}

func newLibrary(videos, cues int) *library {
	l := &library{videos: map[string][]*cue{}}
	for v := range videos {
		for _, lang := range []string{"en", "de", "fr"} {
			key := lang + "/" + strconv.Itoa(v)
			for i := range cues {
				at := time.Duration(i*2300) * time.Millisecond
				l.videos[key] = append(l.videos[key], &cue{at, at + 2*time.Second, fmt.Sprintf("Line %d of video %d in %s & more", i, v, lang)})
			}
		}
	}
	return l
}

func (l *library) find(id int, lang string) ([]*cue, bool) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	cues, ok := l.videos[lang+"/"+strconv.Itoa(id)]
	return cues, ok
}

func webvtt(cues []*cue) []byte {
	b := make([]byte, 0, 100*len(cues))
	b = append(b, "WEBVTT\n\n"...)
	for i, c := range cues {
		b = strconv.AppendInt(b, int64(i+1), 10)
		b = append(b, '\n')
		b = stamp(b, c.From)
		b = append(b, " --> "...)
		b = stamp(b, c.To)
		b = append(b, '\n')
		b = append(b, html.EscapeString(c.Text)...)
		b = append(b, "\n\n"...)
	}
	return b
}

func stamp(b []byte, d time.Duration) []byte {
	two := func(n int64) {
		b = append(b, byte('0'+n/10%10), byte('0'+n%10))
	}
	ms := d.Milliseconds()
	two(ms / 3600000)
	b = append(b, ':')
	two(ms / 60000 % 60)
	b = append(b, ':')
	two(ms / 1000 % 60)
	b = append(b, '.', byte('0'+ms/100%10))
	two(ms % 100)
	return b
}
