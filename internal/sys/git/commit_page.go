package git

import (
	"context"
	"net/url"
	"regexp"
	"strings"
)

// scpLike is user@host:path, as ssh takes it.
var scpLike = regexp.MustCompile(`^(?:[\w.-]+@)?([\w.-]+):([\w~][\w./~-]*)$`)

// plainPath is the path of a repository that needs no escapes in a link.
var plainPath = regexp.MustCompile(`^[\w.~-]+(?:/[\w.~-]+)+$`)

// CommitPages is what the addresses of the pages of commits begin with, at the forge that the remote origin is on:
// https://github.com/owner/name/commit/ for one. It is empty where there is no such remote, or where it is not on a server.
func CommitPages(ctx context.Context, dir string) string {
	config, err := readConfig(ctx, dir)
	if err != nil {
		return ""
	}
	return commitPages(config.first("remote." + origin + ".url"))
}

// commitPages is CommitPages of a remote's URL. Names and passwords in it are left out.
func commitPages(remote string) string {
	host, path := "", ""
	if u, err := url.Parse(remote); err == nil && u.Host != "" {
		switch u.Scheme {
		case "https", "http":
			host = u.Host
		case "ssh", "git", "git+ssh":
			host = u.Hostname() // the port is that of ssh
		default:
			return ""
		}
		path = u.Path
	} else if m := scpLike.FindStringSubmatch(remote); m != nil {
		host, path = m[1], m[2]
	}
	path = strings.TrimSuffix(strings.Trim(path, "/"), ".git")
	if host == "" || !plainPath.MatchString(path) {
		return ""
	}
	at := "/commit/"
	switch {
	case strings.Contains(host, "gitlab"):
		at = "/-/commit/"
	case strings.Contains(host, "bitbucket"):
		at = "/commits/"
	}
	return "https://" + host + "/" + path + at
}
