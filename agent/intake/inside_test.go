package intake

// What the tests see of the inside.
type (
	Judgement = judgement
	Term      = term
	State     = state
	Next      = next
)

const (
	StartResearch     = startResearch
	NeedClarification = needClarification
	VerifyTopic       = verifyTopic
	ConfirmPlan       = confirmPlan
	CannotDo          = cannotDo
)

var (
	Decide         = nextStep
	ParseJudgement = parseJudgement
)
