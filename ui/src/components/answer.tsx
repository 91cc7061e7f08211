// A screen's answer of the API: asked for once, with what to do if it is an error.

import { useEffect, useState } from 'preact/hooks'
import type { ComponentChildren } from 'preact'
import { ApiError, get } from '../api'
import { CommandLine } from './command'

interface State<T> { path: string, value?: T, error?: Error }

interface Props<T> {
  path: string
  children: (value: T) => ComponentChildren
  /** keep shows the last answer while another one is on its way. */
  keep?: boolean
}

/** Answer asks for a path below /api/v1/ and draws its children with the answer. */
export function Answer<T>({ path, children, keep }: Props<T>) {
  const [state, set] = useState<State<T>>({ path })
  const [tries, again] = useState(0)
  useEffect(() => {
    let current = true
    get<T>(path, tries > 0).then(
      value => { if (current) set({ path, value }) },
      (error: Error) => { if (current) set({ path, error }) },
    )
    return () => { current = false }
  }, [path, tries])
  if (state.path !== path && !(keep && state.value)) return <Wait />
  if (state.error) return <Problem error={state.error} retry={() => { set({ path }); again(tries + 1) }} />
  if (state.value === undefined) return <Wait />
  return <>{children(state.value)}</>
}

export function Wait() {
  return <p class="wait" role="status">Reading …</p>
}

/** Problem says what went wrong and what to do next. */
export function Problem({ error, retry }: { error: Error, retry?: () => void }) {
  const hint = error instanceof ApiError ? error.hint : ''
  const offline = error instanceof TypeError
  return (
    <div class="problem" role="alert" data-test="problem">
      <h1>{offline ? 'The server does not answer.' : error.message}</h1>
      {offline && <p>It may have ended. Start it again, then retry:</p>}
      {offline && <CommandLine line="hone serve" />}
      {hint && <p>{hint}</p>}
      {retry && <button type="button" class="button" onClick={retry}>Try again</button>}{' '}
      <a class="button" href="#/">History</a>
    </div>
  )
}
