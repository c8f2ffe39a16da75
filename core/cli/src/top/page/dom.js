// Elements, colours and the tip that follows the pointer. Names from other processes become text, never markup.
const at = id => document.getElementById(id)
const part = (id, selector) => document.querySelector(`#${id} ${selector}`)
const make = (name, properties, ...children) => {
  const made = document.createElement(name)
  Object.assign(made, properties)
  made.append(...children)
  return made
}
// Writes only changes, so that the browser has nothing to do for the rest.
const write = (element, text) => { if (element.textContent !== text) element.textContent = text }

const colours = new Map()
const colour = name => {
  if (!colours.has(name)) colours.set(name, getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim())
  return colours.get(name)
}
const ROUTES = { mapped: 'blue', device: 'green', tcp: 'orange', ucx: 'purple', cma: 'sky' }
const KINDS = { put: 'blue', get: 'orange', copy: 'green', atomic: 'purple', signal: 'sky', message: 'red' }
// The mark of a state, its word, and its colour.
const STATES = { runs: ['●', 'running', 'green'], waits: ['▲', 'waiting', 'orange'], dead: ['✕', 'dead', 'red'], broken: ['✕', 'cut off', 'red'],
  silent: ['○', 'no figures', 'grey'] }

const legend = (id, entries) => part(id, '.legend').replaceChildren(...entries.map(([name, text]) => {
  const box = make('i', {})
  box.style.background = colour(name)
  return make('span', {}, box, text)
}))

// The canvas at the resolution of the screen, and its size in CSS pixels; null while it is not visible.
const drawing = canvas => {
  const [width, height, ratio] = [canvas.clientWidth, canvas.clientHeight, window.devicePixelRatio || 1]
  if (!width || !height) return null
  const [across, down] = [Math.round(width * ratio), Math.round(height * ratio)]
  if (canvas.width !== across || canvas.height !== down) { canvas.width = across; canvas.height = down }
  const draw = canvas.getContext('2d')
  draw.setTransform(ratio, 0, 0, ratio, 0, 0)
  draw.clearRect(0, 0, width, height)
  draw.font = '11px system-ui, "DejaVu Sans", sans-serif'
  return { draw, width, height }
}

const hints = new WeakMap()
const hint = (element, lines) => { hints.set(element, lines); return element }
let pointer = null
function tip () {
  const found = pointer && document.elementFromPoint(pointer.x, pointer.y)
  let element = found
  while (element && !hints.has(element)) element = element.parentElement
  const text = element && hints.get(element)(pointer)
  at('tip').hidden = !text
  if (!text) return
  write(at('tip'), text)
  const { width, height } = at('tip').getBoundingClientRect()
  const left = pointer.x + 14 + width > innerWidth ? Math.max(4, pointer.x - 14 - width) : pointer.x + 14
  const top = pointer.y + 14 + height > innerHeight ? Math.max(4, pointer.y - 14 - height) : pointer.y + 14
  at('tip').style.transform = `translate(${left}px, ${top}px)`
}
