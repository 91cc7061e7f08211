package machine

import "time"

// Summary is many disturbances in one.
type Summary struct {
	// Slices is how many there were, Noticeable how many of them were worth mentioning.
	Slices     int `json:"slices"`
	Noticeable int `json:"noticeable_slices"`
	// Total covers all the time together: times are sums, shares and the load average
	// are means weighted by elapsed time. What is unknown of a slice has no weight.
	Total Disturbance `json:"total"`
	// Worst is the highest of each measure in any one slice; its slices may differ.
	// Elapsed is that of the longest.
	Worst Disturbance `json:"worst_slice"`
}

// Summarize merges the disturbances of slices.
func Summarize(slices []Disturbance) Summary {
	s := Summary{Slices: len(slices)}
	for _, d := range slices {
		if d.Noticeable() {
			s.Noticeable++
		}
		s.Total.Elapsed += d.Elapsed
		s.Worst.Elapsed = max(s.Worst.Elapsed, d.Elapsed)
	}
	for _, m := range shares {
		*m(&s.Total), *m(&s.Worst) = meanAndMost(slices, m)
	}
	for _, m := range times {
		*m(&s.Total), *m(&s.Worst) = sumAndMost(slices, m)
	}
	return s
}

// shares and times list the measures of a Disturbance by how they are merged.
var (
	shares = []func(*Disturbance) **float64{
		func(d *Disturbance) **float64 { return &d.Steal },
		func(d *Disturbance) **float64 { return &d.Load1 },
		func(d *Disturbance) **float64 { return &d.CPUPressure },
		func(d *Disturbance) **float64 { return &d.MemoryPressure },
		func(d *Disturbance) **float64 { return &d.MemoryStall },
		func(d *Disturbance) **float64 { return &d.IOPressure },
	}
	times = []func(*Disturbance) **time.Duration{
		func(d *Disturbance) **time.Duration { return &d.Busy },
		func(d *Disturbance) **time.Duration { return &d.Others },
		func(d *Disturbance) **time.Duration { return &d.Throttled },
	}
)

func meanAndMost(slices []Disturbance, of func(*Disturbance) **float64) (mean, most *float64) {
	var sum, weight, highest float64
	for i := range slices {
		value, w := *of(&slices[i]), float64(slices[i].Elapsed)
		if value == nil || w <= 0 {
			continue
		}
		sum, weight, highest = sum+w**value, weight+w, max(highest, *value)
	}
	if weight == 0 {
		return nil, nil
	}
	sum /= weight
	return &sum, &highest
}

func sumAndMost(slices []Disturbance, of func(*Disturbance) **time.Duration) (sum, most *time.Duration) {
	for i := range slices {
		value := *of(&slices[i])
		if value == nil {
			continue
		}
		if sum == nil {
			sum, most = new(time.Duration), new(time.Duration)
		}
		*sum, *most = *sum+*value, max(*most, *value)
	}
	return sum, most
}
