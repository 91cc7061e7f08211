package rewrite

import (
	"fmt"
	"regexp"
	"time"
)

// patternMethods of a *regexp.Regexp leave it as it is: all but Longest and UnmarshalText.
var patternMethods = []string{
	"Expand", "ExpandString", "Find", "FindAll", "FindAllIndex", "FindAllString", "FindAllStringIndex",
	"FindAllStringSubmatch",
	"FindAllStringSubmatchIndex", "FindAllSubmatch", "FindAllSubmatchIndex", "FindIndex", "FindReaderIndex",
	"FindReaderSubmatchIndex",
	"FindString", "FindStringIndex", "FindStringSubmatch", "FindStringSubmatchIndex", "FindSubmatch",
	"FindSubmatchIndex", "LiteralPrefix",
	"Match", "MatchReader", "MatchString", "NumSubexp", "ReplaceAll", "ReplaceAllFunc", "ReplaceAllLiteral",
	"ReplaceAllLiteralString",
	"ReplaceAllString", "ReplaceAllStringFunc", "Split", "String", "SubexpIndex", "SubexpNames",
}

// checkPattern refuses patterns that do not compile.
func checkPattern(posix bool) func([]string) error {
	compile := regexp.Compile
	if posix {
		compile = regexp.CompilePOSIX
	}
	return func(args []string) error {
		_, err := compile(args[0])
		return err
	}
}

// checkReplacer refuses what makes strings.NewReplacer panic.
func checkReplacer(args []string) error {
	if len(args)%2 != 0 {
		return fmt.Errorf("strings.NewReplacer panics with %d arguments: it takes pairs", len(args))
	}
	return nil
}

// checkLocation refuses names that are of no time zone here: the error that such a call returns may
// be one that the program counts on.
func checkLocation(args []string) error {
	_, err := time.LoadLocation(args[0])
	return err
}
