module holding

go 1.26.0

require (
	github.com/allegro/bigcache/v3 v3.1.0
	github.com/hashicorp/golang-lru/v2 v2.0.7
	github.com/patrickmn/go-cache v2.1.0+incompatible
)
