// What may be wider than the page, a table say: it scrolls sideways, with the keyboard too.

import { useEffect, useRef, useState } from 'preact/hooks'
import type { ComponentChildren } from 'preact'

/** Scroll holds its children. It can be focused as long as they do not fit; the name says then what it is. */
export function Scroll({ name, children }: { name: string, children: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null)
  const [wide, set] = useState(false)
  useEffect(() => {
    const look = () => set(box.current!.scrollWidth > box.current!.clientWidth + 1)
    const watch = new ResizeObserver(look)
    watch.observe(box.current!)
    look()
    return () => watch.disconnect()
  }, [])
  return <div ref={box} class="scroll" {...wide && { tabIndex: 0, role: 'group', 'aria-label': name }}>{children}</div>
}
