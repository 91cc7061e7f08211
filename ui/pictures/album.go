package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/ui/chrome"
)

// job makes the pictures with these names.
type job struct {
	names []string
	make  func(context.Context, *album) error
}

// jobs are all pictures.
func jobs() []job {
	all := []job{
		{[]string{"first-minute"}, func(ctx context.Context, a *album) error { return a.firstMinute(ctx) }},
		{[]string{"compare", "report", "flame"}, func(ctx context.Context, a *album) error { return a.shop(ctx) }},
	}
	for _, s := range stories {
		all = append(all, job{[]string{s.name}, func(ctx context.Context, a *album) error { return a.story(ctx, s) }})
	}
	return all
}

// chosen are the jobs that make pictures of these names; all without a name.
func chosen(names []string) (some []job, err error) {
	all := jobs()
	if len(names) == 0 {
		return all, nil
	}
	var known []string
	for _, j := range all {
		known = append(known, j.names...)
		if slices.ContainsFunc(names, func(name string) bool { return slices.Contains(j.names, name) }) {
			some = append(some, j)
		}
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("no picture is called %q; there are %s", name, strings.Join(known, ", "))
		}
	}
	return some, nil
}

// album has the pictures until all are made: until then all is measured in an unchanged checkout.
type album struct {
	hone, dir, budget string
	browser           *chrome.Browser
	made              *record
	taken             map[string][]byte // by file
}

func (a *album) firstMinute(ctx context.Context) error {
	commands := strings.Join([]string{minute.measure, minute.look, minute.compare}, "; ")
	svg, err := firstMinute(ctx, a.hone, fmt.Sprintf("%s (%s, %s)", commands, a.made.Date, a.made.Machine))
	a.add("first-minute.svg", commands, svg)
	return err
}

func (a *album) add(file, command string, data []byte) {
	a.made.Pictures[file], a.taken[file] = command, data
}

// shop makes the pictures of its comparison: the terminal, the report, the flame graph.
func (a *album) shop(ctx context.Context) error {
	c := a.comparison(shop)
	text, err := c.measure(ctx)
	if err != nil {
		return err
	}
	report, err := c.report(ctx, a.dir)
	if err != nil {
		return err
	}
	terminal := filepath.Join(a.dir, "terminal.html")
	if err := os.WriteFile(terminal, []byte(terminalPage(text)), 0o600); err != nil {
		return err
	}
	return errors.Join(
		a.take(picture{name: "compare", command: c.line(), address: fileAddress(terminal),
			ready: "document.querySelector('pre')", of: "pre", width: 1200, height: 700}),
		a.take(c.picture("report", report)),
		a.take(c.difference("flame", report, "cpu")),
	)
}

// story makes the picture of a reference service.
func (a *album) story(ctx context.Context, s story) error {
	c := a.comparison(s)
	if _, err := c.measure(ctx); err != nil {
		return err
	}
	report, err := c.report(ctx, a.dir)
	if err != nil {
		return err
	}
	if s.heap {
		return a.take(c.difference(s.name, report, "heap"))
	}
	return a.take(c.picture(s.name, report))
}

func (a *album) comparison(s story) *comparison {
	return &comparison{hone: a.hone, ledger: filepath.Join(a.dir, ".hone"), budget: a.budget, story: s}
}

func (a *album) take(p picture) error {
	data, err := p.take(a.browser)
	a.add(p.name+".png", p.command, data)
	return err
}

// save writes the pictures, and how they were made; if they are only some of all, into the record of the others.
func (a *album) save(out string, some bool) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	for name, data := range a.taken {
		fmt.Printf("%s: %d kB\n", filepath.Join(out, name), len(data)/1000)
		if err := os.WriteFile(filepath.Join(out, name), data, 0o644); err != nil {
			return err
		}
	}
	file := filepath.Join(out, "made.json")
	if some {
		return a.made.addTo(file)
	}
	return a.made.write(file)
}
