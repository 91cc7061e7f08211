// What may be wider than the page, a table say: it scrolls sideways, with the keyboard too.

import { useEffect, useRef, useState } from 'preact/hooks'
import type { ComponentChildren } from 'preact'

/** Scroll holds its children. It can be focused as long as they do not fit; the name says then what it is. */
export function Scroll({ name, children }: { name: string, children: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null)
  const [wide, set] = useState(false)
  useEffect(() => {
    const outer = box.current!
    const watch = new ResizeObserver(() => set(outer.scrollWidth > outer.clientWidth + 1))
    watch.observe(outer)
    return () => watch.disconnect()
  }, [])
  return <div ref={box} class="scroll" {...wide && { tabIndex: 0, role: 'group', 'aria-label': name }}>{children}</div>
}
