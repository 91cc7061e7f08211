package main

import (
	"os"

	"github.com/gohone/hone/internal/text/fail"
)

// guardRole is the name of the hidden command.
const guardRole = "guard"

// startFrom is what it takes to start programs: the argv of the guard and the working
// directory.
func startFrom() (guard []string, dir string, err error) {
	if guard, err = roleArgv(guardRole); err != nil {
		return nil, "", err
	}
	dir, err = workDir()
	return guard, dir, err
}

// workDir is the working directory.
func workDir() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", fail.New(fail.Environment, "find working directory: %w", err)
	}
	return dir, nil
}

// roleArgv is the argv that starts this very executable in a hidden role.
func roleArgv(role string) ([]string, error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, fail.New(fail.Environment, "find hone's own executable: %w", err)
	}
	return []string{exe, role}, nil
}

// recorderRole is the name of the hidden command.
const recorderRole = "recorder"
