package clip

// What clip writes of its own and looks for again, or is too long for the line that says it.
const (
	sayBest       = "What the documents say"
	sayFile       = "File: "
	sayGap        = "- Nothing found about *%s*."
	sayNothing    = "Nothing was found about *%s*."
	sayNoDocument = "No document holds: "
	sayUnspoken   = "No passage found speaks of: "
	sayApart      = "No passage found speaks of these together: "
	sayNoDate     = "No passage found tells when: "
	sayForeign    = "The documents are in another language than the question: only its names and figures can be found in them."
	sayUnread     = "Could not be read, and so not searched: "
	sayTheirs     = "- You edited `report.md`, so it stays as it is. Remove this line to have it written again."
	sayRefused    = "The report was refused, and I cannot mend what is asked for: %s"
	sayLost       = "- Left out: the chapter *%s*, since `%s` is not there or not text."
	sayFaulted    = "- Left out, since a check found fault with it: `%s`."
	sayByHand     = "\nWhat the person wrote of these files:\n"
	sayNoModel    = "No language model wrote this: what Daybook quotes here is word for word in the source that it cites, " +
		"and whether it answers the question was not judged."
	sayCannotUpdate = "The dashboards do not accept what I have to write into them, so I cannot go on."
	sayCannotFollow = "The built-in brain cannot follow notes, and nothing was done about this one. It obeys the question, " +
		"the blueprint and the chapters: change those, or run it with a language model."
	sayNotUnderstood = "I did not understand this request. Without a language model a request must be plain, " +
		"such as: Read report.md."
	sayByKeywords = "No model judged the question: whatever the documents say on its keywords is wanted."
)
