// Files that the browser makes of what is shown.

import type { Graph } from './grow'

/** folded are the stacks as lines of "root;caller;leaf value", in the unit of the sample type. */
export function folded(g: Graph, column = 0): string {
  const out: string[] = [], stack: string[] = []
  for (let i = 1; i < g.size; i++) {
    stack.length = g.depth[i]! - 1
    stack.push(g.functions.names[g.fn[i]!]!.replace(/;/g, ':'))
    const v = Math.round(g.self[column]![i]!)
    if (v) out.push(stack.join(';') + ' ' + v)
  }
  return out.join('\n') + '\n'
}

/** save offers a file for download. */
export function save(name: string, content: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

/** savePicture saves the canvas of the current view. */
export function savePicture(name: string): void {
  document.querySelector<HTMLCanvasElement>('.flame canvas')?.toBlob(b => { if (b) save(name, b) })
}
