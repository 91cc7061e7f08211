// Package demo is hone demo: tours of the reference services, step by step.
package demo
