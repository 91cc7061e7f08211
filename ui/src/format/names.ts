// Names of functions, short enough for a drawing.

/** withoutTypes is a name with its type parameters left out: they may hold brackets, too. What begins with a bracket is no function
    but a state, [waiting to run behind] say, and stays. */
export function withoutTypes(name: string): string {
  if (name.startsWith('[')) return name
  let out = '', depth = 0
  for (const c of name) {
    if (c === '[' && depth++ === 0) out += '[…]'
    else if (c === ']' && depth > 0) depth--
    else if (depth === 0) out += c
  }
  return out
}

/** shortName is a name without the directories of its package and without type parameters: http.(*conn).serve, slices.SortFunc[…].
    A package in the directory of a major version has the name before that: shop.Sum of example.com/shop/v2.Sum. */
export function shortName(name: string): string {
  if (name.startsWith('[')) return name
  const until = name.search(/[[(]/) // type parameters and receivers may name packages, too
  const path = until < 0 ? name : name.slice(0, until)
  const [, base, rest] = /([^/]+)\/v\d+(\.[^/]*)$/.exec(path) ?? []
  const own = base ? base + rest : path.slice(path.lastIndexOf('/') + 1)
  return withoutTypes(own + name.slice(path.length))
}
