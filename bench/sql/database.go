package sql

import (
	"fmt"
	"os/exec"
	"path/filepath"
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

// noPostgres says why PostgreSQL cannot be started here; nil if it can.
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

// url is that of the server on a port.
func url(port string) string {
	return "postgres://postgres@127.0.0.1:" + port + "/postgres?sslmode=disable"
}
