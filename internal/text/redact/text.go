package redact

import (
	"regexp"
	"slices"
	"strings"
)

// Text returns a text that may have secrets in it, such as an error or a command line, without those that can be
// recognised: user and password of URLs and data sources, what Secret says of name=value, "name": "value" and header
// lines, and the known forms of tokens wherever they stand.
func Text(text string) string {
	text = privateKey.ReplaceAllString(text, Mark)
	text = headerInText.ReplaceAllStringFunc(text, func(found string) string {
		name, value, _ := strings.Cut(found, ":")
		if nameOf(name) != secretName || strings.TrimSpace(value) == Mark {
			return found
		}
		return name + ": " + Mark
	})
	text = urlInText.ReplaceAllStringFunc(text, func(found string) string {
		end := len(strings.TrimRight(found, "'),.;:"))
		return URL(found[:end]) + found[end:]
	})
	text = dataSource.ReplaceAllStringFunc(text, func(found string) string {
		at := strings.LastIndexByte(found, '@')
		if strings.HasPrefix(found[at:], "@sha") { // of an image
			return found
		}
		return Mark + found[at:]
	})
	text = jsonPair.ReplaceAllStringFunc(text, func(found string) string {
		part := jsonPair.FindStringSubmatch(found)
		if !Secret(part[2], strings.Trim(part[4], `\"`)) {
			return found
		}
		return strings.TrimSuffix(found, part[4]) + part[1] + Mark + part[1]
	})
	text = assignment.ReplaceAllStringFunc(text, func(found string) string {
		name, value, _ := strings.Cut(found, "=")
		if !Secret(name, strings.Trim(value, `"'`)) {
			return found
		}
		return name + "=" + Mark
	})
	return knownForm.ReplaceAllString(text, Mark)
}

var (
	urlInText    = regexp.MustCompile("[A-Za-z][A-Za-z0-9+.-]*://[^\\s\"<>`]+")
	assignment   = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_.-]*=("[^"]*"|'[^']*'|[^\s&"';,{}]+)`)
	headerInText = regexp.MustCompile(`(?i)\b((?:proxy-)?authorization|(?:set-)?cookie|x-[a-z0-9-]+|api-?key):[ \t]*[^\r\n"']+`)
	jsonPair     = regexp.MustCompile(`(\\?")([A-Za-z0-9_.-]+)\\?"(\s*:\s*)(\\?"[^"\\]*\\?"|[0-9]+)`)
	// dataSource is user:password@host without a scheme, as drivers of databases take it.
	dataSource = regexp.MustCompile(`\b[A-Za-z0-9_.-]+:[^\s:@/'"(){}\[\],]+(@(?:(?:tcp|unix)\(|[A-Za-z0-9.-]+[:/][0-9a-z]))`)
	privateKey = regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)`)
)

// Value returns the value of an option, a body or a word of a command line: as Text, and without parts that look drawn
// by chance.
func Value(text string) string {
	text = Text(text)
	if !looksSecret("", text) {
		return text
	}
	return namedRun.ReplaceAllStringFunc(text, func(found string) string {
		part := namedRun.FindStringSubmatch(found)
		if !looksSecret(part[2], part[3]) {
			return found
		}
		return part[1] + Mark
	})
}

// namedRun is a run with the name before it, if there is one.
var namedRun = regexp.MustCompile(`((?:([A-Za-z_][A-Za-z0-9_.-]*)["']?\s*[=:]\s*["']?)?)(` + run.String() + `)`)

// Args returns arguments of a program without the values of flags and variables that Secret hides: -name=value, --name
// value, NAME=value, header lines, and user:password after -u and --user. The rest of each goes through Value. The
// argument stays as it is.
func Args(words []string) []string {
	out := slices.Clone(words)
	flag := "" // whose value comes next
	for i, word := range words {
		before := flag
		flag = ""
		name, value, assigned := strings.Cut(strings.TrimLeft(word, "-"), "=")
		switch {
		case strings.HasPrefix(word, "-") && !assigned && !strings.ContainsAny(word, " \t"):
			flag = strings.TrimLeft(word, "-")
		case assigned && wholeName.MatchString(name) && Secret(name, value):
			out[i] = word[:strings.IndexByte(word, '=')+1] + Mark
		case before != "" && Secret(before, word):
			out[i] = Mark
		case (before == "u" || before == "user") && strings.Contains(word, ":"):
			out[i] = word[:strings.IndexByte(word, ':')+1] + Mark
		case before == "H" || before == "header":
			out[i] = Header(word)
		default:
			out[i] = Value(word)
		}
	}
	return out
}

// wholeName is the name of a flag or a variable; with a letter and a colon before it, of one variant.
var wholeName = regexp.MustCompile(`^([A-Z]:)?[A-Za-z_][A-Za-z0-9_.-]*$`)
