// Figures as text, with their units.
const figure = value => value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
const scaled = (value, step, units) => {
  if (value == null) return '–'
  let unit = 0
  while (value >= step && unit < units.length - 1) { value /= step; unit++ }
  return (unit || value % 1 ? figure(value) : String(value)) + '\u00a0' + units[unit]
}
const bytes = value => scaled(value, 1024, ['B', 'KiB', 'MiB', 'GiB', 'TiB'])
const rate = value => scaled(value && Math.round(value), 1000, ['B/s', 'kB/s', 'MB/s', 'GB/s', 'TB/s'])
const operations = value => scaled(value, 1000, ['op/s', 'kop/s', 'Mop/s', 'Gop/s'])
const micros = value => value < 1e3 || value == null ? scaled(value, 1e3, ['µs']) : scaled(value / 1e3, 1e3, ['ms', 's'])
const seconds = value => value < 90 ? figure(value) + '\u00a0s' : value < 5400 ? Math.round(value / 60) + '\u00a0min' : figure(value / 3600) + '\u00a0h'
const clock = ms => new Date(ms).toLocaleTimeString('en-GB')
const plural = (count, one, many = one + 's') => `${count} ${count === 1 ? one : many}`

// Ranks in order as ranges: 0–2, 4.
const ranges = ranks => {
  const parts = []
  for (const rank of [...ranks].sort((one, other) => one - other)) {
    const last = parts[parts.length - 1]
    if (last && last[1] === rank - 1) last[1] = rank
    else parts.push([rank, rank])
  }
  return parts.map(([first, last]) => first === last ? first : first + 1 === last ? `${first}, ${last}` : `${first}–${last}`).join(', ')
}
