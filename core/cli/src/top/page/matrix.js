// Traffic by sender (rows) and peer (columns). A cell has several ranks where they would be too small to see; a click
// on it shows these ranks larger.
const EDGE = 46
const STRIP = 5
// Smallest cell, and the largest whose ranks are shown by a click, in pixels.
const CELL = 4
const CELL_TO_ZOOM = 10
// Ranks of a part.
const PART = 32
// The scale spans at most so many powers of ten.
const DECADES = 4
let zoom = null
let grid = null

// The part of the ranks that is visible, and how they are joined to cells.
function gridOf (picture, width, height) {
  const size = Math.max(picture.worldSize, 1, ...picture.ranks.map(rank => rank.rank + 1), ...picture.dead.map(dead => dead.rank + 1))
  if (zoom && (zoom.from >= size || zoom.to >= size)) zoom = null
  const count = zoom ? Math.min(PART, size) : size
  const room = Math.max(40, Math.min(width, height) - EDGE - STRIP)
  const { group } = picture.matrix
  let each = group
  while (Math.ceil(count / each) * CELL > room) each *= 2
  const cells = Math.ceil(count / each)
  const [fromFirst, toFirst] = zoom ? [zoom.from, zoom.to] : [0, 0]
  const pixels = room / cells
  const left = Math.max(0, (width - EDGE - STRIP - room) / 2) + EDGE + STRIP
  return { size, count, each, cells, fromFirst, toFirst, pixels, left, top: EDGE + STRIP, sums: new Map() }
}

// Joins the cells of the picture to cells of the grid: bytes, operations, and means by operations.
function fillGrid (picture) {
  const { group, cells } = picture.matrix
  for (const [from, to, bytesPerS, perS, meanUs] of cells) {
    const [row, column] = [from * group - grid.fromFirst, to * group - grid.toFirst].map(offset => Math.floor(offset / grid.each))
    if (row < 0 || column < 0 || row >= grid.cells || column >= grid.cells) continue
    const key = row * grid.cells + column
    const sum = grid.sums.get(key) || { row, column, bytes: 0, operations: 0, weighted: 0, timed: 0, pairs: 0 }
    sum.bytes += bytesPerS
    sum.operations += perS
    sum.pairs++
    if (meanUs != null) { sum.weighted += meanUs * perS; sum.timed += perS }
    grid.sums.set(key, sum)
  }
}

const mix = (one, other, part) => one.map((value, index) => Math.round(value + (other[index] - value) * part))
const SHADES = 48
function shades () {
  const [low, middle, high] = ['low', 'middle', 'high'].map(name => colour(name).split(' ').map(Number))
  return Array.from({ length: SHADES + 1 }, (_, index) => {
    const part = index / SHADES
    const [red, green, blue] = part < 0.5 ? mix(low, middle, part * 2) : mix(middle, high, part * 2 - 1)
    return { fill: `rgb(${red} ${green} ${blue})`, isDark: red * 0.3 + green * 0.6 + blue * 0.1 < 140 }
  })
}

function matrix (picture, all) {
  const canvas = part('matrix', 'canvas')
  const sheet = drawing(canvas)
  if (!sheet) return
  const { draw, width, height } = sheet
  grid = gridOf(picture, width, height)
  fillGrid(picture)
  const { cells, pixels, left, top, each } = grid
  const sizes = [...grid.sums.values()].map(sum => sum.bytes).filter(bytes => bytes > 0)
  const most = Math.max(1, ...sizes)
  const decades = Math.min(DECADES, Math.max(1, Math.log10(most / Math.min(most, ...sizes))))
  const end = cells * pixels
  draw.fillStyle = colour('empty')
  draw.fillRect(left, top, end, end)
  const gap = pixels >= 8 ? 1 : 0
  const tints = shades()
  for (const sum of grid.sums.values()) {
    const isOn = chosen === null || [[grid.fromFirst, sum.row], [grid.toFirst, sum.column]].some(([first, cell]) =>
      chosen >= first + cell * each && chosen < first + (cell + 1) * each)
    const part = sum.bytes ? Math.max(0, 1 + Math.log10(sum.bytes / most) / decades) : 0
    const { fill, isDark } = tints[Math.round(part * SHADES)]
    draw.globalAlpha = isOn ? 1 : 0.2
    draw.fillStyle = fill
    const [x, y] = [left + sum.column * pixels, top + sum.row * pixels]
    draw.fillRect(x, y, pixels - gap, pixels - gap)
    if (pixels >= 58) {
      draw.fillStyle = isDark ? '#fff' : '#10202f'
      draw.textAlign = 'center'
      draw.textBaseline = 'middle'
      const mean = sum.timed && pixels >= 70 ? micros(sum.weighted / sum.timed) : null
      draw.fillText(rate(sum.bytes), x + pixels / 2, y + pixels / 2 - (mean ? 8 : 0))
      if (mean) draw.fillText(mean, x + pixels / 2, y + pixels / 2 + 8)
    }
    draw.globalAlpha = 1
  }
  axes(draw, all)
  const under = cellUnder(canvas)
  if (under && under.row >= 0 && under.column >= 0) {
    draw.strokeStyle = colour('ink')
    draw.lineWidth = 1.5
    draw.strokeRect(left + under.column * pixels, top + under.row * pixels, pixels - gap, pixels - gap)
    draw.lineWidth = 1
  }
  const [low, high] = document.querySelectorAll('#matrix .scale > span')
  write(low, (decades === DECADES ? '≤ ' : '') + rate(most / 10 ** decades))
  write(high, rate(most))
  const pairs = picture.matrix.cells.length
  write(part('matrix', '.side'), !pairs ? 'none in the last interval' : zoom
    ? `ranks ${zoom.from}–${zoom.from + grid.count - 1} to ${zoom.to}–${zoom.to + grid.count - 1}`
    : each > 1 ? `${each} × ${each} ranks a cell; a click enlarges` : plural(pairs, 'pair'))
  at('whole').hidden = !zoom
  hint(canvas, () => hintOfCell(cellUnder(canvas), all))
}

