package sql

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/gohone/hone/bench/proc"
)

// database is what the services keep their rows in.
type database string

// The databases.
const (
	sqlite   database = "SQLite"
	postgres database = "PostgreSQL"
)

// starter starts a server of PostgreSQL: start-postgres DIRECTORY PORT.
const starter = "start-postgres"

// noPostgres is why there is no server of PostgreSQL; nil if there is one.
func noPostgres() error {
	_, err := binary("postgres")
	return err
}

// binary is a program of PostgreSQL. Debian has them in a directory that is not in PATH.
func binary(name string) (string, error) {
	if path, err := exec.LookPath(name); err == nil {
		return path, nil
	}
	if found, err := filepath.Glob("/usr/lib/postgresql/*/bin/" + name); err == nil && len(found) > 0 {
		return found[len(found)-1], nil
	}
	return "", fmt.Errorf("no %s of PostgreSQL here (Debian: apt-get install postgresql)", name)
}

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

// url is that of the server on a port.
func url(port string) string {
	return "postgres://postgres@127.0.0.1:" + port + "/postgres?sslmode=disable"
}
