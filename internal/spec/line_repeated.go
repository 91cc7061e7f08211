package spec

import (
	"cmp"
	"strings"
)

// Repeated is the command line with other flags, --name=value; the flags alone where the line is empty. Another target
// takes the place of a path, too, and of flags that its protocol does not have. was is the target of the line; empty is
// one that hone finds, of HTTP.
func (l Line) Repeated(was string, flags ...string) string {
	if len(l) == 0 {
		return Join(flags)
	}
	line := l.Redacted()
	if target, ok := Line(flags).Flag("target"); ok {
		line = line.Without("path").Without(line.foreignTo(target, was)...)
	}
	if _, ok := Line(flags).Flag("load-cmd"); ok { // which names its target itself
		line = line.Without("path", "target")
	}
	return line.With(flags...).String()
}

// foreignTo are the flags of a line with the target was that do not belong to the protocol of another target.
func (l Line) foreignTo(target, was string) (names []string) {
	scheme, _, _ := strings.Cut(target, "://")
	was, _, _ = strings.Cut(cmp.Or(was, "http://"), "://")
	for _, word := range l {
		name, _, _ := Split(word)
		foreign := !ForScheme(name, scheme)
		switch name {
		case "body", "expect-length":
			foreign = (was == "tcp") != (scheme == "tcp")
		case "expect-status": // a status of HTTP is not a code of gRPC
			foreign = strings.TrimSuffix(was, "s") != strings.TrimSuffix(scheme, "s")
		}
		if foreign {
			names = append(names, name)
		}
	}
	return names
}
