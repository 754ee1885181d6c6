package gate

// The gates one by one, for tests.
var (
	Form     = Gate{"form", form}
	Language = Gate{"language", language}

	ErrNoProfile = errNoProfile
)

func Length(p Profile) Gate  { return Gate{"length", p.length} }
func Minimum(p Profile) Gate { return Gate{"minimum", p.minimum} }
func Parts(p Profile) Gate   { return Gate{"parts", p.parts} }
