// Waits, joined by call and by the ranks that are waited for, and deaths with their time.
const NAMED = 8
function waits (picture) {
  const groups = new Map()
  for (const wait of picture.waits.filter(wait => concerns(wait.rank, ...wait.missing))) {
    const key = JSON.stringify([wait.call, wait.missing])
    if (!groups.has(key)) groups.set(key, { ...wait, ranks: [] })
    const group = groups.get(key)
    group.ranks.push(wait.rank)
    group.waitedS = Math.max(group.waitedS, wait.waitedS)
  }
  const sorted = [...groups.values()].sort((one, other) => other.ranks.length - one.ranks.length || other.waitedS - one.waitedS)
  part('waits', '.list').replaceChildren(...sorted.map(group => {
    const who = group.ranks.length === 1 ? ['rank ', rankButton(group.ranks[0]), ' waits '] : [`${group.ranks.length} ranks wait `]
    const whom = group.missing.slice(0, NAMED).flatMap((rank, index, all) =>
      [make('span', { className: 'together' }, rankButton(rank), index < all.length - 1 ? ',' : ''), ' '])
    const more = group.missing.length > NAMED ? [`and ${group.missing.length - NAMED} more`] : []
    const missing = group.missing.length ? [' for ', group.missing.length > 1 ? 'ranks ' : 'rank ', ...whom, ...more] : []
    return hint(make('p', {}, make('span', { className: 'mark waits', textContent: '▲ ' }), ...who,
      make('b', { textContent: seconds(group.waitedS) }), ` in ${group.call}`, ...missing),
    () => [`waiting: ${ranges(group.ranks)}`, `for: ${ranges(group.missing) || 'not known'}`,
      `longest: ${seconds(group.waitedS)}`].join('\n'))
  }))
  if (!sorted.length) part('waits', '.list').append(make('p', { className: 'none', textContent: chosen === null ? 'none longer than 3 s' : `none of rank ${chosen}` }))
  write(part('waits', '.side'), picture.waits.length ? plural(picture.waits.length, 'rank') : '')
}

function deaths (picture) {
  const found = picture.dead.filter(dead => concerns(dead.rank)).sort((one, other) => (other.sinceMs || 0) - (one.sinceMs || 0))
  part('deaths', '.list').replaceChildren(...found.map(dead => {
    const since = dead.sinceMs == null ? 'before this viewer began' : `${clock(dead.sinceMs)}, ${seconds(Math.max(0, picture.atMs - dead.sinceMs) / 1000)} ago`
    return make('p', {}, make('span', { className: 'mark lost-rank', textContent: '✕ ' }), 'rank ', rankButton(dead.rank), ` died ${since} `,
      make('span', { className: 'side', textContent: `${dead.host}, process ${dead.pid}` }))
  }))
  if (!found.length) part('deaths', '.list').append(make('p', { className: 'none', textContent: chosen === null ? 'none' : `not rank ${chosen}` }))
  write(part('deaths', '.side'), picture.dead.length ? String(picture.dead.length) : '')
}
