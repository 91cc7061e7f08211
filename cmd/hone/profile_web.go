package main

import (
	"fmt"
	"maps"
	"net"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/internal/cli"
	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/pageserver"
	"github.com/gohone/hone/internal/pprofweb"
	"github.com/gohone/hone/internal/printable"
	"github.com/gohone/hone/internal/sameorigin"
	"github.com/gohone/hone/prof"
)

// webFlags are what hone profile web is asked for.
type webFlags struct {
	profileFlags
	address, base string
	open          bool
}

func (a *app) profileWebCommand() *cobra.Command {
	f := &webFlags{}
	cmd := &cobra.Command{
		Use:   "web RUN|FILE",
		Short: "The pages of pprof's own web UI, for all profiles of a run",
		Long: `web serves the pages of go tool pprof -http for every profile of a run, prints their address
and ends with Ctrl-C. With --base the differences to the profiles of another run are there too,
for the same number of requests where it is known.

It answers this machine only, unless --addr allows others: they need the token that is in the
printed address. Requests from pages of other sites are refused. Source is looked for as in
profile list. Nothing is written.`,
		Example: "  hone profile web RUN\n  hone profile web RUN2 --base RUN1 --open",
		Args:    cobra.ExactArgs(1),
		RunE:    func(_ *cobra.Command, args []string) error { return a.profileWeb(f, args[0]) },
	}
	fl := cmd.Flags()
	fl.StringVar(&f.ledger, "ledger", ".hone", "`DIRECTORY` of the ledger")
	fl.StringVar(&f.kind, "kind", "", "print the address of this `PROFILE` instead of the list's: "+strings.Join(prof.KindNames(), ", "))
	f.addCohort(cmd)
	fl.StringVar(&f.base, "base", "", "show the differences to this `RUN` or file")
	fl.StringVar(&f.address, "addr", "127.0.0.1:0", "`HOST:PORT` to listen at; 0 is any free port")
	fl.BoolVar(&f.open, "open", false, "open a browser there")
	return cmd
}

func (a *app) profileWeb(f *webFlags, name string) error {
	host, _, err := net.SplitHostPort(f.address)
	if err != nil {
		return fail.New(fail.BadInput, "--addr: %w", err).WithHint("--addr 127.0.0.1:8080")
	}
	site, start, err := a.site(f, name)
	if err != nil {
		return err
	}
	var listen net.ListenConfig
	ln, err := listen.Listen(a.ctx, "tcp", f.address)
	if err != nil {
		return fail.New(fail.Environment, "serve profiles: %w", err).WithHint("--addr 127.0.0.1:0 takes a free port")
	}
	token := sameorigin.TokenFor(ln.Addr())
	if token != "" {
		fmt.Fprintf(a.stderr, "warning: %s can be reached from other machines: with the token of this address they see these profiles and the source of the program; nothing is encrypted\n", ln.Addr())
	}
	url := token.In("http://" + pageserver.Dialable(ln.Addr(), host) + start)
	fmt.Fprintln(a.stdout, url)
	if f.open {
		if err := openBrowser(url); err != nil {
			fmt.Fprintf(a.stderr, "no browser was opened: %s\n", printable.Indented(err.Error()))
		}
	}
	if err := site.Serve(a.ctx, ln, host, token); err != nil {
		return fail.New(fail.Environment, "%w", err)
	}
	return cli.Shown(fail.New(fail.Interrupted, "interrupted")) // how it ends; nothing needs to be said
}

// site makes the pages of all profiles, and says which to start with.
func (a *app) site(f *webFlags, name string) (site *pprofweb.Site, start string, err error) {
	run, err := a.openProfiles(&f.profileFlags, name, prof.KindNames()...)
	if err != nil {
		return nil, "", err
	}
	var base *profiled
	baseName := ""
	if f.base != "" {
		if base, err = a.openProfiles(&f.profileFlags, f.base, prof.KindNames()...); err != nil {
			return nil, "", err
		}
		baseName = base.name
	}
	from, notice := run.sources(a)
	if notice != "" {
		fmt.Fprintln(a.stderr, "note: "+printable.Line(notice))
	}
	profiles, err := run.pages(base, from)
	if err != nil {
		return nil, "", err
	}
	if site, err = pprofweb.New(run.title("profiles"), baseName, profiles); err != nil {
		return nil, "", err
	}
	if f.kind == "" && len(profiles) > 1 {
		return site, "/", nil
	}
	for _, p := range profiles {
		if f.kind == "" || p.Kind() == f.kind {
			start = p.Path() // with a base the difference, which is after the profile
		}
	}
	if start == "" {
		return nil, "", fail.New(fail.BadInput, "%s has no %s profile; it has %s", run.name, f.kind, orNone(run.ordered()))
	}
	return site, start, nil
}

// pages are the profiles in the order of prof.Kinds, each with its difference to the base
// behind it, if there is one.
func (p *profiled) pages(base *profiled, sources prof.Sources) ([]pprofweb.Profile, error) {
	var pages []pprofweb.Profile
	paired := false
	for _, kind := range p.ordered() {
		c, err := p.one(kind)
		if err != nil {
			return nil, err
		}
		pages = append(pages, pprofweb.Profile{Capture: c, Sources: sources})
		if base == nil || len(base.captures[kind]) == 0 {
			continue
		}
		was, err := base.one(kind)
		if err != nil {
			return nil, err
		}
		paired = true
		pages = append(pages, pprofweb.Profile{Capture: c, Base: &was, Sources: sources})
	}
	if len(pages) == 0 {
		return nil, fail.New(fail.BadInput, "%s has no profiles", p.name).
			WithHint("runs with --no-profile or --set no-inject have none, nor have interrupted runs")
	}
	if base != nil && !paired {
		return nil, fail.New(fail.BadInput, "%s and %s have no profiles of the same kind", p.name, base.name)
	}
	return pages, nil
}

// ordered are the kinds that there are: those of Go programs first, in their order.
func (p *profiled) ordered() []string {
	var kinds []string
	for _, k := range prof.Kinds {
		if len(p.captures[k.Name]) > 0 {
			kinds = append(kinds, k.Name)
		}
	}
	if len(kinds) == 0 { // a file may be of any other
		return slices.Collect(maps.Keys(p.captures))
	}
	return kinds
}

// openBrowser starts the browser that the system has for addresses, and leaves it alone.
func openBrowser(url string) error {
	command := "xdg-open"
	if runtime.GOOS == "darwin" {
		command = "open"
	}
	browser := exec.Command(command, url)
	browser.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C is for hone alone
	if err := browser.Start(); err != nil {
		return err
	}
	return browser.Process.Release()
}
