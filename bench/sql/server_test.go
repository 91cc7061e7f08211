package sql

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"github.com/gohone/hone/bench/proc"
)

// server is a server of PostgreSQL on a port.
type server struct {
	*proc.Child
	port string
}

// startServer starts a server with its files in a directory.
func startServer(ctx context.Context, dir string) (*server, error) {
	address, err := proc.FreeAddress()
	if err != nil {
		return nil, err
	}
	port := address[len("127.0.0.1:"):]
	c, err := proc.Start(ctx, -1, proc.Command{Program: "sh", Args: []string{filepath.Join(corpusDir, starter), dir, port}, Env: []string{"LC_ALL=C"}})
	if err != nil {
		return nil, err
	}
	return &server{c, port}, nil
}

// startsWithin is how long a server may take until it creates a schema.
const startsWithin = time.Minute

// create creates a schema, as soon as the server is ready, and returns the URL of a database with it.
func (s *server) create(ctx context.Context, name string) (string, error) {
	program, err := binary("psql")
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, startsWithin)
	defer cancel()
	for {
		_, err := proc.Run(ctx, -1, proc.Command{Program: program, Args: []string{"-q", "-c", "create schema " + name, url(s.port)}})
		if err == nil {
			return url(s.port) + "&search_path=" + name, nil
		}
		select {
		case <-s.Ended():
			return "", s.Fault()
		case <-ctx.Done():
			return "", errors.Join(ctx.Err(), err)
		case <-time.After(50 * time.Millisecond):
		}
	}
}
