// The one rank that the page shows apart; null: all.
let chosen = null
function choose (rank) {
  chosen = rank === chosen ? null : rank
  at('filter').hidden = chosen === null
  write(at('filter'), chosen === null ? '' : `rank ${chosen} ✕`)
  document.body.classList.toggle('filtered', chosen !== null)
  show()
}
const concerns = (...ranks) => chosen === null || ranks.includes(chosen)
const rankButton = rank => make('button', { className: 'rank', textContent: rank, title: `only rank ${rank}`,
  onclick: event => { event.stopPropagation(); choose(rank) } })
