package headlines

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/prof"
)

var chat = section{
	Name:  "chat",
	Title: "Chat server and its garbage collector",
	About: `Published: 18,000 users on 4 cores and 8 GB; the CPU fell from 80 % to 50 % with reused buffers and log lines, and to 20 % with
one reused zlib writer for each worker. Pooled connection objects had been no help. Here: an open loop of messages to
rooms of ten, each message of 100 bytes to nine others, at the same rate for all stages, at which naive
takes about 70 % of one core; the server has one CPU. hone run measures the stages in turns in random order, fresh
starts each; figures are medians, and ratios are over the rounds, of CPU per message. The collector's
share is the runtime's own account, and that of the CPU profile is what hone profile blame hands to those who
allocate, in the last round.`,
	Measure: measureChat,
}

// chatStages are the ladder; against is the place of the stage that a ratio is to. Shares of
// the CPU were published, ratios of them are those of the CPU time per message at one rate.
var chatStages = []struct {
	name      string
	against   int // -1: none
	published string
	ratio     float64
	collector string
}{
	{"naive", -1, "80 % of the CPU", 0, "54 %"},
	{"pooled-conn", 0, "no help", 1, ""},
	{"buffers", 0, "50 % of the CPU", 50.0 / 80, "50 %"},
	{"zlib-reset", 2, "20 % of the CPU", 20.0 / 50, "negligible"},
	{"final", 3, "", 0, ""},
}

const (
	chatUsers = 18_000
	// chatFiles are those that hone and the server need besides the connections.
	chatFiles = 500
	// chatShare of a core is what naive is to take.
	chatShare = 0.7
)

// chatSample is what one run of a stage says.
type chatSample struct {
	cpuNanos  float64 // per message
	rateHz    float64 // that was reached
	collector float64 // share of the CPU time by the runtime, NaN without two cycles
}

func (s chatSample) core() float64  { return s.cpuNanos * s.rateHz / 1e9 }
func (s chatSample) nanos() float64 { return s.cpuNanos }

func measureChat(ctx context.Context, r *rig) ([]row, error) {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return nil, fmt.Errorf("read limit of open files: %w", err)
	}
	users := int(min(limit.Max, chatUsers+chatFiles)) - chatFiles
	if users < 1000 {
		return nil, fmt.Errorf("open %d connections: the limit of open files is %d (ulimit -Hn)", chatUsers, limit.Max)
	}
	// The rate at which naive takes chatShare of a core. The first guess is taken at a low
	// rate, at which the collector also works while there is nothing else to do; the second
	// corrects it.
	rateHz := 50.0
	for range 2 {
		s, _, err := r.chatRun(ctx, "naive", users, rateHz, false)
		if err != nil {
			return nil, err
		}
		if rateHz, err = nextRate(s); err != nil {
			return nil, err
		}
	}
	load := row{What: "load", Published: commas(chatUsers) + " users",
		Here: fmt.Sprintf("%s users, %s messages/s", commas(users), rounded(rateHz))}
	if users < chatUsers {
		load.Note = "fewer users than published: more do not fit into the limit of open files (ulimit -Hn)"
	}
	blames := make([]blame, len(chatStages))
	samples, err := figures.Sampled(r.rounds(), len(chatStages), func(round, i int) (chatSample, error) {
		profile := round == r.rounds()-1
		s, id, err := r.chatRun(ctx, chatStages[i].name, users, rateHz, profile)
		if err == nil && profile {
			blames[i], err = r.blame(ctx, id)
		}
		return s, err
	})
	if err != nil {
		return []row{load}, err
	}
	rows, err := chatRows(samples, blames)
	return append([]row{load}, rows...), err
}

// nextRate is the rate at which a stage that costs what s says takes chatShare of a core,
// with two digits.
func nextRate(s chatSample) (float64, error) {
	rateHz := chatShare * 1e9 / s.cpuNanos
	if !(rateHz >= 10 && rateHz <= 1e6) {
		return 0, fmt.Errorf("find a rate: a message that costs %v ns makes it %v/s", s.cpuNanos, rateHz)
	}
	step := math.Pow(10, math.Floor(math.Log10(rateHz))-1)
	return math.Floor(rateHz/step) * step, nil
}

