// Chooses an option of a list, by its place.
function(at) {
	this.selectedIndex = at
	for (const kind of ["input", "change"]) this.dispatchEvent(new Event(kind, {bubbles: true}))
}
