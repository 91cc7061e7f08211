//go:build race

package stats

const underRaceDetector = true