// chatRun measures a stage once, and returns the run's name too.
func (r *rig) chatRun(ctx context.Context, stage string, users int, rateHz float64, profile bool) (chatSample, string,
	error) {
	length := pick(r.quick, time.Second, 3*time.Second)
	args := []string{"./services/chat/cmd/chat -stage " + stage, "--target", "chat://127.0.0.1:{port}",
		"-c", strconv.Itoa(users), "-R", strconv.FormatFloat(rateHz, 'f', -1, 64), "-d", length.String(),
		"--slice", length.String(), // in one slice, connections take turns
		"--set", "timeout=10s", // connecting so many takes its time
	}
	if profile {
		// At the rate that naive can take, the last stages have hardly any ticks at 100 Hz.
		args = append(args, "--profile-time", (2 * length).String(), "--set", "profile.rate=1000")
	} else {
		args = append(args, "--no-profile")
	}
	d, err := r.run(ctx, nil, append(args, "--", "-addr", "127.0.0.1:{port}")...)
	if err != nil {
		return chatSample{}, "", err
	}
	s, err := chatSampleOf(d)
	return s, d.ID, err
}

func chatSampleOf(d runDocument) (chatSample, error) {
	if d.CPU == nil || d.Runtime == nil {
		return chatSample{}, fmt.Errorf("run %s does not say what a message costs, or nothing of the runtime", d.ID)
	}
	return chatSample{d.CPU.Value, d.Rate, *cmp.Or(d.Runtime.GCShare, new(math.NaN()))}, nil
}

// blame is what hone profile blame says of a run.
type blame struct {
	prof.Blame
	// nothing is why there is nothing of this; empty if there is.
	nothing string
}

func (r *rig) blame(ctx context.Context, id string) (b blame, err error) {
	if err = r.ask(ctx, "", &b, nil, "profile blame", id, "--by", "function"); err == nil {
		return b, nil
	}
	if b.nothing = nothing(err.Error()); b.nothing != "" {
		return b, nil
	}
	return b, err
}

// nothing says why hone blames no function, for a run that gives no reason to; empty for any
// other text.
func nothing(said string) string {
	switch {
	case strings.Contains(said, prof.ErrNothingAllocated.Error()):
		return "none, as no allocation was sampled"
	case strings.Contains(said, "no samples of the subject's own"):
		return "too little CPU time for one"
	}
	return ""
}

// chatRows has two rows for each stage: its CPU time, and what the collector takes.
func chatRows(samples [][]chatSample, blames []blame) (rows []row, err error) {
	for i, stage := range chatStages {
		nanos := figures.Column(samples[i], chatSample.nanos)
		next := row{
			What: stage.name + ", CPU", Published: stage.published, PublishedRatio: stage.ratio,
			Here: fmt.Sprintf("%s of one core, %s per message",
				percent(figures.Median(figures.Column(samples[i], chatSample.core))), micros(figures.Median(nanos))),
		}
		if stage.against >= 0 {
			if next.Ratio, err = figures.Paired(figures.Column(samples[stage.against], chatSample.nanos),
				nanos); err != nil {
				return rows, fmt.Errorf("CPU per message of %s: %w", stage.name, err)
			}
			next.What += ", to " + chatStages[stage.against].name
		}
		shares := slices.DeleteFunc(figures.Column(samples[i], func(s chatSample) float64 { return s.collector }),
			math.IsNaN)
		own, profile := "no two cycles in any round", blames[i].nothing
		if len(shares) > 0 {
			own = percent(figures.Median(shares))
		}
		if profile == "" {
			profile = percent(blames[i].Collector.Share / 100)
		}
		collector := row{What: stage.name + ", collector's share", Published: stage.collector,
			Here: "the runtime: " + own + "; CPU profile: " + profile}
		if sites := blames[i].Sites; len(sites) > 0 && sites[0].ByteShare > 0 {
			collector.Note = fmt.Sprintf("most of the bytes: `%s`, %s", short(sites[0].Function),
				percent(sites[0].ByteShare/100))
		}
		rows = append(rows, next, collector)
	}
	return rows, nil
}
