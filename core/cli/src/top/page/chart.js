// Throughput and latency over time.
const LEFT = 64
const BELOW = 18

// Draws a frame: lines at these values of a scale, times below. Returns functions from values to pixels.
function frame (canvas, values, text, place) {
  const sheet = drawing(canvas)
  if (!sheet) return null
  const { draw, width, height } = sheet
  const now = samples.length ? samples[samples.length - 1].at : 0
  const span = spanMs()
  const x = time => LEFT + (width - LEFT - 8) * (1 - (now - time) / span)
  const y = value => 6 + (height - BELOW - 6) * (1 - place(value))
  draw.strokeStyle = colour('line')
  draw.fillStyle = colour('soft')
  draw.textBaseline = 'middle'
  draw.textAlign = 'right'
  for (const value of values) {
    const line = Math.round(y(value)) + 0.5
    draw.beginPath(); draw.moveTo(LEFT, line); draw.lineTo(width - 8, line); draw.stroke()
    draw.fillText(text(value), LEFT - 6, line)
  }
  const parts = width < 420 ? 2 : span > 120000 ? 5 : 4
  for (let part = parts; part >= 0; part--) {
    const ago = span / 1000 * part / parts
    draw.textAlign = part ? 'center' : 'right'
    const text = !part ? picture.ended ? 'end' : 'now' : span > 120000 ? `−${ago / 60} min` : `−${ago} s`
    draw.fillText(text, Math.max(LEFT + 4, x(now - ago * 1000)), height - 7)
  }
  return { draw, width, height, x, y }
}

// The sample under the pointer, with a line through it.
function sampleUnder (canvas, sheet) {
  const box = canvas.getBoundingClientRect()
  if (!pointer || !samples.length || !sheet || pointer.over !== canvas) return null
  const nearest = samples.reduce((best, sample) => {
    const distance = Math.abs(sheet.x(sample.at) - (pointer.x - box.left))
    return distance < best.distance ? { sample, distance } : best
  }, { sample: null, distance: 12 }).sample
  if (nearest) {
    const line = Math.round(sheet.x(nearest.at)) + 0.5
    sheet.draw.strokeStyle = colour('ink')
    sheet.draw.beginPath(); sheet.draw.moveTo(line, 4); sheet.draw.lineTo(line, sheet.height - BELOW); sheet.draw.stroke()
  }
  return nearest
}

// A round number that is not below it: 1, 2 or 5 times a power of ten.
const roundUp = value => {
  const power = 10 ** Math.floor(Math.log10(value))
  return [1, 1.5, 2, 3, 4, 5, 6, 8, 10].map(step => step * power).find(step => step >= value * 0.9999)
}

let throughputUnder = null
function throughput () {
  const canvas = part('throughput', 'canvas')
  const names = chosen === null ? [...new Set(samples.flatMap(sample => [...sample.routes.keys()]))].sort() : [`rank ${chosen}`]
  const value = (sample, name) => (chosen === null ? sample.routes.get(name) : (sample.ranks.get(chosen) || [])[0]) || 0
  const total = sample => names.reduce((sum, name) => sum + value(sample, name), 0)
  const most = roundUp(Math.max(1000, ...samples.map(total)))
  const sheet = frame(canvas, [0, most / 2, most], rate, bytes => bytes / most)
  const tint = name => colour(chosen === null ? ROUTES[name] || 'grey' : 'blue')
  if (sheet) {
    for (const run of runs()) {
      // From the top down: a band that is thinner than its line does not hide the band below.
      const upTo = (sample, count) => names.slice(0, count).reduce((sum, name) => sum + value(sample, name), 0)
      for (let index = names.length - 1; index >= 0; index--) {
        const name = names[index]
        const { draw, x, y } = sheet
        draw.beginPath()
        for (const sample of run) draw.lineTo(x(sample.at), y(upTo(sample, index + 1)))
        // A lone sample is a short line.
        if (run.length === 1) draw.lineTo(x(run[0].at) + 1, y(upTo(run[0], index + 1)))
        draw.strokeStyle = tint(name)
        draw.lineWidth = 1.5
        draw.stroke()
        for (const sample of [...run].reverse()) draw.lineTo(x(sample.at), y(upTo(sample, index)))
        draw.globalAlpha = 0.45
        draw.fillStyle = tint(name)
        draw.fill()
        draw.globalAlpha = draw.lineWidth = 1
      }
    }
    throughputUnder = sampleUnder(canvas, sheet)
  }
  const last = samples[samples.length - 1]
  const ofRank = chosen === null ? null : last.ranks.get(chosen)
  const count = chosen === null ? last.operations : ofRank ? ofRank[1] : null
  write(part('throughput', '.figure'), rate(chosen !== null && !ofRank ? null : total(last)))
  write(part('throughput', '.side'), operations(count))
  legend('throughput', chosen === null ? names.map(name => [ROUTES[name] || 'grey', name]) : [['blue', `sent or fetched by rank ${chosen}`]])
  hint(canvas, () => throughputUnder && [clock(throughputUnder.at), ...names.map(name => `${name}: ${rate(value(throughputUnder, name))}`),
    ...(names.length > 1 ? [`together: ${rate(total(throughputUnder))}`] : [])].join('\n'))
}

