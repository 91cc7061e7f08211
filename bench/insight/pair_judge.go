package insight

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/judge"
)

// The words of pairs that are not verdicts on a measure.
const (
	same  = "same"
	grows = "grows"
)

// ratioNoise is the ratio that means nothing: what the README of the corpus says of its figures.
const ratioNoise = 1.08

// claimsOn are how the lines begin that explain a change of a measure of pairs.
var claimsOn = map[string]*regexp.Regexp{
	"cpu": regexp.MustCompile(`^why: `), "latency": regexp.MustCompile(`^why (p\d|throughput)`), "none": regexp.MustCompile(`^(why|but|growth|memory)\b`),
	"growth": ofGrowth, "memory": ofGrowth,
}

var ofGrowth = regexp.MustCompile(`^(growth|memory), (new|changed) in B: `)

// changeOf are the names of changes in truth.json by hone's key of the measure; others have the same name.
var changeOf = map[string]string{measure.Resident.Key: "live", "time": "cpu"}

// pairJudgement is what became of a pair.
type pairJudgement struct {
	*program
	compared
	Right bool
	// True is the true ratio of what the verdict is on, and Near whether that of hone agrees; nil where it is not known, or nothing changed.
	True float64
	Near *bool
	// Explained says that the first line on the measure of the pair names the largest cause.
	Explained bool
	// Placed are the lines that name a place, or of versions that do the same all lines that explain something. False are those of
	// them that name no cause.
	Placed, False []string
}

// judgePair holds what hone says of a pair against the truth.
func judgePair(p *program, said compared) pairJudgement {
	j := pairJudgement{program: p, compared: said}
	j.Right = j.verdictRight()
	if ratio := p.Change[j.changed()]; ratio > 0 && p.Word != same {
		near := math.Abs(math.Log(said.Ratio/ratio)) <= max(math.Log(ratioNoise), tolerance*math.Abs(math.Log(ratio)))
		j.True, j.Near = ratio, &near
	}
	for _, line := range said.Lines {
		switch {
		case !claimsOn["none"].MatchString(line), p.Word != same && !placeIn.MatchString(line):
			continue
		case !slices.ContainsFunc(p.Causes, func(c cause) bool { return p.names(line, c) }):
			j.False = append(j.False, line)
		}
		j.Placed = append(j.Placed, line)
	}
	if first := slices.IndexFunc(said.Lines, claimsOn[p.Measure].MatchString); first >= 0 && p.Word != same {
		j.Explained = j.Right && p.names(said.Lines[first], p.Causes[0])
	}
	return j
}

// changed is the name of the change in truth.json that the verdict is on.
func (j pairJudgement) changed() string {
	if name, ok := changeOf[j.On]; ok {
		return name
	}
	return j.On
}

// verdictRight: versions that do the same are called neither slower nor faster, and growth is said by a line of its own or, where more
// memory stays, by the verdict on it.
func (j pairJudgement) verdictRight() bool {
	switch j.program.Word {
	case same:
		return !j.compared.Word.Different()
	case grows:
		return slices.ContainsFunc(j.Lines, ofGrowth.MatchString) || j.Measure == "memory" && j.compared.Word == judge.Slower
	}
	return string(j.compared.Word) == j.program.Word
}

// placeIn is a place in a line of hone's: the end of a path, and the number of a line.
var placeIn = regexp.MustCompile(`([^\s(]+\.go):(\d+)`)

// names says whether a line of hone's names the place of a cause, or its function.
func (p *program) names(line string, c cause) bool {
	if c.Function != "" && regexp.MustCompile(`\.`+regexp.QuoteMeta(c.Function)+`\b`).MatchString(line) {
		return true
	}
	return slices.ContainsFunc(placeIn.FindAllStringSubmatch(line, -1), func(place []string) bool {
		n, err := strconv.ParseInt(place[2], 10, 64)
		return err == nil && slices.ContainsFunc(c.At, func(s spot) bool {
			path := "/" + p.Name + "/" + s.File
			return (strings.HasSuffix("/"+place[1], path) || strings.HasSuffix(path, "/"+place[1])) && s.isNear(n, c.dirs(p.dir)...)
		})
	})
}
