// Package mcpserver lets a program that writes code (an agent) drive hone: a server of the Model Context Protocol over
// standard input and output. Its tools are hone's commands with checked arguments. Each answer is a small text, with
// the same facts as JSON, and names the next call.
//
// The server gives an agent no more than its user has, and less: only packages of one folder are built and executed,
// only this machine is loaded, and hone.yaml needs the user's trust as ever.
//
// Source: Model Context Protocol, https://modelcontextprotocol.io/specification
package mcpserver

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/view/page"
)

// Config is what a server is made of.
type Config struct {
	// Version is hone's.
	Version string
	// Folder is the one folder whose packages may be measured: absolute, without symbolic links, and the working
	// directory.
	Folder string
	// Hone is the command that starts hone, for measurements.
	Hone []string
	// Read executes a command of hone that only reads, and returns what it prints.
	Read func(ctx context.Context, args ...string) (string, error)
	// Library opens the ledger of the folder.
	Library func() (*page.Library, io.Closer, error)
}

// Server answers one client.
type Server struct {
	Config
	mcp       *mcp.Server
	tools     []*mcp.Tool
	described map[string]string // by which tool an argument is described
	measured  measurements
}

// instructions tell an agent how to go about it, before it has asked for anything.
const instructions = `hone measures Go services and benchmarks, says whether a measurement can be trusted, whether B is faster than A, and why.
The loop: run (measure and profile), findings, tail and top (what to change), list (the lines), change the code, compare (HEAD against the working tree).
If an older commit was faster, bisect finds the commit that changed it.
An undecided or invalid comparison is not a pass. Do not repeat a comparison until it passes. Answers that differ make a comparison invalid.
Do not change benchmarks, tests or hone.yaml to get a better verdict.
Texts name flags of the command line: --budget 10s is budget=10s, --target URL is target, and so on.`

// New makes a server.
func New(c Config) *Server {
	s := &Server{Config: c}
	s.mcp = mcp.NewServer(&mcp.Implementation{Name: "hone", Title: "hone: the Go performance loop", Version: c.Version},
		&mcp.ServerOptions{Instructions: instructions, Logger: slog.New(slog.DiscardHandler)})
	s.addTools()
	s.addResources()
	s.mcp.AddReceivingMiddleware(s.suggest, s.listNewest)
	return s
}

// maxMessage bounds one message of the client in bytes.
const maxMessage = 1 << 20

// ending is how long a measurement has to end at the end of the server before it is killed: it ends its programs
// meanwhile.
const ending = 10 * time.Second

// Serve answers the messages of in on out until in or ctx ends. It then ends the measurement under way and waits for
// that.
func (s *Server) Serve(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	defer s.measured.end(ending)
	err := s.mcp.Run(ctx, &mcp.IOTransport{Reader: in, Writer: out, MaxLineLength: maxMessage})
	switch {
	case ctx.Err() != nil:
		return fail.New(fail.Interrupted, "interrupted")
	case err == nil || errors.Is(err, io.EOF):
		return nil
	}
	return fail.New(fail.BadInput, "the client's messages cannot be read: %w", err).
		WithHint("hone mcp is started by a program that speaks MCP over standard input and output: docs/mcp.md")
}
