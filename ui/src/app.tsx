import { Problem } from './components/answer'
import { ApiError } from './api'
import { route } from './router'
import { DiffScreen, ProfileScreen } from './profile'
import { ComparisonScreen } from './screens/compare'
import { HistoryScreen } from './screens/history'
import { LiveScreen } from './screens/live'
import { RunScreen } from './screens/run'
import { SeriesScreen } from './screens/series'
import { Shell } from './shell'

/** App draws the screen that the address names. */
export function App() {
  return <Shell><Screen /></Shell>
}

function Screen() {
  const [screen, a, b, c] = route.value.path
  switch (screen) {
    case undefined: return <HistoryScreen />
    case 'runs': if (a) return <RunScreen key={a} id={a} />; break
    case 'comparisons': if (a) return <ComparisonScreen key={a} path={'comparisons/' + a} />; break
    case 'stored': if (a && b) return <ComparisonScreen key={a + '/' + b} path={`stored/${a}/${b}`} />; break
    case 'profiles': if (a && b) return <ProfileScreen key={a + '/' + b} run={a} kind={b} />; break
    case 'diff': if (a && b && c) return <DiffScreen key={[a, b, c].join('/')} a={a} b={b} kind={c} />; break
    case 'series': return <SeriesScreen />
    case 'live': return <LiveScreen />
  }
  return <Problem error={new ApiError('There is no such page.', 'Addresses are #/ for the history, #/runs/ID, #/comparisons/ID, #/stored/A/B, #/profiles/RUN/KIND, #/diff/A/B/KIND, #/series and #/live.')} />
}
