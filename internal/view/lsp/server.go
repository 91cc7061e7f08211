// Package lsp shows findings and costs in editors: a server of the Language Server Protocol 3.17
// (https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/) over two streams.
//
// It only reads: it writes no file, and executes nothing of the workspace. To find the source of a run it asks git and
// go env, as hone advise does.
package lsp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"time"

	"github.com/gohone/hone/internal/text/fail"
)

// pollEvery is how often the server asks whether there is a new run.
const pollEvery = 2 * time.Second

// Config says what is served.
type Config struct {
	Version string
	// Root is the directory of the workspace where the editor names none; absolute.
	Root string
	Open Opener
	// PollEvery is how often the ledger is looked at; 0 is every 2 s.
	PollEvery time.Duration
}

// Server serves one editor. Only the goroutine of Serve uses it.
type Server struct {
	Config
	out io.Writer

	initialized, shutDown, refreshes bool
	ledger                           ledgerReader
	complaint                        string // the last one, so that each is made once
	sent                             int    // requests to the editor, for their ids
}

// New returns a server.
func New(c Config) *Server {
	if c.PollEvery == 0 {
		c.PollEvery = pollEvery
	}
	return &Server{Config: c}
}

// errExit is the end that the editor asks for.
var errExit = errors.New("exit")

// Serve answers the messages of in until the editor asks for the end, in ends, or ctx is over. Before an error the
// editor may have had answers. The reader's goroutine ends with in, or with the process.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	s.out = out
	defer s.ledger.close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	frames := make(chan frame)
	go readFrames(ctx, in, frames)
	poll := time.NewTicker(s.PollEvery)
	defer poll.Stop()
	for {
		var err error
		select {
		case <-ctx.Done():
			return fail.New(fail.Interrupted, "interrupted")
		case f := <-frames:
			err = s.take(f)
		case <-poll.C:
			err = s.poll()
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, errExit) && s.shutDown:
			return nil
		case errors.Is(err, errExit):
			return fail.New(fail.BadInput, "the editor asked for exit without shutdown")
		case err != nil:
			return fail.New(fail.Or(fail.BadInput, err), "language server: %w", err)
		}
	}
}

// frame is a message, or why there is none.
type frame struct {
	content []byte
	err     error
}

func readFrames(ctx context.Context, in io.Reader, to chan<- frame) {
	for r := bufio.NewReader(in); ; {
		content, err := readFrame(r)
		select {
		case to <- frame{content, err}:
		case <-ctx.Done():
			return
		}
		if err != nil && !errors.Is(err, errTooLong) {
			return
		}
	}
}

// take answers a message. Its error ends the server.
func (s *Server) take(f frame) error {
	var c call
	err := f.err
	switch {
	case errors.Is(err, errTooLong):
		err = refuse(invalidRequest, "%v", err)
	case err != nil:
		return err
	default:
		c, err = parse(f.content)
	}
	if err == nil && c.Method == "" {
		return nil // a response
	}
	var result any
	if err == nil {
		result, err = s.handle(c)
	}
	switch {
	case errors.Is(err, errExit):
		return err
	case c.ID == nil && c.Method != "": // a notification has no answer; what could not be written ends the server
		if bad := (*rpcError)(nil); errors.As(err, &bad) {
			return nil
		}
		return err
	case err != nil:
		return s.send(refusal{"2.0", c.ID, asRPC(err)})
	}
	return s.send(answer{"2.0", c.ID, result})
}

// handle does what a request or a notification asks for.
func (s *Server) handle(c call) (result any, err error) {
	switch {
	case c.Method == "exit":
		return nil, errExit
	case s.shutDown:
		return nil, refuse(invalidRequest, "the server is shut down")
	case c.Method == "initialize":
		return s.initialize(c)
	case !s.initialized:
		return nil, refuse(notInitialized, "the first request has to be initialize")
	}
	switch c.Method {
	case "initialized":
		return nil, s.poll()
	case "shutdown":
		s.shutDown = true
		return nil, nil
	case "textDocument/didOpen", "textDocument/didSave":
		return nil, s.republish(c)
	case "textDocument/didClose": // findings are of the workspace, and stay
		return nil, nil
	case "textDocument/codeLens":
		return s.codeLens(c)
	}
	return nil, refuse(methodNotFound, "hone has no %.100q", c.Method)
}

