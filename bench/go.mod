module github.com/gohone/hone/bench

go 1.26.0

require github.com/gohone/hone v0.0.0

require (
	github.com/HdrHistogram/hdrhistogram-go v1.4.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
)

replace github.com/gohone/hone => ..
