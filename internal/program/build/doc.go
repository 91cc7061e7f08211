// Package build builds variants of the measured program from their sources, with the probe, and without touching them.
package build
