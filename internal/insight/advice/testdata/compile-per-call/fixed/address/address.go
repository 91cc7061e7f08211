// Package address knows how addresses are written.
package address

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Address is where a letter goes.
type Address struct {
	Street, City, Code, Mail string
}

var (
	code = regexp.MustCompile(`^[A-Z]{0,2}-?[0-9]{4,6}$`)
	mail = regexp.MustCompile(`^[a-z0-9._-]+@[a-z0-9-]+(\.[a-z]{2,})+$`)
)

// Validate says what is wrong with an address.
func (a Address) Validate() error {
	return errors.Join(
		matches("code", a.Code, code),
		matches("mail", a.Mail, mail),
		long("street", a.Street, 80), long("city", a.City, 60))
}

func matches(name, value string, pattern *regexp.Regexp) error {
	if !pattern.MatchString(value) {
		return fmt.Errorf("%s: %q is not one", name, value)
	}
	return nil
}

func long(name, value string, most int) error {
	if n := len(strings.TrimSpace(value)); n == 0 || n > most {
		return fmt.Errorf("%s: %d bytes, want 1 to %d", name, n, most)
	}
	return nil
}

// String is the address as on a letter.
func (a Address) String() string {
	return strings.Join([]string{a.Street, a.Code + " " + a.City, a.Mail}, "\n")
}
