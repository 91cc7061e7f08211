package main

import (
	"crypto/tls"
	"fmt"
	"net"
	"os/exec"
	"runtime"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/cmd/hone/internal/track"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/spec/cli"
	"github.com/gohone/hone/internal/store/series"
	"github.com/gohone/hone/internal/sys/pageserver"
	"github.com/gohone/hone/internal/sys/sameorigin"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/view/web"
)

// serveFlags are what hone serve is asked for.
type serveFlags struct {
	spec.Spec
	listen, cert, key string
	open              bool
}

func (a *commands) serveCommand() *cobra.Command {
	f := &serveFlags{}
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Show the pages of all runs in a browser, live during a measurement",
		Long: `serve shows the ledger in a browser: the history, the pages of runs and comparisons,
their profiles, the series that hone track keeps, and what is measured now, second by second. It prints the address and ends
with Ctrl-C. It only reads, and no measurement waits for it. But a browser needs CPU time: next
to a measurement on the same CPUs it makes latencies worse.

The token in the printed address lets browsers in until serve ends. Requests from pages of
other sites are refused. It listens on this machine only, unless --listen gives another address;
then --cert and --key encrypt what it sends.

The pages are made of a JSON API: docs/api.md.`,
		Example: `  hone serve --open
  hone serve --listen 10.0.0.5:8443 --cert server.pem --key server.key`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return a.serve(f) },
	}
	app.AddOptions(cmd, spec.ForPages, &f.Spec)
	fl := cmd.Flags()
	fl.StringVar(&f.listen, "listen", "127.0.0.1:0", "`HOST:PORT` to listen at; 0 is any free port")
	fl.StringVar(&f.Track.Store, "store", series.DefaultPlace,
		"`PLACE` of the series of hone track: a directory, or branch:NAME, a branch of this repository")
	fl.BoolVar(&f.open, "open", false, "open a browser there")
	fl.StringVar(&f.cert, "cert", "", "`FILE` of the certificate for TLS, with its chain, as PEM")
	fl.StringVar(&f.key, "key", "", "`FILE` of the certificate's key, as PEM")
	return cmd
}

func (a *commands) serve(f *serveFlags) error {
	host, _, err := net.SplitHostPort(f.listen)
	if err != nil {
		return fail.New(fail.BadInput, "--listen: %w", err).WithHint("--listen 127.0.0.1:8080")
	}
	certificate, err := f.certificate()
	if err != nil {
		return err
	}
	if err := a.canRead(f.Ledger); err != nil {
		return err
	}
	var listen net.ListenConfig
	ln, err := listen.Listen(a.Ctx, "tcp", f.listen)
	if err != nil {
		return fail.New(fail.Environment, "serve pages: %w", err).WithHint("--listen 127.0.0.1:0 takes a free port")
	}
	server := web.NewServer(web.Config{Ledger: f.Ledger, Library: a.Library, Host: host, Certificate: certificate,
		Series: track.Pages(f.Track.Store)})
	if !sameorigin.Loopback(ln.Addr()) && certificate == nil {
		fmt.Fprintf(a.Stderr,
			"warning: %s can be reached from other machines, and nothing is encrypted: who listens on the way sees the pages "+
				"and can use the token\n", ln.Addr())
	}
	address := server.Address(pageserver.Dialable(ln.Addr(), host))
	fmt.Fprintln(a.Stdout, address)
	if f.open {
		if err := openBrowser(address); err != nil {
			fmt.Fprintf(a.Stderr, "no browser was opened: %s\n", printable.Indented(err.Error()))
		}
	}
	if err := server.Serve(a.Ctx, ln); err != nil {
		return fail.New(fail.Environment, "%w", err)
	}
	return cli.Shown(fail.New(fail.Interrupted, "interrupted")) // how it ends; nothing needs to be said
}

// canRead says before anything is served why the ledger cannot be, and which damage it has.
func (a *commands) canRead(dir string) error {
	l, err := a.ReadLedger(dir)
	if err != nil {
		return err
	}
	if damage := l.Damage(); damage != nil {
		fmt.Fprintf(a.Stderr, "warning: %s\n", printable.Indented(damage.Error()))
	}
	return l.Close()
}

// certificate reads the files of the certificate; nil without them.
func (f *serveFlags) certificate() (*tls.Certificate, error) {
	if f.cert == "" && f.key == "" {
		return nil, nil
	}
	if f.cert == "" || f.key == "" {
		return nil, fail.New(fail.BadInput,
			"TLS needs both --cert and --key").WithHint("--cert server.pem --key server.key")
	}
	c, err := tls.LoadX509KeyPair(f.cert, f.key)
	if err != nil {
		return nil, fail.New(fail.Or(fail.BadInput, err), "--cert %s --key %s: %w", f.cert, f.key, err).
			WithHint("both files are PEM; the key is that of the first certificate")
	}
	return &c, nil
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
