// Fills a field for dates or numbers, which takes what is typed its own way.
function(text) {
	if (this.value === undefined || this.value === text || this.maxLength > 0) return
	this.value = text
	for (const kind of ["input", "change"]) this.dispatchEvent(new Event(kind, {bubbles: true}))
}
