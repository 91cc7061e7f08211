package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
	take              func(picture) ([]byte, error) // in a browser
	made              *record
	taken             map[string][]byte // by file
	failed            []failure
}

// failure is why a picture could not be made.
type failure struct {
	name string
	err  error
}

// makeAll makes the pictures of all jobs. Those that a failed job has not made are missing. The error is that of ctx.
func (a *album) makeAll(ctx context.Context, jobs []job) error {
	for _, j := range jobs {
		err := j.make(ctx, a)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		for _, name := range j.names {
			if err != nil && !a.has(name) {
				a.failed = append(a.failed, failure{name, err})
			}
		}
	}
	return nil
}

// has says that the album has a picture, or says why not.
func (a *album) has(name string) bool {
	for file := range a.taken {
		if strings.TrimSuffix(file, filepath.Ext(file)) == name {
			return true
		}
	}
	return slices.ContainsFunc(a.failed, func(f failure) bool { return f.name == name })
}

// missing names the pictures that could not be made; nil if there are all.
func (a *album) missing() error {
	var errs []error
	for _, f := range a.failed {
		errs = append(errs, fmt.Errorf("could not make the picture %s: %w", f.name, f.err))
	}
	return errors.Join(errs...)
}

func (a *album) firstMinute(ctx context.Context) error {
	commands := strings.Join([]string{minute.measure, minute.look, minute.compare}, "; ")
	svg, err := firstMinute(ctx, a.hone, fmt.Sprintf("%s (%s, %s)", commands, a.made.Date, a.made.Machine))
	if err != nil {
		return err
	}
	a.add("first-minute.svg", commands, svg)
	return nil
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
	a.shoot(c, picture{name: "compare", command: c.line(), address: fileAddress(terminal),
		ready: "document.querySelector('pre')", of: "pre", width: 1200, height: 700})
	a.shoot(c, c.picture("report", report))
	a.shoot(c, c.difference("flame", report, "cpu"))
	return nil
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
		a.shoot(c, c.difference(s.name, report, "heap"))
	} else {
		a.shoot(c, c.picture(s.name, report))
	}
	return nil
}

func (a *album) comparison(s story) *comparison {
	return &comparison{hone: a.hone, ledger: filepath.Join(a.dir, ".hone"), budget: a.budget, story: s}
}

// shoot takes a picture of a comparison, or notes why there is none.
func (a *album) shoot(c *comparison, p picture) {
	data, err := a.take(p)
	switch {
	case err == nil:
		a.add(p.name+".png", p.command, data)
	case c.undecided:
		a.failed = append(a.failed,
			failure{p.name, fmt.Errorf("the comparison ended undecided, so that its report may lack "+
				"the page: %w", err)})
	default:
		a.failed = append(a.failed, failure{p.name, err})
	}
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
	if some || len(a.failed) > 0 {
		return a.made.addTo(file)
	}
	return a.made.write(file)
}
