// Command check follows the links of a built site: each has to lead to a file of the site, and to an element in it if
// it names one. Nothing of a page may be loaded from elsewhere. Links to other sites are not followed. It warns if the
// pictures show pages of hone that have changed since.
//
//	go run ./check ../../bin/site ../..
package main

import (
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: check SITE REPOSITORY")
		os.Exit(2)
	}
	old, err := oldPictures(os.DirFS(os.Args[2]))
	if err != nil {
		fmt.Fprintln(os.Stderr, "check:", err)
		os.Exit(1)
	}
	if old != "" {
		fmt.Fprintln(os.Stderr, "warning:", old)
	}
	links, pages, faults, err := check(os.DirFS(os.Args[1]))
	if err != nil {
		fmt.Fprintln(os.Stderr, "check:", err)
		os.Exit(1)
	}
	for _, f := range faults {
		fmt.Fprintln(os.Stderr, f)
	}
	fmt.Printf("%d pages, %d links followed, %d broken\n", pages, links, len(faults))
	if len(faults) > 0 || links == 0 {
		os.Exit(1)
	}
}

// page is what the check knows of an HTML file.
type page struct {
	ids   []string
	links []string // of a
	loads []string // what the browser loads by itself
}

// check returns how many links of how many pages it followed, and what is wrong with them.
func check(site fs.FS) (links, pages int, faults []string, err error) {
	all := map[string]*page{}
	err = fs.WalkDir(site, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".html" {
			return err
		}
		all[name], err = read(site, name)
		return err
	})
	for name, p := range all {
		for _, link := range slices.Concat(p.links, p.loads) {
			u, err := url.Parse(link)
			switch {
			case err != nil:
				faults = append(faults, fmt.Sprintf("%s: %s: %v", name, link, err))
			case u.Scheme == "data":
			case u.IsAbs() || u.Host != "":
				if slices.Contains(p.loads, link) {
					faults = append(faults, fmt.Sprintf("%s: loads %s from another host", name, link))
				}
			default:
				links++
				if fault := follow(site, all, name, u); fault != "" {
					faults = append(faults, fmt.Sprintf("%s: %s: %s", name, link, fault))
				}
			}
		}
	}
	slices.Sort(faults)
	return links, len(all), faults, err
}

// follow returns what is wrong with a link of the page called name, or nothing.
func follow(site fs.FS, all map[string]*page, name string, u *url.URL) string {
	target := name
	if u.Path != "" {
		target = path.Join(path.Dir(name), u.Path)
		if info, err := fs.Stat(site, target); err == nil && info.IsDir() {
			target = path.Join(target, "index.html")
		}
		if _, err := fs.Stat(site, target); err != nil {
			return "there is no " + target
		}
	}
	if p := all[target]; p != nil && u.Fragment != "" && !slices.Contains(p.ids, u.Fragment) {
		return fmt.Sprintf("%s has no element #%s", target, u.Fragment)
	}
	return ""
}

func read(site fs.FS, name string) (*page, error) {
	f, err := site.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	root, err := html.Parse(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	p := &page{}
	for n := range root.Descendants() {
		for _, a := range n.Attr {
			switch {
			case a.Key == "id":
				p.ids = append(p.ids, a.Val)
			case a.Key == "href" && n.Data == "a":
				p.links = append(p.links, a.Val)
			case a.Key == "src" || a.Key == "href" && n.Data == "link" && !strings.Contains(rel(n), "canonical"):
				p.loads = append(p.loads, a.Val)
			}
		}
	}
	return p, nil
}

func rel(n *html.Node) string {
	for _, a := range n.Attr {
		if a.Key == "rel" {
			return a.Val
		}
	}
	return ""
}
