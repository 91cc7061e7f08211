//go:build race

package load_test

const underRaceDetector = true
