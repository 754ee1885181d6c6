package evaluator

// Objection is a fault that an opponent finds in a report. Its texts are single lines, bounded.
type Objection struct {
	ID      string `json:"id"`                // O1, O2, …; one that still stands keeps its own
	What    string `json:"what"`              // is wrong, as a statement that can be checked
	Where   string `json:"where"`             // words of the report
	Remedy  string `json:"remedy"`            // what would mend it
	Passage string `json:"passage,omitempty"` // what speaks against it, to the letter
}

// Answered is an objection with what the researcher did about it, or why it does not hold.
type Answered struct {
	Objection
	Answer string `json:"answer"`
}
