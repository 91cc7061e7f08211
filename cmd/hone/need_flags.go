package main

import (
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/needs"
	"github.com/gohone/hone/internal/subject"
)

// needFlags are the flags of programs that are started before the subject.
type needFlags struct {
	commands []string // NAME=COMMAND
	ready    []string // NAME=READY
	each     []string
}

func (f *needFlags) add(fl *pflag.FlagSet) {
	fl.StringArrayVar(&f.commands, "need", nil, "`NAME=COMMAND` of a program to start before, such as db='postgres -D {dir} -p {port}' (repeatable; no shell);\n{NAME.port}, {NAME.socket} and {NAME.dir} are its own for what is started later; hone ends it")
	fl.StringArrayVar(&f.ready, "need-ready", nil, "`NAME=READY`: when that program is ready, as --ready (default: when it listens)")
	fl.StringSliceVar(&f.each, "need-each", nil, "`NAME` of a need of which each start of a variant gets a fresh one (default: one for all)")
}

// resolve reads the flags; nil if there are none. They run in dir.
func (f *needFlags) resolve(dir string) ([]needs.Need, error) {
	var all []needs.Need
	for _, word := range f.commands {
		name, line, found := strings.Cut(word, "=")
		if !found {
			return nil, fail.New(fail.BadInput, "--need %q names no need", word).WithHint("write --need db='postgres -D {dir} -p {port}'")
		}
		words, err := subject.SplitCommand(line)
		if err != nil {
			return nil, fail.New(fail.BadInput, "--need %s: %w", name, err)
		}
		all = append(all, needs.Need{Name: name, Command: words, Dir: dir})
	}
	of := func(flag, name string) (*needs.Need, error) {
		i := slices.IndexFunc(all, func(n needs.Need) bool { return n.Name == name })
		if i < 0 {
			return nil, fail.New(fail.BadInput, "%s: no --need is called %q", flag, name).WithHint("the name stands before the first =: --need db='...' %s db", flag)
		}
		return &all[i], nil
	}
	for _, word := range f.ready {
		name, ready, _ := strings.Cut(word, "=")
		n, err := of("--need-ready", name)
		if err != nil {
			return nil, err
		}
		if ready == "" {
			return nil, fail.New(fail.BadInput, "--need-ready %s says nothing", name).WithHint("write %s=, and behind it %s", name, subject.ReadyForms)
		}
		n.Ready = ready
	}
	for _, name := range f.each {
		n, err := of("--need-each", name)
		if err != nil {
			return nil, err
		}
		n.Each = true
	}
	return all, needs.Check(all)
}

// addReady declares the flags that say when a program is ready.
func (f *measureFlags) addReady(fl *pflag.FlagSet) {
	r := &f.request
	fl.StringVar(&r.Ready, "ready", "", "`READY`: what the program has to do before it is ready, beside that it listens: http:/PATH (answers with 2xx),\nhttp:204:/PATH, port:PORT, socket:PATH, file:PATH or log:REGEX (a line of its output)")
	fl.DurationVar(&r.ReadyTimeout, "ready-timeout", 15*time.Second, "how long a program may take until it is ready")
	fl.DurationVar(&r.AfterStartLimit, "after-start-timeout", subject.DefaultAfterStartLimit, "how long the command of --after-start may take")
	fl.StringArrayVar(&r.Copy, "copy", nil, "`PATH` of a file or directory that each start gets fresh, in a directory of its own ({dir}) that it runs in;\nfrom --work-dir or this directory (repeatable)")
	f.needs.add(fl)
}
