// Ranks as rows: state, memory, rates. Many ranks have lower rows, then two columns, then a scroll bar.
const ROW = { least: 18, most: 40, mostOfFew: 72 }
// So few ranks have rows with a line of their bytes a second, and more room.
const FEW = 12
const rows = new Map()

function stateOf (rank, waiting) {
  if (rank.isDead) return ['dead', rank.sinceMs == null ? 'dead' : `dead since ${clock(rank.sinceMs)}`]
  if (rank.connected === false) return ['broken', 'its connection to the store is broken']
  const wait = waiting.get(rank.rank)
  if (wait) return ['waits', `waits ${seconds(wait.waitedS)} in ${wait.call} for ${ranges(wait.missing) || 'others'}`]
  if (rank.ageS == null) return ['silent', 'publishes no figures']
  if (rank.ageS > Math.max(5, gapMs() / 1000)) return ['silent', `figures are ${seconds(rank.ageS)} old`]
  return ['runs', rank.phase || 'runs']
}

function memoryOf (rank) {
  const sum = (list, of) => list.reduce((all, one) => all + of(one), 0)
  const held = sum(rank.segments, one => one.bytes)
  const most = Math.max(held, sum(rank.segments, one => one.mostBytes))
  const used = sum(rank.heaps, one => one.usedBytes)
  const lines = rank.segments.map(one => `pool ${one.pool}, ${one.kind}: ${bytes(one.bytes)} of ${bytes(Math.max(one.mostBytes, one.bytes))}`)
  for (const one of rank.heaps) {
    lines.push(`heap ${one.heap}: ${bytes(one.usedBytes)} used, ${bytes(one.freeBytes)} free, ${bytes(one.quarantinedBytes)} quarantined`)
  }
  for (const one of rank.caches || []) {
    lines.push(`cache ${one.pool}: ${bytes(one.memoryBytes)} of ${bytes(one.memoryMostBytes)} in memory, ${bytes(one.diskBytes)} of ${bytes(one.diskMostBytes)} on disk${one.isOff ? ', which is off' : ''}`)
    if (one.missesPerS != null) lines.push(`cache ${one.pool}: ${figure(one.memoryHitsPerS)} hits/s in memory, ${figure(one.diskHitsPerS)} on disk, ${figure(one.missesPerS)} misses/s`)
    lines.push(`cache ${one.pool}: ${one.drops} dropped, ${bytes(one.queueBytes)} in the queue of the disk`)
  }
  return { held, most, used, lines }
}

const CELLS = ['mark', 'rank', 'state', 'host', 'bar', 'memory', 'spark', 'rate', 'operations', 'latency']
function rowOf (number) {
  if (rows.has(number)) return rows.get(number)
  const cells = Object.fromEntries(CELLS.map(name => [name, make(name === 'spark' ? 'canvas' : 'span', { className: name === 'bar' || name === 'spark' ? name : 'n' })]))
  const [held, used] = [make('i', {}), make('i', {})]
  cells.bar.append(held, used)
  cells.host.className = 'side'
  cells.rank.style.fontWeight = 650
  cells.rank.textContent = number
  const element = make('div', { className: 'row', tabIndex: 0, role: 'button', onclick: () => choose(number),
    onkeydown: event => { if (event.key === 'Enter') choose(number) } })
  const made = { element, cells, held, used }
  element.dataset.rank = number
  hint(element, () => made.hint)
  rows.set(number, made)
  return made
}

// Columns of the panel, and the cells of a row with widths and titles, by the number of ranks, of hosts, and the room.
function layout (count, hosts, width, height) {
  const isFew = count <= FEW
  const columns = (count + 1) * ROW.least > height && width > 380 ? 2 : 1
  const each = width / columns
  const isWide = each > 330
  const shown = [['mark', isWide ? '12px' : '10px', ''], ['rank', '30px', 'rank']]
  if (each > 370) shown.push(['state', '68px', 'state'])
  if (each > 560 && hosts > 1) shown.push(['host', 'minmax(50px, 76px)', 'host'])
  shown.push(['bar', isFew && each > 560 ? '40px' : 'minmax(22px, 1fr)', isWide ? '' : 'mem'])
  if (isWide) shown.push(['memory', '60px', 'memory'])
  if (isFew && each > 560) shown.push(['spark', 'minmax(40px, 1fr)', 'over time'])
  shown.push(['rate', isWide ? '66px' : '59px', 'bytes/s'])
  if (each > 460) shown.push(['operations', '76px', 'ops/s'])
  shown.push(['latency', isWide ? '58px' : '52px', 'latency'])
  const lines = Math.ceil(count / columns)
  const room = Math.floor(height / (lines + 1))
  return { columns, shown, lines, row: Math.max(ROW.least, Math.min(isFew ? ROW.mostOfFew : ROW.most, room)), isDense: !isWide }
}

// Bytes a second of a rank over the time that the charts show.
function spark (canvas, number) {
  const sheet = drawing(canvas)
  if (!sheet) return
  const { draw, width, height } = sheet
  const [now, span] = [samples[samples.length - 1].at, spanMs()]
  const value = sample => (sample.ranks.get(number) || [])[0]
  const most = Math.max(1, ...samples.map(sample => value(sample) || 0))
  draw.strokeStyle = draw.fillStyle = colour('blue')
  for (const run of runs()) {
    const x = sample => width * (1 - (now - sample.at) / span)
    draw.beginPath()
    for (const sample of run) draw.lineTo(x(sample), (height - 4) * (1 - (value(sample) || 0) / most) + 2)
    draw.stroke()
    draw.lineTo(x(run[run.length - 1]), height - 2)
    draw.lineTo(x(run[0]), height - 2)
    draw.globalAlpha = 0.25
    draw.fill()
    draw.globalAlpha = 1
  }
}

