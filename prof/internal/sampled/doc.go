// Package sampled reads the samples of a profile: the columns of their values, sums, and the variance of sampling.
package sampled
