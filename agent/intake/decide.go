package intake

import (
	"fmt"
	"slices"
	"strings"
)

// next is the step that follows a judgement.
type next string

// The five possible steps.
const (
	startResearch     next = "START_RESEARCH"     // clear enough, or to start on assumptions
	needClarification next = "NEED_CLARIFICATION" // one question to the person
	// first look up a term that the model does not know, or the topic
	verifyTopic next = "VERIFY_TOPIC"
	confirmPlan next = "CONFIRM_PLAN" // clear, but the person must see the plan
	cannotDo    next = "CANNOT_DO"    // nothing that reading can answer
)

// The thresholds for a judgement.
const (
	least  = 0.5 // confidence below which a question is asked
	enough = 0.7 // confidence from which nothing has to be assumed
	sure   = 0.9 // confidence above which even costly work starts at once

	leastFocus  = 2 // with fewer the scope could not be inferred
	enoughFocus = 3

	// MaxQuestions bounds the questions to a person; what is then still open is assumed.
	MaxQuestions = 3
)

// state is the history of an intake so far, and its conditions.
type state struct {
	Asked     int      // questions that the person was asked
	Verified  []string // terms that were looked up
	CanLookUp bool     // whether terms can be looked up
	Costly    bool     // whether the research costs enough to show its plan first
	WantPlan  bool     // whether the person wants to see the plan
	JustStart bool     // whether the person said to start without questions
	CanAsk    bool     // whether there is a person to ask
}

// nextStep computes what follows a judgement; nothing is left to the model's taste. The impossible is not
// begun. Unknown terms are looked up before anyone is asked, and the topic before the first question and
// before a plan, so that both are about what exists. With nobody to ask, or on a wish to start, the research
// starts on assumptions. Up to [MaxQuestions] questions are asked while the judgement lacks something and the
// model heard no wish to start. A page could have faked that wish, so it skips no plan: that is shown if the
// person wants it, and for costly work below a confidence of 0.9.
func nextStep(j judgement, s state) next {
	next := decide(j, s)
	shaped := next == confirmPlan || next == needClarification && s.Asked == 0 ||
		next == startResearch && s.WantPlan
	if shaped && s.CanLookUp && len(s.Verified) == 0 && j.Topic != "" {
		return verifyTopic
	}
	return next
}

// decide is nextStep without the first look-up of the topic.
func decide(j judgement, s state) next {
	switch {
	case j.Impossible != "":
		return cannotDo
	case s.CanLookUp && len(unverified(j, s)) > 0:
		return verifyTopic
	case !s.CanAsk || s.JustStart:
		return startResearch
	case s.Asked < MaxQuestions && !j.JustStart && len(lacking(j)) > 0:
		return needClarification
	case s.WantPlan, s.Costly && !(j.Confidence > sure):
		return confirmPlan
	}
	return startResearch
}

// unverified returns the unknown terms not yet looked up.
func unverified(j judgement, s state) []string {
	var terms []string
	for _, t := range j.Terms {
		if !t.Known && !holds(s.Verified, t.Term) && !holds(terms, t.Term) {
			terms = append(terms, t.Term)
		}
	}
	return terms
}

func holds(list []string, item string) bool {
	return slices.ContainsFunc(list, func(have string) bool { return strings.EqualFold(have, item) })
}

// lacking lists, for the model, why a question is needed. NaN counts as low confidence.
func lacking(j judgement) []string {
	var lack []string
	for _, part := range []struct {
		name  string
		clear bool
	}{{"the topic", j.TopicClear}, {"the scope", j.ScopeClear}, {"the goal", j.GoalClear}} {
		if !part.clear {
			lack = append(lack, part.name+" is not clear")
		}
	}
	for _, t := range j.Terms {
		if !t.Known {
			lack = append(lack, fmt.Sprintf("the term %q is unknown", t.Term))
		}
	}
	if !(j.Confidence >= least) {
		lack = append(lack, "the confidence is below 0.5")
	}
	if len(j.Focus) < leastFocus {
		lack = append(lack, "there are fewer than two focuses")
	}
	if len(lack) == 0 && len(j.Assumptions) == 0 &&
		(!(j.Confidence >= enough) || len(j.Focus) < enoughFocus) {
		lack = append(lack,
			"the confidence is below 0.7, or there are fewer than three focuses, and nothing is assumed")
	}
	return lack
}
