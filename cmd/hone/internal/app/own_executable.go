package app

import (
	"os"

	"github.com/gohone/hone/internal/text/fail"
)

// GuardRole is the name of the hidden command.
const GuardRole = "guard"

// StartFrom is what it takes to start programs: the argv of the guard and the working
// directory.
func StartFrom() (guard []string, dir string, err error) {
	if guard, err = RoleArgv(GuardRole); err != nil {
		return nil, "", err
	}
	dir, err = WorkDir()
	return guard, dir, err
}

// WorkDir is the working directory.
func WorkDir() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", fail.New(fail.Environment, "find working directory: %w", err)
	}
	return dir, nil
}

// RoleArgv is the argv that starts this very executable in a hidden role.
func RoleArgv(role string) ([]string, error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, fail.New(fail.Environment, "find hone's own executable: %w", err)
	}
	return []string{exe, role}, nil
}

// RecorderRole is the name of the hidden command.
const RecorderRole = "recorder"
