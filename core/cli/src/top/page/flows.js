// The largest flows: from, to, kind and route, bytes a second, mean duration.
const FLOWS = 40
function flows (picture) {
  const found = picture.traffic.filter(flow => concerns(flow.from, flow.to)).slice(0, FLOWS)
  part('flows', '.list').replaceChildren(...found.map(flow => {
    const to = flow.to == null ? 'several' : flow.to
    const element = make('div', { className: 'flow', onclick: () => choose(flow.from) },
      make('span', {}, make('b', { textContent: `${flow.from} → ${to} ` }), make('span', { className: 'side', textContent: `${flow.kind} ${flow.route}` }),
        ...(flow.errors ? [make('span', { className: 'lost-rank', textContent: ` ${plural(flow.errors, 'error')}` })] : [])),
      make('span', { className: 'n', textContent: rate(flow.bytesPerS) }), make('span', { className: 'n', textContent: micros(flow.meanUs) }))
    return hint(element, () => [`rank ${flow.from} → ${flow.to == null ? 'several ranks' : `rank ${flow.to}`}`, `${flow.kind} by ${flow.route}`,
      `${rate(flow.bytesPerS)}, ${operations(flow.operationsPerS)}`, `mean ${micros(flow.meanUs)}`, plural(flow.errors, 'error') + ' since it is counted'].join('\n'))
  }))
  if (!found.length) part('flows', '.list').append(make('p', { className: 'none', textContent: 'no operations in the last interval' }))
  write(part('flows', '.side'), picture.flows > found.length ? `${found.length} of ${picture.flows}` : '')
}
