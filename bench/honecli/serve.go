package honecli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// Server is hone serve, on its way.
type Server struct {
	cmd *exec.Cmd
	// Address is what it printed: the address with the token for the browser.
	Address string
}

// interrupted is the exit code of a command that Ctrl-C ended.
const interrupted = 130

// Serve starts hone serve over the ledger.
func (h Hone) Serve(ctx context.Context) (*Server, error) {
	cmd := exec.CommandContext(ctx, h.Program, "serve", "--ledger", h.Ledger)
	cmd.Dir, cmd.Stderr = h.Dir, os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s := &Server{cmd: cmd}
	line, err := bufio.NewReader(out).ReadString('\n')
	fields := strings.Fields(line)
	if err != nil || len(fields) == 0 {
		return nil, errors.Join(fmt.Errorf("hone serve printed no address: %q", line), err, s.End())
	}
	s.Address = fields[len(fields)-1]
	return s, nil
}

// End interrupts the server and waits for its end.
func (s *Server) End() error {
	err := errors.Join(s.cmd.Process.Signal(os.Interrupt), s.cmd.Wait())
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == interrupted {
		return nil
	}
	return err
}
