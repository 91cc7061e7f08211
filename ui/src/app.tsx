import { route } from './router'

/** App draws the screen that the address names. */
export function App() {
  return <main>{route.value.path.join('/')}</main>
}
