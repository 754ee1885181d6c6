package prose

// Distance returns how many letters have to be changed, added, left out or swapped with the next to turn one
// word into the other: their distance by Damerau and Levenshtein, with each letter changed once at most.
func Distance(one, other string) int {
	a, b := []rune(one), []rune(other)
	d := make([][]int, len(a)+1) // between the first i letters of a and the first j of b
	for i := range d {
		d[i] = make([]int, len(b)+1)
		for j := range d[i] {
			switch {
			case i == 0 || j == 0:
				d[i][j] = i + j
				continue
			case a[i-1] == b[j-1]:
				d[i][j] = d[i-1][j-1]
			default:
				d[i][j] = 1 + min(d[i-1][j-1], d[i-1][j], d[i][j-1])
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}
