// Waits until nothing of the page has changed for a while.
(rest, most) => new Promise(done => {
	let soon, late
	const end = () => { clearTimeout(soon); clearTimeout(late); eye.disconnect(); done() }
	const eye = new MutationObserver(() => { if (soon) { clearTimeout(soon); soon = setTimeout(end, rest) } })
	eye.observe(document, {subtree: true, childList: true, characterData: true})
	const begin = () => { // once it is drawn: what comes into view may load more
		soon ||= setTimeout(end, document.body && document.body.innerText.length > 200 ? rest : 3 * rest)
	}
	requestAnimationFrame(() => requestAnimationFrame(begin))
	setTimeout(begin, most)
	late = setTimeout(end, 2 * most)
})
