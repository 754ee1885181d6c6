// Tells what covers the middle of a control, if what is hit there does not belong to it.
function() {
	const box = this.getClientRects()[0]
	let hit = box && this.getRootNode().elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
	for (let n = hit; n; n = n.parentNode || n.host) if (n === this) return ""
	const label = this.closest("label") || this.labels && this.labels[0]
	if (!hit || hit.contains(this) || label && label.contains(hit)) return ""
	while (hit.parentElement && !(hit.innerText || "").trim()) hit = hit.parentElement
	return "“" + (hit.innerText || hit.nodeName).trim().slice(0, 100) + "”"
}
