package symbol

import "strings"

// ShortFile returns the last two elements of a source path, with which a person
// finds the file: /home/me/framed/raw.go -> framed/raw.go. Profiles name files
// with slashes on every system, but for Windows, whose backslashes count as well.
func ShortFile(path string) string {
	path = strings.ReplaceAll(path, `\`, "/")
	last := strings.LastIndexByte(path, '/')
	if last < 0 {
		return path
	}
	return path[strings.LastIndexByte(path[:last], '/')+1:]
}