// Numbers of ranks, states, and lines between hosts.
function axes (draw, all) {
  const { cells, pixels, left, top, each, fromFirst, toFirst, size } = grid
  const end = cells * pixels
  const step = (least) => { let step = 1; while (step * pixels < least) step *= 2; return step }
  draw.fillStyle = colour('soft')
  draw.textAlign = 'center'
  draw.textBaseline = 'middle'
  draw.fillText('to rank', left + end / 2, 8)
  draw.save()
  draw.translate(left - EDGE - STRIP + 8, top + end / 2)
  draw.rotate(-Math.PI / 2)
  draw.fillText('from rank', 0, 0)
  draw.restore()
  for (let cell = 0; cell < cells; cell += step(28)) draw.fillText(toFirst + cell * each, left + (cell + 0.5) * pixels, top - STRIP - 10)
  draw.textAlign = 'right'
  for (let cell = 0; cell < cells; cell += step(14)) draw.fillText(fromFirst + cell * each, left - STRIP - 5, top + (cell + 0.5) * pixels)
  const worst = first => {
    const states = Array.from({ length: each }, (_, index) => all.get(first + index)).filter(Boolean).map(rank => rank.state[0])
    return ['dead', 'broken', 'waits', 'silent', 'runs'].find(state => states.includes(state))
  }
  for (let cell = 0; cell < cells; cell++) {
    for (const [first, x, y, across, down] of [[fromFirst, left - STRIP - 1, top + cell * pixels, STRIP - 1, pixels],
      [toFirst, left + cell * pixels, top - STRIP - 1, pixels, STRIP - 1]]) {
      const state = worst(first + cell * each)
      draw.fillStyle = colour(state ? STATES[state][2] : 'line')
      draw.globalAlpha = state === 'runs' ? 0.5 : 1
      draw.fillRect(x, y, across - (across > 8 ? 1 : 0), down - (down > 8 ? 1 : 0))
      draw.globalAlpha = 1
    }
  }
  draw.strokeStyle = colour('grey')
  draw.globalAlpha = cells / pixels > 12 ? 0.25 : 0.6
  const host = rank => (all.get(rank) || {}).host
  for (let cell = 1; cell < cells; cell++) {
    for (const [first, isRow] of [[fromFirst, true], [toFirst, false]]) {
      const rank = first + cell * each
      if (rank >= size || host(rank) === host(rank - 1) || pixels * cells / 64 < 4) continue
      const line = Math.round((isRow ? top : left) + cell * pixels) - 0.5
      draw.beginPath()
      draw.moveTo(isRow ? left : line, isRow ? line : top)
      draw.lineTo(isRow ? left + end : line, isRow ? line : top + end)
      draw.stroke()
    }
  }
  draw.globalAlpha = 1
}

// Row and column under the pointer; −1 in one of them: the number of a rank at an edge.
function cellUnder (canvas) {
  if (!pointer || !grid || pointer.over !== canvas) return null
  const box = canvas.getBoundingClientRect()
  const [column, row] = [(pointer.x - box.left - grid.left) / grid.pixels, (pointer.y - box.top - grid.top) / grid.pixels].map(Math.floor)
  if (column >= grid.cells || row >= grid.cells || (column < 0 && row < 0)) return null
  return { row: Math.max(-1, row), column: Math.max(-1, column) }
}

const ranksOf = (first, cell) => {
  const from = first + cell * grid.each
  const to = Math.min(from + grid.each, grid.size) - 1
  return from === to ? `rank ${from}` : `ranks ${from}–${to}`
}

function hintOfCell (under, all) {
  if (!under) return null
  if (under.row < 0 || under.column < 0) {
    const [first, cell] = under.row < 0 ? [grid.toFirst, under.column] : [grid.fromFirst, under.row]
    const rank = all.get(first + cell * grid.each)
    return ranksOf(first, cell) + (grid.each === 1 && rank ? ` on ${rank.host}\n${rank.state[1]}` : '')
  }
  const names = `${ranksOf(grid.fromFirst, under.row)} → ${ranksOf(grid.toFirst, under.column)}`
  const sum = grid.sums.get(under.row * grid.cells + under.column)
  if (!sum) return `${names}\nno traffic`
  return `${names}\n${rate(sum.bytes)}, ${operations(sum.operations)}` + (sum.timed ? `\nmean ${micros(sum.weighted / sum.timed)}` : '') +
    (sum.pairs > 1 ? `\n${sum.pairs} pairs` : '')
}

// A small cell is enlarged; else its sender is chosen, at an edge the rank there.
function clickMatrix () {
  const under = cellUnder(part('matrix', 'canvas'))
  if (!under) return
  if (!zoom && grid.count > PART && (grid.each > 1 || grid.pixels < CELL_TO_ZOOM) && under.row >= 0 && under.column >= 0) {
    const aligned = (first, cell) => Math.floor((first + cell * grid.each) / PART) * PART
    zoom = { from: aligned(0, under.row), to: aligned(0, under.column) }
    show()
  } else if (grid.each === 1) {
    choose(under.row < 0 ? grid.toFirst + under.column : grid.fromFirst + under.row)
  }
}
