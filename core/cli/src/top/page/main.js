// Follows the events of the viewer.
let picture = null

function state (kind, text) {
  at('state').className = `chip ${kind}`
  write(at('state'), text)
}

function head () {
  const size = picture.worldSize ? ` of ${picture.worldSize}` : ''
  write(at('facts'), `${picture.store} · ${picture.ranks.length}${size} ranks · ${plural(picture.hosts.length, 'host')} · epoch ${picture.epoch}`)
  write(at('clock'), clock(picture.atMs))
  document.body.classList.toggle('ended', picture.ended)
  if (picture.ended) {
    document.title = 'ended – mf top'
    state('quiet', `the job has ended at ${clock(picture.atMs)}; these are its last figures`)
  } else {
    const [dead, waiting] = [picture.dead.length, new Set(picture.waits.map(wait => wait.rank)).size]
    const words = [dead && `${dead} dead`, waiting && `${waiting} waiting`].filter(Boolean).join(', ')
    const isEmpty = !words && !picture.ranks.length
    state(dead ? 'dead' : waiting ? 'wait' : isEmpty ? 'quiet' : 'good', isEmpty ? 'no ranks' : words || 'running')
  }
}

function show () {
  if (!picture) return
  head()
  throughput()
  latency()
  const all = ranks(picture)
  matrix(picture, all)
  waits(picture)
  deaths(picture)
  flows(picture)
  tip()
}

// Several causes to draw within one frame of the screen are one.
let isDue = false
function soon () {
  if (isDue) return
  isDue = true
  requestAnimationFrame(() => { isDue = false; show() })
}

const events = new EventSource('events')
events.onmessage = message => {
  picture = JSON.parse(message.data)
  document.body.classList.remove('lost')
  // The last picture repeats the figures of the one before.
  if (!picture.ended || !samples.length) remember(picture)
  // The viewer ends with the job.
  if (picture.ended) events.close()
  soon()
}
events.onerror = () => {
  document.body.classList.add('lost')
  state('dead', 'the viewer does not answer; it is tried again')
}
addEventListener('resize', soon)
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { colours.clear(); soon() })
addEventListener('pointermove', event => {
  pointer = { x: event.clientX, y: event.clientY, over: event.target }
  // Marks of the pointer are drawn into a canvas.
  if (event.target.localName === 'canvas') soon()
  else tip()
})
document.addEventListener('pointerleave', () => { pointer = null; soon() })
addEventListener('keydown', event => {
  if (event.key !== 'Escape') return
  zoom = null
  if (chosen !== null) choose(chosen)
  else soon()
})
part('matrix', 'canvas').addEventListener('click', event => {
  pointer = { x: event.clientX, y: event.clientY, over: event.target }
  clickMatrix()
})
at('filter').addEventListener('click', () => choose(chosen))
at('whole').addEventListener('click', () => { zoom = null; soon() })
at('order').addEventListener('change', soon)
