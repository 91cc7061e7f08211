// Command bench measures what hone claims about itself: what it costs, how often it is right, and how it does beside
// others. Each benchmark is a case.
//
//	go run . -list            # the cases
//	go run . http -n 3        # one of them; -h after its name lists its flags
//	go run . http -publish    # keeps its figures in results/http.json, and writes them into ../docs/measured.md
package main

import (
	"context"
	"os"

	"github.com/gohone/hone/bench/account"
	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/benchwidth"
	"github.com/gohone/hone/bench/bisect"
	"github.com/gohone/hone/bench/calibrate"
	"github.com/gohone/hone/bench/cases"
	"github.com/gohone/hone/bench/changepoints"
	"github.com/gohone/hone/bench/cheats"
	"github.com/gohone/hone/bench/commits"
	"github.com/gohone/hone/bench/compiler"
	"github.com/gohone/hone/bench/cover"
	"github.com/gohone/hone/bench/disturbed"
	"github.com/gohone/hone/bench/fixed"
	"github.com/gohone/hone/bench/growth"
	"github.com/gohone/hone/bench/headlines"
	"github.com/gohone/hone/bench/holders"
	"github.com/gohone/hone/bench/insight"
	"github.com/gohone/hone/bench/layouts"
	"github.com/gohone/hone/bench/noop"
	"github.com/gohone/hone/bench/optimise"
	"github.com/gohone/hone/bench/production"
	"github.com/gohone/hone/bench/promises"
	"github.com/gohone/hone/bench/proven"
	"github.com/gohone/hone/bench/pullrequest"
	"github.com/gohone/hone/bench/reach"
	"github.com/gohone/hone/bench/receipts"
	"github.com/gohone/hone/bench/replay"
	"github.com/gohone/hone/bench/robust"
	"github.com/gohone/hone/bench/side"
	"github.com/gohone/hone/bench/sidebyside"
	"github.com/gohone/hone/bench/sql"
	"github.com/gohone/hone/bench/track"
	"github.com/gohone/hone/bench/upgraded"
)

// all are the cases. A new one is a file of package cases, or a package, and a place here.
var all = []bed.Case{
	// how often hone is right
	calibrate.Case, benchwidth.Case, commits.Case, noop.Case, noop.Itself, layouts.Case, bisect.Case, cheats.Case,
	receipts.Case,
	insight.Case, holders.Case, growth.Case, cover.Case, sql.Case, changepoints.Case, cases.Blame, cases.Diff,
	cases.Instructions, production.Case, robust.Case, replay.Case, reach.Case, pullrequest.Case,
	disturbed.Case, track.Case, account.Case, compiler.Case, upgraded.Case, proven.Case,
	// what the load generator costs
	cases.HTTP, cases.GRPC, cases.WebSocket, cases.Redis, cases.Engine, cases.Held, cases.OpenLoop, cases.Freeze,
	cases.Soak, cases.ScaleOut,
	// what the rest of hone costs
	cases.Overhead, cases.MetricsCost, cases.Watched, cases.BigList, cases.BigProfile, cases.Install, cases.FirstBuild,
	// the reference services
	headlines.Case, sidebyside.Case, cases.Tune,
	// programs that make code faster, judged by hone
	fixed.Case, optimise.Case, optimise.Honest,
}

func main() {
	side.ServeIfAsked() // this program is a server of the benchmarks, too
	bed.Main(all, func(ctx context.Context) error { return promises.Write(ctx, all) }, os.Args[1:])
}
