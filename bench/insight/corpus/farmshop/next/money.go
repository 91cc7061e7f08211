package main

import (
	"fmt"
	"strconv"
	"strings"
)

// price writes an amount with a separator after each three digits, for amounts of any size.
func price(cents int) string {
	whole := strconv.Itoa(cents / 100)
	var parts []string
	for len(whole) > 3 {
		parts = append([]string{whole[len(whole)-3:]}, parts...)
		whole = whole[:len(whole)-3]
	}
	parts = append([]string{whole}, parts...)
	return fmt.Sprintf("%s.%02d €", strings.Join(parts, ","), cents%100)
}