const classOf = state => STATES[state][2] === 'red' ? 'lost-rank' : state
const TITLES = { memory: 'in pools; bar: pale is held, of the most that it may be, dark is used by symmetric heaps',
  rate: 'moved by operations of the rank', operations: 'operations a second of the rank', latency: 'mean of the timed operations of the rank' }
TITLES.bar = TITLES.memory
const headRow = (shown, template) => {
  const element = make('div', { className: 'row head' }, ...shown.map(([name, , title]) =>
    hint(make('span', { className: ['state', 'host', 'bar', 'spark'].includes(name) ? '' : 'n', textContent: title }), () => TITLES[name])))
  element.style.gridTemplateColumns = template
  return element
}

// All ranks with state, memory and mean latency, in the order of the menu.
function ordered (picture) {
  const waiting = new Map(picture.waits.map(wait => [wait.rank, wait]))
  const dead = picture.dead.filter(dead => !picture.ranks.some(rank => rank.rank === dead.rank))
  const all = [...picture.ranks, ...dead.map(dead => ({ ...dead, isDead: true, segments: [], heaps: [], latency: [] }))].map(rank =>
    ({ ...rank, state: stateOf(rank, waiting), memory: memoryOf(rank), latencyUs: ofAllKinds(rank.latency) }))
  const first = {
    rank: () => 0,
    state: rank => ['runs', 'silent', 'waits', 'broken', 'dead'].indexOf(rank.state[0]),
    rate: rank => rank.bytesPerS || 0,
    latency: rank => rank.latencyUs || 0,
    memory: rank => rank.memory.held
  }[at('order').value]
  return all.sort((one, other) => first(other) - first(one) || one.rank - other.rank)
}

const style = (element, wanted) => {
  for (const name in wanted) if (element.style.getPropertyValue(name) !== wanted[name]) element.style.setProperty(name, wanted[name])
}

function fillRow (rank, shown, template, isFirst) {
  const { element, cells, held, used } = rowOf(rank.rank)
  const [state, words] = rank.state
  const { held: bytesHeld, most, used: bytesUsed } = rank.memory
  element.className = `row${isFirst ? ' first' : ''}${rank.rank === chosen ? ' on' : ''}`
  style(element, { 'grid-template-columns': template })
  cells.mark.className = cells.state.className = classOf(state)
  write(cells.mark, STATES[state][0])
  write(cells.state, STATES[state][1])
  write(cells.host, rank.host)
  style(held, { width: (most ? 100 * bytesHeld / most : 0) + '%' })
  style(used, { width: (most ? Math.min(100, 100 * bytesUsed / most) : 0) + '%' })
  write(cells.memory, rank.isDead ? '' : bytes(bytesHeld))
  write(cells.rate, rank.isDead ? 'dead' : rate(rank.bytesPerS))
  write(cells.operations, rank.isDead ? '' : operations(rank.operationsPerS))
  write(cells.latency, rank.isDead ? '' : micros(rank.latencyUs))
  const wanted = shown.map(([name]) => cells[name])
  if (wanted.length !== element.children.length || wanted.some((cell, index) => element.children[index] !== cell)) element.replaceChildren(...wanted)
  rowOf(rank.rank).hint = [`rank ${rank.rank} on ${rank.host}, process ${rank.pid}`, words, ...rank.memory.lines,
    ...(rank.isDead ? [] : [`${rate(rank.bytesPerS)}, ${operations(rank.operationsPerS)}`]),
    ...rank.latency.map(one => `${one.kind}: mean ${micros(one.meanUs)}, 99 % at most ${micros(one.p99AtMostUs)}`)].join('\n')
  return element
}

// Shows all ranks; returns them by number.
function ranks (picture) {
  const all = ordered(picture)
  const place = at('rows')
  document.body.classList.toggle('few', all.length <= FEW)
  const { columns, shown, lines, row, isDense } = layout(all.length, picture.hosts.length, place.clientWidth, place.clientHeight)
  const template = shown.map(([, width]) => width).join(' ')
  place.classList.toggle('dense', isDense)
  style(place, { 'grid-template-columns': `repeat(${columns}, minmax(0, 1fr))`, 'grid-template-rows': `${Math.min(row, 28)}px repeat(${lines}, ${row}px)`, '--row': row + 'px' })
  const byRank = at('order').value === 'rank'
  const elements = all.map((rank, index) => fillRow(rank, shown, template, byRank && index > 0 && all[index - 1].host !== rank.host))
  const old = [...place.children].filter(element => !element.classList.contains('head'))
  if (place.dataset.template !== template || elements.length !== old.length || elements.some((element, index) => old[index] !== element)) {
    const parts = Array.from({ length: columns }, (_, column) => [headRow(shown, template), ...elements.slice(column * lines, (column + 1) * lines)])
    place.replaceChildren(...parts.flat())
    place.dataset.template = template
  }
  if (shown.some(([name]) => name === 'spark')) for (const rank of all) spark(rowOf(rank.rank).cells.spark, rank.rank)
  const count = state => all.filter(rank => rank.state[0] === state).length
  part('ranks', '.legend').replaceChildren(...Object.keys(STATES).filter(state => state === 'runs' || count(state)).map(state =>
    make('span', {}, make('span', { className: classOf(state), textContent: STATES[state][0] }), ` ${count(state)} ${STATES[state][1]}`)))
  return new Map(all.map(rank => [rank.rank, rank]))
}
