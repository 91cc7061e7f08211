// Package manifest reads what a Kubernetes manifest says of a container: its requests and limits, and its environment.
package manifest
