package gctrace

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

var (
	colours = regexp.MustCompile(`\x1b\[[0-9;]*[A-Za-z]`)
	// times are those of docker, journalctl, syslog, foreman and Go's log; what follows is how CRI marks streams and
	// parts.
	times = regexp.MustCompile(`\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?:\.\d+)?|\b\d\d:\d\d:\d\d(?:\.\d+)?|\bstd(?:out|err) [FP]\b`)
	// glued is output without a line end, right before a collection.
	glued = regexp.MustCompile(`[\w.!?]$`)
	// names are the forms in which logs name a process: "web-1 |", "[pod/web/app]", "host app[12]:", "pod app".
	names = []*regexp.Regexp{
		regexp.MustCompile(`^(\S.*?)\s*\|$`),
		regexp.MustCompile(`^\[([^\]]+)\]:?$`),
		regexp.MustCompile(`^((?:[\w.@/:-]+ )?[\w.@/-]+(?:\[\d+\])?):$`),
		regexp.MustCompile(`^([\w.@/-]+(?: [\w.@/-]+)?)$`),
	}
)

// sourceOf is what a line's log calls its process: by the words before the collection, or by fields of JSON around it.
// It is empty if the line does not say, or if the program's own output stands before the collection.
func sourceOf(before, line string) string {
	before, _, isJSON := strings.Cut(before, "{")
	before = colours.ReplaceAllString(before, "")
	text := strings.TrimSpace(strings.Join(strings.Fields(times.ReplaceAllString(before, " ")), " "))
	if !isJSON && glued.MatchString(before) {
		return ""
	}
	name := ""
	for _, form := range names {
		if m := form.FindStringSubmatch(text); m != nil {
			name = m[1]
			break
		}
	}
	if isJSON {
		return strings.TrimSpace(name + " " + jsonName(line[strings.Index(line, "{"):]))
	}
	return name
}

// jsonNames are the fields by which logs in JSON name a process; of journalctl, fluentd, promtail and others.
var jsonNames = []string{
	"kubernetes", "docker", "pod", "pod_name", "container", "container_name", "container_id", "service", "instance",
	"host", "hostname", "pid",
	"CONTAINER_NAME", "_HOSTNAME", "_SYSTEMD_UNIT", "_PID",
}

func jsonName(object string) string {
	var fields map[string]any
	if json.Unmarshal([]byte(strings.TrimSpace(object)), &fields) != nil {
		return ""
	}
	return strings.Join(namesIn(fields), " ")
}

func namesIn(fields map[string]any) (all []string) {
	for _, key := range jsonNames {
		switch v := fields[key].(type) {
		case map[string]any:
			all = append(all, namesIn(v)...)
		case string:
			all = append(all, v)
		case float64:
			all = append(all, fmt.Sprint(v))
		}
	}
	return all
}
