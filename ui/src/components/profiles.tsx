// Links to profiles, as far as they can be opened here.

import type { ProfileRef } from '../model'
import { has } from '../api'
import { href } from '../router'

/** profileHref is the address of a profile's screen. */
export function profileHref(p: ProfileRef, params: Record<string, string | undefined> = {}): string {
  return href(['profiles', p.run, p.kind], { cohort: p.cohort, ...params })
}

/** ProfileLinks are buttons that open profiles. */
export function ProfileLinks({ of }: { of: ProfileRef[] }) {
  const open = of.filter(p => has(p.path))
  if (!open.length) return null
  return (
    <div class="profiles" data-test="profiles">
      {open.map((p, i) => (
        <span key={i}><a class="button" href={profileHref(p)}>{p.title}</a></span>
      ))}
    </div>
  )
}
