// Samples of the last ten minutes, the oldest first. It begins when the page is opened.
const KEPT_MS = 600000
const samples = []

function remember (picture) {
  const ranks = new Map()
  for (const rank of picture.ranks) ranks.set(rank.rank, [rank.bytesPerS, rank.operationsPerS, ofAllKinds(rank.latency)])
  samples.push({
    at: picture.atMs,
    operations: picture.routes.reduce((sum, route) => sum + route.operationsPerS, 0),
    routes: new Map(picture.routes.map(route => [route.route, route.bytesPerS])),
    latency: new Map(picture.latency.map(one => [one.kind, one])),
    ranks
  })
  while (samples[0].at < picture.atMs - KEPT_MS) samples.shift()
}

// Mean of the timed operations of all kinds, in microseconds; null without any.
function ofAllKinds (latency) {
  const timed = latency.reduce((sum, one) => sum + one.timed, 0)
  return timed ? latency.reduce((sum, one) => sum + one.meanUs * one.timed, 0) / timed : null
}

// The time that the charts show: it grows with the history.
const SPANS_MS = [60000, 120000, 300000, KEPT_MS]
const spanMs = () => {
  const had = samples.length ? samples[samples.length - 1].at - samples[0].at : 0
  return SPANS_MS.find(span => span >= had) || KEPT_MS
}

// Without a sample for so long, there was no viewer: the lines of a chart are broken there.
const gapMs = () => {
  const steps = samples.slice(-20).map((sample, index, all) => index ? sample.at - all[index - 1].at : 0).sort((a, b) => a - b)
  return Math.max(3000, 3 * (steps[steps.length >> 1] || 0))
}
const runs = () => {
  const [gap, found] = [gapMs(), []]
  samples.forEach((sample, index) => {
    if (!index || sample.at - samples[index - 1].at > gap) found.push([])
    found[found.length - 1].push(sample)
  })
  return found
}
