// The frame of a chart: its legend, its drawing, and the table of its data behind a button.

import { useState } from 'preact/hooks'
import type { ComponentChildren } from 'preact'

interface Props {
  /** id names the chart in tests and in what the button controls. */
  id: string
  legend?: ComponentChildren
  /** data draws the table behind the chart. */
  data: () => ComponentChildren
  children: ComponentChildren
}

/** Chart is a drawing with the table of its data. */
export function Chart({ id, legend, data, children }: Props) {
  const [open, set] = useState(false)
  return (
    <figure class="chart" data-test={'chart-' + id}>
      <div class="tools">
        {legend}
        <button type="button" class="link-button show-data" aria-expanded={open} aria-controls={id + '-data'} onClick={() => set(!open)}>
          {open ? 'Hide data' : 'Show data'}
        </button>
      </div>
      <div class="drawing">{children}</div>
      <div id={id + '-data'}>{open && <div class="behind">{data()}</div>}</div>
    </figure>
  )
}
