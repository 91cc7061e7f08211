import { render } from 'preact'
import { openReport, first } from './api'
import { App } from './app'
import { follow } from './live'
import { go } from './router'
import { startTheme } from './theme'
import './style/base.css'

async function start(): Promise<void> {
  startTheme()
  const report = await openReport()
  if (first() && location.hash.length < 3) go('#/' + first())
  const root = document.getElementById('app') ?? document.body.appendChild(document.createElement('div'))
  render(<App />, root)
  if (!report) follow()
}

void start()