func (s *Server) initialize(c call) (any, error) {
	if s.initialized {
		return nil, refuse(invalidRequest, "the server is initialized already")
	}
	var p initializeParams
	if err := c.into(&p); err != nil {
		return nil, err
	}
	uri := p.RootURI
	if len(p.WorkspaceFolders) > 0 {
		uri = p.WorkspaceFolders[0].URI
	}
	root := s.Root
	if uri != "" {
		var ok bool
		if root, ok = pathOf(uri); !ok {
			return nil, refuse(invalidParams, "the workspace %.100q is not a directory of this machine", uri)
		}
	}
	s.initialized, s.refreshes = true, p.Capabilities.Workspace.CodeLens.RefreshSupport
	s.ledger = ledgerReader{root: root, open: s.Open}
	return initializeResult{serverCapabilities{TextDocumentSync: textDocumentSync{OpenClose: true, Save: true}},
		serverInfo{"hone", s.Version}}, nil
}

// poll looks for a new run, and shows it. What keeps the ledger from being read, the editor logs.
func (s *Server) poll() error {
	if !s.initialized || s.shutDown {
		return nil
	}
	before := s.ledger.last
	found, err := s.ledger.newestIfChanged()
	if err != nil {
		return s.complain(err)
	}
	s.complaint = ""
	if found == nil {
		return nil
	}
	shown := map[string]bool{}
	for way, f := range found.files {
		if shown[way] = len(f.findings) > 0; shown[way] {
			if err := s.publish(way); err != nil {
				return err
			}
		}
	}
	if before != nil {
		for way := range before.files {
			if !shown[way] {
				if err := s.notify("textDocument/publishDiagnostics",
					publishDiagnosticsParams{s.uriOf(way), []diagnostic{}}); err != nil {
					return err
				}
			}
		}
	}
	if s.refreshes {
		s.sent++
		return s.send(message{Version: "2.0", ID: json.RawMessage(fmt.Sprintf(`"hone-%d"`, s.sent)),
			Method: "workspace/codeLens/refresh"})
	}
	return nil
}

func (s *Server) complain(err error) error {
	if s.complaint == err.Error() {
		return nil
	}
	s.complaint = err.Error()
	return s.notify("window/logMessage", logMessageParams{logWarning, "hone: " + s.complaint})
}

// republish shows the findings of the file that was opened or saved.
func (s *Server) republish(c call) error {
	way, err := s.document(c)
	if err != nil || way == "" {
		return err
	}
	return s.publish(way)
}

func (s *Server) publish(way string) error {
	return s.notify("textDocument/publishDiagnostics",
		publishDiagnosticsParams{s.uriOf(way), s.ledger.last.diagnostics(s.ledger.root, way)})
}

func (s *Server) codeLens(c call) (any, error) {
	way, err := s.document(c)
	if err != nil || way == "" {
		return []codeLens{}, err
	}
	return s.ledger.last.lenses(s.ledger.root, way), nil
}

// document is the way from the root to the document of a message; empty where nothing is known of it.
func (s *Server) document(c call) (way string, err error) {
	var p documentParams
	if err := c.into(&p); err != nil {
		return "", err
	}
	path, ok := pathOf(p.TextDocument.URI)
	if !ok || s.ledger.last == nil {
		return "", nil
	}
	for _, root := range []string{s.ledger.root, real(s.ledger.root)} {
		for _, path := range []string{path, real(path)} {
			if way, err := filepath.Rel(root, path); err == nil && s.ledger.last.files[filepath.ToSlash(way)] != nil {
				return filepath.ToSlash(way), nil
			}
		}
	}
	return "", nil
}

// real is a path without links; the path itself where that is not known.
func real(path string) string {
	if found, err := filepath.EvalSymlinks(path); err == nil {
		return found
	}
	return path
}

// pathOf is the path that a URI names; false for one that is not a file of this machine.
func pathOf(uri string) (path string, ok bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" || !filepath.IsAbs(u.Path) {
		return "", false
	}
	return filepath.Clean(u.Path), true
}

func (s *Server) uriOf(way string) string {
	return (&url.URL{Scheme: "file", Path: filepath.Join(s.ledger.root, filepath.FromSlash(way))}).String()
}

func (s *Server) notify(method string, params any) error {
	return s.send(message{Version: "2.0", Method: method, Params: params})
}

func (s *Server) send(what any) error {
	content, err := json.Marshal(what)
	if err != nil {
		return err
	}
	return writeFrame(s.out, content)
}
