// Colours of the parts of a request's time, by the states of a wait profile.

const colours: Record<string, string> = {
  running: '--state-running', runnable: '--state-runnable', requests: '--state-runnable', lock: '--state-lock',
  channel: '--state-channel', network: '--state-network', syscall: '--state-syscall', collector: '--state-collector',
  before: '--state-wire', after: '--state-wire', unsent: '--state-wire', sleep: '--state-sleep',
  observer: '--state-other', unexplained: '--state-other',
}

/** stateColour is the CSS variable of a state's colour. */
export function stateColour(state: string): string {
  return colours[state] ?? '--state-other'
}

/** darkText says that a state's colour is light, so that text on it must be dark, in the light theme and in the dark one. */
export function darkText(state: string): [light: boolean, dark: boolean] {
  const c = stateColour(state)
  return [['--state-channel', '--state-syscall', '--state-sleep', '--state-wire', '--state-lock'].includes(c), !['--state-sleep', '--state-wire'].includes(c)]
}
