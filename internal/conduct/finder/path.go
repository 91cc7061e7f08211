package finder

import (
	"strings"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire/schemes"
)

// CheckPath says what is wrong with a --path.
func CheckPath(path, target string) error {
	if path == "" {
		return nil
	}
	if !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") ||
		strings.ContainsFunc(path, func(c rune) bool { return c <= ' ' || c == 0x7f }) {
		return fail.New(fail.BadInput, "--path %q is not a path",
			path).WithHint("write it like /items or /items?page=2")
	}
	_, overUnix := schemes.CutSocket(target)
	if target != "" && !overUnix && !strings.HasPrefix(target, "http://") && !strings.HasPrefix(target, "https://") {
		return fail.New(fail.BadInput, "--path %s is for HTTP, and the target is %s", path,
			target).WithHint("leave out --path, or --target")
	}
	return nil
}
