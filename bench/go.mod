module github.com/gohone/hone/bench

go 1.26.0

require (
	github.com/gohone/hone v0.0.0
	golang.org/x/sys v0.49.0
)

require (
	github.com/HdrHistogram/hdrhistogram-go v1.4.0 // indirect
	github.com/tidwall/gjson v1.18.0 // indirect
	github.com/tidwall/match v1.1.1 // indirect
	github.com/tidwall/pretty v1.2.0 // indirect
	golang.org/x/net v0.61.0 // indirect
)

replace github.com/gohone/hone => ..
