// Tells what covers a control, if what is hit in its place does not belong to it.
function(hit) {
	for (let n = hit; n; n = n.parentNode || n.host) if (n === this) return ""
	const label = this.closest && this.closest("label") || this.labels && this.labels[0]
	if (hit.contains(this) || label && label.contains(hit)) return ""
	while (hit.parentElement && !(hit.innerText || "").trim()) hit = hit.parentElement
	return "“" + (hit.innerText || hit.nodeName).trim().slice(0, 100) + "”"
}