let latencyUnder = null
function latency () {
  const canvas = part('latency', 'canvas')
  const kinds = [...new Set(samples.flatMap(sample => [...sample.latency.keys()]))].sort()
  const lines = chosen === null
    ? kinds.flatMap(kind => [['meanUs', []], ['p99AtMostUs', [3, 3]]].map(([field, dashes]) =>
        ({ tint: KINDS[kind] || 'grey', dashes, value: sample => (sample.latency.get(kind) || {})[field] })))
    : [{ tint: 'blue', dashes: [], value: sample => (sample.ranks.get(chosen) || [])[2] }]
  const all = samples.flatMap(sample => lines.map(line => line.value(sample))).filter(value => value > 0)
  const [least, most] = all.length ? [Math.min(...all), Math.max(...all)] : [1, 1000]
  const low = Math.floor(Math.log10(least))
  const high = Math.max(low + 1, Math.ceil(Math.log10(most)))
  const decades = Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index))
  const step = Math.ceil(decades.length / 5)
  const sheet = frame(canvas, decades.filter((_, index) => index % step === 0), micros, value => (Math.log10(value) - low) / (high - low))
  if (sheet) {
    for (const run of runs()) {
      for (const line of lines) {
        const { draw, x, y } = sheet
        draw.beginPath()
        let is = false
        for (const sample of run) {
          const value = line.value(sample)
          if (value > 0) draw[is ? 'lineTo' : 'moveTo'](x(sample.at), y(value))
          is = value > 0
        }
        if (run.length === 1 && is) draw.lineTo(x(run[0].at) + 1, y(line.value(run[0])))
        draw.strokeStyle = colour(line.tint)
        draw.lineWidth = line.dashes.length ? 1 : 1.7
        draw.setLineDash(line.dashes)
        draw.stroke()
        draw.setLineDash([])
        draw.lineWidth = 1
      }
    }
    latencyUnder = sampleUnder(canvas, sheet)
  }
  const last = samples[samples.length - 1]
  const mean = chosen === null ? ofAllKinds([...last.latency.values()]) : (last.ranks.get(chosen) || [])[2]
  write(part('latency', '.figure'), micros(mean))
  write(part('latency', '.side'), mean == null ? 'no operation was timed' : 'mean')
  legend('latency', chosen === null ? kinds.map(kind => [KINDS[kind] || 'grey', kind]) : [['blue', `mean of rank ${chosen}`]])
  if (chosen === null && kinds.length) part('latency', '.legend').append(make('span', { textContent: '┄ 99 % at most' }))
  hint(canvas, () => latencyUnder && [clock(latencyUnder.at), ...(chosen === null
    ? [...latencyUnder.latency.values()].map(one =>
        `${one.kind}: mean ${micros(one.meanUs)}, 50 % at most ${micros(one.p50AtMostUs)}, 99 % at most ${micros(one.p99AtMostUs)}`)
    : [`mean of rank ${chosen}: ${micros((latencyUnder.ranks.get(chosen) || [])[2])}`])].join('\n'))
}
