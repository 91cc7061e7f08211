import { render } from 'preact'
import { openReport, first } from './api'
import { App } from './app'
import { go } from './router'
import './style/base.css'

async function start(): Promise<void> {
  await openReport()
  if (first() && location.hash.length < 3) go('#/' + first())
  render(<App />, document.body)
}

void start()
