// Search over all pages. The texts are fetched when the field is first used; nothing leaves the browser.
"use strict"
const index = new URL("search.json", document.currentScript.src)
addEventListener("DOMContentLoaded", () => {
  const field = document.getElementById("search"), list = document.getElementById("found")
  let pages
  const load = () => pages ??= fetch(index).then(r => r.json()).catch(() => [])

  // rank is higher for a page whose title has the words; 0 if a word is missing.
  const rank = (page, words) => {
    const title = page.title.toLowerCase(), text = page.text.toLowerCase()
    let sum = 0
    for (const word of words) {
      if (title.includes(word)) sum += title === word || title.split(/\W+/).includes(word) ? 30 : 10
      else if (!text.includes(word)) return 0
      sum += Math.min(text.split(word).length - 1, 8)
    }
    return sum
  }
  const around = (text, word) => {
    const at = Math.max(text.toLowerCase().indexOf(word), 0), from = Math.max(at - 40, 0)
    return (from > 0 ? "..." : "") + text.slice(from, at + 80)
  }
  const show = async () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean)
    const all = await load()
    const best = words.length === 0 ? [] : all.map(page => [rank(page, words), page]).filter(([r]) => r > 0).sort(([a], [b]) => b - a).slice(0, 12)
    list.replaceChildren(...best.map(([, page]) => {
      const item = document.createElement("li"), link = document.createElement("a"), text = document.createElement("small")
      link.href = new URL(page.link, new URL(".", index))
      link.textContent = page.title
      text.textContent = around(page.text, words[0])
      link.append(text)
      item.append(link)
      return item
    }))
    list.hidden = words.length === 0
    if (!list.hidden && best.length === 0) list.textContent = "No page has all of these words."
  }
  field.addEventListener("focus", load)
  field.addEventListener("input", show)
  field.addEventListener("keydown", event => {
    if (event.key === "Enter") list.querySelector("a")?.click()
    if (event.key === "ArrowDown") { list.querySelector("a")?.focus(); event.preventDefault() }
    if (event.key === "Escape") { field.value = ""; list.hidden = true }
  })
  list.addEventListener("keydown", event => {
    const items = [...list.querySelectorAll("a")], at = items.indexOf(document.activeElement)
    if (event.key === "ArrowDown") items[Math.min(at + 1, items.length - 1)].focus()
    else if (event.key === "ArrowUp") (items[at - 1] ?? field).focus()
    else if (event.key === "Escape") { list.hidden = true; field.focus() }
    else return
    event.preventDefault()
  })
  addEventListener("keydown", event => {
    if (event.key === "/" && document.activeElement !== field) { field.focus(); event.preventDefault() }
  })
})
